"""Credits of a statement as rows for staff: what is proposed, why, and what booking it would do."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Any

from django.core.paginator import Paginator
from django.db.models import Q, prefetch_related_objects
from django.utils.translation import gettext as _, gettext_lazy, pgettext

from apps.accounts.models import Company
from apps.common.money import ZERO, read_usd
from apps.common.staff_lists import figure_text
from apps.common.texts import phrase
from apps.common.types import Label
from apps.orders.models import Order
from apps.orders.status import OrderStatus
from apps.payments.bank.lines import USD
from apps.payments.bank.matching import PAID_BEFORE, Book, Kind, Match, codes_in, open_claims
from apps.payments.models import BankCredit, BankStatement
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
        kind, currency = self.match.kind, self.credit.currency
        if self.credit.like_id and kind < Kind.FOREIGN:
            return _("Possible duplicate"), "warn"
        words = {
            Kind.EXACT: _("Exact"),
            Kind.SEVERAL: _("Choose"),
            Kind.NONE: _("No match"),
            Kind.FOREIGN: phrase("%(currency)s, not booked", currency=currency),
            Kind.BOOKED: _("Booked"),
            Kind.BACK: _("To return"),
        }
        if kind == Kind.SPLIT:
            word = phrase("Split over %(count)s", count=len(self.match.proposals[0].parts))
        elif kind in (Kind.SHORT, Kind.DIFFERS):
            short = self.match.proposals[0].parts[0].claim.amount - self.credit.amount
            word = phrase("%(amount)s more", amount=-short)
            if short > 0:
                word = phrase("%(amount)s short", amount=short)
        elif kind == Kind.NONE and self.settled is not None:
            word = _("Order is paid") if self.names_paid else _("Nothing is due")
        else:
            word = words[kind]
        return word, TONES.get(kind, "")

    @property
    def names_paid(self) -> bool:
        """Return whether its text names an order that is paid: it can go to the wallet."""
        return self.settled is not None and self.settled.status in PAID_BEFORE

    @property
    def choice(self) -> str:
        """Return the credit with its proposal as its tick sends them."""
        proposal = self.match.only_proposal
        return f"{self.credit.pk}={proposal.token if proposal else ''}"

    @property
    def may_tick(self) -> bool:
        """Return whether it can be booked from the list: one proposal, and nothing that asks a
        second question.
        """
        proposal = self.match.only_proposal
        return proposal is not None and all(
            part.amount - part.claim.amount <= WRITE_OFF_LIMIT for part in proposal.parts
        )


def credit_row(credit: BankCredit) -> CreditRow:
    """Return a credit with what is proposed for it now."""
    (row,) = rows_of([credit], Book(open_claims() if credit.is_open else ()))
    note_settled([row])
    return row


def rows_of(credits: Iterable[BankCredit], book: Book) -> list[CreditRow]:
    """Return credits with what is proposed for them as rows; no two get the same claim for sure."""
    credits = list(credits)
    open_ones = [credit for credit in credits if credit.is_open and not credit.like_id]
    matches = dict(zip(open_ones, book.match_all(open_ones), strict=True))
    return [CreditRow(credit, matches.get(credit) or _no_match(credit)) for credit in credits]


def _no_match(credit: BankCredit) -> Match:
    if credit.booked_at:
        return Match(Kind.BOOKED)
    if credit.sent_back_at:
        return Match(Kind.BACK)
    return Match(Kind.FOREIGN if credit.currency != USD else Kind.SEVERAL)


def note_settled(rows: Iterable[CreditRow]) -> None:
    """Note on open rows which order they name that has nothing due, whatever else is proposed for
    them. At most one statement.
    """
    rows_by_code: defaultdict[str, list[CreditRow]] = defaultdict(list)
    for row in rows:
        if row.credit.is_open:
            claimed = {claim.invoice_code for one in row.match.proposals for claim in one.claims}
            for code in {*codes_in(f"{row.credit.text} {row.credit.debtor}")} - claimed:
                rows_by_code[code].append(row)
    if rows_by_code:
        for order in Order.objects.filter(invoice_code__in=rows_by_code).only(
            "invoice_code", "status"
        ):
            status = order.state
            is_ended = status in (*PAID_BEFORE, OrderStatus.CANCELLED)
            for row in rows_by_code[order.invoice_code]:
                if is_ended or row.match.kind == Kind.NONE:
                    row.settled = order
                    row.note = phrase(
                        "It names %(order)s, nothing is due: %(status)s",
                        order=order.invoice_code,
                        status=status.staff_label,
                    )


PAGE_SIZE = 50
COMPARED, LISTED = 1000, 4
TABS = {
    "all": gettext_lazy("All"),
    "ready": gettext_lazy("Ready to book"),
    "look": gettext_lazy("To check"),
    "none": gettext_lazy("No match"),
    "booked": gettext_lazy("Booked"),
    "foreign": gettext_lazy("Not in USD"),
    "back": gettext_lazy("To return"),
}
TAB_OF = {
    **dict.fromkeys((Kind.EXACT, Kind.SHORT), "ready"),
    **dict.fromkeys((Kind.SPLIT, Kind.DIFFERS, Kind.SEVERAL), "look"),
    **{kind: kind.name.lower() for kind in (Kind.NONE, Kind.FOREIGN, Kind.BOOKED, Kind.BACK)},
}


class StatementCredits:
    """The credits of one statement, what can be booked first, and those of them at the tab, page
    and words that an address names.
    """

    def __init__(self, statement: BankStatement, book: Book, query: Mapping[str, str]) -> None:
        self.statement = statement
        self.tab = query.get("tab", "all") if query.get("tab") in TABS else "all"
        self.term = query.get("q", "").strip().replace("\0", "")[:120]
        self.all = rows_of(statement.credits.all(), book)
        self.all.sort(key=lambda row: row.match.kind)
        self.by_tab: dict[str, list[CreditRow]] = {tab: [] for tab in TABS}
        for row in self.all:
            self.by_tab[TAB_OF[row.match.kind]].append(row)
        self.by_tab["all"] = self.all
        self.page = Paginator(self._search(), PAGE_SIZE).get_page(query.get("page", "1"))

    def _search(self) -> list[CreditRow]:
        """Return the rows of the tab with the words: depositor, text, reference, booked order or
        amount.
        """
        rows, term = self.by_tab[self.tab], self.term
        if not term:
            return rows
        words = Q(debtor__icontains=term) | Q(text__icontains=term) | Q(reference__icontains=term)
        words |= Q(payments__invoice_code__icontains=term)
        with suppress(ValueError):
            words |= Q(amount=read_usd(term))
        hits = set(self.statement.credits.filter(words).values_list("pk", flat=True))
        return [row for row in rows if row.credit.pk in hits]

    @cached_property
    def summary(self) -> dict[str, int]:
        """Return how many credits the whole statement has, and each tab; and for how many of them
        something is proposed.
        """
        counts = {tab: len(rows) for tab, rows in self.by_tab.items()}
        proposed = sum(row.match.kind < Kind.NONE and not row.credit.like_id for row in self.all)
        return {**counts, "count": len(self.all), "proposed": proposed}

    def figures(self) -> list[dict[str, Label]]:
        """Return the six figures above the credits: how many, and their US dollars."""
        figures: list[dict[str, Label]] = []
        for tab in ("all", "booked", "ready", "look", "none", "foreign"):
            rows = self.by_tab[tab]
            usd = (row.credit.amount for row in rows if row.credit.currency == USD)
            hint = figure_text(sum(usd, ZERO))
            if tab == "all":
                hint = f"{hint} USD"
            figures.append(
                {
                    "label": _("Credits") if tab == "all" else TABS[tab],
                    "value": figure_text(len(rows)),
                    "hint": _("for information") if tab == "foreign" else hint,
                    "tone": "late" if tab == "none" and rows else "",
                }
            )
        return figures

    def tabs(self) -> list[dict[str, Any]]:
        """Return the tabs with their counts and addresses."""
        return [
            {
                "name": name,
                "count": len(self.by_tab[tab]),
                "url": f"?tab={tab}",
                "current": tab == self.tab,
            }
            for tab, name in TABS.items()
        ]

    def pages(self) -> Iterator[int | str]:
        """Return the numbers below the table, with gaps where there are many."""
        return self.page.paginator.get_elided_page_range(
            self.page.number, on_each_side=2, on_ends=1
        )

    def rows(self, first: int = PAGE_SIZE) -> list[CreditRow]:
        """Return the first rows of the page as they are shown."""
        rows = list(self.page)[:first]
        prefetch_related_objects([row.credit for row in rows], "payments")
        note_settled(rows)
        return rows

    def ready(self) -> list[dict[str, str]]:
        """Return every credit that is ready to book as its tick sends it, whatever page it stands
        on.
        """
        return [
            {"choice": row.choice, "amount": f"{row.credit.amount:.2f}"}
            for row in self.by_tab["ready"]
        ]


def wires_in(statements: Iterable[StatementCredits]) -> dict[int, str]:
    """Return, by announced wire, where a statement shows its money: `11-20, 412.35`; with what is
    due where that differs.
    """
    rows = [row for statement in statements for row in statement.all if row.match.only_proposal]
    texts: dict[int, str] = {}
    for row in sorted(rows, key=lambda row: (row.match.kind, row.credit.pk)):
        parts = row.match.proposals[0].parts
        for part in parts:
            if part.claim.payment_id:
                text = f"{part.amount:,.2f}"
                if len(parts) > 1:
                    text = pgettext("credit", "split")
                elif part.claim.amount != part.amount + part.written_off:
                    text = phrase("%(amount)s of %(asked)s?", amount=text, asked=part.claim.amount)
                texts.setdefault(part.claim.payment_id, f"{row.credit.value_date:%m-%d}, {text}")
    return texts


def credits_of(company: Company) -> list[BankCredit]:
    """Return the newest bank credits that nobody has booked and that look like this company's. At
    most four statements.

    Compared is what the newest thousand open credits say with what the company's orders ask for
    now.
    """
    book = Book(open_claims(orders=Q(company=company)))
    if not book.by_code:
        return []
    open_ones = BankCredit.objects.filter(
        booked_at=None, sent_back_at=None, currency=USD, like=None
    ).order_by("-value_date", "-pk")[:COMPARED]
    rows = rows_of(open_ones, book)
    return [row.credit for row in rows if row.match.kind != Kind.NONE][:LISTED]
