"""Notices to buyers and their files."""
