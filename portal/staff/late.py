"""What is late of all kinds together, the most overdue first (design/admin.md, Home)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.urls import reverse

from apps.common.promises import Promise, due_at, term_of
from apps.common.staff import humanize, overdue
from apps.orders.models import Order, OrderEvent
from apps.orders.status import OPEN, OrderStatus
from portal.staff.waiting import Work
from portal.staff.work import LATE_ROWS, STEPS

WORDS = {
    OrderEvent.Kind.MESSAGE: "Answer",
    OrderEvent.Kind.SHIP_MEMO: "Answer",
    OrderEvent.Kind.ADDRESS: "Look",
}
MONEY = {Promise.WIRE: ("Wire", "Confirm"), Promise.REFUND: ("Refund", "Refund")}


@dataclass(frozen=True)
class DueRow:
    """One thing that somebody waits for, and when it is late."""

    title: str
    url: str
    context: str
    step: str
    due_at: datetime
    late: str


@dataclass(frozen=True)
class LateFirst:
    """The eight most overdue things of all kinds; where nothing is late, what is due next."""

    rows: Sequence[DueRow]
    next_due: DueRow | None
    count: int = 0  # of all that is late, shown or not


def late_first(*, work: Work, now: datetime, most: int = LATE_ROWS) -> LateFirst:
    """Return what is late of a group's work, at most eight rows or `most`. One statement for those
    who see orders.
    """
    rows = sorted(
        [
            *_registrations(work, now),
            *_money(work, now),
            *_transfers(work, now),
            *_words(work, now),
        ],
        key=lambda row: row.due_at,
    )
    if work.steps:
        rows = sorted([*rows, *_orders(now, most)], key=lambda row: row.due_at)
    late = [row for row in rows if row.due_at <= now][:most]
    late = [
        replace(row, late=row.late.removesuffix(" over")) for row in late
    ]  # the column is called Late by
    return LateFirst(late, None if late or not rows else rows[0], work.late_things)


def _registrations(work: Work, now: datetime) -> list[DueRow]:
    term = term_of(Promise.APPROVAL)
    found = []
    for one in work.oldest_registrations:
        due = due_at(Promise.APPROVAL, since=one.sent_at)
        url = reverse("admin:accounts_registration_change", args=[one.id])
        # Days of the calendar, not of business: said in hours as long as they are few.
        found.append(
            DueRow(
                one.company,
                url,
                "Registration",
                "Decide",
                due,
                f"{humanize(now - due)} over {term}",
            )
        )
    return found


def _orders(now: datetime, most: int) -> list[DueRow]:
    orders = (
        Order.objects.filter(status__in=OPEN, due_at__isnull=False)
        .select_related("company")
        .order_by("due_at")
    )
    return [
        DueRow(
            order.invoice_code,
            reverse("admin:orders_order_change", args=[order.pk]),
            order.company.name,
            _step(order),
            order.due_at,
            overdue(due_at=order.due_at, now=now, short=True),
        )
        for order in orders[:most]
        if order.due_at is not None
    ]


def _step(order: Order) -> str:
    """Return what an order waits for: a wire that is announced for its balance waits for us, not
    for the buyer.
    """
    announced = order.status == OrderStatus.CONFIRMED and order.wire_announced
    return "Confirm wire" if announced else STEPS[OrderStatus(order.status)]


def _money(work: Work, now: datetime) -> list[DueRow]:
    found = []
    for one in work.oldest_money:
        name, step = MONEY[one.promise]
        page = "confirm" if one.promise is Promise.WIRE else "change"
        due = due_at(one.promise, since=one.since)
        found.append(
            DueRow(
                f"{name} {one.amount:,.2f}",
                reverse(f"admin:payments_payment_{page}", args=[one.id]),
                f"{one.invoice_code}, {one.company}",
                step,
                due,
                overdue(due_at=due, now=now, short=True),
            )
        )
    return found


def _transfers(work: Work, now: datetime) -> list[DueRow]:
    return [
        DueRow(
            str(transfer),
            reverse("admin:payments_payment_transfer_sent", args=[transfer.pk]),
            transfer.about,
            "Send by bank",
            transfer.due_at,
            overdue(due_at=transfer.due_at, now=now, short=True),
        )
        for transfer in work.owed_transfers
    ]


def _words(work: Work, now: datetime) -> list[DueRow]:
    found = []
    for one in work.oldest_words:
        due = due_at(Promise.MESSAGE, since=one.since)
        kind = OrderEvent.Kind(one.kind)
        url = reverse("admin:orders_order_change", args=[one.order_id])
        title, step = f"{kind.label}, {one.invoice_code}", WORDS[kind]
        found.append(
            DueRow(title, url, one.company, step, due, overdue(due_at=due, now=now, short=True))
        )
    return found
