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


def lines_to_pack(*, order_id: int) -> list[LineToPack]:
    """Return what is sent of each product, free offers included, in the order's own sequence; of a
    preparing order as its confirmation sheet is filled in so far. At most three statements.
    """
    draft = ConfirmationDraft.objects.filter(
        order_id=order_id, order__status=OrderStatus.PREPARING
    ).first()
    sent = Q(is_confirmed=True) | Q(reason=OrderLine.Reason.FREE_OFFER)
    lines = OrderLine.objects.filter(sent, order_id=order_id).order_by("id")
    rows: list[tuple[int, str, str, int, int]] = []
    for pk, product_id, sku, name, weight_g, quantity in lines.values_list(
        "id", "product_id", "sku", "product__eng_name", "weight_g", "quantity"
    ):
        pieces = draft.pieces_of(line_id=pk, quantity=quantity) if draft else quantity
        rows.append((product_id, sku, name, weight_g, pieces))
    if added := draft.sheet["added"] if draft else ():
        skus = [line["sku"] for line in added]
        products = Product.objects.filter(sku__in=skus).values_list(
            "sku", "id", "eng_name", "weight_g"
        )
        known = {sku: (pk, sku, name, weight_g) for sku, pk, name, weight_g in products}
        rows += [(*known[line["sku"]], line["quantity"]) for line in added if line["sku"] in known]
    found: dict[int, LineToPack] = {}
    for product_id, sku, name, weight_g, pieces in rows:
        before = found[product_id].pieces if product_id in found else 0
        if pieces:
            found[product_id] = LineToPack(product_id, sku, name, before + pieces, weight_g)
    return list(found.values())


def packing_differences(order: Order) -> list[Text]:
    """Return what of an order's boxes does not agree with its lines, a sentence each."""
    boxes, lines = boxes_of(order_id=order.pk), lines_to_pack(order_id=order.pk)
    packed = PackingItem.objects.filter(box__order=order).values_list("product_id", "product__sku")
    return difference_texts(boxes=boxes, lines=lines, skus=dict(packed))


def boxes_of(*, order_id: int) -> list[Box]:
    """Return an order's boxes with what is in them. Two statements."""
    contents: dict[int, list[Contents]] = {}
    items = PackingItem.objects.filter(box__order_id=order_id).order_by("id")
    for box_id, product_id, quantity in items.values_list("box_id", "product_id", "quantity"):
        contents.setdefault(box_id, []).append(Contents(product_id, quantity))
    rows = PackingBox.objects.filter(order_id=order_id).order_by("number")
    return [
        Box(
            row.count,
            row.weight_g,
            row.length,
            row.width,
            row.height,
            tuple(contents.get(row.pk, ())),
        )
        for row in rows
    ]
