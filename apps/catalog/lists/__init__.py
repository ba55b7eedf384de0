"""Reads what a buyer sends as his order: which column is what, which row asks for how much, and why
a row is none.
"""
