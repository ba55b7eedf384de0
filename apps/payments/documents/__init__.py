"""Documents about money received."""
