"""What the catalogue can import: products with prices and stock, pictures."""
