"""The headings of banks' tables, and the words of their columns of status, in the languages that
reach the seller: `headings.json` holds them.
"""

import json
import re
from collections.abc import Mapping, Sequence
from enum import Enum, auto
from pathlib import Path

from apps.common.tables.cells import DOLLAR, heading, heading_key
from apps.common.tables.headings import find_columns


class Column(Enum):
    """What a column of an export holds."""

    DATE = auto()
    BOOKED = auto()
    AMOUNT = auto()
    CREDIT = auto()
    DEBIT = auto()
    SIGN = auto()
    STATUS = auto()
    CURRENCY = auto()
    DEBTOR = auto()
    TEXT = auto()
    REFERENCE = auto()


KNOWN = json.loads(Path(__file__).with_name("headings.json").read_text(encoding="utf-8"))
# The earlier of two headings for the same thing wins, wherever it stands in the file.
HEADINGS = {Column[name]: names for name, names in KNOWN["columns"].items()}
NAMES = frozenset(heading_key(name) for names in HEADINGS.values() for name in names)
# These say credit or debit at some banks, and something else at others: what stands in the column
# decides.
DOUBTFUL_SIGNS = frozenset(KNOWN["doubtful"])
CURRENCY_SUFFIX = re.compile(
    r"(?:(?: |(?<=[가-힣]))(?:in(?: [a-z]{3})?|[a-z]{3})|외화|미화|달러|원)$"
)
LONGEST_STATUS = 40


def recognise(row: Sequence[str]) -> dict[Column, int]:
    """Return which column of a row of headings is what; nothing unless there are a date and an
    amount.
    """
    names = [heading_key(DOLLAR.sub(" ", cell)) for cell in row]
    bare = [name if name in NAMES else CURRENCY_SUFFIX.sub("", name) for name in names]
    columns = find_columns(bare, HEADINGS)
    return columns if is_enough(columns) else {}


def is_enough(columns: Mapping[Column, int]) -> bool:
    """Return whether a file can be read by its columns: there are a date and an amount."""
    has_day = not columns.keys().isdisjoint((Column.DATE, Column.BOOKED))
    return has_day and not columns.keys().isdisjoint((Column.AMOUNT, Column.CREDIT))


def is_balance(name: str) -> bool:
    """Return whether a column is headed as a balance."""
    return any(word in heading(name) for word in KNOWN["balances"])


def is_booked(status: str) -> bool | None:
    """Return whether a status says that money has arrived; None for a word that is not known."""
    words = f" {heading(status)} "
    if len(words) > LONGEST_STATUS:
        return None
    if any(stem in words for stem in KNOWN["statuses"]["not booked"]):
        return False
    return any(stem in words for stem in KNOWN["statuses"]["booked"]) or None
