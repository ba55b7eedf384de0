"""Credits of a statement as rows for staff: what is proposed, why, and what booking it would do."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from decimal import Decimal

from django.conf import settings

from apps.orders.models import Order
from apps.orders.status import OrderStatus
from apps.payments.bank.claims import match_now
from apps.payments.bank.matching import Kind, Match, Part, Proposal
from apps.payments.bank.statements import USD
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
}
ORDER = {
    Kind.EXACT: 0,
    Kind.SHORT: 1,
    Kind.SPLIT: 2,
    Kind.DIFFERS: 3,
    Kind.SEVERAL: 4,
    Kind.NONE: 5,
}
FOREIGN, BOOKED = 6, 7
DOUBTFUL = Match(Kind.SEVERAL, why="another file may show it already")


@dataclass(frozen=True)
class PartRow:
    """An order of a proposal, and what the money does there."""

    part: Part

    @property
    def effect(self) -> str:
        """Return what happens with the difference between what is asked for and what comes."""
        missing = self.part.claim.amount - self.part.amount
        if self.part.written_off:
            return f"write off {self.part.written_off:,.2f} as bank charges"
        if missing > 0:
            of_what = "" if self.part.claim.is_balance else "of the deposit "
            return f"{missing:,.2f} {of_what}stay due"
        if missing < 0:
            more = f"{-missing:,.2f} more than asked for"
            return (
                f"{more}: to the wallet"
                if self.part.claim.is_balance
                else f"{more}: stays with the order"
            )
        return ""


@dataclass(frozen=True)
class ProposalRow:
    """A way to book a credit, as a choice of a form."""

    proposal: Proposal

    @property
    def parts(self) -> list[PartRow]:
        """Return its orders."""
        return [PartRow(part) for part in self.proposal.parts]

    @property
    def token(self) -> str:
        """Return the proposal as a form sends it back."""
        return self.proposal.token

    @property
    def why(self) -> str:
        """Return what happens with a difference, and what speaks for the proposal."""
        effects = [row.effect for row in self.parts if row.effect]
        return " · ".join([*effects, self.proposal.why])


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
    """A credit with its tag, its proposals and whether it is ticked."""

    credit: BankCredit
    match: Match | None
    proposals: list[ProposalRow] = field(default_factory=list)
    note: str = ""
    settled: Order | None = None  # the order that its text names and that asks for nothing any more

    def __post_init__(self) -> None:
        """Take the proposals over."""
        self.proposals = [
            ProposalRow(proposal) for proposal in (self.match.proposals if self.match else ())
        ]

    @property
    def rank(self) -> int:
        """Return where it stands in a list: what can be booked first, what is done last."""
        if self.match is not None:
            return ORDER[self.match.kind]
        return BOOKED if self.credit.booked_at else FOREIGN

    @property
    def tag(self) -> tuple[str, str]:
        """Return how well it is matched, as a word and its tone."""
        if self.match is None:
            return self._end, ""
        if self.credit.like_id:
            return "Seen before?", "warn"
        tone = TONES.get(self.match.kind, "bad")
        match self.match.kind:
            case Kind.EXACT:
                return "Exact", tone
            case Kind.SHORT | Kind.DIFFERS:
                difference = self.match.proposals[0].parts[0].claim.amount - self.credit.amount
                return f"{abs(difference):,.2f} {'short' if difference > 0 else 'more'}", tone
            case Kind.SPLIT:
                return f"Split over {len(self.match.proposals[0].parts)}", tone
            case Kind.SEVERAL:
                return "Choose", tone
        if self.settled is not None:
            return f"Order {self.settled_word}", tone
        return "No match", tone

    @property
    def _end(self) -> str:
        if self.credit.sent_back_at:
            return "Goes back"
        return "Booked before" if self.credit.booked_at else f"{self.credit.currency}, not booked"

    @property
    def settled_word(self) -> str:
        """Return why the order that its text names asks for nothing."""
        status = OrderStatus(self.settled.status) if self.settled else None
        if status in (OrderStatus.PAID, OrderStatus.SHIPPED):
            return "is paid"
        return "is cancelled" if status == OrderStatus.CANCELLED else "waits for us"

    @property
    def names_paid(self) -> bool:
        """Return whether its text names an order that is paid: it can go to the wallet."""
        return self.settled_word == "is paid" and not self.credit.is_settled

    @property
    def orders(self) -> list[str]:
        """Return the codes of the orders on which it is booked, or would be."""
        if self.credit.booked_at:
            return [booking.payment.invoice_code for booking in self.credit.bookings.all()]
        return [part.part.claim.invoice_code for part in self.chosen.parts] if self.chosen else []

    @property
    def reason(self) -> str:
        """Return what speaks for its match, or why it went back."""
        why = self.chosen.why if self.chosen else self.match.why if self.match else ""
        return " · ".join(filter(None, (self.note, why))) or self.credit.sent_back_reason

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
        if self.match is None or self.match.kind in (Kind.SEVERAL, Kind.NONE):
            return False
        return all(
            part.amount - part.claim.amount <= WRITE_OFF_LIMIT
            for part in self.match.proposals[0].parts
        )

    @property
    def chosen(self) -> ProposalRow | None:
        """Return the one proposal, if there is one."""
        return self.proposals[0] if self.match is not None and self.match.chosen else None


def credit_rows(credits: Iterable[BankCredit]) -> list[CreditRow]:
    """Return all credits with what is proposed for them now, what can be booked first."""
    everything = list(credits)
    wanting = [credit for credit in everything if not credit.is_settled and credit.currency == USD]
    matches = dict(zip((credit.pk for credit in wanting), match_now(wanting), strict=True))
    matches |= {credit.pk: DOUBTFUL for credit in wanting if credit.like_id}
    rows = rows_of([(credit, matches.get(credit.pk)) for credit in everything])
    return sorted(rows, key=lambda row: row.rank)


def rows_of(matched: Iterable[tuple[BankCredit, Match | None]]) -> list[CreditRow]:
    """Return credits and their matches as rows, in the same sequence."""
    rows = [CreditRow(credit, match) for credit, match in matched]
    _note_settled(rows)
    return rows


def _note_settled(rows: Iterable[CreditRow]) -> None:
    """Note at each open row which order it names that asks for nothing any more, whatever else is
    proposed for it. At most one statement.
    """
    named: defaultdict[str, list[CreditRow]] = defaultdict(list)
    for row in rows:
        if row.match is not None:
            claims = [claim for proposal in row.match.proposals for claim in proposal.claims]
            told = f"{row.credit.text} {row.credit.debtor}"
            for code in codes_in(told, prefix=settings.INVOICE_PREFIX):
                if code not in {claim.invoice_code for claim in claims}:
                    named[code].append(row)
    if named:
        for order in Order.objects.filter(invoice_code__in=named).only("invoice_code", "status"):
            is_ended = order.status in (
                OrderStatus.PAID,
                OrderStatus.SHIPPED,
                OrderStatus.CANCELLED,
            )
            for row in named[order.invoice_code]:
                if is_ended or (row.match is not None and row.match.kind == Kind.NONE):
                    row.settled, status = order, OrderStatus(order.status).label
                    row.note = f"{order.invoice_code} asks for nothing: {status}"


def found_in_statements(statements: Iterable[BankStatement]) -> dict[int, str]:
    """Return, by announced wire, where a statement shows its money: `11-20, 412.35`.
    One statement.
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
                message = "split" if len(parts) > 1 else f"{part.amount:,.2f}"
                found.setdefault(part.payment_id, f"{day:%m-%d}, {message}")
    return found
