"""The lines of an order as its buyer sees them, each with what the seller proposed of it and what
was decided.
"""

from django.db.models import Prefetch, QuerySet

from apps.accounts.selectors import Buyer
from apps.common.db.prepared import prepared
from apps.common.types import Json
from apps.orders import rules
from apps.orders.models import LineProposal, OrderLine
from apps.orders.proposal_rules import proposed_text, silence_text
from apps.orders.selectors.progress import day_of

State = LineProposal.State
PROPOSALS = LineProposal.objects.exclude(state=State.WITHDRAWN).order_by("id")


def lines_of(*, order_id: int, buyer: Buyer, has_proposals: bool) -> list[Json]:
    """Return an order's lines as ordered, the parts of a SKU beside each other. One statement, and
    one more for an order that has proposals.
    """
    lines = _lines(order=order_id, has_proposals=has_proposals)
    first: dict[str, int] = {}
    for line in lines:
        first.setdefault(line.sku, line.pk)
    rows = []
    for line in sorted(lines, key=lambda line: (first[line.sku], line.pk)):
        order_price = rules.line_total(price=line.price, quantity=line.quantity)
        # A line had several at times: the last one is the newest.
        proposal = next(reversed(getattr(line, "proposed", ())), None)
        waiting = None  # for the buyer's answer, with what accepting it adds in US dollars
        if proposal and proposal.state == State.OPEN:
            waiting = {"text": proposed_text(proposal), "difference": proposal.difference}
        rows.append(
            {
                "order_product_id": line.pk,
                "eng_name": line.product.eng_name,
                "image": line.product.image,
                "price": line.usrp,
                "box_qty": line.box_qty,
                "sku": line.sku,
                "ean": line.product.ean,
                "count": line.quantity,
                "order_price": order_price,
                "is_true": int(line.is_confirmed),
                "comment": line.comment,
                "weight": line.weight_g,
                "proposal": waiting,
                "decided": _decided(proposal, line, buyer=buyer) if proposal else "",
                "tag": rules.line_tag(is_confirmed=line.is_confirmed, order_price=order_price),
            }
        )
    return rows


@prepared
def _lines(order: int, has_proposals: bool) -> QuerySet[OrderLine]:
    lines = OrderLine.objects.filter(order=order).select_related("product").order_by("id")
    proposals = PROPOSALS.select_related("product", "decided_by")
    prefetch = [Prefetch("proposals", proposals, to_attr="proposed")] if has_proposals else []
    return lines.prefetch_related(*prefetch)


def _decided(proposal: LineProposal, line: OrderLine, *, buyer: Buyer) -> str:
    """Return what was decided of a proposal, by whom and when: `You accepted on 2026-11-21: 8 now,
    12 given up.`

    Empty while it is open. What the line's comment says already is not said again.
    """
    if proposal.decided_at is None:
        return ""
    day = day_of(proposal.decided_at)
    if proposal.state == State.EXPIRED:
        text = f"Not answered by {day}: {silence_text(proposal)}"
    else:
        name = proposal.decided_by.manager if proposal.decided_by else "A colleague"
        name = "You" if proposal.decided_by_id == buyer.id else name
        text = f"{name} {State(proposal.state).label.lower()} on {day}"
    proposed = proposed_text(proposal)
    if proposed in line.comment:
        return f"{text}."
    return f"{text} ({proposed})." if proposal.state == State.EXPIRED else f"{text}: {proposed}."
