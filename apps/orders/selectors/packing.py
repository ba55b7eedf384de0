"""What staff pack of an order, and what it is packed into: the one reading behind the buyer's view
and the packing list's file.
"""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from django.db.models import Q

from apps.catalog.models import Product
from apps.common.texts import Text
from apps.common.types import Json
from apps.orders.models import ConfirmationDraft, Order, OrderLine, PackingBox, PackingItem
from apps.orders.packing_rules import Box, Contents, LineToPack, cubic_metres, difference_texts
from apps.orders.status import OrderStatus

TENTH = Decimal("0.1")  # of a centimetre, as the columns keep; SQLite says nothing of decimals
SIDES = ("length", "width", "height")
FIGURES = ("count", "weight_g", *SIDES)  # of a box
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
        *("id", *FIGURES),
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


def lines_to_pack(*, order_id: int) -> list[LineToPack]:
    """Return what is sent of each product, free offers included, in the order's own sequence; of a
    preparing order as its confirmation sheet is filled in so far. At most three statements.
    """
    draft = ConfirmationDraft.objects.filter(
        order_id=order_id, order__status=OrderStatus.PREPARING
    ).first()
    sent = Q(is_confirmed=True) | Q(reason=OrderLine.Reason.FREE_OFFER)
    lines = OrderLine.objects.filter(sent, order_id=order_id).order_by("id")
    rows = []
    for line in lines.select_related("product"):
        pieces = line.quantity
        if draft:
            pieces = draft.pieces_of(line_id=line.pk, quantity=pieces)
        rows.append((line.product, line.sku, line.weight_g, pieces))
    if added := draft.sheet["added"] if draft else ():
        products = Product.objects.in_bulk([line["sku"] for line in added], field_name="sku")
        for line in added:
            if product := products.get(line["sku"]):
                rows.append((product, product.sku, product.weight_g, line["quantity"]))
    found: dict[int, LineToPack] = {}
    for product, sku, weight_g, pieces in rows:
        before = found[product.pk].pieces if product.pk in found else 0
        if pieces:
            found[product.pk] = LineToPack(
                product.pk, sku, product.eng_name, before + pieces, weight_g
            )
    return list(found.values())


def packing_differences(order: Order) -> list[Text]:
    """Return what of an order's boxes does not agree with its lines, a sentence each."""
    boxes, lines = boxes_of(order_id=order.pk), lines_to_pack(order_id=order.pk)
    packed = PackingItem.objects.filter(box__order=order).values_list("product_id", "product__sku")
    return difference_texts(boxes=boxes, lines=lines, skus=dict(packed))


def boxes_of(*, order_id: int) -> list[Box]:
    """Return an order's boxes with what is in them. Two statements."""
    rows = PackingBox.objects.filter(order_id=order_id).prefetch_related("items")
    return [
        Box(
            **{name: getattr(row, name) for name in FIGURES},
            contents=tuple(Contents(item.product_id, item.quantity) for item in row.items.all()),
        )
        for row in rows
    ]
