"""Writes of the payments app: each function is one use case and one transaction."""
