"""What every kind of statement file is read into, and the limits that all of them share."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal

from django.utils.translation import gettext as _, gettext_noop

from apps.common.texts import Text, phrase
from apps.orders.errors import StaffRefusal

USD = "USD"
MAX_BYTES = 10 * 1024 * 1024
MAX_LINES = 100_000
MAX_AMOUNT = Decimal("9999999999.99")
MAX_DEBTOR, MAX_TEXT, MAX_REFERENCE = 140, 500, 80
NO_REFERENCE = frozenset({"", "NOTPROVIDED", "NONREF", "NOREF", "NONE", "NA"})
CURRENCY = re.compile(r"[A-Z]{3}")
# What a spreadsheet makes of a long number in a text: its last digits are lost.
POWER_OF_TEN = re.compile(r"\d([.,]\d+)?E\+?\d{1,2}", re.IGNORECASE)
WENT_OUT, ZERO, REVERSED = (
    gettext_noop("money that went out"),
    gettext_noop("an amount of 0.00"),
    gettext_noop("reversals"),
)


class StatementRefused(StaffRefusal):
    """A file that is not taken, in one sentence; nothing of it is stored."""

    def __init__(self, text: str, **values: object) -> None:
        super().__init__(text % values if values else text)
        self.errors = {"file": [str(self)]}


@dataclass(frozen=True)
class CreditLine:
    """Money that arrived, as a file tells it. `reference` is the bank's own, normalised; empty if
    there is none. `booked_on` is the day of booking where the file tells it beside the value date.
    """

    value_date: date
    amount: Decimal
    currency: str
    debtor: str = ""
    text: str = ""
    reference: str = ""
    booked_on: date | None = None


@dataclass(frozen=True)
class StatementFile:
    """A file that was read: which kind, its credits in the file's order, and why its other lines
    were left out, with their number.
    """

    kind: str
    lines: tuple[CreditLine, ...]
    left_out: tuple[tuple[str, int], ...] = ()


def statement_file(kind: str, entries: Iterable[CreditLine | str]) -> StatementFile:
    """Return a file of credits, and of reasons for which a line was left out."""
    lines: list[CreditLine] = []
    left_out = Counter[str]()
    for entry in entries:
        if isinstance(entry, CreditLine):
            lines.append(entry)
        else:
            left_out[entry] += 1
    return StatementFile(kind, tuple(lines), tuple(left_out.most_common()))


def checked(line: CreditLine, where: str) -> CreditLine:
    """Return a credit with its texts cleaned and cut.

    Raises:
        StatementRefused: an amount or a currency that cannot be; `where` names the place.
    """
    amount = line.amount
    if not amount.is_finite() or not 0 < amount <= MAX_AMOUNT or amount != round(amount, 2):
        raise StatementRefused(_("%(where)s: the amount is wrong."), where=where)
    if not line.currency:
        raise StatementRefused(
            _(
                "The file names no currency: choose it in the list of currencies, then read it "
                "again."
            )
        )
    if not CURRENCY.fullmatch(line.currency):
        raise StatementRefused(_("%(where)s: the currency is not known."), where=where)
    return replace(
        line,
        amount=round(amount, 2),
        debtor=clean(line.debtor)[:MAX_DEBTOR],
        text=clean(line.text)[:MAX_TEXT],
        reference=normal_reference(line.reference),
    )


def too_many_lines() -> str:
    """Return the refusal of a file that is longer than any statement."""
    return phrase("More than %(count)s lines.", count=f"{MAX_LINES:,}")


def with_status(status: str) -> str:
    """Return why a line with a status is left out, as it is kept."""
    return Text("status “%(status)s”", status=clean(status)[:40] or Text("unknown")).stored()


def clean(text: str) -> str:
    """Return a text on one line, without characters that nobody sees."""
    visible = "".join(
        char if char.isprintable() else " " for char in unicodedata.normalize("NFC", text)
    )
    return " ".join(visible.split())


def normal_reference(text: str) -> str:
    """Return a bank reference as every file spells it: capitals and digits alone; empty if it says
    nothing, or is a number that lost its last digits.
    """
    text = unicodedata.normalize("NFKC", text).strip()
    if POWER_OF_TEN.fullmatch(text):
        number = Decimal(text.replace(",", "."))
        text = "" if number.as_tuple().exponent else f"{number:f}"
    plain = "".join(char for char in text.upper() if char.isalnum())
    return "" if plain in NO_REFERENCE or not plain.strip("0") else plain[:MAX_REFERENCE]
