"""Shared kernel: no models, and nothing of any other app."""
