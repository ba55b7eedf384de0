"""What orders answer when the catalogue asks."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.dispatch import receiver

from apps.catalog.signals import hold_released, naming_products, stock_arrived
from apps.orders.selectors.named import named_products
from apps.orders.services.offers import give_offers_back, share


@receiver(naming_products, dispatch_uid="orders.named_products")
def on_naming_products(*, products: Mapping[int, str], since: datetime, **_: Any) -> set[int]:
    """Name the products of orders, of lists that may still be ordered, and of baskets."""
    return named_products(products=products, since=since)


@receiver(stock_arrived, dispatch_uid="orders.share_arrived")
def on_stock_arrived(*, pieces: Mapping[int, int], now: datetime, **_: Any) -> None:
    """Offer what came in to those who wait for it."""
    share(pieces, now=now)


@receiver(hold_released, dispatch_uid="orders.give_offers_back")
def on_hold_released(*, invoice_code: str, **_: Any) -> None:
    """Hold again for wishes what a payment had taken of their offers."""
    give_offers_back(invoice_code=invoice_code)
