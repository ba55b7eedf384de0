"""Judges what was read of a list by the catalogue: which product a row means, what keeps it from
being ordered.
"""
