"""Which orders a credit of a bank statement pays, and why: what is asked for, how it is matched,
and what a bank's text says (invoice codes however they are typed, names as banks write them).
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import IntEnum
from functools import lru_cache
from itertools import combinations
from typing import Protocol

from django.db.models import Q
from django.utils.translation import gettext as _

from apps.common.money import ZERO
from apps.common.seller import seller
from apps.common.tables.cells import heading
from apps.common.texts import phrase
from apps.orders.models import Order
from apps.orders.status import OrderStatus
from apps.payments.models import Payment, WireMove
from apps.payments.rules import may_write_off
from apps.payments.selectors import kind_of, open_amount
from apps.payments.states import PaymentState

MAX_SPLIT = 4
SPLIT_CLAIMS = 14
SHOWN = 8
ASKING = (OrderStatus.RECEIVED, OrderStatus.PREPARING, OrderStatus.CONFIRMED)
# These ask again only where a wire of theirs was moved away.
PAID_BEFORE = (OrderStatus.PAID, OrderStatus.SHIPPED)


class Kind(IntEnum):
    """How well a credit is matched, or why it is not; as a list has them, what can be booked
    first.
    """

    EXACT = 0
    SHORT = 1
    SPLIT = 2
    DIFFERS = 3
    SEVERAL = 4
    NONE = 5
    FOREIGN = 6
    BOOKED = 7
    BACK = 8


class Credit(Protocol):
    """What is compared of a credit; amounts are US dollars."""

    amount: Decimal
    debtor: str
    text: str


@dataclass(frozen=True)
class Claim:
    """Money that is asked for (US dollars): an announced wire, or what an order still waits for
    without one.
    """

    order_id: int
    payment_id: int | None
    invoice_code: str
    company_id: int
    company: str
    depositor: str
    kind: str
    amount: Decimal

    @property
    def is_balance(self) -> bool:
        """Return whether it is an order's balance: a small rest of it can be written off."""
        return self.kind == "balance"

    @property
    def token(self) -> str:
        """Return it as a form sends it back: the order, its announced wire, and what is due now."""
        return f"{self.order_id}:{self.payment_id or 0}:{self.amount}"

    @property
    def word(self) -> str:
        """Return what it asks for."""
        return _("balance") if self.is_balance else _("deposit")

    @property
    def words(self) -> str:
        """Return what it asks for, and how much: `balance 412.35`."""
        return f"{self.word} {self.amount:,.2f}"


def open_claims(*, orders: Q | None = None) -> list[Claim]:
    """Return the claims of all orders, or of those of a condition on orders, by code. Three
    statements.

    An order with a PayPal payment under way asks for no wire.
    """
    selected = Order.objects.filter(orders or Q()).select_related("company")
    wires = Payment.objects.filter(
        method=Payment.Method.WIRE, state=PaymentState.ANNOUNCED, order__in=selected
    ).select_related("order__company")
    moved = WireMove.objects.values("source__order")
    paid_before = selected.filter(status__in=PAID_BEFORE, pk__in=moved)
    asking: list[tuple[Order, str, Payment | None]] = [
        (wire.order, wire.kind, wire) for wire in wires if wire.order is not None
    ]
    announced = {(order.pk, kind) for order, kind, _ in asking}
    for order in (*selected.filter(status__in=ASKING), *paid_before):
        kind = kind_of(order)
        if (order.pk, kind) not in announced and not order.payment_pending:
            asking.append((order, kind, None))
    claims = [
        Claim(
            order_id=order.pk,
            payment_id=wire.pk if wire else None,
            invoice_code=order.invoice_code,
            company_id=order.company_id,
            company=order.company.name,
            depositor=wire.depositor if wire else "",
            kind=kind,
            amount=open_amount(order, kind, wire),
        )
        for order, kind, wire in asking
    ]
    return sorted(
        (claim for claim in claims if claim.amount),
        key=lambda claim: (claim.invoice_code, claim.kind),
    )


@dataclass(frozen=True)
class Part:
    """What a claim gets of a credit, and what of it is written off, in US dollars."""

    claim: Claim
    amount: Decimal
    written_off: Decimal = ZERO

    @property
    def effect(self) -> str:
        """Return what happens with the difference between what is asked for and what comes."""
        missing = self.claim.amount - self.amount
        if self.written_off:
            return phrase("write off %(amount)s as bank charges", amount=self.written_off)
        is_balance, amount = self.claim.is_balance, abs(missing)
        if missing > 0 and is_balance:
            return phrase("%(amount)s still due", amount=amount)
        if missing > 0:
            return phrase("%(amount)s of the deposit still due", amount=amount)
        if missing < 0 and is_balance:
            return phrase("%(amount)s more than is due: to the wallet", amount=amount)
        if missing < 0:
            return phrase("%(amount)s more than is due: stays with the order", amount=amount)
        return ""


@dataclass(frozen=True)
class Proposal:
    """One way to book a credit whole, and what speaks for it."""

    parts: tuple[Part, ...]
    why: str

    @property
    def token(self) -> str:
        """Return the proposal as a form sends it back."""
        return ",".join(
            f"{part.claim.token}:{part.amount}:{part.written_off}" for part in self.parts
        )

    @property
    def reason(self) -> str:
        """Return what happens with a difference, and what speaks for the proposal."""
        return " · ".join(filter(None, [*(part.effect for part in self.parts), self.why]))

    @property
    def claims(self) -> frozenset[Claim]:
        """Return what it would settle."""
        return frozenset(part.claim for part in self.parts)


@dataclass(frozen=True)
class Match:
    """What is proposed for a credit: one proposal, several to choose from, or none."""

    kind: Kind
    proposals: tuple[Proposal, ...] = ()
    why: str = ""

    @property
    def is_sure(self) -> bool:
        """Return whether it is ticked at first: exact, or short within the tolerance."""
        return self.kind in (Kind.EXACT, Kind.SHORT)

    @property
    def only_proposal(self) -> Proposal | None:
        """Return the one proposal, if there is one."""
        return self.proposals[0] if self.kind <= Kind.DIFFERS else None

    def as_doubtful(self) -> "Match":
        """Return it as one to look at: what it proposes is proposed for another credit already."""
        return Match(Kind.SEVERAL, self.proposals, _("proposed for another credit above"))


def proposal_for(claim: Claim, amount: Decimal, *, why: str) -> Proposal:
    """Return the proposal that gives one claim a whole credit; a small rest of a balance is written
    off.
    """
    missing = claim.amount - amount
    written_off = missing if claim.is_balance and may_write_off(missing=missing) else ZERO
    return Proposal((Part(claim, amount, written_off),), why)


class Book:
    """The claims, found by code and by name."""

    def __init__(self, claims: Iterable[Claim]) -> None:
        self.by_code: defaultdict[str, list[Claim]] = defaultdict(list)
        self.by_amount: defaultdict[Decimal, list[Claim]] = defaultdict(list)
        self.by_name: defaultdict[str, list[Claim]] = defaultdict(list)
        self.names: defaultdict[str, set[str]] = defaultdict(set)
        for claim in claims:
            self.by_code[claim.invoice_code].append(claim)
            self.by_amount[claim.amount].append(claim)
            for name in {claim.company, claim.depositor} - {""}:
                self.by_name[name].append(claim)
        for name in self.by_name:
            for word in name_words(name):
                self.names[word].add(name)

    def match_all(self, credits: Iterable[Credit]) -> list[Match]:
        """Return a match for each credit; no two of them get the same claim for sure
        (design/admin.md, Payment desk).
        """
        matches, claimed = [], set[Claim]()
        for credit in credits:
            match = self.match(credit)
            if match.is_sure:
                if match.proposals[0].claims & claimed:
                    match = match.as_doubtful()
                else:
                    claimed |= match.proposals[0].claims
            matches.append(match)
        return matches

    def match(self, credit: Credit) -> Match:
        """Return what is proposed for a credit: by code first, then by name, then by amount alone.

        Of an order that the text names, claims of the right amount go before others. Where banks
        have no text, buyers write the code beside their name.
        """
        names = {name for word in name_words(credit.debtor) for name in self.names.get(word, ())}
        claims = {
            claim: None
            for name in sorted(names)
            if same_name(credit.debtor, name)
            for claim in self.by_name[name]
        }
        of_debtor = sorted(claims, key=lambda claim: (claim.invoice_code, claim.kind))
        coded = [
            [claim for claim in order if claim.amount == credit.amount] or order
            for code in codes_in(f"{credit.text} {credit.debtor}")
            if (order := self.by_code.get(code))
        ]
        if coded:
            return _by_code(credit, coded, of_debtor)
        if of_debtor:
            return _by_name(credit, of_debtor)
        # An amount alone is no reason, but it is worth showing.
        equal = self.by_amount.get(credit.amount, ())
        return _match(Kind.NONE, credit, equal, _("only the amount agrees") if equal else "")


def _by_code(
    credit: Credit, orders: Sequence[Sequence[Claim]], by_debtor: Sequence[Claim]
) -> Match:
    if len(orders) > 1:
        claims = [claim for order in orders for claim in order]
        if sum(claim.amount for claim in claims) == credit.amount:
            return Match(Kind.SPLIT, (_split(claims, _("codes, the sum agrees")),))
        return _match(Kind.SEVERAL, credit, claims, _("codes of several orders"))
    if len(orders[0]) > 1:
        return _match(Kind.SEVERAL, credit, orders[0], _("code, several amounts are open"))
    claim = orders[0][0]
    is_debtor = claim in by_debtor
    if claim.amount == credit.amount:
        why = _("code, amount, depositor") if is_debtor else _("code, amount")
        return Match(Kind.EXACT, (proposal_for(claim, credit.amount, why=why),))
    return _unequal(credit, claim, _("code, depositor") if is_debtor else _("code"))


def _by_name(credit: Credit, claims: Sequence[Claim]) -> Match:
    """Return the claim of this amount, or several that make it; else the one that leaves a small
    rest, or the only one; else the claims to choose from.
    """
    equal = [claim for claim in claims if claim.amount == credit.amount]
    if len(equal) == 1:
        why = _("amount, depositor")
        return Match(Kind.EXACT, (proposal_for(equal[0], credit.amount, why=why),))
    if equal:
        return _match(Kind.SEVERAL, credit, equal, _("depositor, several orders of this amount"))
    splits = tuple(
        _split(parts, _("depositor, the sum agrees")) for parts in _sums(credit.amount, claims)
    )
    if splits:
        return Match(Kind.SPLIT if len(splits) == 1 else Kind.SEVERAL, splits[:SHOWN])
    short = [claim for claim in claims if may_write_off(missing=claim.amount - credit.amount)]
    for only in (short, claims):
        if len(only) == 1:
            return _unequal(credit, only[0], _("depositor"))
    return _match(Kind.SEVERAL, credit, short or claims, _("depositor, several orders are open"))


def _unequal(credit: Credit, claim: Claim, why: str) -> Match:
    kind = Kind.SHORT if may_write_off(missing=claim.amount - credit.amount) else Kind.DIFFERS
    return Match(kind, (proposal_for(claim, credit.amount, why=why),))


def _match(kind: Kind, credit: Credit, claims: Sequence[Claim], why: str) -> Match:
    proposals = [proposal_for(claim, credit.amount, why=why) for claim in claims[:SHOWN]]
    return Match(kind, tuple(proposals), why)


def _split(claims: Iterable[Claim], why: str) -> Proposal:
    return Proposal(tuple(Part(claim, claim.amount) for claim in claims), why)


def _sums(amount: Decimal, claims: Sequence[Claim]) -> Iterator[tuple[Claim, ...]]:
    """Yield the ways to make an amount of two to four claims of one company, one claim of each
    order.
    """
    companies: defaultdict[int, list[Claim]] = defaultdict(list)
    for claim in claims:
        companies[claim.company_id].append(claim)
    for theirs in companies.values():
        for size in range(2, MAX_SPLIT + 1):
            for combination in combinations(theirs[:SPLIT_CLAIMS], size):
                orders = {claim.order_id for claim in combination}
                if len(orders) == size and sum(claim.amount for claim in combination) == amount:
                    yield combination


DATE_DIGITS, NUMBER_DIGITS = 6, range(4, 10)
FORMS = """
inc incorporated llc ltd limited co company corp corporation gmbh ag kg sarl sas sa srl spa bv nv ab
as oy aps fze fzco plc pty sp zoo z o kk the and und et y e
"""
COMPANY_FORMS = frozenset(FORMS.split())
TELLING = 5
LETTERS_WITHOUT_ACCENT = str.maketrans(
    {"ß": "ss", "ø": "o", "đ": "d", "ł": "l", "æ": "ae", "œ": "oe"}
)


def codes_in(text: str) -> Iterator[str]:
    """Yield the invoice codes that a text may name, whatever its case, spaces and dashes, each
    once.

    Where further digits follow after a gap, the shorter and the longer number are both possible.
    """
    gap, prefix = r"[\W_]*", seller().invoice_prefix.upper()
    spaced = gap.join(re.escape(char) for char in prefix if char.isalnum())
    codes = set[str]()
    for match in re.finditer(rf"{spaced}{gap}((?:\d{gap}){{{DATE_DIGITS},20}})", text.upper()):
        for day, number in _numbers(match[1]):
            code = f"{prefix}-{day}-{number}"
            if code not in codes:
                codes.add(code)
                yield code


def _numbers(run: str) -> Iterator[tuple[str, str]]:
    """Yield the days and numbers that digits with gaps may be: none ends inside a group
    of digits.
    """
    places = [index for index, char in enumerate(run) if char.isdigit()]
    digits = "".join(run[index] for index in places)
    for size in NUMBER_DIGITS:
        end = DATE_DIGITS + size
        if end > len(digits):
            break
        goes_on = end < len(digits) and places[end] == places[end - 1] + 1
        if not goes_on:
            yield digits[:DATE_DIGITS], digits[DATE_DIGITS:end]


@lru_cache(maxsize=20_000)
def name_words(name: str) -> frozenset[str]:
    """Return what tells a name apart: its words without accents, case, punctuation and company
    forms.
    """
    plain = name.casefold().translate(LETTERS_WITHOUT_ACCENT).replace("'", "")
    words = frozenset(heading(plain).split())
    return words - COMPANY_FORMS or words


def same_name(one: str, other: str) -> bool:
    """Return whether two names are the same one, or one of them is the other cut short or with a
    word more.

    A single common word is enough only where it is long.
    """
    first, second = name_words(one), name_words(other)
    common = first & second
    if not common or common not in (first, second):
        return False
    return len(common) > 1 or first == second or max(map(len, common)) >= TELLING
