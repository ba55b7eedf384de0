"""The calls of the payments app."""
