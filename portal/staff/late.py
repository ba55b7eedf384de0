"""What is late of all kinds together, the most overdue first (design/admin.md, Home)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from apps.accounts.models import User
from apps.common.promises import Promise, due_at, term_of
from apps.common.staff import humanize, late_by
from apps.orders.models import Order, OrderEvent
from apps.orders.status import OPEN, OrderStatus
from portal.staff.waiting import Work
from portal.staff.work import LATE_ROWS, STEPS, fresh_work

MOST_LATE = 500
ANSWERS = {
    OrderEvent.Kind.MESSAGE: pgettext_lazy("next step", "Answer"),
    OrderEvent.Kind.SHIP_MEMO: pgettext_lazy("next step", "Answer"),
    OrderEvent.Kind.ADDRESS: pgettext_lazy("next step", "Look"),
}
MONEY = {
    Promise.WIRE: (gettext_lazy("Wire %(amount)s"), pgettext_lazy("wire", "Confirm")),
    Promise.REFUND: (gettext_lazy("Refund %(amount)s"), pgettext_lazy("next step", "Refund")),
}


@dataclass(frozen=True)
class DueRow:
    """One thing of a kind that somebody waits for, and when it is late."""

    kind: str
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
    rows = [*_registrations(work, now), *_money(work, now), *_messages(work, now)]
    if work.steps:
        rows += _orders(now, most)
    rows.sort(key=lambda row: row.due_at)
    late = [row for row in rows if row.due_at <= now][:most]
    return LateFirst(late, None if late or not rows else rows[0], work.late_things)


def everything_late(*, user: User, now: datetime, kind: str = "") -> Sequence[DueRow]:
    """Return all that is late of a user's work, of every kind or of one, the most overdue first."""
    work = fresh_work(user=user, now=now, most=MOST_LATE)
    late = late_first(work=work, now=now, most=MOST_LATE).rows
    return [row for row in late if kind in ("", row.kind)]


def _registrations(work: Work, now: datetime) -> Iterator[DueRow]:
    for one in work.oldest_registrations:
        due = due_at(Promise.APPROVAL, since=one.sent_at)
        yield DueRow(
            kind="registration",
            title=one.company,
            url=reverse("admin:accounts_registration_change", args=[one.id]),
            context=_("Registration"),
            step=_("Decide"),
            due_at=due,
            # Days of the calendar, not of business: said in hours as long as they are few.
            late=_("%(age)s over %(term)s")
            % {"age": humanize(now - due), "term": term_of(Promise.APPROVAL)},
        )


def _orders(now: datetime, most: int) -> Iterator[DueRow]:
    orders = Order.objects.filter(status__in=OPEN, due_at__isnull=False).select_related("company")
    for order in orders.order_by("due_at")[:most]:
        # A wire that is announced for the balance waits for us, not for the buyer.
        announced = order.status == OrderStatus.CONFIRMED and order.wire_announced
        due: datetime = order.due_at  # type: ignore[assignment]
        yield DueRow(
            kind="order",
            title=order.invoice_code,
            url=reverse("admin:orders_order_change", args=[order.pk]),
            context=order.company.name,
            step=_("Confirm wire") if announced else str(STEPS[order.state]),
            due_at=due,
            late=late_by(due_at=due, now=now),
        )


def _money(work: Work, now: datetime) -> Iterator[DueRow]:
    for one in work.oldest_money:
        name, step = MONEY[one.promise]
        page = "confirm" if one.promise is Promise.WIRE else "change"
        due = due_at(one.promise, since=one.since)
        yield DueRow(
            kind=one.promise,
            title=str(name) % {"amount": f"{one.amount:,.2f}"},
            url=reverse(f"admin:payments_payment_{page}", args=[one.id]),
            context=f"{one.invoice_code}, {one.company}",
            step=str(step),
            due_at=due,
            late=late_by(due_at=due, now=now),
        )
    for transfer in work.owed_transfers:
        yield DueRow(
            kind="transfer",
            title=str(transfer),
            url=reverse("admin:payments_payment_transfer_sent", args=[transfer.pk]),
            context=transfer.about,
            step=_("Send by bank"),
            due_at=transfer.due_at,
            late=late_by(due_at=transfer.due_at, now=now),
        )


def _messages(work: Work, now: datetime) -> Iterator[DueRow]:
    for one in work.oldest_words:
        due, kind = due_at(Promise.MESSAGE, since=one.since), OrderEvent.Kind(one.kind)
        yield DueRow(
            kind=kind,
            title=f"{kind.label}, {one.invoice_code}",
            url=reverse("admin:orders_order_change", args=[one.order_id]),
            context=one.company,
            step=str(ANSWERS[kind]),
            due_at=due,
            late=late_by(due_at=due, now=now),
        )
