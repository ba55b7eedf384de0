"""The calls of the accounts app."""
