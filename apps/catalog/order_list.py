"""A list of SKUs and quantities as a buyer sends it: the price list filled in, or any sheet or text with both.

Every row with a quantity becomes a line, with what is wrong with it; of every other row it is known why it is none.
"""

import io
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from difflib import SequenceMatcher
from typing import NamedTuple

from apps.catalog.list_layout import FindCodes, Known, Layout, code_of, codes_in, kind_of, layout_of
from apps.catalog.list_words import FORMER, NOTHING, PIECES, TOTALS
from apps.catalog.rules import ean_of
from apps.catalog.typed_list import FEW_DIGITS, table_of
from apps.common.http.serializers import MAX_COUNT, MAX_LINES
from apps.common.tables.cells import Cell, CellFault, Unreadable, cell_at, count_of, heading, number_of, text_of
from apps.common.tables.spreadsheets import Row, SpreadsheetRefused, Tab, read_tabs

MAX_BYTES = 5 * 1024 * 1024
MAX_SKU_SHOWN = 60
MAX_NAME_SHOWN = 80
ROWS_OF_A_TAB = 10_000_000  # a row of the second tab has a number beyond this
LIST_NUMBER = re.compile(r"\s*\d{1,3}[.)]\s+(?=\S)")  # `1. ABC-1 20`, `1) ABC-1 20`
ALIKE = 0.7
ANY_NUMBER = re.compile(r"\d+")
WITH_UNIT = re.compile(r"(\d[\d.,' ]*?)\s*([^\W\d_]+)\.?")

HEADINGS_SAID = "Headings."
NO_ROWS = "There are no rows in it."
NO_COLUMNS = "No column with SKUs beside a column with quantities was found. Call them “SKU” and “Order qty”."
NO_QUANTITIES = "No row has a quantity. Write how many pieces you want beside each SKU, and send it again."
TOO_MANY = f"More than {MAX_LINES:,} rows have a quantity. Send it in parts."


@dataclass(frozen=True)
class ListLine:
    """A row with a quantity: SKU and pieces as read; `fault` says why there are none, `guess` how many may be meant."""

    row: int
    sku: str
    count: int
    price: Decimal | None = None
    fault: str = ""
    guess: int = 0  # the pieces that a quantity which cannot be read may mean


class PassedRow(NamedTuple):
    """A row that asks for nothing, and why."""

    row: int
    why: str


class OrderList(NamedTuple):
    """The rows with a quantity, those without one, and by tab its name and the row of its headings (0: none)."""

    lines: list[ListLine]
    passed: list[PassedRow]
    heads: list[tuple[str, int]]

    @property
    def without_quantity(self) -> int:
        """Return how many rows below the headings were passed over."""
        return sum(row.why != HEADINGS_SAID for row in self.passed)


def row_name(row: int) -> str:
    """Return a line's row as its sheet shows it, with its tab beyond the first: `5`, `5 of tab 2`."""
    tab, number = divmod(row, ROWS_OF_A_TAB)
    return f"{number:,} of tab {tab + 1}" if tab else f"{number:,}"


def nothing_known(_: object) -> Known:
    """Return that no code is known."""
    return {}


def read_order_list(content: bytes, *, name: str, find: FindCodes = nothing_known) -> OrderList:
    """Return the lines of a list that somebody sent, and why each other row is none.

    `find` returns the SKUs that codes mean; without it columns are told by their headings alone.

    Raises:
        SpreadsheetRefused: a file that cannot be read, no SKUs beside quantities, or more than 2,000 rows with one.
    """
    if name.lower().endswith(".txt"):
        content = table_of(content)
    tabs = read_tabs(io.BytesIO(content), name=name, max_bytes=MAX_BYTES)
    if not any(tab.rows for tab in tabs):
        raise SpreadsheetRefused(NO_ROWS)
    return order_list_of(tabs, find(codes_in(row for tab in tabs for row in tab.rows)))


def order_list_of(tabs: Sequence[Tab], known: Known) -> OrderList:
    """Return the lines of tabs that were read, and why each other row is none; `known` is what their codes mean.

    Raises:
        SpreadsheetRefused: as `read_order_list`.
    """
    layouts = [layout_of(tab.rows, known) for tab in tabs]
    if not any(layouts):
        raise SpreadsheetRefused(NO_COLUMNS)
    meant = _meant(tabs, layouts)
    found = OrderList(
        [], [], [(tab.name, layout.head if layout else 0) for tab, layout in zip(tabs, meant, strict=True)]
    )
    for index, (tab, layout) in enumerate(zip(tabs, meant, strict=True)):
        for row in tab.rows:
            read = _read(row, layout, known) if layout else PassedRow(0, f"On the tab “{tab.name}”, which is no order.")
            number = row.number + index * ROWS_OF_A_TAB
            if isinstance(read, PassedRow):
                found.passed.append(read._replace(row=number))
            else:
                found.lines.append(replace(read, row=number))
    if len(found.lines) > MAX_LINES:
        raise SpreadsheetRefused(TOO_MANY)
    if not found.lines:
        raise SpreadsheetRefused(NO_QUANTITIES)
    return found


def _meant(tabs: Sequence[Tab], layouts: Sequence[Layout | None]) -> list[Layout | None]:
    """Return the layouts of the orders: of several tabs none that is called prices, stock or a former order."""
    named = [
        None if any(word in tab.name.casefold() for word in FORMER) else layout
        for tab, layout in zip(tabs, layouts, strict=True)
    ]
    return named if any(named) else list(layouts)


def _read(row: Row, layout: Layout, known: Known) -> ListLine | PassedRow:
    """Return a row as a line, or why it is none."""
    if row.number <= layout.head:
        return PassedRow(row.number, HEADINGS_SAID)
    texts = [_text(cell) for cell in row.cells]
    codes = [code for index in layout.codes if (code := code_of(cell_at(row.cells, index)))]
    name = next((text for index in layout.names if index < len(texts) and (text := texts[index])), "")
    amount = _amount(row, layout)
    if amount.is_none:
        return PassedRow(row.number, "No quantity.")
    means = {code: frozenset(known[code]) for code in codes if code in known}
    if not means and _is_no_line(row, texts, codes, amount, layout):
        return PassedRow(row.number, "A total or a heading, not ordered.")
    price = _price(cell_at(row.cells, layout.price))
    sku, fault = _sku(codes, means, name, row, layout)
    fault = fault or amount.fault or _doubt(row, codes, means, layout)
    guess = amount.guess or amount.count
    return ListLine(row.number, sku[:MAX_SKU_SHOWN], 0 if fault else amount.count, price, fault, guess if fault else 0)


def _doubt(row: Row, codes: Sequence[str], means: Mapping[str, frozenset[str]], layout: Layout) -> str:
    """Return why a row is asked about that could be ordered: a code that is none, other units, a remark."""
    ours = {code_of(cell_at(row.cells, index)) for index in layout.ours}
    meant = next(iter(next(iter(means.values()))), "") if means else ""
    wrong = [
        code
        for code in codes
        if code not in means
        and code != meant.lstrip("0")
        and (code in ours or _is_spoilt(code) or SequenceMatcher(None, code, meant).ratio() > ALIKE)
    ]
    if means and wrong:
        return f"“{wrong[0][:40]}” in this row is no code of ours; {next(iter(means))} is. Is it meant?"
    for index in layout.units:
        if (unit := heading(_text(cell_at(row.cells, index)))) and unit not in PIECES:
            return f"Quantity: in “{_text(cell_at(row.cells, index))[:30]}”: how many pieces is that?"
    remark = next((text for index in layout.notes if (text := _text(cell_at(row.cells, index)))), "")
    return f"Your remark says “{remark[:MAX_NAME_SHOWN]}”." if remark else ""


def _is_spoilt(code: str) -> bool:
    """Return whether a code is an EAN with a wrong digit."""
    return code.isdigit() and len(code) in (12, 13) and ean_of(code) is None


def _text(cell: Cell) -> str:
    try:
        return text_of(cell)
    except CellFault:
        return ""


def _sku(
    codes: Sequence[str], means: dict[str, frozenset[str]], name: str, row: Row, layout: Layout
) -> tuple[str, str]:
    """Return the SKU that a row's codes mean, or what it calls it itself; with it what is wrong."""
    meant = frozenset.intersection(*means.values()) if means else frozenset()
    if len(meant) == 1:
        (sku,) = meant
        own = next((code for code in means if means[code] == meant and code != sku and not code.isdigit()), "")
        # A SKU that has lost its zeros stays as it is written: the review asks about it.
        return (codes[0] if codes[0] in (own, sku.lstrip("0")) else sku), ""
    if means:
        shown = "; ".join(f"{code} is {' or '.join(sorted(skus)[:3])}" for code, skus in means.items())
        return "", f"Which product is meant? {shown}."
    if codes:
        return codes[0], ""
    for index in layout.codes:
        cell = cell_at(row.cells, index)
        if isinstance(cell, Unreadable) or (cell is not None and not isinstance(cell, str | int | Decimal)):
            return "", "SKU: a date or formula instead of a SKU: format the column as text."
    return (
        "",
        f"No code in this row: “{name[:MAX_NAME_SHOWN]}”. Which product is it?" if name else "This row has no SKU.",
    )


def _is_no_line(row: Row, texts: Sequence[str], codes: Sequence[str], amount: "_Amount", layout: Layout) -> bool:
    """Return whether a row whose codes mean nothing is a total, a heading again, or a remark."""
    words = [heading(text.rstrip(":")) for text in texts if text]
    if any(word in TOTALS or word.split(" ")[0] in TOTALS for word in words if word):
        return True
    kinds = [kind_of(text) for text in texts if text]
    if len(kinds) > 1 and all(kinds):
        return True
    if any(cell is not None for index in layout.names for cell in [cell_at(row.cells, index)]):
        return False
    return not codes and (isinstance(amount.cell, Unreadable) or not ANY_NUMBER.search(_text(amount.cell)))


@dataclass(frozen=True)
class _Amount:
    """What the cells of quantities say: pieces, or what is wrong, and how many may be meant."""

    cell: Cell = None
    count: int = 0
    fault: str = ""
    guess: int = 0

    @property
    def is_none(self) -> bool:
        """Return whether nothing is asked for."""
        return not self.count and not self.fault


def _amount(row: Row, layout: Layout) -> _Amount:
    """Return what a row asks for: in pieces, else in cartons, which is a question."""
    pieces = [amount for index in layout.pieces if not (amount := _pieces(cell_at(row.cells, index))).is_none]
    cartons = [amount for index in layout.cartons if not (amount := _pieces(cell_at(row.cells, index))).is_none]
    if pieces:
        first = pieces[0]
        if not layout.is_sure or any(other.count != first.count for other in pieces):
            shown = " or ".join(_text(amount.cell) or "a formula" for amount in pieces)
            if len(pieces) == 1:
                return _Amount(first.cell, 0, f"Quantity: is {shown} how many pieces you want?", first.count)
            return _Amount(first.cell, 0, f"Quantity: {shown}: which is it?")
        return first
    if not cartons:
        return _Amount()
    first = cartons[0]
    return _Amount(first.cell, 0, first.fault or f"Quantity: {first.count:,} cartons: how many pieces is that?")


def _pieces(cell: Cell) -> _Amount:
    if isinstance(cell, str):
        cell = _plain_digits(cell)
        if cell.casefold() in NOTHING:
            return _Amount()
        if known := WITH_UNIT.fullmatch(cell):
            if heading(known[2]) not in PIECES:
                return _Amount(cell, 0, f"Quantity: “{cell[:30]}”: how many pieces is that?", _guess(cell))
            cell = known[1]
    try:
        count = count_of(cell) or 0
    except CellFault as error:
        return _Amount(cell, 0, f"Quantity: {error}.", _guess(cell))
    if count > MAX_COUNT:
        return _Amount(cell, 0, f"A line has at most {MAX_COUNT:,} pieces.")
    return _Amount(cell, count)


def _plain_digits(text: str) -> str:
    """Return a text with digits of any script as ours, and no space around it."""
    return "".join(
        str(unicodedata.digit(char)) if char.isdigit() else char for char in unicodedata.normalize("NFKC", text)
    ).strip()


def _guess(quantity: Cell) -> int:
    """Return the one number in a quantity that cannot be read (`about 20`, `2O pcs` has another); 0 where none is."""
    found = ANY_NUMBER.findall(quantity) if isinstance(quantity, str) else []
    return int(found[0]) if len(found) == 1 and len(found[0]) <= FEW_DIGITS else 0


def _price(cell: Cell) -> Decimal | None:
    """Return the price beside a quantity; what is none is passed over, as prices are the portal's."""
    try:
        return number_of(cell)
    except CellFault:
        return None
