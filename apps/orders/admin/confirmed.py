"""The confirmation sheet of an order that is confirmed already: read-only, and beside it what came
too late.
"""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from apps.orders.admin.forms import MAX_ADDED
from apps.orders.admin.page import line_rows, money_of
from apps.orders.models import Order, OrderLine

LINES_AT_MOST = 5000


def confirmed_sheet(order: Order, sent: Mapping[str, str] | None) -> dict[str, Any]:
    """Return an order's lines as they were decided; `sent` is a sheet that somebody else was
    quicker with.
    """
    lines = list(order.lines.select_related("product"))
    decided = _decided(lines, sent) if sent else {}
    rows = []
    for row in line_rows(lines, was_confirmed=True):
        yours = decided.get((row.sku, row.price)) if row.ordered else None
        differs = yours is not None and yours["confirmed"] != str(row.confirmed)
        rows.append({"line": row, "yours": yours, "differs": differs})
    late: dict[str, Any] | None = (
        {"fee": sent.get("shipping_fee", ""), "added": _added(sent)} if sent else None
    )
    return {"rows": rows, "money": money_of(order), "yours": late}


def _decided(
    lines: Sequence[OrderLine], sent: Mapping[str, str]
) -> dict[tuple[str, Decimal], dict[str, str]]:
    """Return what was sent of each line, by SKU and price: the part that is confirmed keeps the
    line's number.
    """
    names = {str(line.pk): (line.sku, line.price) for line in lines}
    found = {}
    for place in range(min(len(lines), LINES_AT_MOST)):
        name = names.get(sent.get(f"line-{place}-line_id", ""))
        if name is not None:
            found[name] = {
                cell: sent.get(f"line-{place}-{cell}", "").strip()
                for cell in ("confirmed", "comment")
            }
    return found


def _added(sent: Mapping[str, str]) -> list[str]:
    rows = [
        (sent.get(f"added-{place}-sku", ""), sent.get(f"added-{place}-quantity", ""))
        for place in range(MAX_ADDED)
    ]
    return [f"{quantity or '?'} × {sku}" for sku, quantity in rows if sku.strip()]
