"""Faults, kills, access and limits of the portal as a whole (design/reliability-and-security.md,
section 19).
"""
