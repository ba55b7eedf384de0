"""Settings: `base` for all, then `development` (the embedded default), `test` and `production`."""
