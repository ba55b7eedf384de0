"""The confirmation sheet of an order that is confirmed already: read-only, and beside it what came
too late.
"""

from collections.abc import Mapping
from typing import Any

from apps.orders.admin.forms import AddedFormSet, LineFormSet
from apps.orders.admin.page import line_rows, money_of
from apps.orders.models import Order


def confirmed_sheet(order: Order, sent: Mapping[str, str] | None) -> dict[str, Any]:
    """Return an order's lines as they were decided; `sent` is a sheet that somebody else was
    quicker with.
    """
    lines = list(order.lines.select_related("product"))
    # By SKU and price: the part that is confirmed keeps the line's number.
    names = {str(line.pk): (line.sku, line.price) for line in lines}
    forms = LineFormSet(sent, prefix="line") if sent else ()
    decided = {names.get(_cell(form, "line_id")): form for form in forms}
    rows = []
    for row in line_rows(lines, was_confirmed=True):
        form = decided.get((row.sku, row.price)) if row.ordered else None
        yours = form and {name: _cell(form, name) for name in ("confirmed", "comment")}
        differs = bool(yours) and yours["confirmed"] != str(row.confirmed)
        rows.append({"line": row, "yours": yours, "differs": differs})
    late: dict[str, Any] | None = None
    if sent:
        added = [
            f"{_cell(form, 'quantity') or '?'} × {_cell(form, 'sku')}"
            for form in AddedFormSet(sent, prefix="added")
            if _cell(form, "sku")
        ]
        late = {"fee": sent.get("shipping_fee", ""), "added": added}
    return {"rows": rows, "money": money_of(order), "yours": late}


def _cell(form: Any, name: str) -> str:
    """Return what was typed into a cell."""
    return (form[name].value() or "").strip()
