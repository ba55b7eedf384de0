"""Writes of the catalog app, one file for each use case."""
