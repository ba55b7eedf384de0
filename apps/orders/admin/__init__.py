"""Staff pages of orders: the list, one order, its steps, and the records."""

from apps.orders.admin import orders, records

__all__ = ["orders", "records"]
