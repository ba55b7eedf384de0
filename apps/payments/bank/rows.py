"""Credits of a statement as rows for staff: what is proposed, why, and what booking it would do."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from apps.common.seller import seller
from apps.common.texts import phrase
from apps.orders.models import Order
from apps.orders.status import OrderStatus
from apps.payments.bank.claims import PAID_BEFORE, open_claims
from apps.payments.bank.lines import USD
from apps.payments.bank.matching import Book, Kind, Match, Proposal
from apps.payments.bank.words import codes_in
from apps.payments.models import BankCredit, BankStatement, CreditMatch
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


def doubtful() -> Match:
    """Return the match of a credit that may be one of another file."""
    return Match(Kind.SEVERAL, why=_("possibly the credit of another file"))


def wire_parts(token: str) -> list[WirePart]:
    """Return the parts of a proposal that a form sent back.

    Raises:
        ValueError: it is none.
    """
    parts = []
    for text in token.split(","):
        order_id, payment_id, asked, amount, written_off = text.split(":")
        figures = [Decimal(figure) for figure in (asked, amount, written_off)]
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
    match: Match | None
    note: str = ""
    settled: Order | None = None

    @property
    def proposals(self) -> tuple[Proposal, ...]:
        """Return the ways to book it."""
        return self.match.proposals if self.match else ()

    @property
    def chosen(self) -> Proposal | None:
        """Return the one proposal, if there is one."""
        return self.match.chosen if self.match else None

    @property
    def tag(self) -> tuple[str, str]:
        """Return how well it is matched, as a word and its tone."""
        if self.match is None:
            word = phrase("%(currency)s, not booked", currency=self.credit.currency)
            word = _("Booked") if self.credit.booked_at else word
            return _("To return") if self.credit.sent_back_at else word, ""
        if self.credit.like_id:
            return _("Possible duplicate"), "warn"
        return self._word(self.match), TONES[self.match.kind]

    def _word(self, match: Match) -> str:
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
    def payer(self) -> str:
        """Return who paid, as far as the bank says."""
        return self.credit.debtor or _("no name")

    @property
    def names_paid(self) -> bool:
        """Return whether its text names an order that is paid: it can go to the wallet."""
        return self.settled is not None and self.settled.status in PAID_BEFORE

    @property
    def is_ticked(self) -> bool:
        """Return whether it is ticked at first."""
        return self.match is not None and self.match.is_sure

    @property
    def choice(self) -> str:
        """Return the credit with its proposal as its tick sends them."""
        return f"{self.credit.pk}={self.chosen.token if self.chosen else ''}"

    @property
    def may_tick(self) -> bool:
        """Return whether it can be booked from the list: one proposal, and nothing that asks a
        second question.
        """
        return self.chosen is not None and all(
            part.amount - part.claim.amount <= WRITE_OFF_LIMIT for part in self.chosen.parts
        )


def credit_row(credit: BankCredit) -> CreditRow:
    """Return a credit with what is proposed for it now."""
    match = None
    if not credit.is_settled and credit.currency == USD:
        book = Book(open_claims(), seller().invoice_prefix)
        match = doubtful() if credit.like_id else book.match(credit)
    return rows_of([(credit, match)])[0]


def rows_of(matched: Iterable[tuple[BankCredit, Match | None]]) -> list[CreditRow]:
    """Return credits and their matches as rows, in the same sequence. An open row notes which order
    it names that has nothing due, whatever else is proposed for it. At most one statement.
    """
    rows = [CreditRow(credit, match) for credit, match in matched]
    named: defaultdict[str, list[CreditRow]] = defaultdict(list)
    for row in rows:
        if row.match is not None:
            claimed = {claim.invoice_code for one in row.proposals for claim in one.claims}
            told = f"{row.credit.text} {row.credit.debtor}"
            for code in codes_in(told, prefix=seller().invoice_prefix):
                if code not in claimed:
                    named[code].append(row)
    if named:
        for order in Order.objects.filter(invoice_code__in=named).only("invoice_code", "status"):
            status = order.state
            is_ended = status in (*PAID_BEFORE, OrderStatus.CANCELLED)
            for row in named[order.invoice_code]:
                if is_ended or (row.match is not None and row.match.kind == Kind.NONE):
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
    found: dict[int, str] = {}
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
                found.setdefault(part.payment_id, f"{day:%m-%d}, {text}")
    return found
