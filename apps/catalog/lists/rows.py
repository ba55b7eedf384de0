"""A row of a buyer's sheet: what it orders, or what is asked about it, or why it is no line of the
order.
"""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from difflib import SequenceMatcher
from typing import NamedTuple

from apps.catalog.lists.amounts import (
    ANY_NUMBER,
    Amount,
    Doubt,
    amount_of,
    asked_alone,
    doubt_of,
    pieces_per_carton,
    text_in,
    unpacked_by,
)
from apps.catalog.lists.layout import Known, Layout, code_of, kind_of
from apps.catalog.lists.typed import NamedRow
from apps.catalog.lists.words import TOTALS
from apps.catalog.models import MAX_OWN_CODE
from apps.catalog.reading.codes import code_key
from apps.catalog.rules import ean_of
from apps.common.tables.cells import Cell, CellFault, Unreadable, cell_at, heading, number_of
from apps.common.tables.spreadsheets import Row

MAX_SKU_SHOWN = 60
MAX_NAME_SHOWN = 80
MAX_ROW_SHOWN = 120
ALIKE = 0.7
DIGEST = 8
WORDS = re.compile(r"(?<![\w-])[^\W\d_]{2,}(?![\w-])")
SHORTENED = re.compile(r"\d[.,]?\d*E\+?\d+")  # what spreadsheets make of an EAN: `9.52E+12`

HEADINGS_SAID, NO_QUANTITY_SAID = "Headings.", "No quantity."
TOTAL_SAID, HEADING_SAID, REMARK_SAID = "A total.", "A heading.", "A remark."
WHICH_SAID = "Which product is meant?"
HOW_MANY = "How many pieces do you want?"
NAME_AND_PIECES = Layout(codes=(), names=(0,), pieces=(1,), cartons=(), price=None, head=0)


@dataclass(frozen=True)
class ListLine:
    """A row with a quantity: SKU and pieces as read; `fault` says why there are none, `guess` how
    many may be meant.
    """

    row: int
    sku: str
    count: int
    price: Decimal | None = None
    fault: str = ""
    guess: int = 0  # the pieces that a quantity which cannot be read may mean
    name: str = (
        ""  # what has to be asked: the name of a row without a SKU, or a code beside another
    )
    meant: str = ""  # the SKU that the other one is
    called: str = ""  # what a row with a SKU calls its product besides
    is_hidden: bool = False  # in the sheet, by hand or by a filter
    words: str = ""  # all of a typed row that has a name
    must_enter: bool = False  # nothing can be proposed: cartons, below zero, too many, cancelled
    packs: int = 0  # cartons; where it is not known what they hold, that alone is asked
    unit: str = ""  # what they are called
    code: str = (
        ""  # the code of a row that is asked, by which the answer is remembered; empty: by its name
    )
    either: Sequence[str] = ()  # the SKUs that its codes may mean
    count_taught: int = (
        0  # pieces of cartons by what the company has said of them, where the row says it itself
    )


def chosen_line(*, row: int, sku: str, count: int, packs: int = 0, unit: str = "") -> ListLine:
    """Return a row whose product somebody has chosen; without pieces they are asked, as nothing
    says how many.

    Unless it asks for cartons of which that is known.
    """
    fault = "" if count else HOW_MANY
    return ListLine(row, sku, count, fault=fault, must_enter=count == 0, packs=packs, unit=unit)


def carton_code(sku: str, unit: str) -> str:
    """Return what a carton of a product is kept by among a company's own codes."""
    return f"{unit} OF {sku}".upper()


class PassedRow(NamedTuple):
    """A row that asks for nothing, why, and what stands there."""

    row: int
    why: str
    text: str = ""


def code_of_name(name: str) -> str:
    """Return a name as a company's own code of a product; what is too long is cut, and told apart
    by its digest.
    """
    if len(name) <= MAX_OWN_CODE:
        return name.upper()
    digest = hashlib.sha256(name.upper().encode()).hexdigest()[:DIGEST].upper()
    return f"{name[: MAX_OWN_CODE - DIGEST - 2].strip()}… {digest}".upper()


def name_of(row: Row, layout: Layout) -> str:
    """Return what a row calls its product; empty where it has no name."""
    return next(
        (text for index in layout.names if (text := text_in(cell_at(row.cells, index)))), ""
    )


@dataclass(frozen=True)
class _Called:
    """What a row calls its product: its codes, those that are known with the SKUs that they mean,
    and its name.
    """

    codes: Sequence[str]
    means: Mapping[str, frozenset[str]]
    name: str


def read_row(row: Row, layout: Layout, known: Known) -> ListLine | PassedRow:
    """Return a row as a line, or why it is none."""
    if row.number <= layout.head:
        return PassedRow(row.number, HEADINGS_SAID)
    called, amount = _called(row, layout, known), amount_of(row, layout)
    if amount.is_none:
        return PassedRow(
            row.number, NO_QUANTITY_SAID if called.codes or called.name else _why_bare(row)
        )
    if not called.means and (why := _why_no_line(row, called, amount, layout)):
        return PassedRow(row.number, why)
    line = _line(row, called, amount, layout)
    return replace(line, is_hidden=True) if row.is_hidden else line


def read_named(named: NamedRow, known: Known) -> ListLine | PassedRow:
    """Return a typed row of a name as a line: its product is asked, unless the company calls one
    so.
    """
    row = Row(named.number, (named.name, named.quantity))
    called, amount = _called(row, NAME_AND_PIECES, known), amount_of(row, NAME_AND_PIECES)
    if amount.is_none or (not called.means and _is_total([named.name])):
        why = NO_QUANTITY_SAID if amount.is_none else TOTAL_SAID
        return PassedRow(row.number, why, named.words[:MAX_ROW_SHOWN])
    if called.means:
        return _line(row, called, amount, NAME_AND_PIECES)
    line = _which(row, None, amount, (WHICH_SAID, amount.fault), name=named.name)
    return replace(line, words=named.words)


def text_of_row(row: Row) -> str:
    """Return what stands in a row, as it is shown where the row was passed over."""
    return " · ".join(filter(None, map(text_in, row.cells)))[:MAX_ROW_SHOWN]


def _called(row: Row, layout: Layout, known: Known) -> _Called:
    codes, name = _codes(row, layout, known), name_of(row, layout) or _name_among_codes(row, layout)
    if not codes and (code := code_of_name(name)) in known:
        codes = [code]
    return _Called(codes, {code: frozenset(known[code]) for code in codes if code in known}, name)


def _codes(row: Row, layout: Layout, known: Known) -> list[str]:
    """Return what stands in a row's columns of codes; a name that stands there is none, unless it
    is known as one.
    """
    codes = [code for index in layout.codes if (code := code_of(cell_at(row.cells, index)))]
    return [code for code in codes if code in known or not _is_worded(code)]


def _name_among_codes(row: Row, layout: Layout) -> str:
    return next(
        filter(_is_worded, (text_in(cell_at(row.cells, index)) for index in layout.codes)), ""
    )


def _is_worded(text: str) -> bool:
    """Return whether what stands in a column of codes is a name: it has two words
    without a digit.
    """
    return len(WORDS.findall(text)) > 1


def _line(row: Row, called: _Called, amount: Amount, layout: Layout) -> ListLine:
    """Return a row that asks for pieces; which product it is comes first, what else is asked is
    told with it.
    """
    price, (amount, doubt) = (
        _price(cell_at(row.cells, layout.price)),
        _pieces_asked(row, amount, layout),
    )
    sku, fault = _sku(row, called, layout)
    if strange := _strange(row, called, layout, sku):
        code, meant = _first(called.means)
        fault = f"“{strange[:40]}” in this row is no code of ours; {code} is. Is it meant?"
        return _which(
            row, price, amount, (fault, amount.fault, doubt.text), name=strange, meant=meant
        )
    code, either = _either(called)
    if not sku and (called.name or either):
        line = _which(
            row, price, amount, (fault, amount.fault, doubt.text), name=called.name or code
        )
        return replace(line, code=code, either=either)
    fault = fault or amount.fault or doubt.text
    besides = "" if code_of_name(called.name) in called.codes else called.name
    line = ListLine(row.number, sku[:MAX_SKU_SHOWN], amount.count, price, called=besides)
    line = replace(line, packs=amount.packs, unit=amount.unit)
    return _asked(line, fault, amount) if fault else line


def _pieces_asked(row: Row, amount: Amount, layout: Layout) -> tuple[Amount, Doubt]:
    """Return what a row asks for and what else is asked of it: nothing of cartons where it says
    what they hold.
    """
    doubt = doubt_of(row, layout)
    amount = replace(asked_alone(amount, doubt), must_enter=amount.must_enter or doubt.must_enter)
    if not amount.packs:
        return amount, doubt
    return unpacked_by(
        replace(amount, fault=amount.fault or doubt.text), pieces_per_carton(row, layout)
    ), Doubt()


def _asked(line: ListLine, fault: str, amount: Amount) -> ListLine:
    """Return a line whose pieces are asked, with those that may be meant, if any can be
    proposed.
    """
    guess = 0 if amount.must_enter else amount.guess or amount.count
    return replace(line, count=0, fault=fault, guess=guess, must_enter=amount.must_enter)


def _which(
    row: Row,
    price: Decimal | None,
    amount: Amount,
    faults: Sequence[str],
    *,
    name: str,
    meant: str = "",
) -> ListLine:
    """Return a row whose product is asked, by its name or by a code beside another that means
    `meant`.
    """
    said = " ".join(dict.fromkeys(filter(None, faults)))
    guess = 0 if amount.fault or amount.must_enter else amount.count
    line = ListLine(row.number, "", 0, price, said, guess, name, meant)
    return replace(line, packs=amount.packs, unit=amount.unit) if amount.fault else line


def _first(means: Mapping[str, frozenset[str]]) -> tuple[str, str]:
    """Return the first code that is known, and what it means; both empty where none is."""
    code = next(iter(means), "")
    return code, next(iter(means[code]), "") if code else ""


def _strange(row: Row, called: _Called, layout: Layout, sku: str) -> str:
    """Return a code that is none, beside one that means a SKU: a wrong digit, or our column's.
    `9E+12` is not.
    """
    _, meant = _first(called.means)
    if not meant or not sku:
        return ""
    ours = {code_of(cell_at(row.cells, index)) for index in layout.ours}
    unknown = [
        code
        for code in called.codes
        if code not in called.means and not _is_written_otherwise(code, meant)
    ]
    return next((code for code in unknown if code in ours or _is_mistyped(code, meant)), "")


def _is_written_otherwise(code: str, sku: str) -> bool:
    """Return whether a code is a SKU that has lost its zeros, or an EAN as spreadsheets
    shorten it.
    """
    return code == sku.lstrip("0") or SHORTENED.fullmatch(code) is not None


def _is_mistyped(code: str, sku: str) -> bool:
    """Return whether a code is an EAN with a wrong digit, or nearly a SKU."""
    is_spoilt = code.isdigit() and len(code) in (12, 13) and ean_of(code) is None
    return is_spoilt or SequenceMatcher(None, code, sku).ratio() > ALIKE


def _sku(row: Row, called: _Called, layout: Layout) -> tuple[str, str]:
    """Return the SKU that a row's codes mean, or what it calls it itself; with it what is wrong."""
    if called.means:
        return _sku_meant(called)
    if called.codes:
        return called.codes[0], ""
    if any(_is_no_code(cell_at(row.cells, index)) for index in layout.codes):
        return "", "SKU: a date or formula instead of a SKU: format the column as text."
    if called.name:
        return "", f"No code in this row: “{called.name[:MAX_NAME_SHOWN]}”. Which product is it?"
    return "", "This row has no SKU."


def _either(called: _Called) -> tuple[str, tuple[str, ...]]:
    """Return the first known code of a row and the SKUs of which it means one; both empty where it
    means one alone.
    """
    code, _ = _first(called.means)
    several = tuple(sorted(called.means.get(code, ())))
    return (code, several) if len(several) > 1 else ("", ())


def _sku_meant(called: _Called) -> tuple[str, str]:
    """Return the SKU that all known codes of a row mean; where there is none, which it may be is
    asked.
    """
    codes, means = called.codes, called.means
    meant = frozenset.intersection(*means.values())
    if len(meant) != 1:
        shown = "; ".join(
            f"{code} is {' or '.join(sorted(skus)[:3])}" for code, skus in means.items()
        )
        return "", f"Which product is meant? {shown}."
    (sku,) = meant
    own = next((code for code in means if means[code] == meant and _is_own(code, sku)), "")
    # A SKU that has lost its zeros stays as it is written: the review asks about it.
    return (codes[0] if codes[0] in (own, sku.lstrip("0")) else sku), ""


def _is_own(code: str, sku: str) -> bool:
    """Return whether a code that means a SKU is the company's own: no spelling of it, nor digits
    alone, as EANs are.
    """
    return code_key(code) != code_key(sku) and not code.isdigit() and ean_of(code) is None


def _is_no_code(cell: Cell) -> bool:
    """Return whether a cell holds what can be no code: a formula, a date."""
    return cell is not None and not isinstance(cell, str | int | Decimal)


def _why_no_line(row: Row, called: _Called, amount: Amount, layout: Layout) -> str:
    """Return why a row whose codes mean nothing is no line: a total, heading or remark; empty where
    it is one.
    """
    if why := _why_bare(row, otherwise=""):
        return why
    has_name = any(cell_at(row.cells, index) is not None for index in layout.names)
    has_number = not isinstance(amount.cell, Unreadable) and ANY_NUMBER.search(text_in(amount.cell))
    return "" if has_name or called.codes or called.name or has_number else REMARK_SAID


def _why_bare(row: Row, *, otherwise: str = REMARK_SAID) -> str:
    """Return what a row is that names no product."""
    texts = [text for cell in row.cells if (text := text_in(cell))]
    if _is_total(texts):
        return TOTAL_SAID
    return HEADING_SAID if _is_heading(texts) else otherwise


def _is_total(texts: Sequence[str]) -> bool:
    words = [heading(text.rstrip(":")) for text in texts]
    return any(word in TOTALS or word.split(" ")[0] in TOTALS for word in words if word)


def _is_heading(texts: Sequence[str]) -> bool:
    return len(texts) > 1 and all(map(kind_of, texts))


def _price(cell: Cell) -> Decimal | None:
    """Return the price beside a quantity; what is none is passed over, as prices are
    the portal's.
    """
    try:
        return number_of(cell)
    except CellFault:
        return None
