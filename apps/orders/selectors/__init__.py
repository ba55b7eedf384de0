"""Reads of orders. Each takes the buyer and starts from the rows that the buyer may see."""

from apps.orders.selectors.again import not_ordered_for_long, order_again
from apps.orders.selectors.baskets import (
    basket_json,
    basket_since,
    saved_basket,
    saved_baskets,
    saved_baskets_count,
)
from apps.orders.selectors.conversation import conversation
from apps.orders.selectors.details import order_details
from apps.orders.selectors.lists import (
    OrderQuery,
    exported_orders,
    order_in_list,
    order_list,
    order_sums,
)
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
    seller_date,
    unfinished_requests,
)
from apps.orders.selectors.packing import packing_of
from apps.orders.selectors.papers import documents_count, documents_of, issued_papers
from apps.orders.selectors.waiting import ordered_this_year, owed_in_all, what_is_due, what_is_owed
from apps.orders.selectors.wishes import open_wishes, wish_offers

__all__ = [
    "OrderQuery",
    "address_text",
    "basket_json",
    "basket_since",
    "conversation",
    "documents_count",
    "documents_of",
    "due_of",
    "entries",
    "exported_orders",
    "find_invoice_code",
    "get_open_temporary_order",
    "get_order",
    "get_order_for_staff",
    "get_temporary_order",
    "is_ordered",
    "issued_papers",
    "last_months",
    "month_of",
    "not_ordered_for_long",
    "number_of",
    "open_wishes",
    "order_address",
    "order_again",
    "order_details",
    "order_in_list",
    "order_list",
    "order_sums",
    "ordered_this_year",
    "owed_in_all",
    "packing_of",
    "recent_orders",
    "saved_basket",
    "saved_baskets",
    "saved_baskets_count",
    "seller_date",
    "unfinished_requests",
    "what_is_due",
    "what_is_owed",
    "wish_offers",
]
