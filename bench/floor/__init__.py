"""The bare floor: the same reads and writes with no framework in the way."""
