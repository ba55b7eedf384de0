"""What make calls. Standard library only, so that it runs before anything is installed."""
