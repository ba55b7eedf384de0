"""What answers requests: middleware, pages, and the calls that belong to no app."""
