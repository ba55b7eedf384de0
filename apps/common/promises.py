"""What counts as late: every promise of the seller, and the one function that says when each is
due.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from django.utils import timezone
from django.utils.translation import ngettext

from apps.common.days import business_days_earlier, business_days_later
from apps.common.seller import seller


class Promise(StrEnum):
    """What somebody waits for. The first three are the specification's (sections 1 and 9), the
    others the seller's.
    """

    APPROVAL = "approval"  # since the registration was sent
    SHIP = "ship"  # since the order was paid
    REFUND = "refund"  # since the refund was asked for
    PREPARE = "prepare"  # since the order was received
    CONFIRM = "confirm"  # since its preparation began
    BALANCE = "balance"  # since it was confirmed: the buyer's own step
    WIRE = "wire"  # since it was announced
    MESSAGE = "message"  # since the buyer wrote
    ANSWER = "answer"  # since it was proposed: the buyer's own step


@dataclass(frozen=True)
class Term:
    """How many days a promise gives: the seller's business days, or days as the
    calendar has them.
    """

    days: int
    business: bool = True

    def __str__(self) -> str:
        """Return the term in words: `2 business days`, `3 days`."""
        if self.business:
            text = ngettext("%(count)s business day", "%(count)s business days", self.days)
        else:
            text = ngettext("%(count)s day", "%(count)s days", self.days)
        return text % {"count": self.days}


# Buyers are told "2 to 3 days" of an approval, and business days of the other two.
SPECIFIED = {
    Promise.APPROVAL: Term(3, business=False),
    Promise.SHIP: Term(2),
    Promise.REFUND: Term(15),
}
APPROVAL_WARNING = timedelta(hours=48)


def term_of(promise: Promise) -> Term:
    """Return how long a promise gives."""
    return SPECIFIED.get(promise) or Term(seller().promised_days(promise.value))


def due_at(promise: Promise, *, since: datetime) -> datetime:
    """Return when what somebody waits for since then is late, in seller's time."""
    term = term_of(promise)
    if term.business:
        return business_days_later(since, term.days)
    return timezone.localtime(since) + timedelta(days=term.days)


def late_start(promise: Promise, *, now: datetime) -> datetime:
    """Return the latest start that is late by now: `since <= late_start(…)` says the same as
    `due_at(…) <= now`.
    """
    term = term_of(promise)
    if term.business:
        return business_days_earlier(now, term.days)
    return timezone.localtime(now) - timedelta(days=term.days)
