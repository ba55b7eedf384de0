"""What orders answer when the catalogue asks."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.dispatch import receiver

from apps.catalog.signals import naming_products
from apps.orders.selectors.named import named_products


@receiver(naming_products, dispatch_uid="orders.named_products")
def on_naming_products(*, products: Mapping[int, str], since: datetime, **_: Any) -> set[int]:
    """Name the products of orders, of lists that may still be ordered, and of baskets."""
    return named_products(products=products, since=since)
