"""Bank statements: their credits taken in once, whatever the number of files that show them, and
booked once.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from hashlib import sha256
from typing import TypeVar

from django.db import IntegrityError
from django.utils import timezone

from apps.accounts.models import User
from apps.common.db.transactions import one_transaction
from apps.common.errors import NotFound
from apps.common.permissions import needs
from apps.orders.errors import StaffRefusal
from apps.orders.selectors import get_order_for_staff
from apps.payments.bank.headings import Column
from apps.payments.bank.lines import CreditLine, StatementFile, clean
from apps.payments.bank.reader import read_statement
from apps.payments.bank.words import name_words
from apps.payments.models import BankBooking, BankCredit, BankStatement, BankTransfer, Payment
from apps.payments.services.receive import WirePart, receive_wire
from apps.payments.services.wire import book_to_wallet

USD = "USD"
NAMELESS = "Bank transfer"
MAX_NAME = 120
BATCH = 500
TRIES = 5
Sameness = tuple[date, Decimal, str]
T = TypeVar("T")


@needs("payments.change_payment")
def import_statement(
    *,
    content: bytes,
    name: str,
    currency: str = "",
    columns: Mapping[Column, int] | None = None,
    actor: User,
    now: datetime,
) -> BankStatement:
    """Take in a bank's file; the very same file again puts it back on the desk
    (reliability-and-security, 10).

    `currency` is the account's, where the file names none; `columns` are those of a table as staff
    named them. Nothing is booked, and a broken file changes nothing.

    Raises:
        StatementRefused: the file is not taken; its sentence says why.
    """
    file = read_statement(
        content, today=timezone.localdate(now), currency=currency, columns=columns
    )
    digest = sha256(content).hexdigest()
    for _ in range(TRIES - 1):
        try:
            return _store(file, name=name, digest=digest, actor=actor, now=now)
        except (
            IntegrityError
        ):  # somebody takes in the same file or credits at this moment: they are there now
            continue
    return _store(file, name=name, digest=digest, actor=actor, now=now)


@one_transaction
def _store(
    file: StatementFile, *, name: str, digest: str, actor: User, now: datetime
) -> BankStatement:
    known = BankStatement.objects.select_for_update().filter(digest=digest).first()
    if known is not None:
        known.put_away_at = None
        known.read, known.unread = [list(pair) for pair in file.read], list(file.unread)
        known.save(update_fields=["put_away_at", "read", "unread"])
        known.credits.add(*_Register(file.lines).take_in(file.lines))
        return known
    statement = BankStatement.objects.create(
        name=clean(name)[:MAX_NAME] or file.kind,
        kind=file.kind,
        digest=digest,
        imported_at=now,
        imported_by=actor,
        read=[list(pair) for pair in file.read],
        unread=list(file.unread),
    )
    statement.credits.add(*_Register(file.lines).take_in(file.lines))
    return statement


@dataclass(frozen=True)
class Outlook:
    """What storing a file would do, in credits: those known are booked and stay, or may learn from
    it.
    """

    new: int
    known: int
    better: int
    booked: int
    foreign: int


def look_ahead(file: StatementFile) -> Outlook:
    """Return what storing a file would do; nothing is written."""
    seen = _Register(file.lines).sort_out(file.lines)
    known = {id(credit): credit for credit in seen.found if credit.pk is not None}.values()
    return Outlook(
        new=len(seen.new),
        known=len(known),
        better=sum(not credit.is_settled for credit in seen.better),
        booked=sum(credit.booked_at is not None for credit in known),
        foreign=sum(line.currency != USD for line in file.lines),
    )


@dataclass(frozen=True)
class _SortedOut:
    found: list[BankCredit]
    new: list[BankCredit]
    better: list[BankCredit]


class _Register:
    """The credits known already that a file may show again."""

    def __init__(self, lines: Sequence[CreditLine]) -> None:
        self.by_reference: dict[str, BankCredit] = {}
        self.alike: defaultdict[Sameness, list[BankCredit]] = defaultdict(list)
        self.taken = set[int]()
        self.repeated = _repeated(line.reference for line in lines)
        for days in _batches(sorted({line.value_date for line in lines})):
            for credit in BankCredit.objects.filter(value_date__in=days).order_by("id"):
                self.alike[credit.value_date, credit.amount, credit.currency].append(credit)
                self.by_reference[credit.reference or ""] = credit
        for references in _batches(
            sorted({line.reference for line in lines} - {""} - set(self.by_reference))
        ):
            for credit in BankCredit.objects.filter(reference__in=references):
                self.by_reference[credit.reference or ""] = credit
        self.by_reference.pop("", None)

    def take_in(self, lines: Sequence[CreditLine]) -> list[BankCredit]:
        """Return the credits of a file's lines: the known ones, and new rows for the others."""
        sorted_out = self.sort_out(lines)
        BankCredit.objects.bulk_create(sorted_out.new, batch_size=BATCH)
        self._keep(sorted_out.better)
        return sorted_out.found

    def sort_out(self, lines: Sequence[CreditLine]) -> _SortedOut:
        """Return which credits the lines show, without writing any."""
        sorted_out = _SortedOut([], [], [])
        for line in lines:
            reference = self._reference(line)
            credit = self._known(line, reference)
            if credit is None:
                credit = self._new(line, reference)
                sorted_out.new.append(credit)
            elif _learns(credit, line, reference):
                sorted_out.better.append(credit)
            sorted_out.found.append(credit)
            self.taken.add(id(credit))
        return sorted_out

    def _keep(self, better: Sequence[BankCredit]) -> None:
        """Write what known credits took from the file, but for those that somebody books at this
        moment.
        """
        ids = [credit.pk for credit in better]
        still = BankCredit.objects.select_for_update().filter(pk__in=ids).order_by("pk")
        booked = {pk: at is not None for pk, at in still.values_list("pk", "booked_at")}
        same = [
            credit for credit in better if booked.get(credit.pk) == (credit.booked_at is not None)
        ]
        BankCredit.objects.bulk_update(same, ["reference", "debtor", "text"], batch_size=BATCH)

    def _reference(self, line: CreditLine) -> str:
        """Return the bank's reference if it names this credit alone.

        What stands in a file twice, or was seen with another amount, is a word of the buyer's and
        not of the bank's.
        """
        known = self.by_reference.get(line.reference)
        other = known is not None and (known.amount, known.currency) != (line.amount, line.currency)
        return "" if line.reference in self.repeated or other else line.reference

    def _known(self, line: CreditLine, reference: str) -> BankCredit | None:
        """Return the credit that a line shows again, if it was seen.

        By the bank's reference; where one of the two has none, the next one of the same day, amount
        and currency that this file has not shown yet, unless both name payers who have no word in
        common.
        """
        if reference and (known := self.by_reference.get(reference)):
            return known
        candidates = self._candidates(line, reference)
        named = [credit for credit in candidates if _common(line.debtor, credit.debtor)]
        unnamed = [credit for credit in candidates if not (line.debtor and credit.debtor)]
        return next(iter([*named, *unnamed]), None)

    def _candidates(self, line: CreditLine, reference: str) -> list[BankCredit]:
        alike = self.alike[line.value_date, line.amount, line.currency]
        return [
            credit
            for credit in alike
            if id(credit) not in self.taken and not (reference and credit.reference)
        ]

    def _new(self, line: CreditLine, reference: str) -> BankCredit:
        alike = self.alike[line.value_date, line.amount, line.currency]
        credit = BankCredit(
            value_date=line.value_date,
            amount=line.amount,
            currency=line.currency,
            ordinal=max((other.ordinal for other in alike), default=0) + 1,
            debtor=line.debtor,
            text=line.text,
            reference=reference or None,
        )
        alike.append(credit)
        if reference:
            self.by_reference[reference] = credit
        return credit


def _learns(credit: BankCredit, line: CreditLine, reference: str) -> bool:
    """Let a known credit take what a better file says of it; return whether there was anything.

    What is booked keeps its payer and text, as they were looked at; a text gives way to a longer
    one alone.
    """
    before = (credit.reference, credit.debtor, credit.text)
    if reference and not credit.reference:
        credit.reference = reference
    if not credit.is_settled:
        credit.debtor = max(credit.debtor, line.debtor, key=len)
        credit.text = max(credit.text, line.text, key=len)
    return (credit.reference, credit.debtor, credit.text) != before


def _repeated(references: Iterable[str]) -> set[str]:
    seen, repeated = set[str](), set[str]()
    for reference in references:
        (repeated if reference in seen else seen).add(reference)
    return repeated


def _batches(values: Sequence[T]) -> Iterable[Sequence[T]]:
    return (values[start : start + BATCH] for start in range(0, len(values), BATCH))


def _common(one: str, other: str) -> bool:
    return bool(name_words(one) & name_words(other))


@needs("payments.change_payment")
@one_transaction
def book_credit(
    *, credit_id: int, parts: Sequence[WirePart], actor: User, now: datetime
) -> list[Payment]:
    """Book a credit over its orders, once, by the same service as by hand.

    Raises:
        NotFound: there is no such credit.
        StaffRefusal: booked before, not in US dollars, or see `receive_wire`.
        WrongStatus: an order is paid, shipped or cancelled.
    """
    for order_id in sorted({part.order_id for part in parts}):
        get_order_for_staff(order_id=order_id, lock=True)
    credit = _open_credit(credit_id)
    _check_currency(credit)
    payments = receive_wire(
        parts=parts,
        arrived=credit.amount,
        depositor=credit.debtor[:120] or NAMELESS,
        actor=actor,
        now=now,
    )
    _note_booked(credit, payments, actor=actor, now=now)
    return payments


@needs("payments.change_payment")
@one_transaction
def credit_to_wallet(*, credit_id: int, order_id: int, actor: User, now: datetime) -> Payment:
    """Book a credit that names a paid order, once: all of it goes to the wallet of the order's
    company.

    Raises:
        NotFound: there is no such credit or order.
        StaffRefusal: booked or sent back before, not in US dollars, or see `book_to_wallet`.
    """
    get_order_for_staff(order_id=order_id, lock=True)
    credit = _open_credit(credit_id)
    _check_currency(credit)
    depositor = credit.debtor[:120] or NAMELESS
    payment = book_to_wallet(
        order_id=order_id, amount=credit.amount, depositor=depositor, actor=actor, now=now
    )
    _note_booked(credit, [payment], actor=actor, now=now)
    return payment


def _check_currency(credit: BankCredit) -> None:
    if credit.currency != USD:
        raise StaffRefusal(f"It is in {credit.currency}: only US dollars are booked.")


def _note_booked(
    credit: BankCredit, payments: Sequence[Payment], *, actor: User, now: datetime
) -> None:
    BankBooking.objects.bulk_create(
        BankBooking(credit=credit, payment=payment) for payment in payments
    )
    credit.booked_at, credit.booked_by = now, actor
    credit.save(update_fields=["booked_at", "booked_by"])


@needs("payments.change_payment")
@one_transaction
def send_back_credit(*, credit_id: int, reason: str, actor: User, now: datetime) -> None:
    """Decide that a credit goes back to its sender: it is owed until staff have sent it at the
    bank.

    Raises:
        NotFound: there is no such credit.
        StaffRefusal: it is booked, or was sent back before.
    """
    credit = _open_credit(credit_id)
    credit.sent_back_at, credit.sent_back_by, credit.sent_back_reason = now, actor, reason
    credit.save(update_fields=["sent_back_at", "sent_back_by", "sent_back_reason"])
    BankTransfer.objects.create(
        credit=credit,
        payee=credit.debtor or "whoever sent it",
        amount=credit.amount,
        currency=credit.currency,
        owed_at=now,
    )


@needs("payments.change_payment")
@one_transaction
def keep_credit(*, credit_id: int, actor: User, now: datetime) -> None:
    """Keep a credit that was to go back: it is open again.

    Raises:
        NotFound: there is no such credit.
        StaffRefusal: it was not to go back, or the bank has sent it.
    """
    credit = _locked_credit(credit_id)
    if credit.sent_back_at is None:
        raise StaffRefusal("It was not to go back.")
    transfer = BankTransfer.objects.select_for_update().get(credit=credit)
    if transfer.sent_on is not None:
        raise StaffRefusal(f"The bank has {transfer.state_words}.")
    transfer.delete()
    credit.sent_back_at, credit.sent_back_by, credit.sent_back_reason = None, None, ""
    credit.save(update_fields=["sent_back_at", "sent_back_by", "sent_back_reason"])


def _locked_credit(credit_id: int) -> BankCredit:
    found = BankCredit.objects.select_for_update(of=("self",)).select_related(
        "booked_by", "sent_back_by"
    )
    credit: BankCredit | None = found.filter(pk=credit_id).first()
    if credit is None:
        raise NotFound
    return credit


def _open_credit(credit_id: int) -> BankCredit:
    """Return a credit, locked, that nobody has booked or sent back."""
    credit = _locked_credit(credit_id)
    for done, at, by in (
        ("booked it", credit.booked_at, credit.booked_by),
        ("sent it back", credit.sent_back_at, credit.sent_back_by),
    ):
        if at is not None:
            who = by.manager if by else "the portal"
            raise StaffRefusal(f"{who} has {done} at {timezone.localtime(at):%Y-%m-%d %H:%M}.")
    return credit


@needs("payments.change_payment")
def put_away(*, statement_id: int, actor: User, now: datetime) -> None:
    """Take a statement off the desk; its credits stay, and the file brings it back.

    Raises:
        NotFound: there is no such statement.
    """
    if not BankStatement.objects.filter(pk=statement_id).update(put_away_at=now):
        raise NotFound
