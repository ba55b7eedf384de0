"""The page "Settings": what the seller sets of the portal."""
