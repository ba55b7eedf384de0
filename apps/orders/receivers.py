"""What orders answer when the catalogue asks."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.dispatch import receiver

from apps.catalog.signals import last_order_asked, naming_products
from apps.orders.selectors.again import last_order
from apps.orders.selectors.named import named_products


@receiver(naming_products, dispatch_uid="orders.named_products")
def on_naming_products(*, products: Mapping[int, str], since: datetime, **_: Any) -> set[int]:
    """Name the products of orders, of lists that may still be ordered, and of baskets."""
    return named_products(products=products, since=since)


@receiver(last_order_asked, dispatch_uid="orders.last_order")
def on_last_order_asked(*, company_id: int, **_: Any) -> dict[str, int]:
    """Return what a company ordered last."""
    return last_order(company_id=company_id)
