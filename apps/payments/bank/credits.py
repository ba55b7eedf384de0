"""A statement's credits, whatever their number: counted, parted by match, paged and searched by the
database.
"""

from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from functools import cached_property
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.core.paginator import Page, Paginator
from django.db.models import Case, Count, FilteredRelation, IntegerField, Q, QuerySet, Sum, When
from django.db.models.functions import Coalesce

from apps.accounts.models import Company
from apps.common.money import ZERO, read_usd
from apps.common.staff_lists import shown
from apps.common.tables.download import Cell
from apps.payments.bank.claims import open_claims
from apps.payments.bank.compare import OPEN, compare
from apps.payments.bank.matching import Kind, Match, match_credits
from apps.payments.bank.rows import DOUBTFUL, CreditRow, rows_of
from apps.payments.bank.statements import USD
from apps.payments.models import BankBooking, BankCredit, BankStatement, CreditMatch

PAGE_SIZE, EXPORTED_AT_ONCE = 50, 500
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
    "all": "All",
    "ready": "Ready to book",
    "look": "Look at it",
    "none": "No match",
    "booked": "Booked before",
    "foreign": "Not in USD",
    "back": "Goes back",
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
        unmatched = found.pop("none")
        return {
            **found,
            "sum": found["ready_usd"] or ZERO,
            "unmatched": unmatched,
            "proposed": found["open"] - unmatched,
            "ticked": found["ready"],
        }

    def figures(self) -> list[dict[str, str]]:
        """Return the six figures above the credits: how many, and their US dollars."""
        found = self.summary

        def one(label: str, count: int, usd: Decimal | None, *, tone: str = "") -> dict[str, str]:
            return {
                "label": label,
                "value": shown(count),
                "hint": shown(usd or ZERO),
                "tone": tone if count else "",
            }

        return [
            one("Credits", found["count"], found["usd"])
            | {"hint": f"{shown(found['usd'] or ZERO)} USD"},
            *(
                one(TABS[tab], found[tab], found[f"{tab}_usd"])
                for tab in ("booked", "ready", "look")
            ),
            one(TABS["none"], found["unmatched"], found["none_usd"], tone="late"),
            one(TABS["foreign"], found["foreign"], None) | {"hint": "listed only"},
        ]

    def tabs(self) -> list[dict[str, Any]]:
        """Return the tabs with their counts and addresses."""
        sizes = {**self.summary, "all": self.summary["count"], "none": self.summary["unmatched"]}
        return [
            {
                "name": name,
                "count": sizes[tab],
                "url": f"?{urlencode({'tab': tab})}",
                "current": tab == self.tab,
            }
            for tab, name in TABS.items()
        ]

    @cached_property
    def page(self) -> Page:
        """Return the page of credits that was asked for, the nearest where there is none."""
        return Paginator(self._found(), PAGE_SIZE).get_page(self.number)

    def _found(self) -> QuerySet[Any]:
        """Return the credits of the tab and the words, what can be booked first."""
        credits = self.credits if self.tab == "all" else self.credits.filter(PLACES[self.tab])
        if self.term:
            credits = credits.filter(_words(self.term))
        return credits.order_by("place", "-value_date", "pk").prefetch_related("bookings__payment")

    def pages(self) -> list[tuple[str, str]]:
        """Return the numbers below the table with their addresses; none where pages are
        left out.
        """
        kept = {name: value for name, value in (("tab", self.tab), ("q", self.term)) if value}
        numbers = self.page.paginator.get_elided_page_range(
            self.page.number, on_each_side=2, on_ends=1
        )
        return [
            (
                str(number),
                f"?{urlencode({**kept, 'page': number})}" if isinstance(number, int) else "",
            )
            for number in numbers
        ]

    def rows(self) -> list[CreditRow]:
        """Return the page's rows."""
        return self._rows(list(self.page))

    def first_rows(self, count: int) -> list[CreditRow]:
        """Return the first rows of all."""
        return self._rows(list(self._found()[:count]))

    def all_rows(self) -> Iterator[list[Cell]]:
        """Yield every row of the tab and the words, whatever its page, as an export has them; its
        headings first.
        """
        yield [
            "Value date",
            "Depositor",
            "Text",
            "Amount",
            "Currency",
            "Bank reference",
            "Match",
            "Orders",
            "Why",
        ]
        for number in (pages := Paginator(self._found(), EXPORTED_AT_ONCE)).page_range:
            for row in self._rows(pages.page(number)):
                credit = row.credit
                said: list[Cell] = [
                    f"{credit.value_date}",
                    credit.debtor,
                    credit.text,
                    credit.amount,
                    credit.currency,
                ]
                yield [*said, credit.reference or "", row.tag[0], ", ".join(row.orders), row.reason]

    def _rows(self, credits: Iterable[Any]) -> list[CreditRow]:
        return rows_of([(credit, self._match(credit)) for credit in credits])

    def _match(self, credit: Any) -> Match | None:
        """Return what is proposed for a credit, with its kept kind: another credit may have what it
        alone would get.
        """
        if credit.is_settled or credit.currency != USD:
            return None
        if credit.like_id:
            return DOUBTFUL
        match = self.book.match(credit)
        return match.taken() if match.is_sure and credit.place > CreditMatch.Kind.SHORT else match

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
    found = zip(
        credits, match_credits(credits, claims, prefix=settings.INVOICE_PREFIX), strict=True
    )
    return [credit for credit, match in found if match.kind != Kind.NONE][:LISTED]


def _words(term: str) -> Q:
    """Return the condition that finds credits by depositor, text, reference, booked order or
    amount.
    """
    words = Q(debtor__icontains=term) | Q(text__icontains=term) | Q(reference__icontains=term)
    words |= Q(
        pk__in=BankBooking.objects.filter(payment__invoice_code__icontains=term).values("credit")
    )
    amount = _amount(term)
    return words if amount is None else words | Q(amount=amount)


def _amount(term: str) -> Decimal | None:
    try:
        return read_usd(term)
    except ValueError:
        return None
