"""Staff pages of the catalogue."""

from apps.catalog.admin import access, imports, products, promotions, stock

__all__ = ["access", "imports", "products", "promotions", "stock"]
