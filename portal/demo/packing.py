"""Packs a demo order: boxes of at most eleven kilograms, filled line by line."""

from collections import Counter
from collections.abc import Iterable
from datetime import datetime
from decimal import Decimal

from django.utils import timezone

from apps.accounts.models import User
from apps.orders.models import Order
from apps.orders.packing_rules import Box, Contents, LineToPack
from apps.orders.selectors.packing import lines_to_pack
from apps.orders.services.packing import PackingListDetails, complete_packing

NET_GRAMS = 11_000
CARTON_PERCENT = 7  # what carton and padding weigh above the products
SIZE_CM = (Decimal("42.0"), Decimal("32.0"), Decimal("30.0"))


def pack(*, order_id: int, actor: User, now: datetime) -> None:
    """Put every piece that will be sent into boxes, and say that the packing is complete."""
    details = PackingListDetails(
        "Keep dry, this side up.", "", "FCA Incheon", timezone.localdate(now)
    )
    complete_packing(
        order_id=order_id,
        version=Order.objects.get(pk=order_id).version,
        boxes=fill_boxes(lines_to_pack(order_id=order_id)),
        details=details,
        actor=actor,
        now=now,
    )


def fill_boxes(lines: Iterable[LineToPack]) -> list[Box]:
    """Return the boxes that the lines go into."""
    boxes: list[Box] = []
    contents: Counter[int] = Counter()
    grams = 0
    for line in lines:
        left = line.pieces
        while left:
            room = (NET_GRAMS - grams) // line.weight_g if line.weight_g else left
            pieces = min(left, room) if contents else max(1, min(left, room))
            if pieces:
                contents[line.product_id] += pieces
                grams += pieces * line.weight_g
                left -= pieces
            if left:
                boxes.append(_box(contents, grams))
                contents, grams = Counter(), 0
    if contents:
        boxes.append(_box(contents, grams))
    return boxes


def _box(contents: Counter[int], grams: int) -> Box:
    weight_g = -(-grams * (100 + CARTON_PERCENT) // 100)
    return Box(
        1, weight_g, *SIZE_CM, tuple(Contents(id_, pieces) for id_, pieces in contents.items())
    )
