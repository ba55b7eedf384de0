"""The promises behind a figure of broken ones: what was done too late, the newest first."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from django.db.models import F, Sum
from django.urls import reverse
from django.utils import timezone

from apps.accounts.models import User
from apps.common.days import midnight
from apps.common.promises import Promise, Term, due_at, term_of
from apps.common.staff import humanize, overdue
from apps.common.tables.download import Cell
from apps.orders.selectors.sales import Days
from portal.models import PromiseTally
from portal.ops.promises import done_within

MOST_SHOWN = 200
OF_ORDER = {
    "order_pk": F("order_id"),
    "code": F("order__invoice_code"),
    "company": F("order__company__name"),
}
OF_PAYMENT = {
    "order_pk": F("payment__order_id"),
    "code": F("payment__invoice_code"),
    "company": F("payment__company__name"),
}
OF_REGISTRATION = {"registration": F("user_id"), "company": F("user__company__name")}
THINGS = {Promise.WIRE: OF_PAYMENT, Promise.REFUND: OF_PAYMENT, Promise.APPROVAL: OF_REGISTRATION}


@dataclass(frozen=True)
class Broken:
    """One thing that was done too late; `url` is empty where the reader may not open it."""

    term: Term
    name: str
    company: str
    url: str
    since: datetime
    due_at: datetime
    at: datetime

    @property
    def took(self) -> str:
        """Return how long it took."""
        return humanize(self.at - self.since)

    @property
    def over(self) -> str:
        """Return how much too late it was, in the days that the promise counts."""
        if not self.term.business:
            return humanize(self.at - self.due_at)
        return overdue(due_at=self.due_at, now=self.at).removesuffix(" over")


@dataclass(frozen=True)
class BrokenReport:
    """The broken promises of a kind in some days, the newest first, and how many there
    are in all.
    """

    term: Term
    count: int
    rows: Sequence[Broken]

    def cells(self) -> Iterable[Sequence[Cell]]:
        """Yield headings and rows as they are exported."""
        yield ["Of", "Customer", "Waited since", "Due", "Done", "Took", "Late by"]
        for row in self.rows:
            moments = (
                f"{timezone.localtime(at):%Y-%m-%d %H:%M}" for at in (row.since, row.due_at, row.at)
            )
            yield [row.name, row.company, *moments, row.took, row.over]


def broken_report(
    promise: Promise, days: Days, *, user: User, most: int = MOST_SHOWN
) -> BrokenReport:
    """Return what broke a promise in these days, at most so many. Two statements, and one for each
    day shown.
    """
    tally = PromiseTally.objects.filter(
        promise=promise, is_kept=False, day__gte=days.since, day__lte=days.until
    )
    counts = dict(tally.order_by("-day").values_list("day").annotate(sum=Sum("count")))
    rows: list[Broken] = []
    for day in counts:
        if len(rows) >= most:
            break
        rows += _broken_on(promise, day, user)
    return BrokenReport(term_of(promise), sum(counts.values()), rows[:most])


def _broken_on(promise: Promise, day: date, user: User) -> Iterable[Broken]:
    done = done_within(promise, midnight(day), midnight(day + timedelta(days=1))).order_by(
        "-at", "-pk"
    )
    for row in done.values("since", "at", **THINGS.get(promise, OF_ORDER)):
        due = due_at(promise, since=row["since"])
        if due < row["at"]:
            company, name = row["company"] or "–", row.get("code") or "Registration"
            yield Broken(
                term_of(promise), name, company, _url(row, user), row["since"], due, row["at"]
            )


def _url(row: dict[str, Any], user: User) -> str:
    if row.get("registration") and user.has_perm("accounts.change_user"):
        return reverse("admin:accounts_registration_change", args=[row["registration"]])
    return (
        reverse("admin:orders_order_change", args=[row["order_pk"]]) if row.get("order_pk") else ""
    )
