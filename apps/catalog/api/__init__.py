"""The calls of the catalog app."""
