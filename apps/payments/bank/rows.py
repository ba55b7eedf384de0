"""Credits of a statement as rows for staff: what is proposed, why, and what booking it would do."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Case, Count, FilteredRelation, IntegerField, Q, QuerySet, Sum, When
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _, gettext_lazy, pgettext

from apps.accounts.models import Company
from apps.common.money import ZERO, read_usd
from apps.common.seller import seller
from apps.common.staff_lists import shown
from apps.common.texts import phrase
from apps.common.types import Label
from apps.orders.models import Order
from apps.orders.status import OrderStatus
from apps.payments.bank.claims import OPEN, PAID_BEFORE, compare, open_claims
from apps.payments.bank.lines import USD
from apps.payments.bank.matching import Book, Kind, Match
from apps.payments.bank.words import codes_in
from apps.payments.models import BankBooking, BankCredit, BankStatement, CreditMatch
from apps.payments.rules import WRITE_OFF_LIMIT
from apps.payments.services.receive import WirePart

TONES = {
    Kind.EXACT: "ok",
    Kind.SHORT: "warn",
    Kind.SPLIT: "info",
    Kind.DIFFERS: "warn",
    Kind.SEVERAL: "info",
    Kind.NONE: "bad",
}


def wire_parts(token: str) -> list[WirePart]:
    """Return the parts of a proposal that a form sent back.

    Raises:
        ValueError: it is none.
    """
    parts = []
    for text in token.split(","):
        order_id, payment_id, due, amount, written_off = text.split(":")
        figures = [Decimal(figure) for figure in (due, amount, written_off)]
        if not all(figure.is_finite() for figure in figures):
            raise ValueError(token)
        parts.append(WirePart(int(order_id), int(payment_id) or None, *figures))
    return parts


@dataclass
class CreditRow:
    """A credit with its tag, its proposals and whether it is ticked; `settled` is the order that
    its text names and that has nothing due.
    """

    credit: BankCredit
    match: Match
    note: str = ""
    settled: Order | None = None

    @property
    def tag(self) -> tuple[str, str]:
        """Return how well it is matched, as a word and its tone."""
        if not self.credit.is_open:
            word = phrase("%(currency)s, not booked", currency=self.credit.currency)
            word = _("Booked") if self.credit.booked_at else word
            return _("To return") if self.credit.sent_back_at else word, ""
        if self.credit.like_id:
            return _("Possible duplicate"), "warn"
        return self._word(), TONES[self.match.kind]

    def _word(self) -> str:
        match = self.match
        if match.kind in (Kind.SHORT, Kind.DIFFERS):
            difference = match.proposals[0].parts[0].claim.amount - self.credit.amount
            if difference > 0:
                return phrase("%(amount)s short", amount=difference)
            return phrase("%(amount)s more", amount=-difference)
        if match.kind == Kind.SPLIT:
            return phrase("Split over %(count)s", count=len(match.proposals[0].parts))
        if match.kind == Kind.NONE and self.settled is not None:
            return _("Order is paid") if self.names_paid else _("Nothing is due")
        return {Kind.EXACT: _("Exact"), Kind.SEVERAL: _("Choose")}.get(match.kind, _("No match"))

    @property
    def names_paid(self) -> bool:
        """Return whether its text names an order that is paid: it can go to the wallet."""
        return self.settled is not None and self.settled.status in PAID_BEFORE

    @property
    def choice(self) -> str:
        """Return the credit with its proposal as its tick sends them."""
        chosen = self.match.chosen
        return f"{self.credit.pk}={chosen.token if chosen else ''}"

    @property
    def may_tick(self) -> bool:
        """Return whether it can be booked from the list: one proposal, and nothing that asks a
        second question.
        """
        chosen = self.match.chosen
        return chosen is not None and all(
            part.amount - part.claim.amount <= WRITE_OFF_LIMIT for part in chosen.parts
        )


def credit_row(credit: BankCredit) -> CreditRow:
    """Return a credit with what is proposed for it now."""
    claims = open_claims() if credit.is_open else ()
    return rows_of([credit], Book(claims, seller().invoice_prefix))[0]


def rows_of(credits: Iterable[Any], book: Book) -> list[CreditRow]:
    """Return credits with what is proposed for them as rows, in the same sequence. An open row
    notes which order it names that has nothing due, whatever else is proposed for it. At most one
    statement.
    """
    rows = []
    named: defaultdict[str, list[CreditRow]] = defaultdict(list)
    for credit in credits:
        row = CreditRow(credit, Match(Kind.NONE))
        rows.append(row)
        if not credit.is_open:
            continue
        row.match = book.match(credit)
        if credit.like_id:
            row.match = Match(Kind.SEVERAL, why=_("possibly the credit of another file"))
        # Of a statement its kept kind counts: another credit may have what it alone would get.
        elif row.match.is_sure and getattr(credit, "place", 0) > Kind.SHORT:
            row.match = row.match.taken()
        claimed = {claim.invoice_code for one in row.match.proposals for claim in one.claims}
        text = f"{credit.text} {credit.debtor}"
        for code in {*codes_in(text, prefix=book.prefix)} - claimed:
            named[code].append(row)
    if named:
        for order in Order.objects.filter(invoice_code__in=named).only("invoice_code", "status"):
            status = order.state
            is_ended = status in (*PAID_BEFORE, OrderStatus.CANCELLED)
            for row in named[order.invoice_code]:
                if is_ended or row.match.kind == Kind.NONE:
                    row.settled = order
                    row.note = phrase(
                        "It names %(order)s, nothing is due: %(status)s",
                        order=order.invoice_code,
                        status=status.staff_label,
                    )
    return rows


def found_in_statements(statements: Iterable[BankStatement]) -> dict[int, str]:
    """Return, by announced wire, where a statement shows its money: `11-20, 412.35`; with what is
    due where that differs. One statement.
    """
    matches = CreditMatch.objects.filter(
        statement__in=list(statements), credit__booked_at=None, credit__sent_back_at=None
    ).exclude(choice="")
    texts: dict[int, str] = {}
    for choice, day in matches.order_by("kind", "credit").values_list(
        "choice", "credit__value_date"
    ):
        parts = wire_parts(choice)
        for part in parts:
            if part.payment_id:
                differs = part.asked != part.amount + part.written_off
                text = f"{part.amount:,.2f}"
                if len(parts) > 1:
                    text = pgettext("credit", "split")
                elif differs:
                    text = phrase("%(amount)s of %(asked)s?", amount=text, asked=part.asked)
                texts.setdefault(part.payment_id, f"{day:%m-%d}, {text}")
    return texts


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
    "all": gettext_lazy("All"),
    "ready": gettext_lazy("Ready to book"),
    "look": gettext_lazy("To check"),
    "none": gettext_lazy("No match"),
    "booked": gettext_lazy("Booked"),
    "foreign": gettext_lazy("Not in USD"),
    "back": gettext_lazy("To return"),
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
        found = self.credits.aggregate(
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
            (_("Credits"), "count", f"{shown(sums['usd'] or ZERO)} USD"),
            *((TABS[tab], tab, shown(sums[f"{tab}_usd"] or ZERO)) for tab in SUMMED),
            (TABS["foreign"], "foreign", _("for information")),
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
        """Return the page's rows, or the first of all."""
        return rows_of(self._found()[:first] if first else self.page, self.book)

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
