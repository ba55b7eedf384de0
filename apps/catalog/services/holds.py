"""Pieces held for a temporary order while its deposit is paid by PayPal (design/paypal.md, section
B2).

A hold counts as allocated. Whoever calls has locked the temporary order, so that a code's holds
change one at a time.
"""

from collections.abc import Collection
from datetime import datetime

from apps.accounts.selectors import Buyer
from apps.catalog.models import Stock, StockHold
from apps.catalog.services import stock
from apps.catalog.signals import hold_released


def hold(
    *,
    invoice_code: str,
    quantities: stock.Quantities,
    stock_free: bool,
    seen_by: Buyer | None = None,
    until: datetime | None,
) -> None:
    """Hold the pieces (product id to count) of a temporary order until a moment, or (None) until
    its payment settles.

    What is held for it already stays held, with the new end.

    Raises:
        OutOfStock: a product has too few that are not promised yet, and the buyer is not
            `stock_free`.
    """
    if StockHold.objects.filter(invoice_code=invoice_code).update(expires_at=until):
        return
    stock.allocate(quantities=quantities, stock_free=stock_free, seen_by=seen_by)
    StockHold.objects.bulk_create(
        StockHold(
            invoice_code=invoice_code, product_id=product_id, quantity=pieces, expires_at=until
        )
        for product_id, pieces in sorted(quantities.items())
    )


def release(*, invoice_code: str, expired_at: datetime | None = None) -> bool:
    """Give back what is held for a code, only a hold that has run out by then if a moment is given.

    Returns whether anything was held.
    """
    rows = StockHold.objects.filter(invoice_code=invoice_code)
    if expired_at is not None:
        rows = rows.filter(expires_at__lte=expired_at)
    quantities = dict(rows.order_by("product_id").values_list("product_id", "quantity"))
    if not quantities:
        return False
    StockHold.objects.filter(invoice_code=invoice_code, product_id__in=quantities).delete()
    stock.release(quantities=quantities)
    hold_released.send(sender=StockHold, invoice_code=invoice_code)
    return True


def hand_over(*, invoice_code: str) -> bool:
    """End the holds of a code whose pieces go to its order as they stand; return whether some are
    beyond the shelf.
    """
    product_ids = [row.product_id for row in StockHold.objects.filter(invoice_code=invoice_code)]
    StockHold.objects.filter(invoice_code=invoice_code).delete()
    return Stock.objects.filter(product_id__in=product_ids, short__gt=0).exists()


def held_pieces(*, invoice_code: str) -> dict[int, int]:
    """Return the pieces that are held for a code, by product id."""
    return dict(
        StockHold.objects.filter(invoice_code=invoice_code).values_list("product_id", "quantity")
    )


def expired_holds(*, now: datetime) -> Collection[str]:
    """Return the invoice codes whose holds have run out."""
    return list(
        StockHold.objects.filter(expires_at__lte=now)
        .order_by()
        .values_list("invoice_code", flat=True)
        .distinct()
    )
