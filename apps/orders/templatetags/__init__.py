"""Template tags of orders."""
