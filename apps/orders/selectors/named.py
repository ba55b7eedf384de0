"""Which products are named by something of a buyer's: those stay, whatever becomes of the import
that added them.
"""

from collections.abc import Mapping
from datetime import datetime

from apps.orders.models import Basket, OrderLine, PackingItem, SavedBasket, TemporaryOrder, Wish


def named_products(*, products: Mapping[int, str], since: datetime) -> set[int]:
    """Return which of these products (id to SKU, not older than `since`) an order, a list, a wish
    or a basket names.
    """
    named: set[int] = set()
    for rows in (OrderLine.objects, PackingItem.objects, Wish.objects):
        named |= set(rows.filter(product_id__in=products).values_list("product_id", flat=True))
    drafts = TemporaryOrder.objects.filter(ordered_at__isnull=True, expires_at__gt=since)
    for lines in drafts.values_list("lines", flat=True).iterator():
        named |= {line["product_id"] for line in lines} & products.keys()
    ids = {sku: product_id for product_id, sku in products.items()}
    for baskets in (Basket.objects, SavedBasket.objects):
        for lines in baskets.exclude(lines=[]).values_list("lines", flat=True).iterator():
            named |= {ids[line["sku"]] for line in lines if line["sku"] in ids}
    return named
