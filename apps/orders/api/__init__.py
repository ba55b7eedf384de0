"""The calls of the orders app."""
