"""Writing what is moved in."""
