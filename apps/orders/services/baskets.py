"""A buyer's basket: edits of any device arrive here, and an order takes out what it ordered."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import connection

from apps.accounts.selectors import Buyer
from apps.catalog.rules import is_short
from apps.catalog.selectors import ProductRow, products_by_sku
from apps.common.db.transactions import one_transaction
from apps.orders.models import Basket, KeptLine, TemporaryOrder
from apps.orders.rules import BASKET_FULL, MAX_BASKET_LINES, UNKNOWN_SKU

# Each sign-in on a device counts as one; the longest unused is forgotten first.
MAX_DEVICES = 50

# What was ordered goes out of the basket; a line whose pieces were changed since stays.
TAKE_OUT = {
    "postgresql": """
UPDATE orders_basket SET revision = revision + 1, lines = (
 SELECT COALESCE(jsonb_agg(line ORDER BY place), '[]')
 FROM jsonb_array_elements(lines) WITH ORDINALITY AS l(line, place)
 WHERE CONCAT(line->>'count', ' ', line->>'sku') NOT IN (
  SELECT CONCAT(o->>'count', ' ', o->>'sku') FROM orders_temporaryorder t,
  jsonb_array_elements(t.lines) AS o
  WHERE t.id = %s))
WHERE user_id = %s AND lines <> '[]'""",
    "sqlite": """
UPDATE orders_basket SET revision = revision + 1, lines = (
 SELECT json_group_array(json(value)) FROM (
  SELECT l.value FROM json_each(orders_basket.lines) l
  WHERE (l.value->>'count') || ' ' || (l.value->>'sku') NOT IN (
   SELECT (o.value->>'count') || ' ' || (o.value->>'sku')
   FROM orders_temporaryorder t, json_each(t.lines) o
   WHERE t.id = %s)
  ORDER BY l.key))
WHERE user_id = %s AND lines <> '[]'""",
}


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


def take_ordered_out(*, draft: TemporaryOrder) -> None:
    """Take a temporary order's lines out of its buyer's basket, in the caller's transaction. One
    statement.
    """
    with connection.cursor() as cursor:
        cursor.execute(TAKE_OUT[connection.vendor], [draft.pk, draft.user_id])
