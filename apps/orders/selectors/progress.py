"""How an order stands for its buyer: its payment, what is to be done now and by when, its steps and
their promises.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from typing import Any

from django.db.models import (
    Case,
    CharField,
    Count,
    DateTimeField,
    F,
    IntegerField,
    Min,
    OuterRef,
    Q,
    Subquery,
    Value,
    When,
)
from django.db.models.lookups import LessThanOrEqual
from django.utils import timezone

from apps.common.money import ZERO, dollars
from apps.common.promises import Promise, due_at, term_of
from apps.common.types import Json
from apps.orders.models import LineProposal
from apps.orders.proposal_rules import deadline_text
from apps.orders.rules import WIRE
from apps.orders.selectors.orders import balance, step_due_at
from apps.orders.status import LIVE, OrderStatus

S = OrderStatus


class PaymentStatus(StrEnum):
    """How the payment of an order stands, in the words that its buyer reads."""

    NONE = ""
    DEPOSIT_DUE = "Deposit due"
    WIRE_AWAITED = "Waiting for your wire"
    REVIEWED = "Payment under review"
    NO_DEPOSIT = "No deposit due"
    DEPOSIT_RECEIVED = "Deposit received"
    BALANCE_DUE = "Balance due"
    PARTLY_PAID = "Partly paid"
    PAID = "Paid"
    REFUNDED = "Refunded"


P = PaymentStatus
COVERED = (P.NO_DEPOSIT, P.DEPOSIT_RECEIVED)
TONES: dict[str, str] = {
    P.DEPOSIT_DUE: "warn",
    P.WIRE_AWAITED: "warn",
    P.REVIEWED: "info",
    P.DEPOSIT_RECEIVED: "ok",
    P.BALANCE_DUE: "warn",
    P.PARTLY_PAID: "info",
}

PAYPAL_UNCONFIRMED = "PayPal has not confirmed it yet."
TONE_NAMES = ("warn", "accent", "ok", "bad", "info", "mute")
STEP_KINDS = (
    "proposals",
    "deposit_wire",
    "deposit_review",
    "deposit_due",
    "wait",
    "balance",
    "balance_review",
    "ship",
    "shipped",
    "cancelled",
)


PRICED = Q(status__gte=S.CONFIRMED)
IN_REVIEW = Q(payment_pending=True) | Q(wire_announced=True)
# How the payment of an order stands, as a column of orders.
PAYMENT = Case(
    When(status=S.CANCELLED, credited__gt=0, then=Value(P.REFUNDED.value)),
    When(status=S.CANCELLED, then=Value(P.NONE.value)),
    When(PRICED & Q(LessThanOrEqual(balance(), Value(ZERO))), then=Value(P.PAID.value)),
    When(PRICED & IN_REVIEW, then=Value(P.REVIEWED.value)),
    When(PRICED, received__gt=F("deposit_received"), then=Value(P.PARTLY_PAID.value)),
    When(PRICED, then=Value(P.BALANCE_DUE.value)),
    When(deposit=ZERO, then=Value(P.NO_DEPOSIT.value)),
    When(deposit_received__gte=F("deposit"), then=Value(P.DEPOSIT_RECEIVED.value)),
    When(payment_pending=True, then=Value(P.REVIEWED.value)),
    When(wire_announced=True, then=Value(P.WIRE_AWAITED.value)),
    When(deposit_received__gt=0, then=Value(P.PARTLY_PAID.value)),
    default=Value(P.DEPOSIT_DUE.value),
    output_field=CharField(),
)

# Proposals wait on a preparing order only; of any other nothing is looked up. They are sent, and
# answered by, together.
WAITING = (
    LineProposal.objects.filter(order=OuterRef("pk"), state=LineProposal.State.OPEN)
    .order_by()
    .values("order")
)
OPEN_PROPOSALS = Case(
    When(status=S.PREPARING, then=Subquery(WAITING.annotate(of=Count("pk")).values("of"))),
    output_field=IntegerField(),
)
ANSWER_BY = Case(
    When(status=S.PREPARING, then=Subquery(WAITING.annotate(by=Min("answer_by")).values("by"))),
    output_field=DateTimeField(),
)


def answers_text(number: int | None, answer_by: datetime | None) -> str:
    """Return how many proposals of an order wait for their buyer, and until when: `3 answers by 24
    Nov`; else empty.
    """
    if not number or answer_by is None:
        return ""
    noun = "answer" if number == 1 else "answers"
    return f"{number} {noun} by {timezone.localtime(answer_by):%-d %b}"


def payment_json(status: str) -> Json:
    """Return a payment's status as the answers tell it."""
    return {"payment": status, "payment_tone": TONES.get(status, "mute")}


def day_of(moment: datetime) -> str:
    """Return the seller's day of what happened: `22 Nov 2026`."""
    return f"{timezone.localtime(moment):%-d %b %Y}"


def promised_day(when: date | None) -> str:
    """Return the seller's day of what is promised or due: `Tue 24 Nov`; empty where none is."""
    day = timezone.localtime(when) if isinstance(when, datetime) else when
    return f"{day:%a %-d %b}" if day else ""


@dataclass(frozen=True)
class Progress:
    """How far an order has come, a row with its `payment`, `open_proposals` and `answer_by`:
    `reached` holds when it came to each status, `paid_at` when money came.
    """

    order: Any
    reached: Mapping[OrderStatus, datetime]
    paid_at: Sequence[datetime]
    deposit_at: datetime | None
    due_at: datetime | None
    balance: Decimal
    now: datetime

    @property
    def deposit_missing(self) -> Decimal:
        """Return what has not come of the deposit, in US dollars."""
        missing: Decimal = self.order.deposit - self.order.deposit_received
        return max(ZERO, missing)


def progress_of(
    order: Any, steps: Iterable[tuple[datetime, int | None]], *, balance: Decimal, now: datetime
) -> Progress:
    """Return an order's progress by its steps: each moment with the status that it came to, or
    without at which money came.
    """
    steps = list(steps)
    reached = {OrderStatus(status): at for at, status in steps if status is not None}
    paid_at = [at for at, status in steps if status is None]
    prepared = reached.get(S.PREPARING, now)
    deposits = [at for at in paid_at if at <= prepared]
    deposit_at = deposits[-1] if deposits and order.deposit_received else None
    due = order.due_at
    if order.status == S.RECEIVED and deposit_at is not None:
        # Nothing is promised before the deposit is there, nor before the order moved in.
        due = step_due_at(S.RECEIVED, since=max(deposit_at, order.status_at))
    return Progress(order, reached, paid_at, deposit_at, due, balance, now)


def next_step(progress: Progress) -> Json:
    """Return what is to be done now; its `tone` says by whom: warn is the buyer's own step."""
    order = progress.order
    reached = day_of(progress.reached.get(order.status, order.placed_at))
    match order.status:
        case S.RECEIVED | S.PREPARING:
            return _before_confirmation(progress)
        case S.CONFIRMED:
            return _balance_step(progress)
        case S.PAID:
            return _promise_step("ship", "accent", f"Paid on {reached}", "ship", progress)
        case S.SHIPPED:
            text = ""
            if order.expected_on is not None:
                is_past = timezone.localdate(progress.now) > order.expected_on
                verb = "It was expected" if is_past else "Expected"
                where = f" in {order.ship_city}" if order.ship_city else ""
                text = f"{verb}{where} by {promised_day(order.expected_on)}."
            return _step("shipped", "accent", f"On its way since {reached}", text)
    # What became of its money, and when; what came after the cancellation went back at once.
    rows, at = [], progress.reached.get(order.status, order.placed_at)
    if order.received:
        rows.append(_row("Received from you", order.received, progress.paid_at))
        if rest := order.received - order.credited:
            rows.append(_row("Retained under the terms of use", -rest, [at]))
        back = [at, *(paid for paid in progress.paid_at if paid > at)] if order.credited else []
        rows.append(_row("Refunded to your wallet", order.credited, back))
    return _step("cancelled", "bad", f"Cancelled on {reached}", order.cancel_reason, rows=rows)


def _before_confirmation(progress: Progress) -> Json:
    order = progress.order
    is_preparing, missing = order.status == S.PREPARING, progress.deposit_missing
    if order.open_proposals and order.answer_by is not None:
        text = (
            f"By {deadline_text(order.answer_by)}. If you do not answer, "
            "we proceed as each proposal states."
        )
        return _step("proposals", "warn", proposals_title(order.open_proposals), text)
    match order.payment:
        case P.WIRE_AWAITED:
            by = _payable(due_at(Promise.WIRE, since=order.placed_at), progress.now)
            then = "We are preparing it." if is_preparing else "We start preparing once it arrives."
            title = f"Pay the deposit by wire: {dollars(missing)}"
            return _step("deposit_wire", "warn", title, f"{by} {then}", amount=missing)
        case P.REVIEWED:
            return _step(
                "deposit_review", "accent", "Your deposit is under review", PAYPAL_UNCONFIRMED
            )
        case P.DEPOSIT_DUE | P.PARTLY_PAID:
            is_part = order.payment == P.PARTLY_PAID
            title = f"The {'rest of the ' if is_part else ''}deposit is due: {dollars(missing)}"
            kind, text = "deposit_due", "Please write to us how you want to pay it."
            if is_to_wire(order):
                kind, text = "deposit_wire", "Please wire it with this reference."
            if is_part:
                text = f"{dollars(order.deposit_received)} has arrived. {text}"
            return _step(kind, "warn", title, text, amount=missing)
    title = "Order received" if order.payment == P.NO_DEPOSIT else "Deposit received"
    if progress.deposit_at and order.payment != P.NO_DEPOSIT:
        title += f" on {day_of(progress.deposit_at)}"
    deed = "confirm your lines" if is_preparing else "start preparing"
    return _promise_step("wait", "ok", title, deed, progress)


def is_to_wire(order: Any) -> bool:
    """Return whether a deposit that is due is wired, though no wire of it is announced: the order
    moved in, or a part of it came by wire.
    """
    is_part = order.payment == P.PARTLY_PAID and order.payment_type == WIRE
    return is_part or bool(order.former_number)


def _promise_step(kind: str, tone: str, title: str, deed: str, progress: Progress) -> Json:
    """Return what the seller does next, by when, and how late it is."""
    by = promised_day(progress.due_at) or "then"
    if progress.due_at and (late := late_text(progress.due_at, progress.now)):
        return _step(kind, "warn", title, f"We promised to {deed} by {by}: {late}.")
    return _step(kind, tone, title, f"We {deed} by {by}.")


def _payable(due: datetime, now: datetime) -> str:
    """Return until when the buyer pays, or how late it is."""
    late = late_text(due, now)
    return f"It was due by {promised_day(due)}, {late}." if late else f"By {promised_day(due)}."


def proposals_title(number: int) -> str:
    """Return what the buyer is asked for while proposals wait."""
    if number == 1:
        return "One proposal needs your answer"
    return f"{number} proposals need your answer"


def _balance_step(progress: Progress) -> Json:
    order = progress.order
    balance = progress.balance
    if order.payment == P.REVIEWED:
        title = f"Your balance is under review: {dollars(balance)}"
        term = f"We check a wire within {term_of(Promise.WIRE)}."
        text = term if order.wire_announced else PAYPAL_UNCONFIRMED
        return _step("balance_review", "accent", title, text, amount=balance)
    by = _payable(progress.due_at, progress.now) if progress.due_at else ""
    text = f"{by} We ship within {term_of(Promise.SHIP)} of your payment.".lstrip()
    others = (
        ("Received from you", -order.received),
        ("Credited to your wallet", order.credited),
        ("Waived", -order.written_off),
    )
    rows = [
        _row("Confirmed goods", order.real_total),
        _row("Shipping fee", order.shipping_fee),
        *(_row(label, amount) for label, amount in others if amount),
        _row("Balance due", balance),
    ]
    what = "rest of the balance" if order.payment == P.PARTLY_PAID else "balance"
    title = f"Pay the {what}: {dollars(balance)}"
    return _step("balance", "warn", title, text, amount=balance, rows=rows)


def _row(text: str, amount: Decimal, moments: Iterable[datetime] = ()) -> Json:
    note = ", ".join(dict.fromkeys(map(day_of, moments)))
    return {"text": text, "amount": amount, "note": note}


def _step(
    kind: str,
    tone: str,
    title: str,
    text: str = "",
    *,
    amount: Decimal | None = None,
    rows: Sequence[Json] = (),
) -> Json:
    step = {"kind": kind, "tone": tone, "title": title, "text": text}
    return {**step, "amount": amount, "rows": list(rows)}


def timeline(progress: Progress) -> list[Json]:
    """Return the steps of an order: when each was reached, and what was or is promised of it
    (section 4).

    A cancelled order's list ends with its cancellation.
    """
    order = progress.order
    steps: list[OrderStatus] = list(LIVE)
    if order.status == S.CANCELLED:
        steps = [*sorted(step for step in progress.reached if step in LIVE), S.CANCELLED]
    rows = []
    for step in steps:
        at = progress.reached.get(step)
        note, tone = _after_step(step, at, progress) if at else _before_step(step, progress)
        day = timezone.localdate(at).isoformat() if at else None
        rows.append({"message": step.label, "at": day, "note": note, "tone": tone})
    return rows


# What each step waits for: the step before it, and the words of its promise while nothing runs yet.
AHEAD = {
    S.PREPARING: (Promise.PREPARE, "Within {term} of your deposit"),
    S.CONFIRMED: (Promise.CONFIRM, "Within {term} after that"),
    S.PAID: (Promise.BALANCE, "Balance due {term} after we confirm"),
    S.SHIPPED: (Promise.SHIP, "Within {term} of your payment"),
}


def _before_step(step: OrderStatus, progress: Progress) -> tuple[str, str]:
    """Return what is promised of a step that is not reached, and its tone."""
    order = progress.order
    if step not in AHEAD:
        return "", "mute"
    promise, words = AHEAD[step]
    is_unpaid = step is S.PREPARING and order.payment not in COVERED
    if step != order.status + 1 or progress.due_at is None or is_unpaid:
        return words.format(term=term_of(promise)), "mute"
    if order.payment == P.REVIEWED:
        return P.REVIEWED.value, "mute"
    label = "Balance due" if step is S.PAID else "Promised for"
    late = late_text(progress.due_at, progress.now)
    promised = f"{label} {promised_day(progress.due_at)}"
    return (f"{promised}, {late}", "bad") if late else (promised, "mute")


def _after_step(step: OrderStatus, at: datetime, progress: Progress) -> tuple[str, str]:
    """Return how late a step was reached, and its tone; what the buyer pays is no promise of ours.
    The deposit belongs to the first step.
    """
    order = progress.order
    if step is S.RECEIVED and progress.deposit_at is not None:
        is_part = order.payment == P.PARTLY_PAID and order.status < S.CONFIRMED
        what = "Part of the deposit" if is_part else "Deposit"
        return f"{what} received {day_of(progress.deposit_at)}", "mute"
    if step is S.RECEIVED and order.status in (S.RECEIVED, S.PREPARING):
        if order.payment == P.REVIEWED:
            return P.REVIEWED.value, "mute"
        if progress.deposit_missing > 0:
            return f"Waiting for your deposit of {dollars(progress.deposit_missing)}", "warn"
    since = progress.reached.get(OrderStatus(step - 1)) if step in AHEAD else None
    # An order that moved in began where nobody promised what we do.
    began_elsewhere = bool(order.former_number) and step is S.PREPARING
    if since is None or step is S.PAID or began_elsewhere:
        return "", "mute"
    if step is S.PREPARING and progress.deposit_at is not None:
        since = max(since, progress.deposit_at)
    due = due_at(AHEAD[step][0], since=since)
    late = late_text(due, at)
    return (f"Promised for {day_of(due)}, {late}", "bad") if late else ("", "ok")


def late_text(due: datetime, at: datetime) -> str:
    """Return by how many days something is or was late: `3 days late`; empty in time.

    Buyers are shown days, the seller's: what comes on the promised one is in time, whatever the
    hour.
    """
    days = (timezone.localdate(at) - timezone.localdate(due)).days
    return f"{days} {'day' if days == 1 else 'days'} late" if days > 0 else ""
