"""The papers of a packed order for customs: the commercial invoice, goods with HS code, origin, net
weight and value; and the packing list, box by box, the same sheet as the buyer's print view.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from itertools import groupby

from apps.catalog.rules import Price
from apps.common.money import ZERO
from apps.common.texts import in_english
from apps.orders.documents import content as cells
from apps.orders.documents.content import (
    Cell,
    Content,
    Section,
    brand,
    consignee_box,
    notify_box,
    po_lines,
    row_of_sum,
    seller_name,
    shipper_box,
)
from apps.orders.documents.proforma import tag_of
from apps.orders.models import Order, OrderLine
from apps.orders.rules import (
    CURRENCY,
    FREE_OFFER_TAG,
    NOT_CONFIRMED_TAG,
    line_total,
    spread,
    unit_price,
)
from apps.orders.selectors.orders import seller_date
from apps.orders.selectors.packing import packing_of

FREE = "Free of charge, value for customs purposes only"
STATEMENT: Section = {
    "title": "Statement",
    "lines": ["The values given here are the actual prices of the goods."],
}
INVOICE_COLUMNS = [
    cells.column("SKU", 24),
    cells.column("Description of goods"),
    cells.column("HS code", 26),
    cells.column("Origin", 14),
    cells.column("Qty", 14, numbers=True),
    cells.column("Net kg", 17, numbers=True),
    cells.column(f"Unit {CURRENCY}", 18, numbers=True),
    cells.column(f"Amount {CURRENCY}", 22, numbers=True),
]
PACKING_COLUMNS = [
    cells.column("Box", 21),
    cells.column("Description of goods"),
    cells.column("Qty", 22, numbers=True),
    cells.column("Gross weight (kg)", 28, numbers=True),
    cells.column("L × W × H (cm)", 34, numbers=True),
    cells.column("CBM", 18, numbers=True),
]


@dataclass(frozen=True)
class Terms:
    """What staff decide about a commercial invoice: Incoterm, its place, a declared value instead
    of the actual one.
    """

    incoterm: str
    place: str = ""
    declared: Decimal | None = None

    def __str__(self) -> str:
        return f"{self.incoterm} {self.place}".strip()


@dataclass(frozen=True)
class Goods:
    """A line as customs see it: net grams of all its pieces, values in US dollars."""

    line: OrderLine
    is_free: bool
    net_g: int
    price: Decimal
    amount: Decimal


def is_sent(line: OrderLine) -> bool:
    """Return whether a line goes out: it is confirmed, or a free offer."""
    return tag_of(line) != NOT_CONFIRMED_TAG


def is_free(line: OrderLine) -> bool:
    """Return whether a line is a free offer."""
    return tag_of(line) == FREE_OFFER_TAG


def goods_of(
    lines: Sequence[OrderLine], prices: Mapping[int, Price], *, declared: Decimal | None = None
) -> list[Goods]:
    """Return what is sent: the confirmed lines, and the free offers at what the company pays for
    such a product (`prices`, by its id).

    A `declared` value in US dollars takes the place of the actual one, spread over the lines in
    proportion.
    """
    goods = []
    for line in filter(is_sent, lines):
        price = prices[line.product_id].price if is_free(line) else line.price
        amount = line_total(price=price, quantity=line.quantity)
        goods.append(Goods(line, is_free(line), line.weight_g * line.quantity, price, amount))
    if declared is None:
        return goods
    amounts = spread(declared, [item.amount for item in goods])
    return [
        replace(item, price=unit_price(amount=part, quantity=item.line.quantity), amount=part)
        for item, part in zip(goods, amounts, strict=True)
    ]


@in_english()
def commercial_invoice(
    order: Order,
    lines: Sequence[OrderLine],
    prices: Mapping[int, Price],
    terms: Terms,
    *,
    revision: int,
    at: datetime,
) -> Content:
    """Return what the commercial invoice of an order says; `lines` come with their products,
    `prices` are those of `goods_of`. Packages and gross weight are those of the packing list.
    """
    packing = packing_of(order_id=order.pk)
    goods = goods_of(lines, prices, declared=terms.declared)
    net_g = sum(item.net_g for item in goods)
    value, free = _value(goods), _value([item for item in goods if item.is_free])
    rows = [row_of_sum("Goods", value)]
    if terms.declared is not None:
        rows = [row_of_sum("Declared value of goods", value)]
    elif free:
        rows = [row_of_sum("Goods", value - free), row_of_sum("Free of charge", free)]
    number = order.invoice_code if revision == 1 else f"{order.invoice_code}, revision {revision}"
    return {
        "title": "COMMERCIAL INVOICE",
        "number": number,
        "brand": brand(),
        "seller": seller_name(),
        "boxes": [
            shipper_box(),
            {
                "label": "Invoice number and date",
                "lines": [number, *po_lines(order), f"{seller_date(at)}"],
            },
            consignee_box(order),
            {
                "label": "Shipment",
                "lines": [
                    f"Number of packages {sum(box['count'] for box in packing['box']):,}",
                    f"Gross weight {cells.kilograms(packing['packint_weight_total'])} kg",
                    f"Net weight {cells.kilograms(net_g)} kg",
                ],
            },
            notify_box(order),
            {
                "label": "Terms",
                "lines": [
                    str(terms),
                    f"Currency {CURRENCY}",
                    f"Export declaration {'YES' if order.export_declared else 'NO'}",
                ],
            },
        ],
        "table": {
            "columns": INVOICE_COLUMNS,
            "rows": [
                [
                    cells.text(item.line.sku),
                    cells.text(item.line.product.eng_name, FREE if item.is_free else ""),
                    cells.text(item.line.product.hs_code),
                    cells.text(item.line.product.origin),
                    cells.pieces(item.line.quantity),
                    cells.grams(item.net_g),
                    {"usd": str(item.price)},
                    cells.usd(item.amount),
                ]
                for item in goods
            ],
            "total": [
                cells.text("Total"),
                {},
                {},
                {},
                cells.pieces(sum(item.line.quantity for item in goods)),
                cells.grams(net_g),
                {},
                cells.usd(value),
            ],
        },
        "sums": [
            *rows,
            row_of_sum("Freight", order.shipping_fee),
            row_of_sum(f"Total {CURRENCY}", value + order.shipping_fee, strong=True),
        ],
        "sections": [STATEMENT] if terms.declared is None else [],
    }


def terms_in(content: Content) -> str:
    """Return the delivery terms of a commercial invoice as they were issued."""
    return next(box["lines"][0] for box in content["boxes"] if box["label"] == "Terms")


def _value(goods: Sequence[Goods]) -> Decimal:
    return sum((item.amount for item in goods), ZERO)


def packing_list(order: Order) -> Content:
    """Return what the packing list of an order says, as the buyer's view has it (api.md, GET
    /details).
    """
    packing = packing_of(order_id=order.pk)
    items = {
        box_id: list(group)
        for box_id, group in groupby(packing["boxProduct"], lambda item: item["box_id"])
    }
    groups: list[list[list[Cell]]] = []
    total = 0
    # Boxes alike stand together, numbered through, and their figures are those of all.
    for box in packing["box"]:
        count, weight_g, number = box["count"], box["weight"], total + 1
        total += count
        goods: list[list[Cell]] = [
            [
                cells.text(item["eng_name"]),
                cells.pieces(count * item["qty"], _each(count, f"{item['qty']:,}")),
            ]
            for item in items.get(box["box_id"], [])
        ]
        first, *more = goods or [[{}, {}]]
        sides = (f"{box[side]:f}".removesuffix(".0") for side in ("length", "width", "height"))
        head: list[Cell] = [
            {"text": f"No. {number}" if count == 1 else f"No. {number}–{total}", "strong": True},
            *first,
            cells.grams(count * weight_g, _each(count, cells.kilograms(weight_g))),
            cells.text(" × ".join(sides)),
            cells.cubic(box["cbm"]),
        ]
        rest: list[list[Cell]] = [[{}, *row, {}, {}, {}] for row in more]
        groups.append([head, *rest])
    return {
        "title": "PACKING LIST",
        "number": order.invoice_code,
        "brand": brand(),
        "seller": seller_name(),
        "boxes": [
            shipper_box(),
            {
                "label": "Invoice number and date",
                "lines": [
                    order.invoice_code,
                    *po_lines(order),
                    str(order.packing_build_date or seller_date(order.placed_at)),
                ],
            },
            consignee_box(order),
            {"label": "Remarks", "lines": order.packing_remarks.splitlines()},
            notify_box(order),
            {"label": "Terms", "lines": order.packing_terms.splitlines()},
        ],
        "table": {
            "columns": PACKING_COLUMNS,
            "rows": [row for group in groups for row in group],
            "groups": [len(group) for group in groups],
            "total": [
                cells.text("Total"),
                cells.text(f"{total:,} {'box' if total == 1 else 'boxes'}"),
                cells.pieces(packing["packint_qty_total"]),
                cells.grams(packing["packint_weight_total"]),
                {},
                cells.cubic(packing["packint_cbm_total"]),
            ],
        },
        "sums": [],
        "sections": [],
    }


def _each(count: int, figure: str) -> str:
    return f"{count} × {figure}" if count > 1 else ""
