"""What every database access shares."""
