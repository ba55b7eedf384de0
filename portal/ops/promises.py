"""Promises kept and broken: counted by the day on which what was promised was done."""

from collections import Counter
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import F, Max, Min, OuterRef, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce
from django.utils import timezone

from apps.accounts.models import RegistrationEvent
from apps.common.days import midnight
from apps.common.promises import Promise, due_at
from apps.orders.due import STEP_PROMISES
from apps.orders.models import OrderEvent
from apps.orders.status import OrderStatus
from apps.payments.models import PaymentEvent, Refund
from apps.payments.states import PaymentState
from portal.models import PromiseTally

DAYS_AT_ONCE = 60
LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)
HOUR = timedelta(hours=1)
K = OrderEvent.Kind
ANSWERS, WORDS = (K.MEMO, K.READ), (K.MESSAGE, K.SHIP_MEMO)
DECIDED = (RegistrationEvent.Kind.APPROVED, RegistrationEvent.Kind.REJECTED)
REFUNDED = (PaymentState.PARTIALLY_REFUNDED, PaymentState.REFUNDED)


def count_promises(now: datetime) -> int:
    """Count the days since the last one that was counted, that one and today included; return how
    many had any.

    The first runs go through all of the past, some days at a time. A promise counts on the day it
    was done: what is still open counts nowhere yet.
    """
    today, counted = timezone.localdate(now), 0
    day = _next_day(today)
    while day <= today and counted < DAYS_AT_ONCE:
        counted += _count_day(day)
        day += timedelta(days=1)
    return counted


def _next_day(today: date) -> date:
    last: date | None = PromiseTally.objects.aggregate(last=Max("day"))["last"]
    if last is not None:
        return last
    firsts = [
        rows.aggregate(first=Min("at"))["first"]
        for rows in (OrderEvent.objects, RegistrationEvent.objects)
    ]
    return min((timezone.localdate(first) for first in firsts if first), default=today)


@transaction.atomic
def _count_day(day: date) -> bool:
    within = (midnight(day), midnight(day + timedelta(days=1)))
    counts = Counter(
        (promise, done_at <= due_at(promise, since=since), (done_at - since) // HOUR)
        for promise in KEPT
        for since, done_at in done_within(promise, *within).values_list("since", "at")
    )
    PromiseTally.objects.filter(day=day).delete()
    PromiseTally.objects.bulk_create(
        PromiseTally(promise=promise, day=day, is_kept=is_kept, hours=hours, count=count)
        for (promise, is_kept, hours), count in sorted(counts.items())
    )
    return bool(counts)


def done_within(promise: Promise, start: datetime, end: datetime) -> QuerySet[Any]:
    """Return what was done of a promise between two moments: rows with `at`, and `since` when
    somebody waited.
    """
    return KEPT[promise]().filter(at__gte=start, at__lt=end, since__lte=F("at")).order_by()


def _steps(status: OrderStatus) -> QuerySet[Any]:
    before = OrderEvent.objects.filter(order=OuterRef("order"), kind=K.STATUS, to_status=status - 1)
    done = OrderEvent.objects.filter(kind=K.STATUS, to_status=status)
    return done.annotate(since=Subquery(before.order_by().values("at")[:1]))


def _answers() -> QuerySet[Any]:
    """Return the answers and "no answer needed", each with the buyer's first word since the one
    before.
    """
    earlier = OrderEvent.objects.filter(order=OuterRef("order"), at__lt=OuterRef("at"))
    before = Coalesce(
        Subquery(earlier.filter(kind__in=ANSWERS).order_by("-at").values("at")[:1]), Value(LONG_AGO)
    )
    words = earlier.filter(kind__in=WORDS, at__gte=OuterRef("before")).order_by("at")
    done = OrderEvent.objects.filter(kind__in=ANSWERS).annotate(before=before)
    return done.annotate(since=Subquery(words.values("at")[:1]))


def _wires() -> QuerySet[Any]:
    return PaymentEvent.objects.filter(from_state=PaymentState.ANNOUNCED).annotate(
        since=F("payment__created_at")
    )


def _refunds() -> QuerySet[Any]:
    asked = Refund.objects.filter(
        payment=OuterRef("payment"), created_at__lte=OuterRef("at")
    ).order_by("-created_at")
    done = PaymentEvent.objects.filter(to_state__in=REFUNDED)
    return done.annotate(since=Subquery(asked.values("created_at")[:1]))


def _decided() -> QuerySet[Any]:
    return RegistrationEvent.objects.filter(kind__in=DECIDED).annotate(
        since=F("user__registered_at")
    )


# What keeps each promise, or breaks it.
KEPT: dict[Promise, Callable[[], QuerySet[Any]]] = {
    **{
        promise: partial(_steps, OrderStatus(status + 1))
        for status, promise in STEP_PROMISES.items()
    },
    Promise.MESSAGE: _answers,
    Promise.WIRE: _wires,
    Promise.REFUND: _refunds,
    Promise.APPROVAL: _decided,
}
