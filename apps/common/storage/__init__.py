"""Stored files, and the guards of uploads."""
