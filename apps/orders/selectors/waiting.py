"""What the orders of a company wait for: the buyer's money, and what the seller has promised, with
its day.
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery, Sum, Window
from django.utils import timezone

from apps.accounts.selectors import Buyer
from apps.common.money import ZERO, dollars, usd
from apps.common.promises import Promise, due_at
from apps.common.types import Json
from apps.orders.due import step_due_at
from apps.orders.models import OrderEvent, OrderTally, month_bucket
from apps.orders.selectors.open_money import OPEN_MONEY
from apps.orders.selectors.orders import orders_for
from apps.orders.selectors.progress import (
    ANSWER_BY,
    COVERED,
    OPEN_PROPOSALS,
    PAYMENT,
    PaymentStatus,
    late_text,
    payment_json,
    promised_day,
    proposals_title,
)
from apps.orders.status import OrderStatus

S, P = OrderStatus, PaymentStatus
SHOWN = 6
LOOKED_AT = 50
WAITING_KINDS = ("answers", "deposit_wire", "deposit", "balance", "review", "promise")
SELLERS = ("review", "promise")  # the kinds that the buyer can only wait for
PAID_AT = Subquery(
    OrderEvent.objects.filter(order=OuterRef("pk"), kind=OrderEvent.Kind.PAYMENT)
    .order_by("-at")
    .values("at")[:1]
)
OWED_A_PAGE = 50
PROMISED = {S.RECEIVED: "Preparation", S.PREPARING: "Confirmation", S.PAID: "Shipment"}
NEVER = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True)
class Step:
    """What an order waits for. `due` is None where no day is promised; `action` is what the buyer
    can do.
    """

    kind: str
    tone: str
    title: str
    text: str
    due: datetime | None = None
    action: str = ""


def what_is_due(*, buyer: Buyer, now: datetime) -> Json:
    """Return six steps of the company's orders, the buyer's own before the seller's, of either the
    nearest day first, and what is owed in all. One statement.
    """
    orders = _under_way(buyer).annotate(
        open_proposals=OPEN_PROPOSALS,
        answer_by=ANSWER_BY,
        paid_at=PAID_AT,
        owed=Window(Sum("missing")),
        orders=Window(Count("pk")),
    )
    rows: list[Any] = list(orders.order_by("due_at", "id")[:LOOKED_AT])
    steps = [(_step(row), row) for row in rows]
    shown = sorted(steps, key=lambda one: (one[0].kind in SELLERS, one[0].due or NEVER))[:SHOWN]
    listed = []
    for step, row in shown:
        day = promised_day(step.due) if step.due else ""
        late = late_text(step.due, now) if step.due else ""
        tone, text = step.tone, " · ".join(filter(None, [row.invoice_code, step.text]))
        if step.kind == "promise":
            tone, text = ("bad", f"Promised for {day}") if late else (step.tone, step.text)
        listed.append(
            {
                "kind": step.kind,
                "tone": tone,
                "title": step.title,
                "text": text,
                "due": late or (f"by {day}" if day else ""),
                "late": bool(late),
                "invoice_code": row.invoice_code,
                "status_id": row.status,
                "action": step.action,
            }
        )
    return {
        "owed": usd(rows[0].owed) if rows else ZERO,
        "more": (rows[0].orders if rows else 0) - len(shown),
        "steps": listed,
    }


def what_is_owed(*, buyer: Buyer, page: int = 1, now: datetime) -> Json:
    """Return the money that the company's orders wait for, a page of 50 of them, the nearest day
    first.

    `owed` is all that is missing, `reviewed` what of it is announced, both over all orders; amounts
    are US dollars. Two statements.
    """
    sums = _owed_sums(buyer)
    before = (page - 1) * OWED_A_PAGE
    orders: Any = _under_way(buyer).filter(missing__gt=0).order_by("due_at", "id")
    rows = list(orders[before : before + OWED_A_PAGE])
    steps = sorted(((_money_step(row), row) for row in rows), key=lambda one: one[0].due or NEVER)
    return {
        "owed": usd(sums["owed"]),
        "reviewed": usd(sums["reviewed"]),
        "orders": sums["orders"],
        "next": page + 1 if before + len(rows) < sums["orders"] and rows else None,
        "rows": [
            {
                "invoice_code": row.invoice_code,
                "po_number": row.po_number,
                "status_id": row.status,
                "kind": "Deposit" if row.status < S.CONFIRMED else "Balance",
                **payment_json(row.payment),
                "amount": row.missing,
                "due": promised_day(step.due) if step.due else "",
                "late": bool(step.due and late_text(step.due, now)),
                "action": step.action,
            }
            for step, row in steps
        ],
    }


def owed_in_all(*, buyer: Buyer) -> Decimal:
    """Return what the company's orders wait for in all, in US dollars, as `what_is_owed` sums it.
    One statement.
    """
    return usd(_owed_sums(buyer)["owed"])


def _under_way(buyer: Buyer) -> QuerySet[Any]:
    """Return the company's orders that are under way, with how the payment of each stands and what
    is missing of it in US dollars.
    """
    orders = orders_for(buyer).filter(status__range=(S.RECEIVED, S.PAID))
    return orders.annotate(payment=PAYMENT, missing=OPEN_MONEY)


def _owed_sums(buyer: Buyer) -> dict[str, Any]:
    """Return what the company's orders wait for in all, what of it is announced, and how many."""
    reviewed = Q(payment=P.REVIEWED)
    orders = _under_way(buyer).filter(missing__gt=0)
    return orders.aggregate(
        owed=Sum("missing", default=ZERO),
        reviewed=Sum("missing", filter=reviewed, default=ZERO),
        orders=Count("pk"),
    )


def ordered_this_year(*, buyer: Buyer, now: datetime) -> Json:
    """Return how many orders the company placed in the seller's year, and for how much at placing,
    in US dollars.

    Cancelled ones are left out, as in the dashboard's months. One statement.
    """
    year = timezone.localtime(now).year
    months = [month_bucket(f"{year}-{month:02d}") for month in range(1, 13)]
    tallies = OrderTally.objects.filter(company_id=buyer.company_id, bucket__in=months)
    sums = tallies.aggregate(orders=Sum("count"), amount=Sum("total"))
    return {"year": year, "orders": sums["orders"] or 0, "amount": usd(sums["amount"] or ZERO)}


def _step(row: Any) -> Step:
    if row.open_proposals:
        title = proposals_title(row.open_proposals)
        return Step("answers", "warn", title, "", row.answer_by, "Answer")
    if row.payment not in (*COVERED, P.PAID):
        return _money_step(row)
    status, due = OrderStatus(row.status), row.due_at
    if status is S.RECEIVED and row.paid_at:  # nothing is promised before the deposit is there
        due = step_due_at(status, since=row.paid_at)
    pieces = f"{row.pieces:,} {'piece' if row.pieces == 1 else 'pieces'}"
    title = f"{PROMISED[status]} of {row.invoice_code}"
    return Step("promise", "mute", title, f"{pieces} · {dollars(row.real_total)}", due)


def _money_step(row: Any) -> Step:
    is_deposit, missing = row.status < S.CONFIRMED, dollars(row.missing)
    what = f"{'Deposit' if is_deposit else 'Balance'} {missing}"
    if row.payment == P.WIRE_AWAITED:
        due = due_at(Promise.WIRE, since=row.placed_at)
        text = "waiting for your wire"
        return Step("deposit_wire", "warn", f"{what} by wire", text, due, "Bank details")
    if row.payment == P.REVIEWED:
        return Step("review", "info", what, "under review")
    is_part = row.payment == P.PARTLY_PAID
    received = f"partly paid, {dollars(row.received)} received" if is_part else ""
    if is_deposit and row.former_number:  # it moved in, so no wire was announced here
        text = received or "please wire it"
        return Step("deposit_wire", "warn", what, text, action="Bank details")
    if is_deposit:
        ask = "please write to us how you want to pay it"
        return Step("deposit", "warn", what, received or ask, action="Open")
    return Step("balance", "info" if is_part else "warn", what, received, row.due_at, "Pay")
