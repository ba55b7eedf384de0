"""Staff pages of the catalogue."""

from apps.catalog.admin import access, imports, lists, products, promotions, stock

__all__ = ["access", "imports", "lists", "products", "promotions", "stock"]
