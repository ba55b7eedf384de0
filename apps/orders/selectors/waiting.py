"""What the orders of a company wait for: the buyer's money, and what the seller has promised, with
its day.
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import NamedTuple

from django.db.models import Sum
from django.utils import timezone

from apps.accounts.selectors import Buyer
from apps.common.db.rows import fetch_all
from apps.common.money import ZERO, dollars, usd
from apps.common.promises import Promise, due_at
from apps.common.types import Json
from apps.orders.due import step_due_at
from apps.orders.models import OrderEvent, OrderTally, month_bucket
from apps.orders.selectors.progress import (
    ANSWER_BY,
    OPEN_PROPOSALS,
    PaymentStatus,
    days_late,
    payment_json,
    payment_sql,
    promised_day,
    proposals_title,
)
from apps.orders.status import OrderStatus

S, P = OrderStatus, PaymentStatus
SHOWN = 6
LOOKED_AT = 50
WAITING_KINDS = ("answers", "deposit_wire", "deposit", "balance", "review", "promise")
MISSING = f"""CASE WHEN o.status < {S.CONFIRMED:d} THEN o.deposit - o.deposit_received
 ELSE o.real_total + o.shipping_fee - o.received + o.credited - o.written_off END"""
# The nearest days first; what is owed is summed up over all.
WAITING = f"""SELECT o.invoice_code, o.status, o.placed_at, o.due_at, o.pieces, o.real_total, o.received,
 {payment_sql("o")},
 (SELECT MAX(e.at) FROM orders_orderevent e WHERE e.order_id = o.id AND e.kind = '{OrderEvent.Kind.PAYMENT}'),
 {MISSING}, SUM(CASE WHEN {MISSING} > 0 THEN {MISSING} ELSE 0 END) OVER (), COUNT(*) OVER (), o.po_number,
 {OPEN_PROPOSALS}, {ANSWER_BY}
FROM orders_order o
WHERE o.company_id = %s AND o.status BETWEEN {S.RECEIVED:d} AND {S.PAID:d}
ORDER BY o.due_at, o.id LIMIT {LOOKED_AT}"""  # noqa: S608 - constants only
OWED_A_PAGE = 50
STILL_OWED = f"""FROM orders_order o
WHERE o.company_id = %s AND o.status BETWEEN {S.RECEIVED:d} AND {S.PAID:d} AND ROUND({MISSING}, 2) > 0"""
OWED_SUMS = f"""SELECT SUM({MISSING}),
 SUM(CASE WHEN {payment_sql("o")} IN ('{P.DEPOSIT_REVIEWED}', '{P.BALANCE_REVIEWED}') THEN {MISSING} ELSE 0 END),
 COUNT(*) {STILL_OWED}"""
OWED = f"""SELECT o.invoice_code, o.status, o.placed_at, o.due_at, o.received,
 {payment_sql("o")}, {MISSING}, o.po_number
{STILL_OWED} ORDER BY o.due_at, o.id LIMIT {OWED_A_PAGE} OFFSET %s"""
PROMISED = {S.RECEIVED: "We start to prepare", S.PREPARING: "We confirm", S.PAID: "We ship"}
NEVER = datetime.max.replace(tzinfo=UTC)


class WaitingRow(NamedTuple):
    """An order under way. Amounts are US dollars; `owed` and `orders` are those of all of them."""

    invoice_code: str
    status: int
    placed_at: datetime
    due_at: datetime | None
    pieces: int
    real_total: Decimal
    received: Decimal
    payment: str
    paid_at: datetime | None
    missing: Decimal
    owed: Decimal
    orders: int
    po_number: str
    open_proposals: int
    answer_by: datetime | None


class OwedSums(NamedTuple):
    """What the orders of a company wait for in all, and what of it is announced: US dollars, None
    for no orders.
    """

    owed: Decimal | None
    reviewed: Decimal | None
    orders: int


class OwedRow(NamedTuple):
    """An order that waits for money; amounts are US dollars."""

    invoice_code: str
    status: int
    placed_at: datetime
    due_at: datetime | None
    received: Decimal
    payment: str
    missing: Decimal
    po_number: str


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
    """Return six steps of the company's orders, the nearest day first, and what is owed in all. One
    statement.

    The buyer's own steps are among them whatever the seller's promises; of either kind the nearest.
    """
    rows = fetch_all(WaitingRow, WAITING, [buyer.company_id])
    steps = sorted(((_step(row), row) for row in rows), key=lambda found: found[0].due or NEVER)
    chosen = sorted(steps, key=lambda found: not found[0].action)[:SHOWN]
    shown = [found for found in steps if found in chosen]
    return {
        "owed": rows[0].owed if rows else ZERO,
        "more": (rows[0].orders if rows else 0) - len(shown),
        "steps": [_json(step, row, now) for step, row in shown],
    }


def what_is_owed(*, buyer: Buyer, page: int = 1, now: datetime) -> Json:
    """Return the money that the company's orders wait for, a page of 50 of them, the nearest day
    first.

    `owed` is all that is missing, `reviewed` what of it is announced, both over all orders; amounts
    are US dollars. Two statements.
    """
    sums = _owed_sums(buyer)
    before = (page - 1) * OWED_A_PAGE
    rows = fetch_all(OwedRow, OWED, [buyer.company_id, before])
    steps = sorted(
        ((_money_step(row), row) for row in rows), key=lambda found: found[0].due or NEVER
    )
    return {
        "owed": ZERO if sums.owed is None else usd(sums.owed),
        "reviewed": ZERO if sums.reviewed is None else usd(sums.reviewed),
        "orders": sums.orders,
        "next": page + 1 if before + len(rows) < sums.orders and rows else None,
        "rows": [_owed_json(step, row, now) for step, row in steps],
    }


def owed_in_all(*, buyer: Buyer) -> Decimal:
    """Return what the company's orders wait for in all, in US dollars, as `what_is_owed` sums it.
    One statement.
    """
    owed = _owed_sums(buyer).owed
    return ZERO if owed is None else usd(owed)


def _owed_sums(buyer: Buyer) -> OwedSums:
    return fetch_all(OwedSums, OWED_SUMS, [buyer.company_id])[0]


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


def _owed_json(step: Step, row: OwedRow, now: datetime) -> Json:
    return {
        "invoice_code": row.invoice_code,
        "po_number": row.po_number,
        "status_id": row.status,
        "kind": "Deposit" if row.status < S.CONFIRMED else "Balance",
        **payment_json(row.payment),
        "amount": row.missing,
        "due": promised_day(step.due) if step.due else "",
        "late": bool(step.due and days_late(step.due, now)),
        "action": step.action,
    }


def _step(row: WaitingRow) -> Step:
    if row.open_proposals:
        return Step(
            "answers", "warn", proposals_title(row.open_proposals), "", row.answer_by, "Answer"
        )
    return _promise(row) if row.payment in (P.DEPOSIT_RECEIVED, P.PAID) else _money_step(row)


def _money_step(row: WaitingRow | OwedRow) -> Step:
    payment, missing = PaymentStatus(row.payment), dollars(row.missing)
    if payment is P.WIRE_AWAITED:
        due = due_at(Promise.WIRE, since=row.placed_at)
        return Step(
            "deposit_wire",
            "warn",
            f"Deposit {missing} by wire",
            "waiting for your wire",
            due,
            "Bank details",
        )
    if payment in (P.DEPOSIT_REVIEWED, P.BALANCE_REVIEWED):
        what = "Deposit" if payment is P.DEPOSIT_REVIEWED else "Balance"
        return Step("review", "info", f"{what} {missing}", "under review")
    received = f"partly paid, {dollars(row.received)} received" if payment is P.PARTLY_PAID else ""
    if row.status < S.CONFIRMED:
        return Step(
            "deposit",
            "warn",
            f"Deposit {missing}",
            received or "please write to us how you want to pay it",
        )
    tone = "info" if received else "warn"
    return Step("balance", tone, f"Balance {missing}", received, row.due_at, "Pay")


def _promise(row: WaitingRow) -> Step:
    status = OrderStatus(row.status)
    since = (
        row.paid_at if status is S.RECEIVED else None
    )  # nothing is promised before the deposit is there
    due = step_due_at(status, since=since) if since else row.due_at
    pieces = f"{row.pieces:,} {'piece' if row.pieces == 1 else 'pieces'}"
    title = f"{PROMISED[status]} {row.invoice_code}"
    return Step("promise", "mute", title, f"{pieces} · {dollars(row.real_total)}", due)


def _json(step: Step, row: WaitingRow, now: datetime) -> Json:
    day = promised_day(step.due) if step.due else ""
    late = days_late(step.due, now).removeprefix(", ") if step.due else ""
    tone, text = step.tone, " · ".join(filter(None, [row.invoice_code, step.text]))
    if step.kind == "promise":
        tone, text = ("bad", f"Promised for {day}") if late else (step.tone, step.text)
    return {
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
