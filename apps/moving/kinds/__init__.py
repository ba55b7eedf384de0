"""What can be moved in: each a kind of import."""
