"""What stands in a cell of a table that somebody sends: headings, texts, numbers as people and
programs write them.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import TypeVar

MARKS = ".,"
GROUPS = re.compile(r"[\s'’ \u202f]")
CURRENCIES = re.compile(r"(?:^|(?<=[\s\d(]))([A-Za-z]{3})(?=$|[\s\d)(+-])")
SIGNS = {"$": "USD", "€": "EUR", "₩": "KRW", "¥": "JPY", "£": "GBP"}
NUMBER = re.compile(r"[+-]?\d{1,15}(\.\d{1,6})?")
DOUBTFUL = re.compile(r"[+-]?(0[.,]\d{3}|\d+\.\d{3})")  # a thousand, or three decimals?
GUARDED = re.compile(r"'[=+\-@\t\r]")
MAX_SHOWN = 30

Name = TypeVar("Name")


class CellFault(ValueError):
    """A cell that does not hold what its column needs; the text says what is wrong with it, without
    a full stop.
    """


@dataclass(frozen=True)
class Unreadable:
    """A cell without a value of its own: a formula, or what a formula failed with (`#N/A`)."""

    text: str


Cell = str | int | Decimal | date | Unreadable | None


def heading(cell: str) -> str:
    """Return a heading without its accents, case and punctuation."""
    plain = unicodedata.normalize("NFKD", cell).casefold()
    plain = unicodedata.normalize(
        "NFC", "".join(char for char in plain if not unicodedata.combining(char))
    )
    return " ".join("".join(char if char.isalnum() else " " for char in plain).split())


def find_columns(cells: Sequence[Cell], wanted: Mapping[Name, Sequence[str]]) -> dict[Name, int]:
    """Return which column of a row of headings is what.

    `wanted` names the headings that are accepted for each thing; where two columns carry headings
    of the same thing, the one that stands earlier in its list wins.
    """
    places = {
        heading(name): (thing, place)
        for thing, names in wanted.items()
        for place, name in enumerate(names)
    }
    found: dict[Name, tuple[int, int]] = {}
    for index, cell in enumerate(cells):
        known = places.get(heading(cell)) if isinstance(cell, str) else None
        if known is not None and (known[0] not in found or known[1] < found[known[0]][0]):
            found[known[0]] = (known[1], index)
    return {thing: index for thing, (_, index) in found.items()}


def cell_at(cells: Sequence[Cell], index: int | None) -> Cell:
    """Return a row's cell; None where the row is shorter, or there is no such column."""
    return cells[index] if index is not None and index < len(cells) else None


def text_of(cell: Cell) -> str:
    """Return a cell as text on one line, without the spaces and characters that nobody sees; empty
    for no cell.

    Raises:
        CellFault: a formula, or an error.
    """
    if cell is None:
        return ""
    if isinstance(cell, Unreadable):
        raise CellFault(cell.text)
    if isinstance(cell, date):
        return cell.isoformat()
    if not isinstance(cell, str):
        return f"{cell:f}" if isinstance(cell, Decimal) else str(cell)
    text = unicodedata.normalize("NFC", cell)
    if not text.isprintable():
        text = "".join(
            c if c.isprintable() else "" if unicodedata.category(c) == "Cf" else " " for c in text
        )
    return " ".join(text.split())


def sku_of(cell: Cell) -> str:
    """Return a SKU as it is looked up everywhere: in capitals, without spaces around it.

    A number cell has lost the zeros in front of it: who looks it up and does not find it, says so.

    Raises:
        CellFault: a formula, an error, or a date (what a spreadsheet makes of `3-12`).
    """
    if isinstance(cell, date):
        raise CellFault("a date instead of a SKU: format the column as text")
    return text_of(cell).upper()


def number_of(cell: Cell) -> Decimal | None:
    """Return the number of a cell, a text's by the marks in it; None for an empty cell.

    `1,234` is more than a thousand, `7,92` is less than eight; `1.234` could be either and is a
    fault.

    Raises:
        CellFault: not a number.
    """
    if isinstance(cell, int | Decimal) and not isinstance(cell, bool):
        return Decimal(cell)
    text = text_of(cell)
    if not text:
        return None
    bare = bare_number(text)
    mark = decimal_mark(bare)
    if not mark and DOUBTFUL.fullmatch(bare):
        raise CellFault(f"“{text[:MAX_SHOWN]}” is not a number that can be read in one way")
    plain = without_marks(bare, mark)
    if isinstance(cell, date) or not NUMBER.fullmatch(plain) or not is_grouped(bare, mark):
        raise CellFault(f"“{text[:MAX_SHOWN]}” is not a number")
    return Decimal(plain)


def without_marks(bare: str, mark: str) -> str:
    """Return a number without marks between thousands, and with a point where its
    decimals begin.
    """
    return "".join("." if char == mark else "" if char in MARKS else char for char in bare)


def count_of(cell: Cell) -> int | None:
    """Return the whole number of a cell; None for an empty one.

    Raises:
        CellFault: not a whole number, or below zero.
    """
    number = number_of(cell)
    if number is None:
        return None
    if number != number.to_integral_value():
        raise CellFault(f"{number:f} is not a whole number"[:80])
    if number < 0:
        raise CellFault(f"{number:f} is below zero"[:80])
    return int(number)


def bare_number(text: str) -> str:
    """Return a number without its currency, spaces and apostrophes, a minus in front (`(12)` and
    `12-` have one).
    """
    bare = CURRENCIES.sub("", text)
    bare = GROUPS.sub("", bare.translate({ord(sign): None for sign in SIGNS})).replace("−", "-")
    if bare.startswith("(") and bare.endswith(")"):
        return f"-{bare[1:-1]}"
    return f"-{bare[:-1]}" if bare.endswith("-") else bare.removesuffix("+")


def decimal_mark(bare: str) -> str:
    """Return the mark with the decimals behind it; empty where marks, if any, part thousands."""
    last = max(bare.rfind(mark) for mark in MARKS)
    if last == -1:
        return ""
    mark, behind = bare[last], len(bare) - last - 1
    others = any(other in bare for other in MARKS if other != mark)
    return mark if behind in (1, 2) or (others and bare.count(mark) == 1) else ""


def is_grouped(bare: str, decimal: str) -> bool:
    """Return whether the marks that are not the decimal one part groups of three."""
    whole = bare.partition(decimal)[0] if decimal else bare
    groups = re.split(r"[.,]", whole.lstrip("+-"))
    return len(groups) == 1 or (
        0 < len(groups[0]) <= 3 and all(len(group) == 3 for group in groups[1:])
    )


def written_plainly(cell: str) -> str:
    """Return the text that a CSV cell stands for.

    `="0012"` is how exports keep leading zeros, `'=1+1` how they keep a text from being taken for a
    formula.
    """
    cell = cell.strip()
    if len(cell) > 2 and cell.startswith('="') and cell.endswith('"') and "=" not in cell[1:]:
        return cell[2:-1]
    return cell[1:] if GUARDED.match(cell) else cell
