"""The calls of the notices app."""
