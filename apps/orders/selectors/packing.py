"""What an order was packed into: the one reading behind the buyer's view and the packing list's
file.
"""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, NamedTuple

from apps.common.db.rows import fetch_all
from apps.common.types import Json


class BoxRow(NamedTuple):
    """A box, and one of the products in it."""

    id: int
    times: int
    weight_g: int
    length: Decimal
    width: Decimal
    height: Decimal
    item_id: int | None
    eng_name: str
    quantity: int


# Boxes with what is in them, in one statement: a packing that is saved meanwhile is read whole,
# before or after.
PACKING = """SELECT b.id, b.count, b.weight_g, b.length, b.width, b.height, i.id, p.eng_name, i.quantity
FROM orders_packingbox b LEFT JOIN orders_packingitem i ON i.box_id = b.id
LEFT JOIN catalog_product p ON p.id = i.product_id WHERE b.order_id = %s ORDER BY b.number, i.id"""

TENTH = Decimal("0.1")  # of a centimetre, as the columns keep; SQLite says nothing of decimals
NO_PACKING: Mapping[str, Any] = {
    "box": [],
    "boxProduct": [],
    "packint_qty_total": 0,
    "packint_weight_total": 0,
}


def packing_of(*, order_id: int) -> Json:
    """Return an order's boxes, what is in them, and the totals over all boxes times their counts.
    One statement.
    """
    boxes: dict[int, Json] = {}
    items, pieces = [], 0
    for row in fetch_all(BoxRow, PACKING, [order_id]):
        boxes[row.id] = {
            "box_id": row.id,
            "count": row.times,
            "weight": row.weight_g,
            "length": row.length.quantize(TENTH),
            "width": row.width.quantize(TENTH),
            "height": row.height.quantize(TENTH),
        }
        if row.item_id is not None:
            item = {
                "box_id": row.id,
                "eng_name": row.eng_name,
                "qty": row.quantity,
                "packing_id": row.item_id,
            }
            items.append(item)
            pieces += row.times * row.quantity
    return {
        "box": list(boxes.values()),
        "boxProduct": items,
        "packint_qty_total": pieces,
        "packint_weight_total": sum(box["count"] * box["weight"] for box in boxes.values()),
    }
