"""What an order was packed into: the one reading behind the buyer's view and the packing list's
file.
"""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from apps.common.types import Json
from apps.orders.models import PackingBox
from apps.orders.packing_rules import cubic_metres

TENTH = Decimal("0.1")  # of a centimetre, as the columns keep; SQLite says nothing of decimals
SIDES = ("length", "width", "height")
NO_PACKING: Mapping[str, Any] = {
    "box": [],
    "boxProduct": [],
    "packint_qty_total": 0,
    "packint_weight_total": 0,
    "packint_cbm_total": None,
}


def packing_of(*, order_id: int) -> Json:
    """Return an order's boxes, what is in them, and the totals over all boxes times their counts.
    One statement: a packing that is saved meanwhile is read whole, before or after.
    """
    rows = PackingBox.objects.filter(order_id=order_id).order_by("number", "items__id")
    boxes: dict[int, Json] = {}
    items, pieces = [], 0
    for row in rows.values(
        *("id", "count", "weight_g", *SIDES),
        *("items__id", "items__quantity", "items__product__eng_name"),
    ):
        sides = {side: row[side].quantize(TENTH) for side in SIDES}
        boxes[row["id"]] = {
            "box_id": row["id"],
            "count": row["count"],
            "weight": row["weight_g"],
            **sides,
            "cbm": cubic_metres(count=row["count"], **sides),
        }
        if row["items__id"] is not None:
            item = {
                "box_id": row["id"],
                "eng_name": row["items__product__eng_name"],
                "qty": row["items__quantity"],
                "packing_id": row["items__id"],
            }
            items.append(item)
            pieces += row["count"] * row["items__quantity"]
    volumes = [box["cbm"] for box in boxes.values()]
    return {
        "box": list(boxes.values()),
        "boxProduct": items,
        "packint_qty_total": pieces,
        "packint_weight_total": sum(box["count"] * box["weight"] for box in boxes.values()),
        "packint_cbm_total": sum(volumes) if volumes and None not in volumes else None,
    }
