"""Reads of orders. Each takes the buyer and starts from the rows that the buyer may see."""

from apps.orders.selectors.details import order_details
from apps.orders.selectors.links import get_linked_document, get_linked_packing_list
from apps.orders.selectors.lists import Wanted, order_in_list, order_list
from apps.orders.selectors.orders import (
    address_text,
    due_of,
    entries,
    find_invoice_code,
    get_open_temporary_order,
    get_order,
    get_order_for_staff,
    get_temporary_order,
    is_ordered,
    last_months,
    month_of,
    number_of,
    order_address,
    recent_orders,
)
from apps.orders.selectors.packing import packing_of

__all__ = [
    "Wanted",
    "address_text",
    "due_of",
    "entries",
    "find_invoice_code",
    "get_linked_document",
    "get_linked_packing_list",
    "get_open_temporary_order",
    "get_order",
    "get_order_for_staff",
    "get_temporary_order",
    "is_ordered",
    "last_months",
    "month_of",
    "number_of",
    "order_address",
    "order_details",
    "order_in_list",
    "order_list",
    "packing_of",
    "recent_orders",
]
