"""The lines of an order: what they keep of their product, their part that will not be sent, and
what they have of the stock.
"""

from collections.abc import Iterable
from copy import copy
from decimal import Decimal

from django.db.models import F, QuerySet, Sum

from apps.catalog.models import Product
from apps.catalog.selectors import ProductRow
from apps.catalog.services import stock
from apps.orders.models import FrozenProduct, Order, OrderLine


def freeze(product: Product | ProductRow, *, price: Decimal, moq: int) -> FrozenProduct:
    """Return a product as it is now, at a wholesale price in US dollars and an effective MOQ; that
    a buyer ordered with the rule that gave its price.
    """
    return {
        "product_id": product.id,
        "sku": product.sku,
        "price": str(price),
        "usrp": str(product.usd_price),
        "box_qty": moq,
        "weight_g": product.weight_g,
        "price_rule": product.price.rule if isinstance(product, ProductRow) else "",
    }


MAX_COMMENT = 300
LineKey = tuple[str, Decimal]


def line_key(line: OrderLine) -> LineKey:
    """Return what the parts of one ordered line have in common."""
    return line.sku, line.price


def unconfirmed_parts(lines: Iterable[OrderLine]) -> dict[LineKey, OrderLine]:
    """Return the parts of an order's lines that will not be sent, by the line that they
    belong to.
    """
    return {line_key(line): line for line in lines if not line.is_confirmed}


def split_unconfirmed(
    line: OrderLine, *, part: OrderLine | None, pieces: int, reason: str, comment: str
) -> OrderLine | None:
    """Take pieces out of a confirmed line, unsaved; return the part that holds them, None where it
    is the whole line.

    `part` is the one that earlier pieces of the line stand in. The whole line takes it in: the
    caller deletes it.
    """
    if pieces == line.quantity:
        line.quantity += part.quantity if part else 0
        line.is_confirmed, line.allocated, line.reason = False, 0, reason
        line.comment = joined(part.comment if part else "", comment)
        return None
    line.quantity -= pieces
    line.allocated = min(line.allocated, line.quantity)
    if part is not None:
        part.quantity += pieces
        part.comment = joined(part.comment, comment)
        return part
    rest = copy(line)
    rest.pk, rest.quantity, rest.allocated, rest.is_confirmed = None, pieces, 0, False
    rest.reason, rest.comment = reason, comment
    return rest


def joined(before: str, comment: str) -> str:
    """Return both comments, as far as they fit."""
    return ". ".join(filter(None, [before, comment]))[:MAX_COMMENT]


def allocated_pieces(lines: QuerySet[OrderLine]) -> dict[int, int]:
    """Return the pieces promised to lines, by product id."""
    sums = lines.filter(allocated__gt=0).order_by().values_list("product_id")
    return dict(sums.annotate(pieces=Sum("allocated")))


def release_stock(order: Order) -> None:
    """Give back everything that is promised to the lines of a locked order."""
    stock.release(quantities=allocated_pieces(order.lines.all()))
    order.lines.filter(allocated__gt=0).update(allocated=0)


def allocate_released_stock(order: Order) -> None:
    """Promise the pieces of a locked, received order that lost them when its deposit was denied;
    else do nothing.

    Raises:
        OutOfStock: a product has too few by now, and the buyer is not `stock_free`.
    """
    bare = order.lines.filter(is_confirmed=True, allocated=0).order_by()
    quantities = dict(bare.values_list("product_id").annotate(pieces=Sum("quantity")))
    if quantities:
        stock.allocate(quantities=quantities, stock_free=order.user.stock_free)
        bare.update(allocated=F("quantity"))
