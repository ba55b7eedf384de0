"""Korean, for staff."""
