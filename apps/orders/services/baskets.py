"""A buyer's basket: edits of any device arrive here, and an order takes out what it ordered."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from apps.accounts.selectors import Buyer
from apps.catalog.rules import is_short
from apps.catalog.selectors import ProductRow, products_by_sku
from apps.common.db.transactions import one_transaction
from apps.orders.models import Basket, KeptLine
from apps.orders.rules import BASKET_FULL, MAX_BASKET_LINES, UNKNOWN_SKU

# Each sign-in on a device counts as one; the longest unused is forgotten first.
MAX_DEVICES = 50


@dataclass(frozen=True)
class Edited:
    """A basket after edits. `refused` says why, by SKU; `was_at` is the revision that
    was edited.
    """

    basket: Basket
    refused: Mapping[str, str]
    was_at: int


@one_transaction
def edit_basket(
    *, buyer: Buyer, device: UUID, sequence: int, edits: Sequence[tuple[str, int]], now: datetime
) -> Edited:
    """Set pieces of products in the buyer's basket; 0 takes a product out. The last edit that
    arrives wins its line.

    A device numbers what it sends: a number that has come before, or a smaller one, changes
    nothing. No clock of a device is asked. A SKU that does not exist for this buyer, and one too
    many, is refused; the others are set.
    """
    rows = Basket.objects.select_for_update().filter(user_id=buyer.id)
    basket = rows.first()
    if basket is None:
        Basket.objects.bulk_create([Basket(user_id=buyer.id)], ignore_conflicts=True)
        basket = rows.get()
    was_at = basket.revision
    if sequence <= dict(basket.devices).get(str(device), 0):
        return Edited(basket, {}, was_at=-1)
    counts = dict(edits)
    ordered = {sku: count for sku, count in counts.items() if count}
    products = products_by_sku(buyer=buyer, skus=ordered, now=now)
    lines: dict[str, KeptLine] = {line["sku"]: line for line in basket.lines}
    refused: dict[str, str] = {}
    for sku, count in counts.items():
        if not count:
            lines.pop(sku, None)
        elif sku not in products:
            refused[sku] = UNKNOWN_SKU
        elif sku not in lines and len(lines) >= MAX_BASKET_LINES:
            refused[sku] = BASKET_FULL
        else:
            lines[sku] = kept_line(products[sku], count, buyer=buyer)
    basket.lines = list(lines.values())
    others = [[known, last] for known, last in basket.devices if known != str(device)]
    basket.devices = [*others[-(MAX_DEVICES - 1) :], [str(device), sequence]]
    basket.revision += 1
    basket.edited_at = now
    basket.save()
    return Edited(basket, refused, was_at)


def kept_line(product: ProductRow, count: int, *, buyer: Buyer) -> KeptLine:
    """Return pieces of a product as they are kept, with what is told when it has changed."""
    available = product.available(stock_free=buyer.stock_free)
    short = is_short(available=available, count=count, stock_free=buyer.stock_free)
    return {"sku": product.sku, "count": count, "price": str(product.usd_supply), "short": short}
