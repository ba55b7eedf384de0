"""How many pieces a cell or a word asks for, or why that is asked. Nothing is guessed: a number is
taken where it can be read in one way.
"""

import re
import unicodedata
from dataclasses import dataclass
from decimal import Decimal

from apps.common.http.serializers import MAX_COUNT
from apps.common.tables.cells import (
    Cell,
    CellFault,
    Doubtful,
    Unreadable,
    count_of,
    heading,
    is_nothing,
    number_of,
    stored_value,
    text_of,
)
from apps.orders.intake.words import NOTHING, PIECES, counts_packs, is_denied, unit_of

MAX_SHOWN, FEW_DIGITS = 30, 5
DIGITS = re.compile(r"\d+")
NUMBER_AND_UNIT = re.compile(r"(\d[\d.,'’\s]*)([^\W\d_]+)\.?")
NO_NUMBER = re.compile(r"[^\d\s.,'’()−-]")  # `20+`, `$20` and `20kgs` are no pieces
GROUPED = re.compile(r"\d{1,3}(?:[\s'’]\d{3})+(?:[.,]\d+)?")
CARTON = "carton"


@dataclass(frozen=True)
class Amount:
    """Pieces, or the question how many: `guess` are those that may be proposed, if any.

    `packs` are cartons whose pieces are asked and nothing else, `unit` what they are called.
    """

    count: int = 0
    question: str = ""
    guess: int = 0
    packs: int = 0
    unit: str = ""
    is_formula: bool = False  # without a value

    @property
    def is_none(self) -> bool:
        """Return whether nothing is asked for."""
        return not self.count and not self.question


def text_in(cell: Cell) -> str:
    """Return a cell as text on one line; empty for none, an error, or a formula without a value."""
    try:
        return text_of(stored_value(cell))
    except CellFault:
        return ""


def plain_digits(text: str) -> str:
    """Return a text with digits of any script as ours."""
    return "".join(
        str(unicodedata.digit(sign)) if sign.isdigit() else sign
        for sign in unicodedata.normalize("NFKC", text)
    ).strip()


def shown_plainly(number: Decimal) -> str:
    """Return a number as it is ordered: without decimals that say nothing, thousands parted."""
    return f"{number.normalize():,f}"


def amount_in(cell: Cell, mark: str = "") -> Amount:
    """Return what a cell of quantities asks for; `mark` begins decimals in its column."""
    cell = stored_value(cell)
    if isinstance(cell, Unreadable):
        return Amount(question=f"Quantity: {cell.text}.", is_formula=True)
    if isinstance(cell, str):
        cell = plain_digits(cell)
        if is_nothing(cell) or NOTHING & {cell.casefold(), heading(cell)}:
            return Amount()
        if (known := NUMBER_AND_UNIT.fullmatch(cell)) and heading(known[2]) in PIECES:
            cell = known[1].strip()
        elif known and counts_packs(known[2]) and known[1].strip().isdigit():
            return amount_of_packs(int(known[1]), unit_of(known[2]), shown=cell)
        cell = cell[:-1] if cell[:-1].isdecimal() and cell.endswith(".") else cell
    return _amount_of_number(cell, mark)


def _amount_of_number(cell: Cell, mark: str) -> Amount:
    try:
        is_spaced = isinstance(cell, str) and len(cell.split()) > 1
        if isinstance(cell, str) and (
            NO_NUMBER.search(cell) or (is_spaced and not GROUPED.fullmatch(cell))
        ):
            raise CellFault(f"“{cell[:MAX_SHOWN]}” is not a number")
        count = count_of(cell, mark) or 0
    except Doubtful:
        ways = " or ".join(shown_plainly(number_of(cell, one) or Decimal(0)) for one in ",.")
        return Amount(question=f"Quantity: “{text_in(cell)}” can be read as {ways}.")
    except CellFault as fault:
        return Amount(question=f"Quantity: {fault}.", guess=_guess(cell))
    return amount_of(count)


def amount_of(count: int) -> Amount:
    """Return pieces; asked where a line cannot have so many."""
    if count > MAX_COUNT:
        return Amount(question=f"A line has at most {MAX_COUNT:,} pieces.")
    return Amount(count)


def amount_of_packs(packs: int, unit: str, *, shown: str = "") -> Amount:
    """Return cartons, or what else is counted, whose pieces are not known."""
    said = f"“{shown[:MAX_SHOWN]}”" if shown else f"{packs:,} × {unit or CARTON}"
    if not 0 < packs <= MAX_COUNT:
        return Amount(question=f"Quantity: {said}: how many pieces is that?")
    return Amount(question=f"Quantity: {said}: how many pieces is that?", packs=packs, unit=unit)


def _guess(cell: Cell) -> int:
    """Return the one number in words around it (“about 20”), to be proposed; 0 where there is none
    or it may count something else: below zero, a range, a sum, packs, a cancelled row.
    """
    if not isinstance(cell, str) or is_denied(cell):
        return 0
    numbers = DIGITS.findall(cell)
    words = [word for word in cell.split() if not DIGITS.fullmatch(word)]
    is_plain = all(word.strip(".,~!").isalpha() and not counts_packs(word) for word in words)
    if len(numbers) == 1 and is_plain and words and len(numbers[0]) <= FEW_DIGITS:
        return int(numbers[0])
    return 0
