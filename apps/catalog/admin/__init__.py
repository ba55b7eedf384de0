"""Staff pages of the catalogue."""

from apps.catalog.admin import access, imports, price_groups, products, promotions, stock

__all__ = ["access", "imports", "price_groups", "products", "promotions", "stock"]
