"""What was ordered before, as far as it can be ordered now: fewer or more pieces, another price, or
not at all.
"""

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import NamedTuple

from apps.accounts.selectors import Buyer
from apps.catalog.errors import BelowMoq, NotMultipleOfMoq
from apps.catalog.rules import check_quantity, is_short, nearest_quantities
from apps.catalog.selectors.products import cart_stock
from apps.common.http.serializers import MAX_COUNT, MAX_LINES
from apps.common.money import dollars
from apps.common.types import Json


class FormerLine(NamedTuple):
    """A product that was ordered before: its pieces in all and what one of them cost then, in US
    dollars.
    """

    sku: str
    eng_name: str
    pieces: int
    price: Decimal


def as_orderable(*, buyer: Buyer, lines: Sequence[FormerLine], now: datetime) -> list[Json]:
    """Return former lines as a basket can hold them now; `count` 0 is what cannot be ordered. One
    statement.

    Each says in `notes` what differs from then, and why. A basket holds 2,000 products.
    """
    requested = [(line.sku, line.pieces) for line in lines[:MAX_LINES]]
    products = {
        product["sku"]: product for product in cart_stock(buyer=buyer, lines=requested, now=now)
    }
    orderable = []
    for line in lines:
        product = products.get(line.sku)
        count, note = _count_now(line, product, stock_free=buyer.stock_free)
        notes = [note] if note else []
        if product and count and product["usd_supply"] != line.price:
            notes.append(f"Price now {dollars(product['usd_supply'])}, was {dollars(line.price)}.")
        orderable.append(
            {
                "sku": line.sku,
                "eng_name": product["eng_name"] if product else line.eng_name,
                "product": product and {**product, "count": count},
                "count": count,
                "notes": notes,
            }
        )
    return orderable


def _count_now(line: FormerLine, product: Json | None, *, stock_free: bool) -> tuple[int, str]:
    """Return the pieces that can be ordered now, at best as many as then, and why they differ."""
    if product is None:
        return 0, "Left out: no longer in your price list."
    if not product["selectable"]:
        return 0, f"Left out: cannot be ordered now ({product['availability']})."
    qty, moq, step = product["qty"], product["moq"], product["step"]
    count = min(line.pieces, MAX_COUNT)
    most = MAX_COUNT if stock_free else min(qty, MAX_COUNT)
    below, above = nearest_quantities(count=count, moq=moq, step=step, most=most)
    there = f"only {qty:,} in stock"
    too_few = f"Left out: {there}, fewer than the MOQ of {moq:,}."
    if is_short(available=qty, count=count, stock_free=stock_free):
        return _instead(below, count, there, otherwise=too_few)
    try:
        check_quantity(count=count, moq=moq, step=step, held=product["held"])
    except BelowMoq:
        return _instead(above, count, f"the MOQ is {moq:,}", otherwise=too_few)
    except NotMultipleOfMoq:
        fits = above or below or 0
        return fits, f"{fits:,} instead of {count:,}: only multiples of {step:,} can be ordered."
    return count, ""


def _instead(fits: int | None, count: int, why: str, *, otherwise: str) -> tuple[int, str]:
    """Return other pieces than then and why, or none where none can be ordered."""
    return (fits, f"{fits:,} instead of {count:,}: {why}.") if fits else (0, otherwise)
