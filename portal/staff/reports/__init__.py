"""Reports: what was sold, what is owed, what runs out, which promises were kept (design/admin-2.md,
section 4).
"""
