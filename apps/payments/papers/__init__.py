"""Papers about money received."""
