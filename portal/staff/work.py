"""The work that waits: counts, oldest and late, for the sidebar and the home page (design/admin.md,
Home).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.core.cache import cache
from django.db.models import (
    Case,
    Count,
    F,
    Min,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
    Window,
)
from django.db.models.functions import Coalesce, RowNumber
from django.utils.translation import gettext_lazy as _, pgettext_lazy
from post_office.models import STATUS

from apps.accounts.models import Registration, User
from apps.catalog.models import Import, Stock
from apps.common.days import midnight
from apps.common.promises import APPROVAL_WARNING, Promise, due_at, late_start
from apps.common.staff import WAITING_KEY
from apps.orders.models import UNPAID, UNREAD, Order, OrderEvent
from apps.orders.selectors.conversation import count_proposals
from apps.orders.selectors.orders import seller_date
from apps.orders.selectors.wishes import open_wish_rows, overdue
from apps.orders.status import OPEN, OrderStatus
from apps.payments.models import BankCredit, BankStatement, BankTransfer, Payment, Refund
from apps.payments.selectors import exceptions, transfers_to_send
from apps.payments.services.refunds import OPEN_REFUNDS
from apps.payments.states import PaymentState
from portal.ops.alerts import MAIL_WAITS, SweepState
from portal.ops.sweeps import sweep_states
from portal.staff.registrations.filters import was_asked
from portal.staff.reports.stock import count_running_out
from portal.staff.visible import mails_for

SIDEBAR_SECONDS = 30
SWEEPS_KEY = "staff-sweeps"
ARRIVED_KEY = "staff-arrived"
RUNNING_OUT_KEY, RUNNING_OUT_SECONDS = "staff-running-out", 600
LATE_ROWS = 8
NONE = Q(pk__in=())
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


@dataclass(frozen=True)
class Waiting:
    """Things of one kind that wait: how many, how many of them late, since when the oldest; how
    many are warned of, and when the next is due where that is shown.
    """

    count: int = 0
    late: int = 0
    oldest: datetime | None = None
    warned: int = 0
    due: datetime | None = None


@dataclass(frozen=True)
class Work:
    """Everything that waits, by kind."""

    steps: dict[int, Waiting] = field(default_factory=dict)
    messages: dict[str, Waiting] = field(default_factory=dict)
    wires: Waiting = Waiting()
    unpaid: Waiting = Waiting()
    exceptions: Waiting = Waiting()
    refunds: Waiting = Waiting()
    transfers: Waiting = Waiting()
    mail_failed: Waiting = Waiting()
    mail_queued: Waiting = Waiting()
    sweeps_failing: Waiting = Waiting()
    sweeps_late: Waiting = Waiting()
    short: Waiting = Waiting()
    wanted: Waiting = Waiting()
    to_pack: Waiting = Waiting()
    to_ship: Waiting = Waiting()
    registrations: dict[str, Waiting] = field(default_factory=dict)
    # The rows that have waited longest: registrations to decide, payments, what buyers wrote
    oldest_registrations: Sequence[Any] = ()
    oldest_money: Sequence[Any] = ()
    oldest_words: Sequence[Mapping[str, Any]] = ()
    owed_transfers: Sequence[BankTransfer] = ()

    @property
    def to_decide(self) -> Waiting:
        """Return the registrations to decide; those that wait for the company are not
        among them.
        """
        return together(
            [waiting for kind, waiting in self.registrations.items() if kind != "asked"]
        )

    @property
    def desk(self) -> Waiting:
        """Return what waits at the payment desk: announced wires, transfers to send, and PayPal
        payments that need somebody.
        """
        return together([self.wires, self.transfers, self.exceptions])

    @property
    def orders(self) -> Waiting:
        """Return the open orders of all steps together."""
        return together(self.steps.values())

    @property
    def late_things(self) -> int:
        """Return how many things of all kinds are late, as the page of everything late
        lists them.
        """
        kinds = (
            *self.steps.values(),
            *self.messages.values(),
            self.wires,
            self.refunds,
            self.transfers,
            self.to_decide,
        )
        return together(kinds).late

    @property
    def buyers_words(self) -> Waiting:
        """Return the unread messages and shipping requests together."""
        return together(
            [self.messages[kind] for kind in ("message", "ship_memo") if kind in self.messages]
        )


def together(parts: Iterable[Waiting]) -> Waiting:
    """Return several kinds as one: how many, and how many of them late."""
    parts = list(parts)
    return Waiting(sum(part.count for part in parts), sum(part.late for part in parts))


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
    failed = Q(status=STATUS.failed)
    mail = _counted(
        mails_for(user).filter(status__in=(STATUS.failed, STATUS.queued, STATUS.requeued)),
        {"mail_failed": failed, "mail_queued": ~failed},
        since="created",
        late=failed,
        warned=Q(created__lt=now - MAIL_WAITS),
    )
    sweeps = cache.get_or_set(SWEEPS_KEY, partial(sweep_states, now), SIDEBAR_SECONDS) or ()
    work = Work(
        **mail,
        sweeps_failing=_troubled([sweep for sweep in sweeps if sweep.failure]),
        sweeps_late=_troubled([sweep for sweep in sweeps if sweep.is_late]),
        **(_sales_work(now, most) if group in ("all", "sales") else {}),
        **(_registrations(now, most) if group in ("all", "approvers") else {}),
    )
    if most == LATE_ROWS:
        cache.set(WAITING_KEY.format(group=group), work, SIDEBAR_SECONDS)
    return work


def _counted(
    rows: QuerySet[Any],
    kinds: Mapping[Any, Q],
    *,
    since: str,
    late: Q = NONE,
    warned: Q = NONE,
) -> dict[Any, Any]:
    """Return what waits of each kind. One statement."""
    parts: dict[str, Any] = {}
    for name, kind in kinds.items():
        parts |= {
            f"count_{name}": Count("pk", filter=kind),
            f"late_{name}": Count("pk", filter=kind & late),
            f"oldest_{name}": Min(since, filter=kind),
            f"warned_{name}": Count("pk", filter=kind & warned),
        }
    figures_by_name = rows.order_by().aggregate(**parts)
    figures = ("count", "late", "oldest", "warned")
    return {name: Waiting(*(figures_by_name[f"{one}_{name}"] for one in figures)) for name in kinds}


def _troubled(sweeps: list[SweepState]) -> Waiting:
    since = min((sweep.succeeded_at for sweep in sweeps if sweep.succeeded_at), default=None)
    return Waiting(len(sweeps), len(sweeps), since)


def _sales_work(now: datetime, most: int) -> dict[str, Any]:
    packed = Q(packing_status=Order.Packing.COMPLETE)
    kinds: dict[Any, Q] = {int(status): Q(status=status) for status in OPEN}
    orders = _counted(
        Order.objects.filter(status__in=OPEN),
        {
            **kinds,
            "unpaid": UNPAID,
            "to_pack": Q(~packed, status=OrderStatus.PAID),
            "to_ship": Q(packed, status=OrderStatus.PAID),
        },
        since="status_at",
        late=Q(due_at__lte=now),
    )
    transfers = list(transfers_to_send())
    return {
        "unpaid": replace(orders["unpaid"], late=0),
        "steps": {status: orders[status] for status in kinds},
        "to_pack": orders["to_pack"],
        "to_ship": orders["to_ship"],
        **_messages(now, most),
        "short": Waiting(Stock.objects.filter(short__gt=0).count()),
        "wanted": _wishes(now),
        **_payments(now, most),
        "transfers": Waiting(
            len(transfers),
            sum(one.due_at <= now for one in transfers),
            transfers[0].owed_at if transfers else None,
            due=transfers[0].due_at if transfers else None,
        ),
        "owed_transfers": tuple(transfers),
    }


def _wishes(now: datetime) -> Waiting:
    """Return the wishes of buyers that are open, by product or code; warned of are those that wait
    for too long.
    """
    is_overdue = overdue(today=seller_date(now))
    sums = open_wish_rows().aggregate(
        count=Count("product", distinct=True)
        + Count("code", filter=Q(product=None), distinct=True),
        overdue=Count("product", filter=is_overdue, distinct=True)
        + Count("code", filter=is_overdue & Q(product=None), distinct=True),
        oldest=Min("since"),
    )
    return Waiting(sums["count"], oldest=sums["oldest"], warned=sums["overdue"])


def arrived(*, now: datetime) -> dict[str, Waiting]:
    """Return what came in and nobody has taken up, as the home page alone shows it, at most 30
    seconds old: imports to review, the bank's credits, what buyers say of proposals. Three
    statements.
    """
    return cache.get_or_set(ARRIVED_KEY, partial(_count_arrived, now), SIDEBAR_SECONDS) or {}


def running_out(*, now: datetime) -> Waiting:
    """Return how many products are gone within a week at their pace, at most ten minutes old: it
    reads the tally.
    """
    count = partial(count_running_out, today=seller_date(now))
    return Waiting(cache.get_or_set(RUNNING_OUT_KEY, count, RUNNING_OUT_SECONDS) or 0)


def _count_arrived(now: datetime) -> dict[str, Waiting]:
    imports = Import.objects.filter(state=Import.State.REVIEW)
    in_work = BankStatement.objects.filter(put_away_at__isnull=True)
    credits = BankCredit.objects.filter(
        booked_at__isnull=True, sent_back_at__isnull=True, statements__in=in_work
    )
    lines = credits.aggregate(
        count=Count("pk", distinct=True), oldest=Min("statements__imported_at")
    )
    proposals = count_proposals(until=midnight(seller_date(now) + timedelta(days=1)))
    return {
        **_counted(imports, {"imports": Q()}, since="created_at"),
        "credits": Waiting(lines["count"], oldest=lines["oldest"]),
        "questions": Waiting(proposals["question"], oldest=proposals["question_since"]),
        "answered": Waiting(proposals["answered"], oldest=proposals["answered_since"]),
        "ending": Waiting(
            proposals["ending"], oldest=proposals["ending_since"], due=proposals["ending_at"]
        ),
    }


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
        .annotate(
            waits_for=waits_for,
            since=Coalesce("refund_since", "created_at"),
            waiting_amount=Coalesce("refund_amount", "amount"),
        )
        .annotate(
            waiting=Window(Count("id"), partition_by="waits_for"),
            late=Window(Count(late), partition_by="waits_for"),
            place=Window(RowNumber(), partition_by="waits_for", order_by=("since", "id")),
        )
        .filter(place__lte=most)
        .select_related("company")
        .order_by("since", "id")
    )
    oldest = list(rows)
    work: dict[str, Waiting] = {}
    for row in oldest:
        work.setdefault(row.waits_for, Waiting(row.waiting, row.late, row.since))
    refunds, paypal = work.get(Promise.REFUND, Waiting()), work.get("paypal", Waiting())
    since = [moment for moment in (refunds.oldest, paypal.oldest) if moment]
    due = due_at(Promise.REFUND, since=refunds.oldest) if refunds.oldest else None
    return {
        "wires": work.get(Promise.WIRE, Waiting()),
        "refunds": replace(refunds, due=due),
        # Money held or unknown has no term: somebody looks at once.
        "exceptions": Waiting(
            refunds.count + paypal.count, refunds.late + paypal.count, min(since, default=None)
        ),
        "oldest_money": [row for row in oldest if row.waits_for != "paypal"],
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
        .annotate(kind=kind, sent_at=Coalesce("registered_at", "created_at"))
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
    work: dict[str, Waiting] = {}
    for row in rows:
        waiting = Waiting(row.count, row.late, row.sent_at, row.warned)
        if row.kind == "asked":  # the company's turn: nothing of ours is late
            waiting = Waiting(row.count, oldest=row.asked_at)
        work.setdefault(row.kind, waiting)
    return {
        "registrations": {name: work.get(name, Waiting()) for name in REGISTRATIONS},
        "oldest_registrations": [row for row in rows if row.kind != "asked"][:most],
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
    return {
        "messages": {
            kind: Waiting(
                len(moment), sum(at <= late_from for at in moment), min(moment, default=None)
            )
            for kind, moment in moments.items()
        },
        "oldest_words": sorted(rows, key=lambda row: row["since"])[:most],
    }
