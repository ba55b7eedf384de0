"""A list of SKUs and quantities as a buyer sends it: the price list filled in, or any sheet or text
with both.

Every row with a quantity becomes a line, with what is wrong with it; of every other row it is known
why it is none.
"""

import io
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import NamedTuple

from apps.catalog.lists.columns import (
    ASKS_COLUMNS,
    FindLayouts,
    Said,
    TabColumns,
    columns_of,
    fingerprints,
    layout_said,
)
from apps.catalog.lists.layout import FindCodes, Known, Layout, code_of, codes_in, layout_of
from apps.catalog.lists.rows import (
    HEADINGS_SAID,
    ListLine,
    PassedRow,
    code_of_name,
    name_of,
    read_named,
    read_row,
    text_of_row,
)
from apps.catalog.lists.typed import NamedRow, nothing_known, table_of
from apps.catalog.lists.words import FORMER
from apps.common.http.serializers import MAX_LINES
from apps.common.tables.cells import cell_at
from apps.common.tables.spreadsheets import SpreadsheetRefused, Tab, read_tabs

MAX_BYTES = 5 * 1024 * 1024
ROWS_OF_A_TAB = 10_000_000  # a row of the second tab has a number beyond this
NO_TEXT = "–"
MOST_HIDDEN = 20  # tabs that are named
MOST_TEXTS = 300  # rows passed over for the same reason whose text is kept

NO_ROWS = "There are no rows in it."
NO_COLUMNS = "No column with SKUs beside a column with quantities was found. Call them “SKU” and “Order qty”."
NO_QUANTITIES = (
    "No row has a quantity. Write how many pieces you want beside each SKU, and send it again."
)
MAX_ASKED = 20_000
TOO_MANY = f"More than {MAX_ASKED:,} rows have a quantity. Send it in parts."
TOO_MANY_PRODUCTS = (
    f"It orders more than {MAX_LINES:,} products, and a basket holds no more. Send it in parts."
)


class OrderList(NamedTuple):
    """The rows with a quantity, those without one, and by tab its name and the row of its headings
    (0: none).

    `columns` are the tabs as their columns are shown, with what is asked: till then there may be no
    line.
    """

    lines: list[ListLine]
    passed: list[PassedRow]
    heads: list[tuple[str, int]]
    columns: list[TabColumns]

    @property
    def without_quantity(self) -> int:
        """Return how many rows below the headings were passed over."""
        return sum(row.why != HEADINGS_SAID for row in self.passed)


def row_name(row: int) -> str:
    """Return a line's row as its sheet shows it, with its tab beyond the first: `5`, `5
    of tab 2`.
    """
    tab, number = divmod(row, ROWS_OF_A_TAB)
    return f"{number:,} of tab {tab + 1}" if tab else f"{number:,}"


class Progress:
    """Is told how far the reading of a list is; this one keeps it to itself."""

    def rows(self, count: int) -> None:
        """Take note of how many rows are there so far."""

    def products(self) -> None:
        """Take note that all rows are there, and their products are looked up."""


NOBODY = Progress()


def read_order_list(
    content: bytes,
    *,
    name: str,
    find: FindCodes = nothing_known,
    remembered: FindLayouts = nothing_known,
    said: Sequence[Said] = (),
    progress: Progress = NOBODY,
) -> OrderList:
    """Return the lines of a list that somebody sent, and why each other row is none.

    `find` returns the SKUs that codes mean; without it columns are told by their headings alone.
    `remembered` returns layouts that were settled, by their fingerprints, `said` is what is settled
    with this list.

    Raises:
        SpreadsheetRefused: a file that cannot be read, no columns that could be named, no row with
            a quantity, more than 20,000, or more than 2,000 products.
    """
    is_typed = name.lower().endswith(".txt")
    named: list[NamedRow] = []
    if is_typed:
        content, named = table_of(content, find)
    all_tabs = read_tabs(io.BytesIO(content), name=name, max_bytes=MAX_BYTES, told=progress.rows)
    progress.products()
    tabs = [tab for tab in all_tabs if not tab.is_hidden]
    if not any(tab.rows for tab in tabs):
        raise SpreadsheetRefused(NO_ROWS)
    known = find(codes_in(row for tab in tabs for row in tab.rows))
    if is_typed:
        return _with_names(order_list_of(tabs, known), named, find)._replace(columns=[])
    found = order_list_of(tabs, known, remembered=remembered, said=said, find=find)
    return found._replace(passed=[*found.passed, *_hidden(all_tabs)])


def _hidden(tabs: Sequence[Tab]) -> list[PassedRow]:
    """Return the tabs that are hidden, which are not read, by the row before their first; shown
    ones stand first.
    """
    hidden = [(place, tab.name) for place, tab in enumerate(tabs) if tab.is_hidden]
    return [
        PassedRow(place * ROWS_OF_A_TAB, f"On the hidden tab “{name}”.", name)
        for place, name in hidden[:MOST_HIDDEN]
    ]


def order_list_of(
    tabs: Sequence[Tab],
    known: Known,
    *,
    remembered: FindLayouts = nothing_known,
    said: Sequence[Said] = (),
    find: FindCodes = nothing_known,
) -> OrderList:
    """Return the lines of tabs that were read, and why each other row is none; `known` is what
    their codes mean.

    `remembered` and `said` as in `read_order_list`; `find` is asked once more, for names that stand
    without a code.

    Raises:
        SpreadsheetRefused: as `read_order_list`.
    """
    layouts = [layout_of(tab.rows, known) for tab in tabs]
    chosen = _chosen(tabs, layouts, known, remembered) | {
        one.tab: one for one in said if one.tab < len(tabs)
    }
    for index, one in chosen.items():
        layouts[index] = layout_said(tabs[index].rows, one.head, one.settled, known)
    meant = _meant(tabs, layouts, chosen)
    heads = [
        (tab.name, layout.head if layout else 0) for tab, layout in zip(tabs, meant, strict=True)
    ]
    found = OrderList([], [], heads, columns_of(tabs, meant, chosen, known))
    if not any(meant):
        return _asked_or_refused(found, NO_COLUMNS)
    _add_rows(found, tabs, meant, {**known, **find(_names_alone(tabs, meant))})
    _check_size(found.lines)
    return found if found.lines else _asked_or_refused(found, NO_QUANTITIES)


def _with_names(found: OrderList, named: Sequence[NamedRow], find: FindCodes) -> OrderList:
    """Return a typed list with its rows that name their product, all in their order.

    Raises:
        SpreadsheetRefused: as `_check_size`.
    """
    if not named:
        return found
    known = find({code_of_name(row.name) for row in named})
    read = [read_named(row, known) for row in named]
    lines = [*found.lines, *(line for line in read if isinstance(line, ListLine))]
    passed = [*found.passed, *(row for row in read if isinstance(row, PassedRow))]
    _check_size(lines)
    return found._replace(
        lines=sorted(lines, key=lambda line: line.row),
        passed=sorted(passed, key=lambda row: row.row),
    )


def _check_size(lines: Sequence[ListLine]) -> None:
    """Check that a list can be reviewed and put into a basket.

    Raises:
        SpreadsheetRefused: more than 20,000 rows with a quantity, or more than 2,000 that order
            something different.
    """
    if len(lines) > MAX_ASKED:
        raise SpreadsheetRefused(TOO_MANY)
    if (
        len(
            {
                line.sku or (line.name, line.meant) if line.sku or line.name else line.row
                for line in lines
            }
        )
        > MAX_LINES
    ):
        raise SpreadsheetRefused(TOO_MANY_PRODUCTS)


def _add_rows(
    found: OrderList, tabs: Sequence[Tab], layouts: Sequence[Layout | None], known: Known
) -> None:
    """Add the rows of all tabs to the lines of a list, or to what was passed over."""
    passed: Counter[str] = Counter()
    for index, (tab, layout) in enumerate(zip(tabs, layouts, strict=True)):
        no_order = f"On the tab “{tab.name}”, which is no order."
        for row in tab.rows:
            read = read_row(row, layout, known) if layout else PassedRow(row.number, no_order)
            number = row.number + index * ROWS_OF_A_TAB
            if isinstance(read, PassedRow):
                passed[read.why] += 1
                text = text_of_row(row) or NO_TEXT if passed[read.why] <= MOST_TEXTS else ""
                found.passed.append(PassedRow(number, read.why, text))
            else:
                found.lines.append(replace(read, row=number))


def _chosen(
    tabs: Sequence[Tab], layouts: Sequence[Layout | None], known: Known, remembered: FindLayouts
) -> dict[int, Said]:
    """Return the tabs whose columns were settled before, by their places."""
    marks = [fingerprints(tab, layout, known) for tab, layout in zip(tabs, layouts, strict=True)]
    settled = remembered([mark for found in marks for mark in found])
    chosen = {}
    for index, found in enumerate(marks):
        if mark := next((mark for mark in found if mark in settled), ""):
            chosen[index] = Said(index, found[mark], settled[mark])
    return chosen


def _asked_or_refused(found: OrderList, why: str) -> OrderList:
    """Return a list without lines whose columns can be named otherwise.

    Raises:
        SpreadsheetRefused: they can not; `why` says so.
    """
    columns = [
        replace(one, asks=ASKS_COLUMNS) if one.is_remembered else one for one in found.columns
    ]
    if not any(one.asks for one in columns):
        raise SpreadsheetRefused(why)
    return found._replace(lines=[], columns=columns)


def _meant(
    tabs: Sequence[Tab], layouts: Sequence[Layout | None], chosen: Collection[int]
) -> list[Layout | None]:
    """Return the layouts of the orders: of several tabs none that is called prices, stock or a
    former order.

    Unless a buyer has said that it is one.
    """
    named = [
        None
        if index not in chosen and any(word in tab.name.casefold() for word in FORMER)
        else layout
        for index, (tab, layout) in enumerate(zip(tabs, layouts, strict=True))
    ]
    return named if any(named) else list(layouts)


def _names_alone(tabs: Sequence[Tab], layouts: Sequence[Layout | None]) -> set[str]:
    """Return the names of rows that have no code, as own codes are looked up."""
    names = set()
    for tab, layout in zip(tabs, layouts, strict=True):
        if layout is None or not layout.names:
            continue
        for row in tab.rows:
            if row.number > layout.head and not any(
                code_of(cell_at(row.cells, index)) for index in layout.codes
            ):
                names.add(code_of_name(name_of(row, layout)))
    return names - {""}
