"""Brands, products, promotions, stock and the price list."""
