"""What promotions ask for products."""

from collections.abc import Collection, Mapping
from datetime import datetime
from decimal import Decimal

from apps.catalog.models import PromotionItem

AskedPrices = Mapping[int, list[tuple[str, Decimal]]]


def open_promotions(*, product_ids: Collection[int], now: datetime) -> AskedPrices:
    """Return the names and prices (US dollars) of the promotions that run or are to come, by
    product. Those without a price ask the product's own. One statement.
    """
    items = PromotionItem.objects.filter(
        product_id__in=product_ids, promotion__ends_at__gt=now, price__isnull=False
    )
    asked: dict[int, list[tuple[str, Decimal]]] = {}
    rows = items.order_by("promotion__starts_at", "pk")
    for product_id, name, price in rows.values_list("product_id", "promotion__name", "price"):
        asked.setdefault(product_id, []).append((name, price))
    return asked
