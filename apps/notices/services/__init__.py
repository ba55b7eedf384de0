"""What readers and staff do with notices."""
