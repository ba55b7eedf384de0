"""How staff pages write moments and days."""
