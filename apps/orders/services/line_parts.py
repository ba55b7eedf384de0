"""Pieces of a line that will not be sent: they stand as a part of their own beside the confirmed
ones.
"""

from collections.abc import Iterable
from copy import copy
from decimal import Decimal

from apps.orders.models import OrderLine

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
