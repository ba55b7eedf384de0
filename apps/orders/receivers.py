"""What orders answer when the catalogue or the mail queue asks."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.dispatch import receiver
from django.utils import timezone

from apps.catalog.signals import hold_released, naming_products, stock_arrived
from apps.common.mail import attaching
from apps.orders.models import Basket, OrderLine, PackingItem, SavedBasket, TemporaryOrder, Wish
from apps.orders.services.documents import attached_file
from apps.orders.services.wishes import give_offers_back, share


@receiver(naming_products, dispatch_uid="orders.named_products")
def on_naming_products(*, products: Mapping[int, str], since: datetime, **_: Any) -> set[int]:
    """Return which of these products (id to SKU, not older than `since`) an order, a list, a wish
    or a basket names: those stay, whatever becomes of the import that added them.
    """
    in_use: set[int] = set()
    for rows in (OrderLine.objects, PackingItem.objects, Wish.objects):
        in_use |= set(rows.filter(product_id__in=products).values_list("product_id", flat=True))
    drafts = TemporaryOrder.objects.filter(ordered_at__isnull=True, expires_at__gt=since)
    for lines in drafts.values_list("lines", flat=True).iterator():
        in_use |= {line["product_id"] for line in lines} & products.keys()
    ids = {sku: product_id for product_id, sku in products.items()}
    for baskets in (Basket.objects, SavedBasket.objects):
        for lines in baskets.exclude(lines=[]).values_list("lines", flat=True).iterator():
            in_use |= {ids[line["sku"]] for line in lines if line["sku"] in ids}
    return in_use


@receiver(stock_arrived, dispatch_uid="orders.share_arrived")
def on_stock_arrived(*, pieces: Mapping[int, int], now: datetime, **_: Any) -> None:
    """Offer what came in to those who wait for it."""
    share(pieces, now=now)


@receiver(hold_released, dispatch_uid="orders.give_offers_back")
def on_hold_released(*, invoice_code: str, **_: Any) -> None:
    """Hold again for wishes what a payment had taken of their offers."""
    give_offers_back(invoice_code=invoice_code)


@receiver(attaching, dispatch_uid="orders.attach_document")
def on_attaching(*, attached: Mapping[str, Any], **_: Any) -> bytes | None:
    """Make the document that a mail takes along."""
    return attached_file(**attached, now=timezone.now())
