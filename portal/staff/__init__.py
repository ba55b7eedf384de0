"""What every staff page shares: the menu, the work that waits, the home page and the jump box."""
