"""Mails to the operators: one when something is over its limit, the next only after it was well in
between.

Reliability-and-security, section 17; the limits are listed in docs/watching.md.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Count, Min, Q
from django.utils.translation import gettext as _
from post_office.models import STATUS, Email

from apps.common.mail import Mail, queue
from apps.common.seller import in_staff_language, seller
from apps.common.staff import humanize
from apps.common.texts import phrase
from apps.common.types import Label
from apps.payments.models import Payment
from apps.payments.selectors import EXCEPTION_AFTER
from apps.payments.states import PaymentState
from portal.models import SweepRun

SWEEP = "alerts"
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


@in_staff_language()
def tell_operators(*, sweeps: tuple[SweepState, ...], now: datetime) -> int:
    """Mail OPERATORS_EMAIL what is newly over its limit, and return how many things that is.

    Each is remembered by its key in the transaction that queues the mail, until it is well again.
    """
    if not settings.OPERATORS_EMAIL:
        return 0
    current = dict(troubles(sweeps, now=now))
    with transaction.atomic():
        run, _is_first = SweepRun.objects.select_for_update().get_or_create(name=SWEEP)
        new = {key: text for key, text in current.items() if key not in run.open_alerts}
        run.open_alerts = list(current)
        run.save(update_fields=["open_alerts"])
        if new:
            address = f"{settings.SITE_URL}/{settings.ADMIN_PATH}"
            where = phrase("Staff see it at %(address)s", address=address)
            subject = (
                f"{seller().title}: {next(iter(new.values()))}"[:200]
                if len(new) == 1
                else phrase(
                    "%(title)s: %(count)s things need an operator",
                    title=seller().title,
                    count=len(new),
                )
            )
            body = "\n".join([*new.values(), "", where])
            to, language = settings.OPERATORS_EMAIL, seller().staff_language
            queue([Mail(to, subject, "plain", {"body": body}, language=language)])
    return len(new)


def troubles(sweeps: Iterable[SweepState], *, now: datetime) -> Iterator[tuple[str, str]]:
    """Yield what is over its limit: its key, and a sentence in the language of the mail. Two
    statements.
    """
    failed = Q(status=STATUS.failed)
    mails = Email.objects.filter(
        status__in=(STATUS.failed, STATUS.queued, STATUS.requeued)
    ).aggregate(
        waiting=Count("id", filter=~failed),
        oldest=Min("created", filter=~failed),
        failed=Count("id", filter=failed),
    )
    if mails["oldest"] and mails["oldest"] < now - MAIL_WAITS:
        waited = humanize(now - mails["oldest"])
        text = _("%(count)s mails wait, the oldest for %(time)s.")
        yield "mails-wait", text % {"count": mails["waiting"], "time": waited}
    is_held = Q(state=PaymentState.HELD)
    undecided = Q(
        state__in=(PaymentState.EXECUTING, PaymentState.UNKNOWN),
        executing_since__lte=now - EXCEPTION_AFTER,
    )
    payments = Payment.objects.filter(undecided | is_held, method=Payment.Method.PAYPAL).aggregate(
        unknown=Count("id", filter=~is_held), held=Count("id", filter=is_held)
    )
    for key, count, text in (
        ("mails-failed", mails["failed"], _("%(count)s mails were given up: see Mail in admin.")),
        (
            "payments-unknown",
            payments["unknown"],
            _("%(count)s PayPal payments have had no outcome for 10 minutes."),
        ),
        (
            "payments-held",
            payments["held"],
            _("%(count)s PayPal payments are held apart, because no order could take them."),
        ),
    ):
        if count:
            yield key, text % {"count": count}
    for sweep in sweeps:
        if sweep.is_failing:
            text = _("The sweep “%(name)s” fails: %(failure)s")
            yield f"sweep-fails:{sweep.name}", text % {"name": sweep, "failure": sweep.failure}
        elif sweep.is_late:
            text = _("The sweep “%(name)s” has not run yet.")
            values = {"name": str(sweep)}
            if sweep.succeeded_at:
                text = _("The sweep “%(name)s” has not run for %(time)s.")
                values["time"] = humanize(now - sweep.succeeded_at)
            yield f"sweep-late:{sweep.name}", text % values
