"""Writes of the orders app: each function is one use case and one transaction."""
