"""What operators watch, read from the database: the mail queue, payments without an outcome, the
sweeps.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Min, Q
from post_office.models import STATUS, Email

from apps.common.types import Label
from apps.payments.models import Payment
from apps.payments.selectors import EXCEPTION_AFTER
from apps.payments.states import PaymentState

MAIL_WAITS = timedelta(minutes=10)


@dataclass(frozen=True)
class SweepState:
    """How a sweep fares: when it last succeeded, what its last run failed with, whether it is
    overdue.

    `is_failing`: it failed, and failed again when it was repeated a minute later.
    """

    name: str
    title: Label
    succeeded_at: datetime | None
    failure: str
    is_failing: bool
    is_late: bool

    def __str__(self) -> str:
        return f"{self.title} ({self.name})"


@dataclass(frozen=True)
class Backlog:
    """What waits now; `unknown` and `held` count PayPal payments."""

    mails: int
    oldest_mail: datetime | None
    mails_failed: int
    unknown: int
    held: int
    sweeps: tuple[SweepState, ...]


def read_backlog(*, sweeps: tuple[SweepState, ...], now: datetime) -> Backlog:
    """Return what waits now. Two statements."""
    failed = Q(status=STATUS.failed)
    mails = Email.objects.filter(
        status__in=(STATUS.failed, STATUS.queued, STATUS.requeued)
    ).aggregate(
        waiting=Count("id", filter=~failed),
        oldest=Min("created", filter=~failed),
        failed=Count("id", filter=failed),
    )
    undecided = Q(
        state__in=(PaymentState.EXECUTING, PaymentState.UNKNOWN),
        executing_since__lte=now - EXCEPTION_AFTER,
    )
    held = Q(state=PaymentState.HELD)
    payments = Payment.objects.filter(undecided | held, method=Payment.Method.PAYPAL).aggregate(
        unknown=Count("id", filter=~held), held=Count("id", filter=held)
    )
    return Backlog(
        mails=mails["waiting"],
        oldest_mail=mails["oldest"],
        mails_failed=mails["failed"],
        unknown=payments["unknown"],
        held=payments["held"],
        sweeps=sweeps,
    )
