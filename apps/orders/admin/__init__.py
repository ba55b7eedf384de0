"""Staff pages of orders: the list, one order, its steps, and the records."""

from apps.orders.admin import orders, records, shipping_rates, wanted
from apps.orders.intake import admin as lists

__all__ = ["lists", "orders", "records", "shipping_rates", "wanted"]
