"""The orders behind a figure, as the address of the orders' list that shows them."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from django.urls import reverse

from apps.orders.selectors.sales import Days, Dimension


def orders_behind(days: Days, chosen: Mapping[Dimension, Any]) -> str:
    """Return the address of the orders confirmed in these days, of the month, brand, product,
    country or company.

    What has no number, such as companies without a country, has no address.
    """
    if None in chosen.values():
        return ""
    only = dict(chosen)
    if month := only.pop(Dimension.MONTH, None):
        days = days.within(month)
    keys = "".join(f"&sold_{dimension}={key:d}" for dimension, key in only.items())
    return f"{_orders()}?status=all&sold_since={days.since}&sold_until={days.until}{keys}"


@cache
def _orders() -> str:
    return reverse(
        "admin:orders_order_changelist"
    )  # once: a table of 200 rows has thousands of figures
