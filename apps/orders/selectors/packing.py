"""What an order was packed into: the one reading behind the buyer's view and the packing list's file."""

from collections.abc import Mapping
from typing import Any

from apps.common.db.prepared import PreparedQuery
from apps.common.types import Json
from apps.orders.models import PackingBox

BOX = ("box_id", "count", "weight", "length", "width", "height")
# Boxes with what is in them, in one statement: a packing that is saved meanwhile is read whole, before or after.
PACKING = PreparedQuery(
    lambda order: (
        PackingBox.objects.filter(order_id=order)
        .order_by("number", "items__id")
        .values_list(
            "id",
            "count",
            "weight_g",
            "length",
            "width",
            "height",
            "items__id",
            "items__product__eng_name",
            "items__quantity",
        )
    ),
    order=int,
)

NO_PACKING: Mapping[str, Any] = {"box": [], "boxProduct": [], "packint_qty_total": 0, "packint_weight_total": 0}


def packing_of(*, order_id: int) -> Json:
    """Return an order's boxes, what is in them, and the totals over all boxes times their counts. One statement."""
    boxes: dict[int, Json] = {}
    items, pieces = [], 0
    for *box, item_id, name, quantity in PACKING(order=order_id):
        box_id, count = box[:2]
        boxes[box_id] = dict(zip(BOX, box, strict=True))
        if item_id is not None:
            items.append({"box_id": box_id, "eng_name": name, "qty": quantity, "packing_id": item_id})
            pieces += count * quantity
    return {
        "box": list(boxes.values()),
        "boxProduct": items,
        "packint_qty_total": pieces,
        "packint_weight_total": sum(box["count"] * box["weight"] for box in boxes.values()),
    }
