"""What staff pack of an order, what it is packed into, and what shipping it costs: the one reading
behind the buyer's view and the packing list's file.
"""

from collections.abc import Collection, Mapping
from decimal import Decimal
from typing import Any, NamedTuple

from django.db.models import F, Q

from apps.catalog.models import Product
from apps.common.money import usd
from apps.common.texts import Text, gettext as _, phrase
from apps.common.types import Json
from apps.orders.models import (
    ConfirmationDraft,
    Order,
    OrderLine,
    PackingBox,
    PackingItem,
    ShippingRate,
)
from apps.orders.rules import Box, Contents, LineToPack, cubic_metres, difference_texts, kilograms
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
    shipped = Q(is_confirmed=True) | Q(reason=OrderLine.Reason.FREE_OFFER)
    lines = OrderLine.objects.filter(shipped, order_id=order_id).order_by("id")
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
    by_product: dict[int, LineToPack] = {}
    for product, sku, weight_g, pieces in rows:
        before = by_product[product.pk].pieces if product.pk in by_product else 0
        if pieces:
            by_product[product.pk] = LineToPack(
                product.pk, sku, product.eng_name, before + pieces, weight_g
            )
    return list(by_product.values())


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


class ProposedFee(NamedTuple):
    """A shipping fee in US dollars, and how it comes about."""

    amount: Decimal
    text: str


def proposed_fee(order: Order) -> ProposedFee | None:
    """Return what shipping a packed order costs by its measured weight, in kilograms as they are
    shown, and its country's rate; None where either is unknown. One statement.
    """
    if not order.measured_weight_g:
        return None
    of = Q(country=order.ship_country_id) | Q(country=None)
    rates = ShippingRate.objects.filter(of).order_by(F("country").asc(nulls_last=True))
    rate = rates.first()
    if rate is None:
        return None
    weight = kilograms(order.measured_weight_g)
    by_weight = usd(rate.per_kg * weight)
    text = phrase(
        "%(kg)s kg at %(rate)s to %(country)s",
        kg=str(weight),
        rate=rate.per_kg,
        country=order.ship_country or _("an unknown country"),
    )
    if by_weight < rate.at_least:
        text = phrase("%(fee)s, at least %(least)s", fee=text, least=rate.at_least)
    return ProposedFee(max(by_weight, rate.at_least), text)


def products_by_code(codes: Collection[str]) -> dict[str, Product]:
    """Return the products that codes name, each a SKU in capitals or an EAN; an EAN that two
    products have names none. One statement.
    """
    rows = list(Product.objects.filter(Q(sku__in=codes) | Q(ean__in=codes)))
    by_ean: dict[str, list[Product]] = {}
    for product in rows:
        if (ean := product.ean or "") in codes:
            by_ean.setdefault(ean, []).append(product)
    unambiguous = {ean: products[0] for ean, products in by_ean.items() if len(products) == 1}
    return unambiguous | {product.sku: product for product in rows if product.sku in codes}
