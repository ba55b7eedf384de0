"""What every call shares."""
