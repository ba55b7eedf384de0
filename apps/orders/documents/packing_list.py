"""The packing list of a packed order: who sends what to whom, box by box; the same sheet as the
buyer's print view.
"""

from itertools import groupby

from apps.common.types import Json
from apps.orders.documents import content as cells
from apps.orders.documents.content import Cell, Content
from apps.orders.documents.parties import (
    brand,
    consignee_box,
    notify_box,
    po_lines,
    seller_name,
    shipper_box,
)
from apps.orders.models import Order
from apps.orders.selectors.orders import seller_date

COLUMNS = [
    cells.column("Box", 21),
    cells.column("Description of goods"),
    cells.column("Qty", 22, numbers=True),
    cells.column("Gross weight (kg)", 28, numbers=True),
    cells.column("L × W × H (cm)", 34, numbers=True),
    cells.column("CBM", 18, numbers=True),
]


def packing_list(*, order: Order, packing: Json) -> Content:
    """Return what the packing list of an order says, its `packing` as in the buyer's view (api.md,
    GET /details).
    """
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
            cells.head(f"No. {number}" if count == 1 else f"No. {number}–{total}"),
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
            "columns": COLUMNS,
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
