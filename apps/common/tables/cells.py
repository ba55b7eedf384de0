"""What stands in a cell of a table that somebody sends: headings, texts, numbers as people and
programs write them.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Context, Decimal

from django.utils.translation import gettext_noop as _
from pycountry import currencies

from apps.common.texts import Text

MARKS = ".,"
GROUPS = re.compile(r"[\s'’\u066c \u202f]")
# Digits that only mark something: of a footnote (`24²`), of a place in a list (`①`).
MARK_DIGITS = re.compile(r"([\u00b2\u00b3\u00b9\u2070-\u2089\u2460-\u24ff\u2776-\u2793]+)")
CURRENCIES = re.compile(r"(?:^|(?<=[\s\d($€£¥]))([A-Za-z]{3})(?=$|[\s\d)(+$€£¥-])")
SIGNS = {"$": "USD", "€": "EUR", "₩": "KRW", "¥": "JPY", "£": "GBP", "₽": "RUB"}
# What stands at a dollar sign of another country's, in front of it or behind.
DOLLARS = {
    "US": "USD", "U": "USD", "HK": "HKD", "S": "SGD", "SG": "SGD", "A": "AUD", "AU": "AUD",
    "C": "CAD", "CA": "CAD", "CAN": "CAD", "NZ": "NZD", "NT": "TWD", "TW": "TWD", "MX": "MXN",
    "MEX": "MXN", "R": "BRL", "BR": "BRL", "AR": "ARS", "CL": "CLP", "CO": "COP",
}  # fmt: skip
DOLLAR = re.compile(r"(?<![A-Za-z])([A-Za-z]{0,3})\$([A-Za-z]{0,3})(?![A-Za-z])")
FAR_FROM_DOLLAR = re.compile(r"\$\s?([A-Z]{2,3})(?![A-Za-z])")
BESIDE_SYLLABLES = re.compile(r"(?<=[가-힣]) (?=[가-힣a-z])|(?<=[a-z]) (?=[가-힣])")
WON = re.compile(r"[(\s\d]원\)?$")
WITH_MARKS = re.compile(r"[+-]?\d[\d.,]*")
# A number by the mark that begins its decimals; the other may part its thousands.
BY_MARK = {
    mark: re.compile(
        rf"[+-]?(\d{{1,15}}|[1-9]\d{{0,2}}(\{parting}\d{{3}}){{1,4}})(\{mark}\d{{1,20}})?"
    )
    for mark, parting in ((".", ","), (",", "."))
}
AS_SHOWN = Context(prec=15)  # spreadsheets show no more digits: the others are the noise of floats
CENT = Decimal("0.01")
NOISE = Decimal("0.000001")
MOST_MONEY = Decimal(10) ** 13
NOTHING = frozenset("-–—−－") | {"--", "---"}
GUARDED = re.compile(r"'[=+\-@\t\r]")
MAX_SHOWN = 30
# What the reader (`sheet_reader.py`) says.
FORMULA, CROSSED_OUT = _("a formula instead of a value"), _("a number that is crossed out")


class CellFault(ValueError):
    """A cell that does not hold what its column needs; its `Text` says what is wrong, without
    a full stop.
    """


class Doubtful(CellFault):
    """A number that can be read in two ways: `10,000` is ten thousand, or ten with three
    decimals.
    """


@dataclass(frozen=True)
class Unreadable:
    """A cell without a value of its own: a formula, with the value that was stored with it, or
    what a formula failed with (`#N/A`).
    """

    text: str
    stored: "str | int | Decimal | date | None" = None


class Shown(Decimal):
    """A number whose format shows something beside it: `12 boxes`."""

    unit = ""


Cell = str | int | Decimal | date | Unreadable | None


def plain_signs(text: str) -> str:
    """Return a text with its signs in their plain form, but those that mark footnotes."""
    parts = MARK_DIGITS.split(text)
    parts[::2] = (unicodedata.normalize("NFKC", part) for part in parts[::2])
    return "".join(parts)


def heading(cell: str) -> str:
    """Return a heading without its accents, case and punctuation."""
    plain = unicodedata.normalize("NFKD", cell).casefold()
    plain = unicodedata.normalize(
        "NFC", "".join(char for char in plain if not unicodedata.combining(char))
    )
    return " ".join("".join(char if char.isalnum() else " " for char in plain).split())


def heading_key(cell: str) -> str:
    """Return a heading as it is looked up: a Korean one is the same with and without spaces."""
    return BESIDE_SYLLABLES.sub("", heading(cell))


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
        error = cell.text.removeprefix("the error ")
        is_error = error != cell.text
        raise CellFault(Text("the error %(error)s", error=error) if is_error else Text(error))
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


def text_or_none(cell: Cell) -> str:
    """Return a cell as text; empty for none, and for a formula or an error."""
    return "" if isinstance(cell, Unreadable) else text_of(cell)


def _plain(number: Decimal) -> str:
    return f"{number:f}"[:60]


def sku_of(cell: Cell) -> str:
    """Return a SKU as it is looked up everywhere: in capitals, without spaces around it.

    A number cell has lost the zeros in front of it: who looks it up and does not find it, says so.

    Raises:
        CellFault: a formula, an error, or a date (what a spreadsheet makes of `3-12`).
    """
    if isinstance(cell, date):
        raise CellFault(Text("a date instead of a SKU: format the column as text"))
    return text_of(cell).lstrip("'").upper()  # which makes a cell a text in a spreadsheet


def stored_value(cell: Cell) -> Cell:
    """Return a formula's value as the file keeps it, for who trusts it; other cells as they are."""
    if isinstance(cell, Unreadable) and cell.stored is not None and cell.text != CROSSED_OUT:
        return cell.stored
    return cell


def is_nothing(cell: Cell) -> bool:
    """Return whether a cell is empty, or has the dash that stands for it."""
    return cell is None or (isinstance(cell, str) and text_of(cell) in NOTHING | {""})


def shown_number(digits: str) -> int | Decimal:
    """Return a workbook's number as a spreadsheet shows it: to 15 digits, a whole one as such."""
    number = AS_SHOWN.create_decimal(digits)
    return int(number) if number == number.to_integral_value() else number.normalize()


def number_of(cell: Cell, mark: str = "") -> Decimal | None:
    """Return the number of a cell, a text's by the marks in it; None for an empty cell.

    `1,234.50` is more than a thousand, `7,92` is less than eight. `1,234` could be either: `mark`
    says what begins decimals in its column (`column_mark`).

    Raises:
        Doubtful: it could be either, and no mark is given.
        CellFault: not a number.
    """
    if isinstance(cell, int | Decimal) and not isinstance(cell, bool):
        return Decimal(cell)
    if is_nothing(cell):
        return None
    text = text_of(cell)
    readings = _readings(bare_number(text))
    numbers = {number for one, number in readings.items() if mark in ("", one)}
    if not numbers:
        raise CellFault(Text("“%(cell)s” is not a number", cell=text[:MAX_SHOWN]))
    if len(numbers) > 1:
        raise Doubtful(
            Text("“%(cell)s” is not a number that can be read in one way", cell=text[:MAX_SHOWN])
        )
    (number,) = numbers
    return Decimal(shown_number(number)) if len(number) > AS_SHOWN.prec else Decimal(number)


def column_mark(
    cells: Iterable[Cell], *, is_whole: bool = False, witnesses: Iterable[Cell] = ()
) -> str | None:
    """Return the mark that begins decimals in a column of texts; empty where each cell is clear by
    itself, None where it has to be asked, with the readings by both marks.

    The column's other cells decide, then `witnesses` (cells of money). Where it holds whole numbers
    (`is_whole`), `1,250` has no decimals; `10,000` may have, if most cells end with three zeros.
    """
    texts = _bare_numbers(cells)
    doubtful = [bare for bare in texts if is_doubtful(bare)]
    if not doubtful:
        return ""
    for witnessed in (texts, _bare_numbers(witnesses)):
        marks = set(map(_mark_of, witnessed)) - {""}
        if len(marks) == 1:
            return max(marks)
        if marks and not (
            is_whole and witnessed is not texts
        ):  # both: amounts say nothing of counts
            return None
    used = {mark for bare in doubtful for mark in MARKS if mark in bare}
    ends_otherwise = sum(not bare.endswith("000") for bare in doubtful)
    if is_whole and len(used) == 1 and 2 * ends_otherwise > len(doubtful):
        return MARKS.replace(used.pop(), "")
    return None


def _bare_numbers(cells: Iterable[Cell]) -> list[str]:
    bare = [bare_number(text_of(cell)) for cell in cells if isinstance(cell, str)]
    return [one for one in bare if WITH_MARKS.fullmatch(one)]


def is_doubtful(text: str) -> bool:
    """Return whether a number can be read in two ways by itself."""
    return len({*_readings(bare_number(text)).values()}) > 1


def mark_in(text: str) -> str:
    """Return the mark that begins decimals in a number; empty where it says none, or is none."""
    bare = bare_number(text)
    mark = _mark_of(bare)
    return mark if mark in bare else ""


def _mark_of(bare: str) -> str:
    """Return the mark that begins decimals where a number is written like this; empty where it may
    be either, or is none.
    """
    readings = _readings(bare)
    return max(readings) if len(readings) == 1 else ""


def _readings(bare: str) -> dict[str, str]:
    """Return a number, decimals behind a point, by each mark that may begin them."""
    return {
        mark: bare.replace(MARKS.replace(mark, ""), "").replace(mark, ".")
        for mark, pattern in BY_MARK.items()
        if pattern.fullmatch(bare)
    }


def count_of(cell: Cell, mark: str = "") -> int | None:
    """Return the whole number of a cell; None for an empty one. `mark` as for `number_of`.

    Raises:
        CellFault: not a whole number, or below zero.
    """
    number = number_of(cell, mark)
    if number is None:
        return None
    if number != number.to_integral_value():
        raise CellFault(Text("%(number)s is not a whole number", number=_plain(number)))
    if number < 0:
        raise CellFault(Text("%(number)s is below zero", number=_plain(number)))
    return int(number)


def money_of(cell: Cell, mark: str = "") -> Decimal | None:
    """Return the US dollars of a cell, to the cent; None for an empty one. `mark` as for
    `number_of`.

    Raises:
        CellFault: not a number, more than two decimals, or another currency.
    """
    if isinstance(cell, str) and currency_in(cell) not in ("", "USD"):
        raise CellFault(Text("“%(cell)s” is not in US dollars", cell=cell.strip()[:MAX_SHOWN]))
    number = number_of(cell, mark)
    if number is None:
        return None
    if abs(number) >= MOST_MONEY:
        raise CellFault(Text("%(number)s is too much", number=_plain(number)))
    rounded = number.quantize(CENT)
    if abs(rounded - number) > NOISE:  # what a spreadsheet computes is off by less than that
        raise CellFault(Text("%(number)s has more than two decimals", number=_plain(number)))
    return rounded


def currency_in(text: str) -> str:
    """Return the currency that a heading or an amount names (`Amount (USD)`, `HK$ 12.00`); empty if
    none. An unknown dollar is named as it is written (`ZZ$`): it is not the United States'.
    """
    text = unicodedata.normalize("NFKC", text)
    if WON.search(text):
        return "KRW"
    if (dollar := DOLLAR.search(text)) and (letters := (dollar[1] or dollar[2]).upper()):
        return DOLLARS.get(letters) or (letters if _is_currency(letters) else f"{letters}$")
    if "$" in text:  # beside it, capitals alone are a code: “all” is no lek
        codes = [*FAR_FROM_DOLLAR.findall(text), *filter(str.isupper, CURRENCIES.findall(text))]
        currencies = (
            DOLLARS.get(code, code) for code in codes if code in DOLLARS or _is_currency(code)
        )
        return next(currencies, "USD")
    if sign := next((sign for sign in SIGNS if sign in text), ""):
        return SIGNS[sign]
    return next((code.upper() for code in CURRENCIES.findall(text) if _is_currency(code)), "")


def _is_currency(code: str) -> bool:
    return currencies.get(alpha_3=code.upper()) is not None


def bare_number(text: str) -> str:
    """Return a number without its currency, spaces and apostrophes, a minus in front (`(12)`,
    `12-` and `△12` have one).
    """
    bare = CURRENCIES.sub("", DOLLAR.sub("", plain_signs(text)))
    bare = GROUPS.sub("", bare.translate({ord(sign): None for sign in SIGNS})).replace("−", "-")
    if bare.startswith("△"):  # as Korean accounts write it; ▲ may say that something rose
        return f"-{bare[1:].removeprefix('-')}"
    if bare.startswith("(") and bare.endswith(")"):
        return f"-{bare[1:-1]}"
    return f"-{bare[:-1]}" if bare.endswith("-") else bare.removesuffix("+")


def plain_csv_text(cell: str) -> str:
    """Return the text that a CSV cell stands for.

    `="0012"` is how exports keep leading zeros, `'=1+1` how they keep a text from being taken for a
    formula.
    """
    cell = cell.strip()
    if len(cell) > 2 and cell.startswith('="') and cell.endswith('"') and "=" not in cell[1:]:
        return cell[2:-1]
    return cell[1:] if GUARDED.match(cell) else cell
