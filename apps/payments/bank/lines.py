"""What every kind of statement file is read into, and the limits that all of them share."""

import re
import unicodedata
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from apps.orders.errors import StaffRefusal

MAX_BYTES = 10 * 1024 * 1024
MAX_LINES = 100_000
MAX_AMOUNT = Decimal("9999999999.99")
MAX_DEBTOR, MAX_TEXT, MAX_REFERENCE = 140, 500, 80
NO_REFERENCE = frozenset({"", "NOTPROVIDED", "NONREF", "NOREF", "NONE", "NA"})
CURRENCY = re.compile(r"[A-Z]{3}")


class StatementRefused(StaffRefusal):
    """A file that is not taken, in one sentence; nothing of it is stored."""

    def __init__(self, text: str) -> None:
        super().__init__(text, errors={"file": [text]})


@dataclass(frozen=True)
class CreditLine:
    """Money that arrived, as a file tells it. `reference` is the bank's own, normalised; empty if
    there is none.
    """

    value_date: date
    amount: Decimal
    currency: str
    debtor: str = ""
    text: str = ""
    reference: str = ""


@dataclass(frozen=True)
class StatementFile:
    """A file that was read: which kind, and its credits in the file's order.

    Of a table, `read` says which heading was taken for what, `unread` which headings were not
    understood. `decimal` is the sign that parts the cents, where one does.
    """

    kind: str
    lines: tuple[CreditLine, ...]
    read: tuple[tuple[str, str], ...] = ()
    unread: tuple[str, ...] = ()
    decimal: str = ""


def credit_line(
    *,
    where: str,
    value_date: date,
    amount: Decimal,
    currency: str,
    debtor: str,
    text: str,
    reference: str,
) -> CreditLine:
    """Return a credit with its texts cleaned and cut.

    Raises:
        StatementRefused: an amount or a currency that cannot be; `where` names the place.
    """
    if not amount.is_finite() or not 0 < amount <= MAX_AMOUNT or amount != round(amount, 2):
        raise StatementRefused(f"{where}: the amount is wrong.")
    if not CURRENCY.fullmatch(currency):
        raise StatementRefused(f"{where}: the currency is not known.")
    return CreditLine(
        value_date=value_date,
        amount=round(amount, 2),
        currency=currency,
        debtor=clean(debtor)[:MAX_DEBTOR],
        text=clean(text)[:MAX_TEXT],
        reference=normal_reference(reference),
    )


def clean(text: str) -> str:
    """Return a text on one line, without characters that nobody sees."""
    visible = "".join(
        char if char.isprintable() else " " for char in unicodedata.normalize("NFC", text)
    )
    return " ".join(visible.split())


def normal_reference(text: str) -> str:
    """Return a bank reference as every file spells it: capitals and digits alone; empty if it says
    nothing.
    """
    plain = "".join(char for char in unicodedata.normalize("NFKC", text).upper() if char.isalnum())
    return "" if plain in NO_REFERENCE or not plain.strip("0") else plain[:MAX_REFERENCE]
