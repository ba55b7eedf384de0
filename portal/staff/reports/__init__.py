"""Reports: what was sold, what is owed, what runs out (design/admin-2.md, section 4)."""
