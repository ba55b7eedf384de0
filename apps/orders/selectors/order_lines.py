"""The lines of an order as its buyer sees them, each with what the seller proposed of it and what
was decided.
"""

from collections.abc import Mapping
from datetime import date, datetime
from decimal import Decimal
from typing import NamedTuple

from apps.accounts.selectors import Buyer
from apps.catalog.models import Product
from apps.common.db.rows import fetch_all
from apps.common.types import Json
from apps.orders import rules
from apps.orders.models import LineProposal
from apps.orders.proposal_rules import proposed_text, silence_text
from apps.orders.selectors.progress import day_of

State = LineProposal.State


class LineRow(NamedTuple):
    """A line of an order as its buyer sees it, and a proposal for it; without one those columns are
    empty.
    """

    id: int
    eng_name: str
    image: str
    usrp: Decimal
    box_qty: int
    sku: str
    quantity: int
    price: Decimal
    is_confirmed: bool
    comment: str
    weight_g: int
    ean: str | None
    kind: str | None
    state: str | None
    unanswered: str | None
    ordered_pieces: int | None
    ordered_price: Decimal | None
    pieces: int | None
    proposed_price: Decimal | None
    expected_on: date | None
    reason: str | None
    difference: Decimal | None
    decided_at: datetime | None
    decided_by_id: int | None
    decided_by: str | None
    substitute_sku: str | None
    substitute_name: str | None


OF_PROPOSAL = (
    *("kind", "state", "unanswered", "ordered_pieces", "ordered_price", "pieces"),
    *("expected_on", "reason", "difference", "decided_at", "decided_by_id"),
)
OF_PRODUCT = {name: f"p.{name}" for name in ("eng_name", "image", "ean")}
PROPOSED = {
    **{name: f"b.{name}" for name in OF_PROPOSAL},
    "proposed_price": "b.price",
    "decided_by": "u.manager",
    "substitute_sku": "s.sku",
    "substitute_name": "s.eng_name",
}
PROPOSALS = f"""LEFT JOIN orders_lineproposal b
 ON b.line_id = l.id AND b.order_id = l.order_id AND b.state <> '{State.WITHDRAWN}'
LEFT JOIN catalog_product s ON s.id = b.product_id LEFT JOIN accounts_user u ON u.id = b.decided_by_id"""


def _lines(proposed: Mapping[str, str], joined: str, order: str) -> str:
    names = {**OF_PRODUCT, **proposed}
    return f"""SELECT {", ".join(names.get(name, f"l.{name}") for name in LineRow._fields)}
 FROM orders_orderline l JOIN catalog_product p ON p.id = l.product_id {joined}
 WHERE l.order_id = %s ORDER BY {order}"""  # noqa: S608 - constants only


# Proposals are joined where an order has some: of ten lines without any, planning them takes three
# times as long as all else, 0.8 ms. A line had several at times: its last row holds the newest.
LINES = _lines(dict.fromkeys(PROPOSED, "NULL"), "", "l.id")
LINES_PROPOSED = _lines(PROPOSED, PROPOSALS, "l.id, b.id")
HAS_PROPOSALS = f"""EXISTS (SELECT 1 FROM orders_lineproposal b
 WHERE b.order_id = o.id AND b.state <> '{State.WITHDRAWN}')"""  # noqa: S608 - constants only


def lines_of(*, order_id: int, buyer: Buyer, has_proposals: bool) -> list[Json]:
    """Return an order's lines as ordered, the parts of a SKU beside each other. One statement."""
    sql = LINES_PROPOSED if has_proposals else LINES
    newest = {row.id: row for row in fetch_all(LineRow, sql, [order_id])}
    place: dict[str, int] = {}
    for row in newest.values():
        place.setdefault(row.sku, row.id)
    lines = [_line(row, buyer=buyer) for row in newest.values()]
    return sorted(lines, key=lambda line: (place[line["sku"]], line["order_product_id"]))


def _line(row: LineRow, *, buyer: Buyer) -> Json:
    order_price = rules.line_total(price=row.price, quantity=row.quantity)
    proposal = _proposal(row)
    return {
        "order_product_id": row.id,
        "eng_name": row.eng_name,
        "image": row.image,
        "price": row.usrp,
        "box_qty": row.box_qty,
        "sku": row.sku,
        "ean": row.ean,
        "count": row.quantity,
        "order_price": order_price,
        "is_true": int(row.is_confirmed),
        "comment": row.comment,
        "weight": row.weight_g,
        "proposal": _waiting(proposal) if proposal else None,
        "decided": _decided(proposal, row, buyer=buyer) if proposal else "",
        "tag": rules.line_tag(is_confirmed=row.is_confirmed, order_price=order_price),
    }


def _proposal(row: LineRow) -> LineProposal | None:
    """Return the proposal of a line's row; None where there is none."""
    if row.kind is None:
        return None
    product = (
        Product(sku=row.substitute_sku, eng_name=row.substitute_name or "")
        if row.substitute_sku
        else None
    )
    known = {name: getattr(row, name) for name in OF_PROPOSAL}
    return LineProposal(price=row.proposed_price, product=product, **known)


def _waiting(proposal: LineProposal) -> Json | None:
    """Return what waits for the buyer's answer, with what accepting it adds in US dollars."""
    if proposal.state != State.OPEN:
        return None
    return {"text": proposed_text(proposal), "difference": proposal.difference}


def _decided(proposal: LineProposal, row: LineRow, *, buyer: Buyer) -> str:
    """Return what was decided of a proposal, by whom and when: `You accepted on 2026-11-21: 8 now,
    12 given up.`

    Empty while it is open. What the line's comment says already is not said again.
    """
    if row.decided_at is None:
        return ""
    day = day_of(row.decided_at)
    if proposal.state == State.EXPIRED:
        said = f"Not answered by {day}: {silence_text(proposal)}"
    else:
        name = "You" if proposal.decided_by_id == buyer.id else row.decided_by or "A colleague"
        said = f"{name} {State(proposal.state).label.lower()} on {day}"
    proposed = proposed_text(proposal)
    if proposed in row.comment:
        return f"{said}."
    return f"{said} ({proposed})." if proposal.state == State.EXPIRED else f"{said}: {proposed}."
