"""The work that waits: counts, oldest and late, for the sidebar and the home page (design/admin.md,
Home).
"""

from datetime import datetime, timedelta
from typing import Any

from django.core.cache import cache
from django.db.models import Case, Count, F, Min, OuterRef, Q, Subquery, Value, When, Window
from django.db.models.functions import Coalesce, RowNumber
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy
from post_office.models import STATUS

from apps.accounts.models import Registration, User
from apps.catalog.models import Import, Stock
from apps.common.days import midnight
from apps.common.promises import APPROVAL_WARNING, Promise, late_start
from apps.common.staff import WAITING_KEY
from apps.orders.models import UNPAID, UNREAD, Order, OrderEvent
from apps.orders.selectors.conversation import count_proposals
from apps.orders.selectors.orders import seller_date
from apps.orders.selectors.wishes import open_wish_rows, overdue
from apps.orders.status import OPEN, OrderStatus
from apps.payments.models import BankCredit, BankStatement, Payment, Refund
from apps.payments.selectors import exceptions, owed_by_bank
from apps.payments.services.refunds import OPEN_REFUNDS
from apps.payments.states import PaymentState
from portal.ops.alerts import MAIL_WAITS, SweepState
from portal.ops.sweeps import sweep_states
from portal.staff.registrations.filters import was_asked
from portal.staff.reports.stock import count_running_out
from portal.staff.visible import mails_for
from portal.staff.waiting import (
    Incoming,
    Waiting,
    WaitingMessage,
    WaitingMoney,
    WaitingRegistration,
    Work,
)

SIDEBAR_SECONDS = 30
SWEEPS_KEY = "staff-sweeps"
ARRIVED_KEY = "staff-arrived"
RUNNING_OUT_KEY, RUNNING_OUT_SECONDS = "staff-running-out", 600
LATE_ROWS = 8
STEPS = {
    OrderStatus.RECEIVED: pgettext_lazy("next step", "Prepare"),
    OrderStatus.PREPARING: pgettext_lazy("next step", "Confirm"),
    OrderStatus.CONFIRMED: pgettext_lazy("next step", "Buyer pays"),
    OrderStatus.PAID: pgettext_lazy("next step", "Ship"),
}
MESSAGES = {
    OrderEvent.Kind.MESSAGE: (_("To answer"), "message", "message_unread"),
    OrderEvent.Kind.SHIP_MEMO: (_("Shipping requests"), "ship_memo", "ship_memo_unread"),
    OrderEvent.Kind.ADDRESS: (_("Addresses changed"), "address", "address_changed"),
}
REGISTRATIONS = {
    "new": _("New, to decide"),
    "asked": _("More information requested"),
    "answered": pgettext_lazy("registration", "Answered"),
}


def group_of(user: User) -> str:
    """Return whose work a member of staff sees: `all`, `sales`, `approvers` or `none`."""
    if user.has_perm("orders.view_order"):
        return "all" if user.has_perm("accounts.change_user") else "sales"
    return "approvers" if user.has_perm("accounts.change_user") else "none"


def sidebar_work(*, user: User, now: datetime) -> Work:
    """Return the work of a user's group, at most 30 seconds old."""
    key = WAITING_KEY.format(group=group_of(user))
    work: Work | None = cache.get(key)
    return work or fresh_work(user=user, now=now)


def fresh_work(*, user: User, now: datetime, most: int = LATE_ROWS) -> Work:
    """Return the work of a user's group, counted now: mail 1 statement, sales 6, registrations 1.

    `most` says how many of the oldest of each kind are named.

    How the sweeps fare is at most 30 seconds old.
    """
    group = group_of(user)
    mail = (
        mails_for(user)
        .filter(status__in=(STATUS.failed, STATUS.queued, STATUS.requeued))
        .aggregate(
            failed=Count("id", filter=Q(status=STATUS.failed)),
            failed_since=Min("created", filter=Q(status=STATUS.failed)),
            queued=Count("id", filter=~Q(status=STATUS.failed)),
            queued_since=Min("created", filter=~Q(status=STATUS.failed)),
            queued_stuck=Count(
                "id", filter=~Q(status=STATUS.failed) & Q(created__lt=now - MAIL_WAITS)
            ),
        )
    )
    sweeps = cache.get_or_set(SWEEPS_KEY, lambda: sweep_states(now), SIDEBAR_SECONDS) or ()
    work = Work(
        mail_failed=Waiting(mail["failed"], mail["failed"], mail["failed_since"]),
        mail_queued=Waiting(
            mail["queued"], oldest=mail["queued_since"], warned=mail["queued_stuck"]
        ),
        sweeps_failing=_troubled([sweep for sweep in sweeps if sweep.failure]),
        sweeps_late=_troubled([sweep for sweep in sweeps if sweep.is_late]),
        **(_sales_work(now, most) if group in ("all", "sales") else {}),
        **(_registrations(now, most) if group in ("all", "approvers") else {}),
    )
    if most == LATE_ROWS:
        cache.set(WAITING_KEY.format(group=group), work, SIDEBAR_SECONDS)
    return work


def _troubled(sweeps: list[SweepState]) -> Waiting:
    since = min((sweep.succeeded_at for sweep in sweeps if sweep.succeeded_at), default=None)
    return Waiting(len(sweeps), len(sweeps), since)


def _sales_work(now: datetime, most: int) -> dict[str, Any]:
    late, packed = Q(due_at__lte=now), Q(packing_status=Order.Packing.COMPLETE)
    rows: dict[int, dict[str, Any]] = {
        row["status"]: dict(row)
        for row in Order.objects.filter(status__in=OPEN)
        .order_by()
        .values("status")
        .annotate(
            count=Count("id"),
            late=Count("id", filter=late),
            oldest=Min("status_at"),
            packed=Count("id", filter=packed),
            packed_late=Count("id", filter=packed & late),
            packed_oldest=Min("status_at", filter=packed),
            unpaid=Count("id", filter=UNPAID),
            unpaid_oldest=Min("status_at", filter=UNPAID),
            unpacked_oldest=Min("status_at", filter=~packed),
        )
    }
    steps = {
        status: Waiting(row["count"], row["late"], row["oldest"]) for status, row in rows.items()
    }
    short = Stock.objects.filter(short__gt=0).count()
    packing = {}
    if paid := rows.get(OrderStatus.PAID):
        unpacked, late_ones = paid["count"] - paid["packed"], paid["late"] - paid["packed_late"]
        packing = {
            "to_pack": Waiting(unpacked, late_ones, paid["unpacked_oldest"]),
            "to_ship": Waiting(paid["packed"], paid["packed_late"], paid["packed_oldest"]),
        }
    owed = list(owed_by_bank())
    return {
        "unpaid": Waiting(received["unpaid"], oldest=received["unpaid_oldest"])
        if (received := rows.get(OrderStatus.RECEIVED))
        else Waiting(),
        "steps": {int(status): steps.get(int(status), Waiting()) for status in OPEN},
        **packing,
        **_messages(now, most),
        "short": Waiting(short),
        "wanted": _wanted(now),
        **_payments(now, most),
        "transfers": Waiting(
            len(owed), sum(one.due_at <= now for one in owed), owed[0].owed_at if owed else None
        ),
        "owed_transfers": tuple(owed),
    }


def _wanted(now: datetime) -> Waiting:
    """Return the wishes of buyers that are open, by product or code; warned of are those that wait
    for too long.
    """
    is_overdue = overdue(today=seller_date(now))
    found = open_wish_rows().aggregate(
        count=Count("product", distinct=True)
        + Count("code", filter=Q(product=None), distinct=True),
        overdue=Count("product", filter=is_overdue, distinct=True)
        + Count("code", filter=is_overdue & Q(product=None), distinct=True),
        oldest=Min("since"),
    )
    return Waiting(found["count"], oldest=found["oldest"], warned=found["overdue"])


def arrived(*, now: datetime) -> Incoming:
    """Return what has arrived, at most 30 seconds old. Three statements."""
    return cache.get_or_set(ARRIVED_KEY, lambda: _count_arrived(now), SIDEBAR_SECONDS) or Incoming()


def running_out(*, now: datetime) -> Waiting:
    """Return how many products are gone within a week at their pace, at most ten minutes old: it
    reads the tally.
    """
    count = cache.get(RUNNING_OUT_KEY)
    if count is None:
        count = count_running_out(today=seller_date(now))
        cache.set(RUNNING_OUT_KEY, count, RUNNING_OUT_SECONDS)
    return Waiting(count)


def _count_arrived(now: datetime) -> Incoming:
    imports = Import.objects.filter(state=Import.State.REVIEW).aggregate(
        count=Count("pk"), oldest=Min("created_at")
    )
    in_work = BankStatement.objects.filter(put_away_at__isnull=True)
    credits = BankCredit.objects.filter(
        booked_at__isnull=True, sent_back_at__isnull=True, statements__in=in_work
    )
    lines = credits.aggregate(
        count=Count("pk", distinct=True), oldest=Min("statements__imported_at")
    )
    said = count_proposals(until=midnight(seller_date(now) + timedelta(days=1)))
    return Incoming(
        imports=Waiting(imports["count"], 0, imports["oldest"]),
        credits=Waiting(lines["count"], 0, lines["oldest"]),
        questions=Waiting(said["question"], 0, said["question_since"]),
        answered=Waiting(said["answered"], 0, said["answered_since"]),
        ending=Waiting(said["ending"], 0, said["ending_since"]),
        ending_at=said["ending_at"],
    )


def _payments(now: datetime, most: int) -> dict[str, Any]:
    """Return the announced wires with the oldest of them, and the PayPal payments that need
    somebody: one statement.
    """
    announced = Payment.objects.filter(method=Payment.Method.WIRE, state=PaymentState.ANNOUNCED)
    # Each part by its index: asked with OR, the database would read all payments.
    waiting = (
        announced.order_by().values("pk").union(exceptions(now).order_by().values("pk"), all=True)
    )
    unfinished = Refund.objects.filter(payment=OuterRef("pk"), state__in=OPEN_REFUNDS).order_by(
        "created_at", "id"
    )
    waits_for = Case(
        When(method=Payment.Method.WIRE, then=Value(Promise.WIRE)),
        When(refund_since__isnull=False, then=Value(Promise.REFUND)),
        default=Value("paypal"),
    )
    late = Case(
        When(waits_for=Promise.WIRE, since__lte=late_start(Promise.WIRE, now=now), then=1),
        When(waits_for=Promise.REFUND, since__lte=late_start(Promise.REFUND, now=now), then=1),
    )
    rows = (
        Payment.objects.filter(pk__in=waiting)
        .annotate(
            refund_since=Subquery(unfinished.values("created_at")[:1]),
            refund_amount=Subquery(unfinished.values("amount")[:1]),
        )
        .annotate(waits_for=waits_for, since=Coalesce("refund_since", "created_at"))
        .annotate(
            waiting=Window(Count("id"), partition_by="waits_for"),
            late=Window(Count(late), partition_by="waits_for"),
            place=Window(RowNumber(), partition_by="waits_for", order_by=("since", "id")),
        )
        .filter(place__lte=most)
        .select_related("company")
        .order_by("since", "id")
    )
    found: dict[str, Waiting] = {}
    oldest = []
    for row in rows:
        found.setdefault(row.waits_for, Waiting(row.waiting, row.late, row.since))
        if row.waits_for != "paypal":
            amount = row.amount if row.refund_amount is None else row.refund_amount
            promise = Promise(row.waits_for)
            oldest.append(
                WaitingMoney(row.pk, promise, amount, row.invoice_code, row.company.name, row.since)
            )
    refunds, paypal = found.get(Promise.REFUND, Waiting()), found.get("paypal", Waiting())
    since = [moment for moment in (refunds.oldest, paypal.oldest) if moment]
    return {
        "wires": found.get(Promise.WIRE, Waiting()),
        "refunds": refunds,
        # Money held or unknown has no term: somebody looks at once.
        "exceptions": Waiting(
            refunds.count + paypal.count, refunds.late + paypal.count, min(since, default=None)
        ),
        "oldest_money": tuple(oldest),
    }


def _registrations(now: datetime, most: int) -> dict[str, Any]:
    """Return the pending registrations by kind, and the oldest to decide: counts and rows in one
    statement.
    """
    kind = Case(
        When(asked_at__isnull=False, then=Value("asked")),
        When(was_asked(), then=Value("answered")),
        default=Value("new"),
    )
    late = Case(When(registered_at__lte=late_start(Promise.APPROVAL, now=now), then=1))
    warned = Case(When(registered_at__lte=now - APPROVAL_WARNING, then=1))
    rows = (
        Registration.objects.filter(approval=User.Approval.PENDING, is_staff=False)
        .annotate(kind=kind)
        .annotate(
            place=Window(RowNumber(), partition_by="kind", order_by=("registered_at", "id")),
            count=Window(Count("id"), partition_by="kind"),
            late=Window(Count(late), partition_by="kind"),
            warned=Window(Count(warned), partition_by="kind"),
        )
        .filter(place__lte=most)
        .select_related("company__country")
        .order_by("registered_at", "id")
    )
    found: dict[str, Waiting] = {}
    oldest = []
    for row in rows:
        sent_at = row.registered_at or row.created_at
        if row.kind == "asked":  # the company's turn: nothing of ours is late
            found.setdefault(row.kind, Waiting(row.count, oldest=row.asked_at or sent_at))
        else:
            found.setdefault(row.kind, Waiting(row.count, row.late, sent_at, row.warned))
        if row.kind != "asked" and row.company is not None:
            country = str(row.company.country or "")
            oldest.append(
                WaitingRegistration(row.pk, row.company.name, row.manager, country, sent_at)
            )
    return {
        "registrations": {name: found.get(name, Waiting()) for name in REGISTRATIONS},
        "oldest_registrations": tuple(oldest[:most]),
    }


def _messages(now: datetime, most: int) -> dict[str, Any]:
    """Return what buyers wrote or changed and nobody has read, since the first of it on each order.
    One statement.
    """
    unread = Q()
    for kind, (*_names, flag) in MESSAGES.items():
        unread |= Q(kind=kind) & Q(**{f"order__{flag}": True})
    reading = OrderEvent.objects.filter(
        order=OuterRef("order"), kind__in=(OrderEvent.Kind.MEMO, OrderEvent.Kind.READ)
    ).order_by("-at")
    rows = list(
        OrderEvent.objects.filter(
            unread, order__in=Order.objects.filter(UNREAD)
        )  # few, and indexed
        .annotate(read_at=Subquery(reading.values("at")[:1]))
        .filter(Q(read_at__isnull=True) | Q(at__gte=F("read_at")))
        .order_by()
        .values("order_id", "kind", "order__invoice_code", "order__company__name")
        .annotate(since=Min("at"))
    )
    late_from = late_start(Promise.MESSAGE, now=now)
    moments: dict[str, list[datetime]] = {str(kind): [] for kind in MESSAGES}
    for row in rows:
        moments[row["kind"]].append(row["since"])
    oldest = [
        WaitingMessage(
            row["order_id"],
            row["kind"],
            row["order__invoice_code"],
            row["order__company__name"],
            row["since"],
        )
        for row in sorted(rows, key=lambda row: row["since"])[:most]
    ]
    return {
        "messages": {
            kind: Waiting(
                len(found), sum(at <= late_from for at in found), min(found, default=None)
            )
            for kind, found in moments.items()
        },
        "oldest_words": tuple(oldest),
    }
