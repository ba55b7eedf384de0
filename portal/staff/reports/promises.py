"""Promises kept and broken, by kind and month, and how long they took."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from django.db.models import Sum

from apps.common.promises import Promise, Term, term_of
from apps.common.staff import humanize
from apps.common.tables.download import Cell
from apps.orders.selectors.sales import Days
from portal.models import PromiseTally
from portal.staff.reports.chart import Chart, bar_chart
from portal.staff.reports.sales import bar_labels, own_series

PROMISES = {
    Promise.APPROVAL: "Decide a registration",
    Promise.PREPARE: "Start preparing",
    Promise.CONFIRM: "Confirm",
    Promise.WIRE: "Confirm a wire",
    Promise.SHIP: "Ship after payment",
    Promise.MESSAGE: "Answer a message",
    Promise.REFUND: "Pay a refund",
    Promise.BALANCE: "Buyer pays the balance",
}
BAR = 200


@dataclass(frozen=True)
class Kept:
    """A promise with how often it was kept and broken, and how long half and nine tenths of them
    took at most.
    """

    promise: Promise
    name: str
    term: Term
    kept: int
    broken: int
    half: str
    most: str

    @property
    def percent(self) -> Decimal | None:
        """Return how many of a hundred were kept."""
        whole = self.kept + self.broken
        return (
            (Decimal(self.kept) * 100 / whole).quantize(Decimal("0.1"), ROUND_HALF_UP)
            if whole
            else None
        )

    @property
    def bar(self) -> int:
        """Return how much of the bar is kept."""
        return round(BAR * self.kept / (self.kept + self.broken)) if self.kept + self.broken else 0


@dataclass(frozen=True)
class PromisesReport:
    """The promises of some days by kind, and the broken ones by month as a chart."""

    days: Days
    rows: Sequence[Kept]
    months: Sequence[str]
    broken: dict[str, list[Decimal]]
    chart: Chart | None

    @property
    def broken_count(self) -> int:
        """Return how many were broken."""
        return sum(row.broken for row in self.rows)

    @property
    def count(self) -> int:
        """Return how many were done, kept or broken."""
        return sum(row.kept + row.broken for row in self.rows)

    @property
    def lines(self) -> list[tuple[Kept, list[tuple[Decimal, Days]]]]:
        """Return each promise with how often it was broken in each month, and the days of it."""
        months = [self.days.within(month) for month in self.months]
        return [(row, list(zip(self.broken[row.name], months, strict=True))) for row in self.rows]

    def cells(self) -> Iterable[Sequence[Cell]]:
        """Yield headings and rows as they are exported."""
        yield ["Promise", "Promised", "Kept", "Broken", "Kept %", "Half within", "9 of 10 within",
               *(f"Broken {month}" for month in self.months)]  # fmt: skip
        for row in self.rows:
            percent = row.percent if row.percent is not None else ""
            by_month = [int(value) for value in self.broken[row.name]]
            yield [
                row.name,
                str(row.term),
                row.kept,
                row.broken,
                percent,
                row.half,
                row.most,
                *by_month,
            ]


def promises_report(days: Days) -> PromisesReport:
    """Return what was promised and done in these days. Two statements."""
    tally = PromiseTally.objects.filter(day__gte=days.since, day__lte=days.until).order_by()
    hours: dict[str, dict[int, int]] = {}
    sums: dict[tuple[str, bool], int] = {}
    for promise, is_kept, hour, count in tally.values_list("promise", "is_kept", "hours").annotate(
        sum=Sum("count")
    ):
        took = hours.setdefault(promise, {})
        took[hour] = took.get(hour, 0) + count
        sums[promise, is_kept] = sums.get((promise, is_kept), 0) + count
    months = days.months()
    broken = _broken(tally.filter(is_kept=False), months)
    rows = [
        Kept(
            promise,
            name,
            term_of(promise),
            sums.get((promise, True), 0),
            sums.get((promise, False), 0),
            _within(hours.get(promise, {}), Decimal("0.5")),
            _within(hours.get(promise, {}), Decimal("0.9")),
        )
        for promise, name in PROMISES.items()
    ]
    lines = sorted(broken.items(), key=lambda line: -sum(line[1]))
    chart = bar_chart(
        title="Broken promises by month and kind",
        labels=bar_labels(months),
        series=own_series([line for line in lines if any(line[1])]),
    )
    return PromisesReport(days, rows, months, broken, chart)


def _broken(tally: Any, months: Sequence[str]) -> dict[str, list[Decimal]]:
    places = {month: place for place, month in enumerate(months)}
    found = {name: [Decimal(0)] * len(months) for name in PROMISES.values()}
    for promise, day, count in tally.values_list("promise", "day").annotate(sum=Sum("count")):
        found[PROMISES[promise]][places[f"{day:%Y-%m}"]] += count
    return found


def _within(hours: dict[int, int], share: Decimal) -> str:
    """Return within how long this share of them was done."""
    wanted, done = share * sum(hours.values()), 0
    for hour, count in sorted(hours.items()):
        done += count
        if done >= wanted:
            return humanize(timedelta(hours=hour + 1))
    return "–"
