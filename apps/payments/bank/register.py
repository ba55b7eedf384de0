"""Which credits a file shows, of those that are known: each transfer once, whatever the number and
the kinds of files that show it. What may be the same is asked, never dropped and never booked
twice.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from decimal import Decimal
from enum import IntEnum
from itertools import islice
from typing import TypeVar

from apps.payments.bank.lines import USD, CreditLine, StatementFile, normal_reference
from apps.payments.bank.matching import codes_in, name_words
from apps.payments.models import BankCredit, BankStatement

BATCH = 500
COMPARED = 200
NEAR, SAME_REFERENCE_WITHIN = timedelta(days=3), timedelta(days=10)
TABLE = "table"  # a CSV and a workbook of one bank tell the same
HAND = "hand"  # what staff typed of a wire that no file had shown
T = TypeVar("T")
Transfer = CreditLine | BankCredit  # what a line of a file, or a known credit, tells of a transfer


class Likeness(IntEnum):
    """Whether two files show the same transfer."""

    OTHER = 0
    DOUBTFUL = 1
    SAME = 2


def look_ahead(file: StatementFile) -> dict[str, int]:
    """Return what storing a file would do, in credits; nothing is written. Those known are booked
    and stay, or may learn from it; of those that may be known, staff are asked.
    """
    register = Register(file)
    repeats = {id(credit): credit for credit in register.credits if credit.pk is not None}.values()
    doubtful = sum(credit.like is not None for credit in register.new)
    return {
        "new": len(register.new) - doubtful,
        "doubtful": doubtful,
        "known": len(repeats),
        "better": sum(not credit.is_settled for credit in register.better),
        "booked": sum(credit.booked_at is not None for credit in repeats),
        "foreign": sum(line.currency != USD for line in file.lines),
    }


class Register:
    """A file's lines, and the credits known already that they may show again. Nothing is written
    before they are taken in: `credits` are those of the file in its order, `new` those that nobody
    knew, `better` those that learn from it.
    """

    def __init__(self, file: StatementFile) -> None:
        kinds = (BankStatement.Kind.CSV, BankStatement.Kind.WORKBOOK)
        self.family = TABLE if file.kind in kinds else file.kind
        self.lines = file.lines
        self.by_reference: dict[str, BankCredit] = {}
        self.alike: defaultdict[tuple[Decimal, str, date], list[BankCredit]] = defaultdict(list)
        self.ordinals = Counter[tuple[date, Decimal, str]]()
        self.used_ids = set[int]()
        self.credits: list[BankCredit] = []
        self.new: list[BankCredit] = []
        self.better: list[BankCredit] = []
        self.repeated = {
            reference
            for reference, times in Counter(line.reference for line in self.lines).items()
            if times > 1
        }
        days = {line.value_date + timedelta(days) for line in self.lines for days in range(-7, 8)}
        for some_days in _batches(sorted(days)):
            for credit in BankCredit.objects.filter(value_date__in=some_days).order_by("-id"):
                for day in _days(credit):
                    self.alike[credit.amount, credit.currency, day].append(credit)
                key = (credit.value_date, credit.amount, credit.currency)
                self.ordinals[key] = max(self.ordinals[key], credit.ordinal)
                for own in {credit.reference or "", *credit.references.values()} - {""}:
                    self.by_reference[own] = credit
        unseen = {line.reference for line in self.lines} - {""} - set(self.by_reference)
        for references in _batches(sorted(unseen)):
            for credit in BankCredit.objects.filter(reference__in=references):
                self.by_reference[credit.reference or ""] = credit
        self._sort_out()

    def take_in(self) -> list[BankCredit]:
        """Return the credits of the file's lines: the known ones, and new rows for the others."""
        BankCredit.objects.bulk_create(self.new, batch_size=BATCH)
        ids = [credit.pk for credit in self.better]
        still = BankCredit.objects.select_for_update().filter(pk__in=ids).order_by("pk")
        booked = {pk: at is not None for pk, at in still.values_list("pk", "booked_at")}
        same = [  # but for those that somebody books at this moment
            credit
            for credit in self.better
            if booked.get(credit.pk) == (credit.booked_at is not None)
        ]
        fields = ["reference", "references", "booked_on", "debtor", "text"]
        BankCredit.objects.bulk_update(same, fields, batch_size=BATCH)
        return self.credits

    def _sort_out(self) -> None:
        """Find which credits the lines show: first those of the same reference, then those that are
        surely the same, and then those that may be.
        """
        credits_by_line: dict[int, BankCredit] = {}
        for likeness in (None, Likeness.SAME):
            for place, line in enumerate(self.lines):
                if place not in credits_by_line and (credit := self._repeated(line, likeness)):
                    credits_by_line[place] = credit
                    self.used_ids.add(id(credit))
        for place, line in enumerate(self.lines):
            credit = credits_by_line.get(place) or self._new(line)
            if place not in credits_by_line:
                self.new.append(credit)
            elif learn(credit, line, references={self.family: self._reference(line)}):
                self.better.append(credit)
            self.credits.append(credit)

    def _repeated(self, line: CreditLine, likeness: Likeness | None) -> BankCredit | None:
        """Return the credit that a line shows again, by its reference or by all that is told of
        it.
        """
        reference = self._reference(line)
        if likeness is None:
            return self.by_reference.get(reference)
        return next(
            (
                credit
                for credit in self._candidates(line)
                if self._likeness(line, reference, credit) is likeness
            ),
            None,
        )

    def _reference(self, line: CreditLine) -> str:
        """Return the bank's reference if it names this credit alone.

        What stands in a file twice, or was seen with another amount or weeks before, is a word of
        the buyer's and not of the bank's.
        """
        credit = self.by_reference.get(line.reference)
        is_other = credit is not None and (
            (credit.amount, credit.currency) != (line.amount, line.currency)
            or _apart(line, credit) > SAME_REFERENCE_WITHIN
        )
        return "" if line.reference in self.repeated or is_other else line.reference

    def _candidates(self, line: CreditLine) -> Iterator[BankCredit]:
        """Yield the known credits of the amount near its day that no other line has taken, those of
        its day first.
        """
        near = (timedelta(days) for days in sorted(range(-NEAR.days, NEAR.days + 1), key=abs))
        days = dict.fromkeys(day + shift for shift in near for day in _days(line))
        for day in days:
            alike = self.alike.get((line.amount, line.currency, day), [])
            while alike and id(alike[-1]) in self.used_ids:
                alike.pop()
            free = (credit for credit in reversed(alike) if id(credit) not in self.used_ids)
            yield from islice(free, COMPARED)

    def _likeness(self, line: CreditLine, reference: str, credit: BankCredit) -> Likeness:
        """Return whether a line shows a credit again whose reference is not its own."""
        own_references = credit.references or {self.family: credit.reference or ""}
        is_same_kind = self.family in own_references
        if is_same_kind and (self.family == HAND or (reference and own_references[self.family])):
            return Likeness.OTHER  # files of one kind call a transfer by one reference
        return likeness(
            line,
            credit,
            is_same_kind=is_same_kind,
            is_by_hand=HAND in (self.family, *own_references),
            has_two_references=bool(reference and any(own_references.values())),
        )

    def _new(self, line: CreditLine) -> BankCredit:
        """Return a new credit for a line, with the known one that it may be."""
        reference = self._reference(line)
        key = (line.value_date, line.amount, line.currency)
        self.ordinals[key] += 1
        return BankCredit(
            value_date=line.value_date,
            booked_on=line.booked_on,
            amount=line.amount,
            currency=line.currency,
            ordinal=self.ordinals[key],
            debtor=line.debtor,
            text=line.text,
            reference=reference or None,
            references={self.family: reference},
            like=self._repeated(line, Likeness.DOUBTFUL),
        )


def likeness(
    one: Transfer,
    other: Transfer,
    *,
    is_same_kind: bool,
    is_by_hand: bool,
    has_two_references: bool,
) -> Likeness:
    """Return whether two equal amounts without a reference in common are the same transfer, by
    their days, payers and texts. Two kinds of files may tell the day of booking or the value date
    alone; staff may have typed another day, or booked it on another order than the buyer named.
    """
    payers = _payers_agree(one.debtor, other.debtor)
    texts = _texts_agree(one.text, other.text)
    apart = _apart(one, other)
    is_other_order = texts is False and not is_by_hand
    if is_other_order or (payers is False and not texts) or apart > NEAR:
        return Likeness.OTHER
    if apart:
        is_doubtful = payers and (texts or is_by_hand) and not is_same_kind
        return Likeness.DOUBTFUL if is_doubtful else Likeness.OTHER
    is_silent = not one.text or not other.text or (is_by_hand and texts is None)
    is_same = texts or (is_silent and (payers or not has_two_references))
    return Likeness.SAME if is_same and payers is not False else Likeness.DOUBTFUL


def _payers_agree(one: str, other: str) -> bool | None:
    """Return whether two names share a word; None where one has no name."""
    first, second = name_words(one), name_words(other)
    return bool(first & second) if first and second else None


def learn(credit: BankCredit, transfer: Transfer, references: dict[str, str] | None = None) -> bool:
    """Let a known credit take what a better file says of it; return whether there was anything.

    What is booked keeps its payer and text, as they were looked at; a text gives way to a longer
    one alone.
    """
    before = (dict(credit.references), credit.booked_on, credit.debtor, credit.text)
    references_to_add = (
        transfer.references if isinstance(transfer, BankCredit) else references or {}
    )
    for family, reference in references_to_add.items():
        credit.references[family] = credit.references.get(family) or reference
        credit.reference = credit.reference or reference or None
    credit.booked_on = credit.booked_on or transfer.booked_on
    if not credit.is_settled:
        credit.debtor = max(credit.debtor, transfer.debtor, key=len)
        credit.text = max(credit.text, transfer.text, key=len)
    return before != (credit.references, credit.booked_on, credit.debtor, credit.text)


def _texts_agree(one: str, other: str) -> bool | None:
    """Return whether two texts are the same one, written in two ways: no, where they name other
    orders; None where nothing speaks for it.
    """
    codes = [set(codes_in(text)) for text in (one, other)]
    if all(codes):
        return bool(codes[0] & codes[1])
    plain = [normal_reference(text) for text in (one, other)]
    if all(plain) and (plain[0] in plain[1] or plain[1] in plain[0]):
        return True
    first, second = name_words(one), name_words(other)
    numbers = [{word for word in some if any(map(str.isdigit, word))} for some in (first, second)]
    if all(numbers):
        return bool(numbers[0] & numbers[1]) or None
    return (bool(first and second) and (first <= second or second <= first)) or None


def _days(transfer: Transfer) -> set[date]:
    return {transfer.value_date, transfer.booked_on or transfer.value_date}


def _apart(one: Transfer, other: Transfer) -> timedelta:
    return min(abs(first - second) for first in _days(one) for second in _days(other))


def _batches(values: Sequence[T]) -> Iterator[Sequence[T]]:
    return (values[start : start + BATCH] for start in range(0, len(values), BATCH))
