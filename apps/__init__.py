"""The portal's apps; who may import whom is in pyproject.toml (import-linter)."""
