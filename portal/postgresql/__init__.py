"""PostgreSQL as the portal uses it."""
