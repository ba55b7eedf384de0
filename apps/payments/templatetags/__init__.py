"""Template tags of payments."""
