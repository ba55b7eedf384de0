"""The home page of staff: what is to do, by area, and what is late (design/admin.md, Home)."""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from functools import partial
from typing import Any, NamedTuple

from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _, gettext_lazy, pgettext, pgettext_lazy

from apps.accounts.models import User
from apps.accounts.registrations import approval_over
from apps.common.promises import APPROVAL_WARNING, Promise, due_at, term_of
from apps.common.seller import seller
from apps.common.staff import Context, humanize, late_by, page_of
from apps.common.staff_fields import CITY
from apps.common.texts import phrase
from apps.orders.models import Order, OrderEvent
from apps.orders.status import OPEN, OrderStatus
from portal.staff.first_day import first_day
from portal.staff.reports.stock import RED
from portal.staff.work import (
    LATE_ROWS,
    MESSAGES,
    REGISTRATIONS,
    STEPS,
    Waiting,
    Work,
    arrived,
    fresh_work,
    running_out,
)

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
Rows = list[Context]
RowMaker = Callable[..., Context]


def home(*, user: User, now: datetime) -> Context:
    """Return what the home page shows a user's group.

    At most ten statements with the user's own last actions and notes, five more once in 30 seconds,
    four once in ten minutes, one until the first day's checklist is hidden.
    """
    work = fresh_work(user=user, now=now)
    local, row = timezone.localtime(now), partial(card_row, now=now)
    context: Context = {
        "moment": phrase(
            "%(day)s, %(time)s in %(town)s · business days follow the Korean calendar",
            day=date_format(local, pgettext("date", "l Y-m-d")),
            time=f"{local:%H:%M}",
            town=CITY,
        ),
    }
    cards = {_("Registrations"): _registrations(work, row)} if work.registrations else {}
    if user.has_perm("orders.view_order"):
        came = arrived(now=now)
        cards[_("Messages")] = _messages(work, row)
        if user.has_perm("payments.change_payment"):
            cards[pgettext("home", "Money")] = _money(work, came["credits"], row)
        cards |= _goods(work, came, now, row)
        orders = reverse("admin:orders_order_changelist")
        context |= {
            "steps": [
                (status, verb, waiting, humanize(now - waiting.oldest) if waiting.oldest else "")
                for status, verb in STEPS.items()
                for waiting in [work.steps[int(status)]]
            ],
            "orders_url": orders,
            "open_orders": work.orders.count,
            "late": late_first(work=work, now=now),
            "show_late": True,
        }
    elif work.registrations:
        context["waiting"] = [
            (one, humanize(now - one.sent_at), approval_over(since=one.sent_at, now=now))
            for one in work.oldest_registrations
        ]
        context["registrations_url"] = reverse("admin:accounts_registration_changelist")
    cards |= _machinery(work, row, sees_sweeps=user.is_superuser)
    context["has_work"] = any(row["count"] for rows in cards.values() for row in rows)
    context["first_day"] = first_day(user)
    context["first_day_done"] = sum(step.is_done for step in context["first_day"])
    context["is_first"] = context["first_day"] and not context["has_work"] and not work.orders.count
    context["cards"] = [{"name": name, "rows": rows} for name, rows in cards.items()]
    context["idle"] = [
        (name, row) for name, rows in cards.items() for row in rows if not row["count"]
    ]
    return context


def _registrations(work: Work, row: RowMaker) -> Rows:
    queue = reverse("admin:accounts_registration_changelist")
    queries = {"new": "hint=new", "asked": "decision=asked", "answered": "hint=answered"}
    return [
        row(
            str(label),
            work.registrations[kind],
            (url := f"{queue}?{queries[kind]}"),
            late_url=f"{url}&age=late",
            warn_url=f"{url}&age=48",
        )
        for kind, label in REGISTRATIONS.items()
    ]


def _money(work: Work, credits: Waiting, row: RowMaker) -> Rows:
    desk, late = reverse("admin:payments_payment_desk"), reverse("admin:late")
    paypal = reverse("admin:payments_payment_changelist") + "?attention="
    orders = reverse("admin:orders_order_changelist")
    rows = [
        row(
            _("Announced wires"),
            work.wires,
            f"{desk}#wires",
            late_url=f"{late}?of={Promise.WIRE}",
        ),
        row(_("Unpaid, no wire announced"), work.unpaid, f"{orders}?sign=unpaid"),
        row(_("Statement lines not booked"), credits, reverse("admin:payments_payment_statements")),
    ]
    if seller().paypal_on or work.exceptions.count:
        rows += [
            row(_("PayPal to look at"), work.exceptions, f"{paypal}yes", alarm=_("Look")),
            row(
                _("Refunds on their way"),
                work.refunds,
                f"{paypal}refund",
                late_url=f"{paypal}late",
            ),
        ]
    transfers_url = f"{late}?of=transfer"
    return [
        *rows,
        row(_("To send by bank"), work.transfers, f"{desk}#transfers", late_url=transfers_url),
    ]


def _messages(work: Work, row: RowMaker) -> Rows:
    orders = reverse("admin:orders_order_changelist")
    messages, late = reverse("admin:orders_message_list"), reverse("admin:late")
    return [
        row(
            str(label),
            work.messages[str(kind)],
            f"{orders}?status=all&sign={sign}" if sign == "address" else messages,
            late_url=f"{late}?of={kind}",
        )
        for kind, (label, sign, *_flag) in MESSAGES.items()
    ]


def _goods(work: Work, came: dict[str, Waiting], now: datetime, row: RowMaker) -> dict[str, Rows]:
    orders, wishes_url = (reverse(f"admin:orders_{name}_changelist") for name in ("order", "wish"))
    products, imports = (
        reverse(f"admin:catalog_{name}_changelist") for name in ("product", "import")
    )
    proposals, packing = f"{orders}?proposals=", f"{orders}?packing="
    return {
        _("Proposals and wishes"): [
            row(_("Questions about proposals"), came["questions"], f"{proposals}question"),
            row(_("Answered, to confirm"), came["answered"], f"{proposals}answered"),
            row(_("Unanswered, expiring today"), came["ending"], f"{proposals}ending"),
            row(
                _("Wanted and not available"),
                work.wanted,
                wishes_url,
                warn_url=f"{wishes_url}?overdue=1",
                warning=pgettext("wishes", "%(count)s overdue"),
            ),
        ],
        _("Packing and shipping"): [
            row(label, waiting, f"{packing}{name}", late_url=f"{packing}{name}&promise=late")
            for label, name, waiting in (
                (_("Paid, to pack"), "todo", work.to_pack),
                (_("Packed, no tracking number"), "packed", work.to_ship),
            )
        ],
        _("Stock and imports"): [
            row(_("Promised beyond the stock"), work.short, f"{products}?stock=short"),
            row(
                phrase("Run out within %(days)s days", days=RED),
                running_out(now=now),
                f"{reverse('admin:orders_salestally_stock')}?within={RED}",
            ),
            row(_("Imports to review"), came["imports"], f"{imports}?state__exact=review"),
        ],
    }


def _machinery(work: Work, row: RowMaker, *, sees_sweeps: bool) -> dict[str, Rows]:
    """Return the mails that did not leave, and for superusers the background tasks in trouble."""
    mail = reverse("admin:post_office_email_changelist") + "?state="
    sweeps = reverse("admin:portal_sweeprun_changelist") + "?state="
    queued = {"warn_url": f"{mail}queued", "warning": _("%(count)s stuck")}
    cards = {
        _("Mail"): [
            row(
                pgettext("mail", "Failed"),
                work.mail_failed,
                f"{mail}failed",
                alarm=_("Resend"),
            ),
            row(_("Waiting in the queue"), work.mail_queued, f"{mail}queued", **queued),
        ]
    }
    if sees_sweeps:
        cards[_("Background tasks")] = [
            row(label, waiting, f"{sweeps}{state}", alarm=_("Look"))
            for label, waiting, state in (
                (pgettext("task", "Failing"), work.sweeps_failing, "failing"),
                (pgettext("task", "Overdue"), work.sweeps_late, "overdue"),
            )
        ]
    return cards


def due_text(due: datetime, *, now: datetime) -> str:
    """Return when something is due: `due 11-23`, today its time alone, `18:00`."""
    moment = timezone.localtime(due)
    is_today = moment.date() == timezone.localdate(now)
    return f"{moment:%H:%M}" if is_today else phrase("due %(day)s", day=f"{moment:%m-%d}")


def card_row(
    label: str,
    waiting: Waiting,
    url: str,
    *,
    now: datetime,
    alarm: str = "",
    late_url: str = "",
    warn_url: str = "",
    warning: str = "",
) -> Context:
    """Return a row of a card: what waits, how many, since when; how late, or what is to be done at
    once (`alarm`).

    Where nothing is late yet, those that are warned of, or when the oldest is due. What is late
    stands among what the page lists as late; what has merely waited long is warned of.
    """
    late, tone, link = "–", "", url
    if waiting.count and alarm:
        late, tone = alarm, "late"
    elif waiting.late:
        late = phrase("%(count)s late", count=waiting.late)
        tone, link = "late", late_url or url
    elif waiting.warned:
        late = (warning or _("%(count)s over %(hours)s h")) % {
            "count": waiting.warned,
            "hours": APPROVAL_WARNING // timedelta(hours=1),
        }
        tone, link = "soon", warn_url
    elif waiting.due is not None:
        late, tone = due_text(waiting.due, now=now), "soon"
    return {
        "label": label,
        "url": url,
        "count": waiting.count,
        "oldest": humanize(now - waiting.oldest) if waiting.oldest else "–",
        "late": late,
        "tone": tone,
        "late_url": link,
    }


class DueRow(NamedTuple):
    """One thing of a kind that somebody waits for, and when it is late."""

    kind: str
    title: str
    url: str
    context: str
    step: str
    due_at: datetime
    late: str = ""  # by how much


def late_first(*, work: Work, now: datetime, most: int = LATE_ROWS) -> Context:
    """Return what is late of a group's work, the most overdue first, at most eight rows or `most`;
    where nothing is late, what is due next; and how many things are late, shown or not. One
    statement for those who see orders.
    """
    rows = [*_due_registrations(work, now), *_due_money(work), *_due_messages(work)]
    if work.steps:
        rows += _due_orders(most)
    rows.sort(key=lambda row: row.due_at)
    late = [
        row._replace(late=row.late or late_by(due_at=row.due_at, now=now))
        for row in rows
        if row.due_at <= now
    ]
    next_due = None if late or not rows else rows[0]
    return {"rows": late[:most], "next_due": next_due, "count": work.late_things}


def everything_late(*, user: User, now: datetime, kind: str = "") -> list[DueRow]:
    """Return all that is late of a user's work, of every kind or of one, the most overdue first."""
    work = fresh_work(user=user, now=now, most=MOST_LATE)
    late = late_first(work=work, now=now, most=MOST_LATE)["rows"]
    return [row for row in late if kind in ("", row.kind)]


def _due_registrations(work: Work, now: datetime) -> Iterator[DueRow]:
    for one in work.oldest_registrations:
        due = due_at(Promise.APPROVAL, since=one.sent_at)
        url = page_of(one)
        # Days of the calendar, not of business: said in hours as long as they are few.
        late = _("%(age)s over %(term)s")
        late %= {"age": humanize(now - due), "term": term_of(Promise.APPROVAL)}
        name, step = one.company.name, _("Decide")
        yield DueRow("registration", name, url, _("Registration"), step, due, late)


def _due_orders(most: int) -> Iterator[DueRow]:
    orders: Any = Order.objects.filter(status__in=OPEN, due_at__isnull=False)
    for order in orders.select_related("company").order_by("due_at")[:most]:
        # A wire that is announced for the balance waits for us, not for the buyer.
        announced = order.status == OrderStatus.CONFIRMED and order.wire_announced
        step = _("Confirm wire") if announced else str(STEPS[order.state])
        url, name = page_of(order), order.company.name
        yield DueRow("order", order.invoice_code, url, name, step, order.due_at)


def _due_money(work: Work) -> Iterator[DueRow]:
    for one in work.oldest_money:
        promise = Promise(one.waits_for)
        name, verb = MONEY[promise]
        page = "confirm" if promise is Promise.WIRE else "change"
        url = reverse(f"admin:payments_payment_{page}", args=[one.pk])
        title = str(name) % {"amount": f"{one.waiting_amount:,.2f}"}
        about, due = f"{one.invoice_code}, {one.company.name}", due_at(promise, since=one.since)
        yield DueRow(promise, title, url, about, str(verb), due)
    for transfer in work.owed_transfers:
        url, step = (
            reverse("admin:payments_payment_transfer_sent", args=[transfer.pk]),
            _("Send by bank"),
        )
        yield DueRow("transfer", str(transfer), url, transfer.about, step, transfer.due_at)


def _due_messages(work: Work) -> Iterator[DueRow]:
    for row in work.oldest_words:
        due, kind = due_at(Promise.MESSAGE, since=row["since"]), OrderEvent.Kind(row["kind"])
        title = f"{kind.label}, {row['order__invoice_code']}"
        url = reverse("admin:orders_order_change", args=[row["order_id"]])
        yield DueRow(kind, title, url, row["order__company__name"], str(ANSWERS[kind]), due)
