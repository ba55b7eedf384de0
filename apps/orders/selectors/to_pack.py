"""What staff pack of an order, and what is in its boxes so far."""

from dataclasses import dataclass
from decimal import Decimal

from django.db.models import F, Q, Sum

from apps.orders.models import Order, OrderLine, PackingBox, PackingItem
from apps.orders.packing_rules import Box, Contents, LineToPack
from apps.orders.rules import kilograms


@dataclass(frozen=True)
class PackingFigures:
    """Boxes, the pieces in them, and grams."""

    boxes: int
    pieces: int
    weight_g: int

    @property
    def kilograms(self) -> Decimal:
        """Return the weight in kilograms, as it is shown."""
        return kilograms(self.weight_g)


def lines_to_pack(*, order_id: int) -> list[LineToPack]:
    """Return what is sent of each product, free offers included, in the order's own sequence. One
    statement.
    """
    sent = Q(is_confirmed=True) | Q(reason=OrderLine.Reason.FREE_OFFER)
    rows = OrderLine.objects.filter(sent, order_id=order_id).order_by("id")
    found: dict[int, LineToPack] = {}
    for id_, sku, name, pieces, weight_g in rows.values_list(
        "product_id", "sku", "product__eng_name", "quantity", "weight_g"
    ):
        before = found.get(id_)
        found[id_] = LineToPack(id_, sku, name, pieces + (before.pieces if before else 0), weight_g)
    return list(found.values())


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


def packing_figures(*, order: Order) -> PackingFigures:
    """Return what the boxes of an order come to. Two statements."""
    boxes = order.boxes.aggregate(boxes=Sum("count"), weight_g=Sum(F("count") * F("weight_g")))
    items = PackingItem.objects.filter(box__order=order)
    pieces = items.aggregate(pieces=Sum(F("quantity") * F("box__count")))["pieces"]
    return PackingFigures(boxes["boxes"] or 0, pieces or 0, boxes["weight_g"] or 0)
