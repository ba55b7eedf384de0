"""Staff pages of the catalogue."""

from apps.catalog.admin import import_review, products, set_prices, stock

__all__ = ["import_review", "products", "set_prices", "stock"]
