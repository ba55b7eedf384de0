"""A statement's credits, whatever their number: counted, parted by match, paged and searched by the
database.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cached_property
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Case, Count, FilteredRelation, IntegerField, Q, QuerySet, Sum, When
from django.db.models.functions import Coalesce
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from apps.accounts.models import Company
from apps.common.money import ZERO, read_usd
from apps.common.seller import seller
from apps.common.staff_lists import shown
from apps.common.types import Label
from apps.payments.bank.claims import OPEN, compare, open_claims
from apps.payments.bank.lines import USD
from apps.payments.bank.matching import Book, Match
from apps.payments.bank.rows import CreditRow, doubtful, rows_of
from apps.payments.models import BankBooking, BankCredit, BankStatement, CreditMatch

PAGE_SIZE = 50
COMPARED, LISTED = 1000, 4
# Where a credit stands in a list: by the kind of its match, and after these what is not to be
# booked.
FOREIGN_PLACE, BOOKED_PLACE, BACK_PLACE = 6, 7, 8
PLACES = {
    "ready": Q(place__lte=CreditMatch.Kind.SHORT),
    "look": Q(place__gt=CreditMatch.Kind.SHORT, place__lt=CreditMatch.Kind.NONE),
    "none": Q(place=CreditMatch.Kind.NONE),
    "foreign": Q(place=FOREIGN_PLACE),
    "booked": Q(place=BOOKED_PLACE),
    "back": Q(place=BACK_PLACE),
}
TABS = {
    "all": _("All"),
    "ready": _("Ready to book"),
    "look": _("To check"),
    "none": _("No match"),
    "booked": _("Booked"),
    "foreign": _("Not in USD"),
    "back": _("To return"),
}
SUMMED = ("booked", "ready", "look", "none")


class StatementCredits:
    """The credits of one statement at the tab, page and words that its address names."""

    def __init__(self, statement: BankStatement, asked: Mapping[str, str]) -> None:
        self.book = compare(statement)
        self.statement = statement
        self.tab = asked.get("tab", "all") if asked.get("tab") in TABS else "all"
        self.term = asked.get("q", "").strip().replace("\0", "")[:120]
        self.number = asked.get("page", "1")

    @cached_property
    def credits(self) -> QuerySet[Any]:
        """Return the statement's credits with their kept match and their place in a list."""
        kept = FilteredRelation("matches", condition=Q(matches__statement=self.statement))
        place = Case(
            When(booked_at__isnull=False, then=BOOKED_PLACE),
            When(sent_back_at__isnull=False, then=BACK_PLACE),
            When(~Q(currency=USD), then=FOREIGN_PLACE),
            When(like__isnull=False, then=CreditMatch.Kind.SEVERAL),
            default=Coalesce("kept__kind", CreditMatch.Kind.NONE),
            output_field=IntegerField(),
        )
        found: QuerySet[Any] = self.statement.credits.annotate(kept=kept).annotate(place=place)
        return found

    @cached_property
    def summary(self) -> dict[str, Any]:
        """Return what the head, the tabs and the button say of the whole statement, counted in one
        statement.
        """
        found = self.credits.order_by().aggregate(
            count=Count("pk"),
            usd=Sum("amount", filter=Q(currency=USD)),
            open=Count("pk", filter=OPEN),
            **{tab: Count("pk", filter=condition) for tab, condition in PLACES.items()},
            **{f"{tab}_usd": Sum("amount", filter=PLACES[tab] & Q(currency=USD)) for tab in SUMMED},
        )
        return {**found, "proposed": found["open"] - found["none"]}

    def figures(self) -> list[dict[str, Label]]:
        """Return the six figures above the credits: how many, and their US dollars."""
        sums = self.summary
        rows: list[tuple[Label, str, str]] = [
            (gettext("Credits"), "count", f"{shown(sums['usd'] or ZERO)} USD"),
            *((TABS[tab], tab, shown(sums[f"{tab}_usd"] or ZERO)) for tab in SUMMED),
            (TABS["foreign"], "foreign", gettext("for information")),
        ]
        return [
            {
                "label": label,
                "value": shown(sums[name]),
                "hint": hint,
                "tone": "late" if name == "none" and sums[name] else "",
            }
            for label, name, hint in rows
        ]

    def tabs(self) -> list[dict[str, Any]]:
        """Return the tabs with their counts and addresses."""
        return [
            {
                "name": name,
                "count": self.summary["count" if tab == "all" else tab],
                "url": f"?tab={tab}",
                "current": tab == self.tab,
            }
            for tab, name in TABS.items()
        ]

    @cached_property
    def page(self) -> Page:
        """Return the page of credits that was asked for, the nearest where there is none."""
        return Paginator(self._found(), PAGE_SIZE).get_page(self.number)

    def _found(self) -> QuerySet[Any]:
        """Return the credits of the tab and the words (depositor, text, reference, booked order or
        amount), what can be booked first.
        """
        credits, term = self.credits, self.term
        if self.tab != "all":
            credits = credits.filter(PLACES[self.tab])
        if term:
            booked = BankBooking.objects.filter(payment__invoice_code__icontains=term)
            words = Q(debtor__icontains=term) | Q(text__icontains=term)
            words |= Q(reference__icontains=term) | Q(pk__in=booked.values("credit"))
            with suppress(ValueError):
                words |= Q(amount=read_usd(term))
            credits = credits.filter(words)
        return credits.order_by("place", "-value_date", "pk").prefetch_related("bookings__payment")

    def pages(self) -> Iterator[int | str]:
        """Return the numbers below the table, with gaps where there are many."""
        return self.page.paginator.get_elided_page_range(
            self.page.number, on_each_side=2, on_ends=1
        )

    def rows(self, first: int | None = None) -> list[CreditRow]:
        """Return the page's rows, or the first of all, each with its kept kind: another credit may
        have what it alone would get.
        """
        matched: list[tuple[BankCredit, Match | None]] = []
        for credit in self._found()[:first] if first else self.page:
            match = None
            if not credit.is_settled and credit.currency == USD:
                match = doubtful() if credit.like_id else self.book.match(credit)
                if match.is_sure and credit.place > CreditMatch.Kind.SHORT:
                    match = match.taken()
            matched.append((credit, match))
        return rows_of(matched)

    def ready(self) -> list[dict[str, str]]:
        """Return every credit that is ready to book as its tick sends it, whatever page it stands
        on.
        """
        ready = self.credits.filter(PLACES["ready"]).order_by("place", "-value_date", "pk")
        return [
            {"choice": f"{pk}={choice}", "amount": f"{amount:.2f}"}
            for pk, choice, amount in ready.values_list("pk", "kept__choice", "amount")
        ]


def credits_of(company: Company) -> list[BankCredit]:
    """Return the newest bank credits that nobody has booked and that look like this company's. At
    most four statements.

    Compared is what the newest thousand open credits say with what the company's orders ask for
    now.
    """
    claims = open_claims(orders=Q(company=company))
    credits = (
        list(BankCredit.objects.filter(OPEN).order_by("-value_date", "-pk")[:COMPARED])
        if claims
        else []
    )
    matches = Book(claims, seller().invoice_prefix).match_all(credits)
    found = zip(credits, matches, strict=True)
    return [credit for credit, match in found if match.kind != CreditMatch.Kind.NONE][:LISTED]
