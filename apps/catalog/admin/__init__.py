"""Staff pages of the catalogue."""

from apps.catalog.admin import imports, price_groups, products, promotions, stock

__all__ = ["imports", "price_groups", "products", "promotions", "stock"]
