"""A statement's credits, whatever their number: counted by the database, parted by match, paged and searched."""

from collections.abc import Mapping
from decimal import Decimal
from functools import cached_property
from typing import Any
from urllib.parse import urlencode

from django.core.paginator import Page, Paginator
from django.db.models import Count, Q, Sum

from apps.common.money import ZERO, read_usd
from apps.payments.admin.rows import ORDER, CreditRow, rows_of
from apps.payments.models import BankCredit, BankStatement
from apps.payments.services.statements import USD
from apps.payments.statements.claims import match_now
from apps.payments.statements.matching import Kind, Match

PAGE_SIZE = 50
BOOKED, FOREIGN = Q(booked_at__isnull=False), Q(booked_at__isnull=True) & ~Q(currency=USD)
OPEN = Q(booked_at__isnull=True, currency=USD)
TABS = {
    "all": "All",
    "ready": "Ready to book",
    "look": "Look at it",
    "none": "No match",
    "booked": "Booked before",
    "foreign": "Not in USD",
}


class StatementCredits:
    """The credits of one statement at the tab, page and words that its address names."""

    def __init__(self, statement: BankStatement, asked: Mapping[str, str]) -> None:
        self.credits = statement.credits.all()
        self.tab = asked.get("tab", "all") if asked.get("tab") in TABS else "all"
        self.term = asked.get("q", "").strip().replace("\0", "")[:120]
        self.number = asked.get("page", "1")

    @cached_property
    def counts(self) -> dict[str, Any]:
        """Return how many credits there are, by what can be done with them; the whole statement's, in one statement."""
        return self.credits.order_by().aggregate(
            count=Count("pk"),
            booked=Count("pk", filter=BOOKED),
            foreign=Count("pk", filter=FOREIGN),
            open=Count("pk", filter=OPEN),
            usd=Sum("amount", filter=Q(currency=USD)),
        )

    @cached_property
    def matches(self) -> dict[int, tuple[BankCredit, Match]]:
        """Return what is proposed for every open credit, what can be booked first."""
        wanting = list(self.credits.filter(OPEN))
        found = zip(wanting, match_now(wanting), strict=True)
        return {credit.pk: (credit, match) for credit, match in sorted(found, key=lambda pair: ORDER[pair[1].kind])}

    def _open(self, tab: str) -> list[int]:
        """Return the open credits of a tab."""
        return [pk for pk, (_, match) in self.matches.items() if tab in ("all", _tab_of(match))]

    @cached_property
    def summary(self) -> dict[str, Any]:
        """Return what the head and the button say."""
        ready, unmatched = self._open("ready"), len(self._open("none"))
        return {
            **self.counts,
            "proposed": self.counts["open"] - unmatched,
            "unmatched": unmatched,
            "ready": len(ready),
            "look": self.counts["open"] - unmatched - len(ready),
            "ticked": len(ready),
            "sum": sum((self.matches[pk][0].amount for pk in ready), ZERO),
        }

    def tabs(self) -> list[dict[str, Any]]:
        """Return the tabs with their counts and addresses."""
        sizes = {**self.summary, "all": self.counts["count"], "none": self.summary["unmatched"]}
        return [
            {"name": name, "count": sizes[tab], "url": f"?{urlencode({'tab': tab})}", "current": tab == self.tab}
            for tab, name in TABS.items()
        ]

    @cached_property
    def page(self) -> Page:
        """Return the page of credits' ids that was asked for, the nearest where there is none."""
        ids = self._open(self.tab) if self.tab in ("all", "ready", "look", "none") else []
        for tab, condition in (("foreign", FOREIGN), ("booked", BOOKED)):
            if self.tab in ("all", tab):
                ids += self.credits.filter(condition).values_list("pk", flat=True)
        if self.term:
            found = set(self.credits.filter(_words(self.term)).order_by().values_list("pk", flat=True))
            ids = [pk for pk in ids if pk in found]
        return Paginator(ids, PAGE_SIZE).get_page(self.number)

    def pages(self) -> list[tuple[str, str]]:
        """Return the numbers below the table with their addresses; none where pages are left out."""
        kept = {name: value for name, value in (("tab", self.tab), ("q", self.term)) if value}
        numbers = self.page.paginator.get_elided_page_range(self.page.number, on_each_side=2, on_ends=1)
        return [
            (str(number), f"?{urlencode({**kept, 'page': number})}" if isinstance(number, int) else "")
            for number in numbers
        ]

    def rows(self) -> list[CreditRow]:
        """Return the page's rows."""
        ids = list(self.page)
        found = BankCredit.objects.filter(pk__in=ids).prefetch_related("bookings__payment").in_bulk()
        return rows_of([(found[pk], self.matches[pk][1] if pk in self.matches else None) for pk in ids])

    def ready(self) -> list[dict[str, str]]:
        """Return every credit that is ready to book as its tick sends it, whatever page it stands on."""
        rows = (CreditRow(*self.matches[pk]) for pk in self._open("ready"))
        return [{"choice": row.choice, "amount": f"{row.credit.amount:.2f}"} for row in rows]


def _tab_of(match: Match) -> str:
    if match.is_sure:
        return "ready"
    return "none" if match.kind == Kind.NONE else "look"


def _words(term: str) -> Q:
    """Return the condition that finds credits by depositor, text, reference, booked order or amount."""
    words = Q(debtor__icontains=term) | Q(text__icontains=term) | Q(reference__icontains=term)
    words |= Q(bookings__payment__invoice_code__icontains=term)
    amount = _amount(term)
    return words if amount is None else words | Q(amount=amount)


def _amount(term: str) -> Decimal | None:
    try:
        return read_usd(term)
    except ValueError:
        return None
