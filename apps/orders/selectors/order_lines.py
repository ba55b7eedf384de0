"""The lines of an order as its buyer sees them, each with what the seller proposed of it and what
was decided.
"""

from typing import Any

from django.db.models import F, QuerySet

from apps.accounts.selectors import Buyer
from apps.catalog.rules import images_of
from apps.common.db.prepared import prepared
from apps.common.types import Json
from apps.orders import rules
from apps.orders.models import LineProposal, OrderLine
from apps.orders.proposal_rules import proposed, silence
from apps.orders.selectors.progress import day_of

State = LineProposal.State
PROPOSALS = LineProposal.objects.exclude(state=State.WITHDRAWN).order_by("id")


def lines_of(*, order_id: int, buyer: Buyer, has_proposals: bool) -> list[Json]:
    """Return an order's lines as ordered, the parts of a SKU beside each other. One statement, and
    one more for an order that has proposals.
    """
    lines = _lines(order=order_id)
    first: dict[str, int] = {}
    for line in lines:
        first.setdefault(line["sku"], line["id"])
    # A line had several at times: the last one is the newest.
    newest = {one.line_id: one for one in _proposals(order=order_id)} if has_proposals else {}
    rows = []
    for line in sorted(lines, key=lambda line: (first[line["sku"]], line["id"])):
        order_price = rules.line_total(price=line["price"], quantity=line["quantity"])
        proposal = newest.get(line["id"])
        waiting = None  # for the buyer's answer, with what accepting it adds in US dollars
        if proposal and proposal.state == State.OPEN:
            waiting = {"text": str(proposed(proposal)), "difference": proposal.difference}
        rows.append(
            {
                "order_product_id": line["id"],
                "eng_name": line["name"],
                "image": line["image"],
                "images": images_of(line["image"], line["others"]),
                "price": line["usrp"],
                "box_qty": line["box_qty"],
                "sku": line["sku"],
                "ean": line["ean"],
                "count": line["quantity"],
                "order_price": order_price,
                "is_true": int(line["is_confirmed"]),
                "comment": line["comment"],
                "weight": line["weight_g"],
                "proposal": waiting,
                "decided": _decided(proposal, line["comment"], buyer=buyer) if proposal else "",
                "tag": rules.line_tag(is_confirmed=line["is_confirmed"], order_price=order_price),
            }
        )
    return rows


@prepared
def _lines(order: int) -> QuerySet[Any]:
    lines: QuerySet[Any] = OrderLine.objects.filter(order=order).order_by("id")
    return lines.values(
        *("id", "sku", "price", "usrp", "box_qty", "weight_g", "quantity", "is_confirmed"),
        "comment",
        name=F("product__eng_name"),
        image=F("product__image"),
        others=F("product__more_images"),
        ean=F("product__ean"),
    )


@prepared
def _proposals(order: int) -> QuerySet[LineProposal]:
    return PROPOSALS.filter(order=order).select_related("product", "decided_by")


def _decided(proposal: LineProposal, comment: str, *, buyer: Buyer) -> str:
    """Return what was decided of a proposal, by whom and when: `You accepted on 21 Nov 2026: 8
    now, 12 dropped.`

    Empty while it is open. What the line's comment says already is not said again.
    """
    if proposal.decided_at is None:
        return ""
    day = day_of(proposal.decided_at)
    if proposal.state == State.EXPIRED:
        text = f"Not answered by {day}: {silence(proposal)}"
    else:
        name = proposal.decided_by.manager if proposal.decided_by else "A colleague"
        name = "You" if proposal.decided_by_id == buyer.id else name
        text = f"{name} {State(proposal.state).label.lower()} on {day}"
    words = str(proposed(proposal))
    if words in comment:
        return f"{text}."
    return f"{text} ({words})." if proposal.state == State.EXPIRED else f"{text}: {words}."
