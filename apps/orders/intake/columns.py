"""Stage two: which tab is the order, which row has its headings, what its columns hold. What cannot
be told is asked once, and remembered for the company's next sheet of the same layout.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property
from itertools import combinations, islice, pairwise, product
from math import prod
from operator import itemgetter
from typing import NamedTuple

from xlsxwriter.utility import xl_col_to_name

from apps.catalog.rules import ean_of
from apps.common.tables.cells import (
    CENT,
    MARKS,
    Cell,
    CellFault,
    Unreadable,
    cell_at,
    column_mark,
    count_of,
    heading,
    is_doubtful,
    number_of,
    stored_value,
)
from apps.common.tables.spreadsheets import HEADINGS_WITHIN, Row, SpreadsheetRefused, Tab
from apps.common.types import Json
from apps.orders.intake.catalogue import Catalogue, is_worded, sizes_of, words_of
from apps.orders.intake.typed import Line, typed_row
from apps.orders.intake.words import (
    AGREEMENTS,
    CARTONS,
    EAN,
    FORMER_TABS,
    KIND_STEMS,
    MONTHS,
    NAME,
    NOTE,
    OTHER,
    OWN,
    PER_CARTON,
    PRICE,
    QTY,
    REFUSALS,
    SKU,
    VARIANT_STEMS,
    amount_in,
    has_digit,
    is_free,
    is_plain_quantity,
    is_total,
    kind_of,
    meaning_of_note,
    number_text,
    text_in,
    texts_in,
)
from apps.orders.intake.workbook import MAX_ROWS, TITLES, TOO_LONG, Workbook

CODES = (SKU, EAN, OWN)
MIN_HITS = 2
MAX_CARTON = 10_000
FIRST_ROWS = 30  # that tell whether it is worth while to look at all
COLUMNS, QUANTITY, NUMBER, CARTON = "columns", "quantity", "number", "carton"
ASKS = (COLUMNS, QUANTITY, NUMBER, CARTON)
SIDE_BY_SIDE = (
    "Two lists stand side by side on “{}”: one would be lost. Put one below the other, with the "
    "same columns, and send it again."
)
TRANSPOSED = (
    "The products stand side by side on “{}”, one in each column. Put one below the other, a row "
    "for each, and send it again."
)
FEWEST_ACROSS, MOST_ACROSS = 3, 2  # products in a row, rows of their SKUs and EANs
ANSWERED = TITLES[:5]
MAX_NOTE, MOST_NOTES = 80, 10
ANY_NUMBER = re.compile(r"\d+")


class TabMapping(NamedTuple):
    """What is said of a tab, by the buyer now or by his company before: the row of its headings (0:
    none), what each column holds, the pieces in a carton (0: not said) and what begins decimals.
    Several columns of pieces are added up, as he said.
    """

    head: int
    kinds: Sequence[str]
    carton: int = 0
    decimal: str = ""
    tab: int = 0

    @property
    def fault(self) -> str:
        """Return why rows cannot be read so; empty where they can."""
        if not {*CODES, NAME} & {*self.kinds}:
            return "No column names the product."
        if not {QTY, CARTONS} & {*self.kinds}:
            return "No column holds the quantity."
        return "One column alone holds the cartons." if self.kinds.count(CARTONS) > 1 else ""


class Result(NamedTuple):
    """A column that others make, their product (`×`) or their sum (`+`)."""

    sign: str
    parts: tuple[int, ...]
    column: int
    pieces: int  # which of them holds pieces; all of a sum do

    def is_right(self, row: Row, mark: str) -> bool | None:
        """Return whether a row's cells make it, a product to the cent; None where it has no number,
        or they have none. `mark` begins decimals in columns of pieces.
        """
        result, parts = self._number(self.column, row, mark), self.numbers(row, mark)
        if not result or not parts:
            return None
        if self.sign == "+":
            return sum(parts) == result
        return abs(prod(parts) - result) <= max(CENT, abs(result) / 1000)

    def numbers(self, row: Row, mark: str) -> list[Decimal]:
        """Return a row's numbers that make it; none of a product where one is missing."""
        parts = [self._number(index, row, mark) for index in self.parts]
        numbers = [number for number in parts if number]
        return numbers if self.sign == "+" or len(numbers) == len(parts) else []

    def _number(self, index: int, row: Row, mark: str) -> Decimal | None:
        is_count = self.sign == "+" or index == self.pieces
        return number_in(witness_of(cell_at(row.cells, index)), mark if is_count else "")


@dataclass(frozen=True)
class Table:
    """A tab as it is read: the row of its headings (0: none) and what its columns hold, "" where
    one of several holds the quantity. `is_typed`: each row is read as a text.
    """

    place: int
    tab: Tab
    head: int
    kinds: tuple[str, ...]
    catalogue: Catalogue
    carton: int = 0
    decimal: str = ""
    asks: str = ""
    readings: tuple[Json, ...] = ()
    is_remembered: bool = False
    is_typed: bool = False
    note: str = ""  # the line that says that the quantities are no plain pieces

    @property
    def is_former(self) -> bool:
        """Return whether the tab's name says prices, stock or a former order."""
        return any(word in self.tab.name.casefold() for word in FORMER_TABS)

    @cached_property
    def fingerprint(self) -> str:
        """Return what the tab's layout is remembered by."""
        return fingerprint(_as_sent(self.tab.rows), self.head)

    def columns(self, *kinds: str) -> tuple[int, ...]:
        """Return the columns of some kinds, from the left."""
        return tuple(index for index, kind in enumerate(self.kinds) if kind in kinds)

    def cells(self, row: Row, *kinds: str) -> list[Cell]:
        """Return a row's cells in the columns of some kinds."""
        return [cell_at(row.cells, index) for index in self.columns(*kinds)]

    def texts(self, row: Row) -> dict[int, str]:
        """Return what may say which product a row means, by its columns: names, and the words
        beside them (a brand, a shade, a size; the number of a column that is headed so).
        """
        texts = {}
        for index in self.columns(NAME, OTHER, *CODES):
            text = text_in(cell_at(row.cells, index))
            is_wordy = any(map(str.isalpha, text)) or index in self.variants
            if text and is_wordy and (self.kinds[index] not in CODES or is_worded(text)):
                texts[index] = text
        return texts

    @cached_property
    def variants(self) -> frozenset[int]:
        """Return the columns that are headed as shades or sizes."""
        return self._headed(VARIANT_STEMS)

    @cached_property
    def idle(self) -> frozenset[int]:
        """Return the columns whose headings say that they tell no products apart: a place, a date,
        the stock.
        """
        known = (index for index in self.columns(OTHER) if kind_of(self.heading_of(index)) == OTHER)
        return frozenset(known) - self.variants - self._headed(KIND_STEMS)

    def _headed(self, stems: tuple[str, ...]) -> frozenset[int]:
        headings = {index: heading(self.heading_of(index)).split() for index in self.columns(OTHER)}
        return frozenset(
            index
            for index, words in headings.items()
            if any(word.startswith(stems) for word in words)
        )

    def column(self, index: int) -> list[Cell]:
        """Return a column's cells below the headings."""
        return [cell_at(row.cells, index) for row in self.below]

    @cached_property
    def known(self) -> set[int]:
        """Return the rows that have a code or a whole name of a product."""
        return {
            row.number
            for row in self.below
            if any(map(self.catalogue.skus_of_code, texts_in(self.cells(row, *CODES))))
            or any(map(self.catalogue.skus_of_name, texts_in(self.cells(row, NAME))))
        }

    @cached_property
    def below(self) -> list[Row]:
        """Return the rows below the headings."""
        return [row for row in self.tab.rows if row.number > self.head]

    @property
    def from_headings(self) -> list[Row]:
        """Return the rows from the one above the headings on."""
        return [row for row in self.tab.rows if row.number >= self.head - 1]

    @cached_property
    def headings(self) -> Sequence[Cell]:
        """Return the row of headings."""
        return _cells_of(self.tab.rows, self.head)

    @cached_property
    def quantities(self) -> tuple[int, ...]:
        """Return the columns that hold, or could hold, the pieces."""
        return self.columns("") or self.columns(QTY)

    @cached_property
    def sizes_across(self) -> bool:
        """Return whether the columns that could hold the pieces are headed by sizes: another
        product each.
        """
        headings = map(self.heading_of, self.quantities)
        return sum(bool(sizes_of(words_of(heading))) for heading in headings) > 1

    @cached_property
    def looks_like(self) -> str:
        """Return what a tab with numbers in many columns looks like, or the line that says of its
        quantities what has to be asked; empty for any other.
        """
        if self.note and self.asks in (QUANTITY, CARTON):
            return f"Your sheet says “{self.note[:MAX_NOTE]}”."
        has_question = self.asks in (COLUMNS, QUANTITY)
        if not has_question or len(self.quantities) < (2 if self.sizes_across else 3):
            return ""
        first, *_, last = map(self.heading_of, self.quantities)
        across = f"numbers in {len(self.quantities)} columns, from “{first}” to “{last}”"
        text = f"This looks like a table: a product in each row, and {across}."
        if not self.sizes_across:
            return text
        return f"{text} Each is another size, so they are not added up: write a row for each size."

    @cached_property
    def choices(self) -> list[Json]:
        """Return which columns may be what is ordered: each alone, or all that are of one product
        added up.
        """
        if self.asks != QUANTITY:
            return []
        columns = self.quantities
        choices: dict[tuple[int, ...], str] = {(i,): self.heading_of(i) for i in columns}
        if len(columns) > 1 and not self.sizes_across:
            both = "Both added up" if len(columns) == 2 else f"All {len(columns)} added up"
            choices[columns] = both
        totals = (i for i in self.columns(OTHER) if is_total([self.heading_of(i)]))
        choices |= {(i,): self.heading_of(i) for i in totals if _are_counts(self.column(i))}
        for some in () if self.readings else choices:
            cells = [cell_at(row.cells, index) for index in some for row in self.ordered]
            choices[some] += f": {number_text(total_of(cells, self.decimal))} pieces"
        return [{"columns": some, "text": text} for some, text in choices.items()]

    def heading_of(self, index: int) -> str:
        """Return what a column is called: its heading, else its letters."""
        return text_in(cell_at(self.headings, index)) or f"Column {xl_col_to_name(index)}"

    @cached_property
    def has_numbers(self) -> bool:
        """Return whether a row below the headings has a number, beside its codes."""
        codes = self.columns(*CODES)
        return not self.tab.is_hidden and any(
            text_in(cell)[:1].isdigit() and index not in codes
            for row in self.below
            for index, cell in enumerate(row.cells)
        )

    @cached_property
    def free(self) -> tuple[int, ...]:
        """Return the columns of pieces for nothing, which nobody has said to leave out."""
        others = () if self.is_remembered else self.columns(OTHER)
        return tuple(index for index in others if is_free(self.heading_of(index)))

    @cached_property
    def ours(self) -> list[int]:
        """Return the columns of codes in which more codes are known than not."""
        ours = []
        for index in self.columns(*CODES):
            matches = [
                bool(self.catalogue.skus_of_code(text)) and not self.catalogue.is_own(text)
                for text in texts_in(self.column(index))
            ]
            if 2 * sum(matches) > len(matches):
                ours.append(index)
        return ours

    @cached_property
    def products(self) -> list[Result]:
        """Return pieces times a price, and cartons times what they hold."""
        results = [
            Result("×", (one, other), column, one)
            for kinds in ((QTY, PRICE), (CARTONS, PER_CARTON))
            for one, other in product(*map(self.columns, kinds))
            for column in range(len(self.kinds))
            if column not in (one, other)
        ]
        return list(filter(self._is_usual, results))

    @cached_property
    def contents(self) -> list[Result]:
        """Return the two columns that make the pieces, cartons and what they hold, whatever their
        headings are.
        """
        (total, *others) = self.columns(QTY) or (0, 0)
        numbers = [
            index
            for index in self.columns(CARTONS, PER_CARTON, OTHER)
            if not others and any(map(number_in, self.column(index)))
        ]
        results = (Result("×", pair, total, total) for pair in combinations(numbers, 2))
        return list(filter(self._is_usual, results))[:1]

    @cached_property
    def sums(self) -> list[Result]:
        """Return the columns beside the pieces, of shops or months, that add up to them."""
        (total, *others) = self.columns(QTY) or (0, 0)
        numbers = [
            i
            for i in self.columns(OTHER)
            if any(number_in(witness_of(cell)) for cell in self.column(i))
        ]
        before = [index for index in numbers if index < total]
        after = [index for index in numbers if index > total]
        parts = [before[first:] for first in range(len(before) - 1)]
        parts += [after[:end] for end in range(len(after), 1, -1)]
        results = (Result("+", tuple(some), total, total) for some in parts if not others)
        return list(filter(self._is_usual, results))[:1]

    def _is_usual(self, result: Result) -> bool:
        """Return whether two of three rows have a result, of the first ones too: those that differ
        are asked.
        """
        checks = (result.is_right(row, self.decimal) for row in self.below)
        checked = (one for one in checks if one is not None)
        first = list(islice(checked, FIRST_ROWS))
        if len(first) < 3 or 3 * sum(first) < 2 * len(first):
            return False
        every = [*first, *checked]
        return 3 * sum(every) >= 2 * len(every)

    @cached_property
    def agreeing(self) -> tuple[int, ...]:
        """Return the columns that say yes to some rows and no to others."""
        columns = []
        for index in self.columns(OTHER, NOTE):
            words = set(map(heading, texts_in(self.column(index))))
            if words <= REFUSALS | AGREEMENTS and not words.isdisjoint(AGREEMENTS):
                columns.append(index)
        return tuple(columns)

    @cached_property
    def ordered(self) -> list[Row]:
        """Return the rows below the headings but those that add others up."""
        return [
            row
            for row in self.below
            if row.number in self.known or not is_total(texts_in(row.cells))
        ]

    @cached_property
    def ordering(self) -> int:
        """Return how many rows have a known code or name, and pieces."""
        if self.is_typed:
            return sum(_is_code_and_number(row, self.catalogue) for row in self.below)
        return sum(
            row.number in self.known
            for row in self.below
            if any(
                not amount_in(cell_at(row.cells, index), self.decimal).is_none
                for index in (*self.quantities, *self.columns(CARTONS))
            )
        )


def choose(
    book: Workbook,
    catalogue: Catalogue,
    *,
    mappings: Mapping[int, TabMapping],
    remembered: Mapping[str, TabMapping],
    tab: int | None,
) -> tuple[list[Table], int, int]:
    """Return the tabs as they would be read, the place of the one that is read, and of the one that
    is proposed. `remembered` are the company's layouts by their fingerprints.

    Raises:
        SpreadsheetRefused: no tab can be read, the tab is too long, has two lists side by side, or
            its products.
    """
    tables = [
        Table(place, one, 0, (OTHER,), catalogue, is_typed=True)
        if book.is_text
        else _table(place, one, catalogue, mappings.get(place), remembered)
        for place, one in enumerate(book.tabs)
    ]
    visible = [table for table in tables if not table.tab.is_hidden and table.tab.rows]
    if not visible:
        raise SpreadsheetRefused("All tabs are hidden. Show the one with your order.")
    proposed = _proposed(visible).place if len(visible) > 1 else visible[0].place
    place = proposed if tab is None or tab >= len(tables) or tables[tab].tab.is_hidden else tab
    if len(tables[place].tab.rows) > MAX_ROWS:
        raise SpreadsheetRefused(TOO_LONG)
    _check_one_list(tables[place])
    return tables, place, proposed


def _table(
    place: int,
    tab: Tab,
    catalogue: Catalogue,
    own_mapping: TabMapping | None,
    remembered: Mapping[str, TabMapping],
) -> Table:
    rows = _as_sent(tab.rows)
    table = _inferred(place, tab, rows, catalogue)
    marks = {fingerprint(rows, head): head for head in (table.head, *_heads(rows, catalogue))}
    candidates = (
        remembered[mark]._replace(head=head)
        for mark, head in marks.items()
        if mark in remembered and not remembered[mark].fault
    )
    mapping = own_mapping or next(candidates, None)
    if mapping is None:
        return _with_numbers(table)
    kinds = tuple(kind or OTHER for kind in mapping.kinds)
    kinds += (OTHER,) * (len(table.kinds) - len(kinds))
    table = Table(place, tab, mapping.head, kinds, catalogue, mapping.carton, is_remembered=True)
    return _with_numbers(table, mapping.decimal, is_said=mapping is own_mapping)


def _with_numbers(table: Table, decimal: str = "", *, is_said: bool = False) -> Table:
    """Return a table with what begins decimals in its quantities, by the whole column; where that
    cannot be known, it is asked with both readings.
    """
    counts = (*table.quantities, *table.columns(CARTONS))
    cells, prices = (
        [stored_value(cell) for index in columns for cell in table.column(index)]
        for columns in (counts, table.columns(PRICE))
    )
    mark = (is_said and decimal) or column_mark(cells, is_whole=True, witnesses=prices)
    if mark is None:
        mark = decimal or _mark_of_sums(table, counts)
    if mark is not None:
        return replace(table, decimal=mark)
    sample = next(cell for cell in cells if isinstance(cell, str) and is_doubtful(cell))
    cells = [cell_at(row.cells, index) for index in counts for row in table.ordered]
    readings = tuple(
        {
            "decimal": mark,
            "sample": f"{sample} means {number_text(total_of([sample], mark))}",
            "total": total_of(cells, mark),
        }
        for mark in MARKS
    )
    return replace(table, asks=table.asks or NUMBER, readings=readings)


def _mark_of_sums(table: Table, columns: Sequence[int]) -> str | None:
    """Return the mark by which pieces times price make another column, or the pieces the total
    below them; None where neither does, or both.
    """
    fitting = [mark for mark in MARKS if replace(table, decimal=mark).products]
    ordered = {row.number for row in table.ordered}
    totals = [row for row in table.below if row.number not in ordered]
    if totals and not fitting:
        fitting = [
            mark
            for mark in MARKS
            if all(
                total_of((cell_at(row.cells, index) for row in table.ordered), mark)
                == number_in(cell_at(totals[-1].cells, index), mark)
                for index in columns
            )
        ]
    return fitting[0] if len(fitting) == 1 else None


def total_of(cells: Iterable[Cell], mark: str) -> Decimal:
    """Return the sum of the cells that are numbers."""
    return sum((number_in(cell, mark) or Decimal(0) for cell in cells), Decimal(0))


def number_in(cell: Cell, mark: str = "") -> Decimal | None:
    """Return the number of a cell; None where it has none."""
    try:
        return number_of(stored_value(cell), mark)
    except CellFault:
        return None


def witness_of(cell: Cell) -> Cell:
    """Return a cell's value, also a crossed-out number's: it was the old one, and bears witness."""
    return cell.stored if isinstance(cell, Unreadable) else cell


def _proposed(tables: Sequence[Table]) -> Table:
    """Return the tab with most rows that order something; of tabs of one layout whose names have a
    date, the newest that has any.
    """
    best = max(
        tables,
        key=lambda one: (not one.is_former, one.ordering, one.is_remembered, one.place),
    )
    alike = [
        one
        for one in tables
        if one.ordering and one.fingerprint == best.fingerprint and one.is_former == best.is_former
    ]
    if not all(any(_date_in(one.tab.name)) for one in alike):
        return best
    return max(alike, key=lambda one: (_date_in(one.tab.name), one.place), default=best)


def _date_in(name: str) -> tuple[int, ...]:
    """Return the year, month and other numbers in a tab's name, as far as they stand there."""
    words = heading(name).split()
    numbers = [int(number) for number in ANY_NUMBER.findall(heading(name)) if len(number) < 9]
    years = [number for number in numbers if number > 999]
    months = [MONTHS[word] for word in words if word in MONTHS]
    return (max(years, default=0), *months[:1], *(one for one in numbers if one not in years))


def why_not(table: Table, selected: Table) -> str:
    """Return why a tab is not the selected one; empty for that."""
    if table is selected:
        return ""
    if table.tab.is_hidden:
        return "It is hidden."
    if not table.tab.rows:
        return "It is empty."
    if table.is_former:
        return "Its name says prices, stock or a former order."
    if not table.ordering:
        return "No row has a known code and a quantity."
    return f"{table.ordering:,} rows order something; “{selected.tab.name}” is read."


def _check_one_list(table: Table) -> None:
    """Check that no second list stands beside the first, and that products stand in rows.

    Raises:
        SpreadsheetRefused: one does, or they do not.
    """
    if not table.ordering and not table.is_typed:
        find = table.catalogue.skus_of_code
        known = ({*filter(None, map(find, texts_in(row.cells)))} for row in table.tab.rows)
        across = [products for products in known if len(products) >= FEWEST_ACROSS]
        if 0 < len(across) <= MOST_ACROSS:
            raise SpreadsheetRefused(TRANSPOSED.format(table.tab.name or "this list"))
    if len(table.columns(*CODES)) < 2 or len(table.quantities) < 2:
        return
    codes_by_row = [
        list(filter(None, map(table.catalogue.skus_of_code, texts_in(table.cells(row, *CODES)))))
        for row in table.below
    ]
    apart = sum(len(codes) > 1 and not frozenset.intersection(*codes) for codes in codes_by_row)
    if 2 * apart > table.ordering > 1:
        raise SpreadsheetRefused(SIDE_BY_SIDE.format(table.tab.name or "this list"))


# What stands in a tab that nobody has said anything of.


def _inferred(place: int, tab: Tab, rows: Sequence[Row], catalogue: Catalogue) -> Table:
    width = max((len(row.cells) for row in tab.rows), default=0)
    codes = _columns_of_codes(rows, catalogue)
    head, headed = _headings(rows, catalogue, has_codes=bool(codes))
    below = [row for row in rows if row.number > head]
    columns = [
        [cell for row in below if (cell := stored_value(cell_at(row.cells, index))) is not None]
        for index in range(width)
    ]
    texts = list(map(texts_in, columns))
    headed |= {
        index: _kind_of_codes(texts[index], catalogue)
        for index in codes
        if headed.get(index) not in (NAME, QTY, CARTONS) or not _are_names(texts[index])
    }
    _leave_out_words(headed, columns)
    for index, kind in headed.items():
        if kind in CODES and index not in codes and _are_lines(texts[index]):
            headed[index] = OTHER
    note = _say_quantities(headed, columns, texts, rows, head)
    _add_texts(headed, texts, rows, head)
    kinds = tuple(headed.get(index, OTHER) for index in range(width))
    asks = _question_of({*kinds})
    if asks in (COLUMNS, QUANTITY):
        count = sum(_is_code_and_number(row, catalogue) for row in rows)
        if 2 * count > len(rows):  # code and number in one text
            return Table(place, tab, 0, (OTHER,) * width, catalogue, is_typed=True)
    return Table(place, tab, head, kinds, catalogue, asks=asks, note=note)


def _say_quantities(
    headed: dict[int, str],
    columns: Sequence[Sequence[Cell]],
    texts: Sequence[Sequence[str]],
    rows: Sequence[Row],
    head: int,
) -> str:
    """Say which columns hold the pieces, "" for each of those that may: where none is headed so,
    where several are, one by a heading that says more, or a note says so, which is returned.
    """
    quantities = [index for index, kind in headed.items() if kind == QTY]
    cells = _cells_of(rows, head)
    is_plain = all(is_plain_quantity(text_in(cell_at(cells, index))) for index in quantities)
    if not quantities and CARTONS not in headed.values():
        headed |= _unheaded(headed, columns, texts, has_headings=bool(head))
    elif len(quantities) > 1 or not is_plain:
        headed |= dict.fromkeys(quantities, "")
    note = next(iter(_notes(rows, head)), "")
    if note:
        is_packed = meaning_of_note(note) == CARTONS and CARTONS not in headed.values()
        counted = CARTONS if is_packed else ""
        headed |= {index: counted for index, kind in headed.items() if kind == QTY}
    return note


def _cells_of(rows: Sequence[Row], number: int) -> Sequence[Cell]:
    return next((row.cells for row in rows if row.number == number), ())


def _as_sent(rows: Sequence[Row]) -> Sequence[Row]:
    """Return rows without the columns that this portal added to a sheet that it gave back."""
    for row in rows[:HEADINGS_WITHIN]:
        texts = list(map(text_in, row.cells))
        pairs = enumerate(pairwise(texts))
        first = next((place for place, pair in pairs if place and pair == ANSWERED[:2]), 0)
        if first and {*ANSWERED}.issubset(texts[first:]):
            return [one._replace(cells=one.cells[:first]) for one in rows]
    return rows


def _question_of(kinds: Set[str]) -> str:
    """Return what is asked first of columns that hold these."""
    if not kinds & {QTY, CARTONS, ""} or not kinds & {*CODES, NAME}:
        return COLUMNS
    if "" in kinds:
        return QUANTITY
    return CARTON if CARTONS in kinds and not kinds & {QTY, PER_CARTON} else ""


def _columns_of_codes(rows: Sequence[Row], catalogue: Catalogue) -> list[int]:
    """Return the columns in which codes are known, those with most of them first."""
    hits = Counter(
        index
        for row in rows
        for index, cell in enumerate(row.cells)
        if catalogue.skus_of_code(text_in(cell))
    )
    least = min(MIN_HITS, (len(rows) + 1) // 2)
    return [index for index, count in hits.most_common() if count >= least]


def _leave_out_words(headed: dict[int, str], columns: Sequence[Sequence[Cell]]) -> None:
    """Leave out the columns that are headed as quantities and hold no numbers, where others do."""
    for kind in (QTY, CARTONS, PER_CARTON):
        of_kind = [index for index, one in headed.items() if one == kind]
        worded = [index for index in of_kind if not _has_numbers(columns[index])]
        if len(worded) < len(of_kind):
            headed |= dict.fromkeys(worded, OTHER)


def _has_numbers(cells: Sequence[Cell]) -> bool:
    """Return whether a third of what stands in a column begins with a number, or is nothing."""
    numbers = sum(
        amount_in(cell).is_none or isinstance(cell, Unreadable) or has_digit(text_in(cell)[:4])
        for cell in cells
    )
    return bool(cells) and 3 * numbers >= len(cells)


def _unheaded(
    kinds: Mapping[int, str],
    columns: Sequence[Sequence[Cell]],
    texts: Sequence[Sequence[str]],
    *,
    has_headings: bool,
) -> dict[int, str]:
    """Return which columns hold the pieces where no heading says so, "" for each of those that may:
    the only one with whole numbers, if nothing is headed; and what is named by texts beside it.
    """
    counts = [i for i, cells in enumerate(columns) if i not in kinds and _are_counts(cells)]
    pieces = [i for i in counts if not _numbers_rows(columns[i])]
    if len(pieces) != 1 or has_headings:
        return dict.fromkeys(pieces or counts, "")
    first = next((i for i, some in enumerate(texts) if some and i not in counts), None)
    if kinds or first is None:
        return {pieces[0]: QTY}
    # Codes that nobody knows yet, or names.
    return {pieces[0]: QTY, first: NAME if _are_names(texts[first]) else SKU}


def _headings(
    rows: Sequence[Row], catalogue: Catalogue, *, has_codes: bool
) -> tuple[int, dict[int, str]]:
    """Return the row of headings that says most and what it says of columns; 0 and nothing where
    none is.
    """
    scored = [(0, _likely_head(rows, catalogue), dict[int, str]())]
    for row in rows[:HEADINGS_WITHIN]:
        if _holds_data(row, catalogue):
            continue
        texts = {index: cell for index, cell in enumerate(row.cells) if isinstance(cell, str)}
        kinds = {index: kind for index, text in texts.items() if (kind := kind_of(text))}
        names = {*kinds.values()}
        if (len(names) > 1 or names & {QTY}) and (has_codes or names & {*CODES, NAME}):
            scored.append((len(names - {OTHER}) * 10 + len(kinds), row.number, kinds))
    _, head, headed = max(scored, key=itemgetter(0))  # of several the first
    return head, headed


def _notes(rows: Sequence[Row], head: int) -> list[str]:
    """Return the lines above the headings and below the last number that say that the quantities
    are no plain pieces.
    """
    texts = [text for row in rows if row.number < head for text in texts_in(row.cells)]
    for row in reversed(rows[-MOST_NOTES:]):
        below = texts_in(row.cells)
        if not is_total(below):
            if row.number <= head or any(number_in(text) is not None for text in below):
                break
            texts += below
    return [text for text in texts if meaning_of_note(text)]


def _holds_data(row: Row, catalogue: Catalogue) -> bool:
    """Return whether a row is no headings: it has a number, or a code that is known."""
    return any(
        isinstance(stored_value(cell), int | Decimal) or catalogue.skus_of_code(text_in(cell))
        for cell in row.cells
    )


def _likely_head(rows: Sequence[Row], catalogue: Catalogue) -> int:
    """Return the row of headings where none of them is known: the one right above the first row
    with a number, if it is of words alone.
    """
    head = 0
    for row in rows[:HEADINGS_WITHIN]:
        if "n" in map(_sign, row.cells) or _holds_data(row, catalogue):
            return head
        head = row.number if sum(cell is not None for cell in row.cells) > 1 else head
    return 0


def _kind_of_codes(texts: Sequence[str], catalogue: Catalogue) -> str:
    matches = [(text, skus) for text in texts if (skus := catalogue.skus_of_code(text))]
    eans = sum(ean_of(text) is not None for text, _ in matches)
    ours = sum(text.upper() in skus for text, skus in matches)
    return EAN if 2 * eans > len(matches) else SKU if 2 * ours >= len(matches) else OWN


def _are_names(texts: Sequence[str], least: int = 2) -> bool:
    """Return whether most texts have several words."""
    return 2 * sum(len(text.split()) >= least for text in texts) > len(texts)


def _are_counts(cells: Sequence[Cell]) -> bool:
    """Return whether a column may hold pieces: at least half are whole numbers, and none has
    decimals.
    """
    readings = ([number_in(cell, mark) for mark in MARKS] for cell in cells)
    counts = [some for both in readings if (some := [one for one in both if one is not None])]
    is_whole = all(
        any(one == one.to_integral_value() and one <= 10**7 for one in some) for some in counts
    )
    return bool(counts) and is_whole and 2 * len(counts) >= len(cells)


def _numbers_rows(cells: Sequence[Cell]) -> bool:
    """Return whether a column has 1, 2, 3… from its top."""
    numbers = [one for cell in cells if (one := number_in(cell)) is not None]
    return len(numbers) > 1 and numbers == [*range(1, len(numbers) + 1)]


def _are_lines(texts: Sequence[str]) -> bool:
    """Return whether what is headed as codes are the lines' numbers, `00010`, `00020`…, some of
    them left out.
    """
    numbers = [int(text) for text in texts if text.isdecimal()]
    first = numbers[0] if 1 < len(numbers) == len(texts) else 0
    steps = [after - before for before, after in pairwise(numbers)]
    return (
        first in (1, 10, 100)
        and all(step > 0 and step % first == 0 for step in steps)
        and numbers[-1] <= 2 * first * len(numbers)
    )


def _add_texts(
    headed: dict[int, str], columns: Sequence[Sequence[str]], rows: Sequence[Row], head: int
) -> None:
    """Add the first column of names where none has a heading, and remarks: texts that stand in few
    of the rows, or beside the headings.
    """
    head_cells = next((row.cells for row in rows if row.number == head), None)
    count = sum(row.number > head for row in rows)
    for index, texts in enumerate(columns):
        is_text = bool(texts) and not any(number_in(text) is not None for text in texts)
        if headed.get(index, OTHER) != OTHER or not is_text:
            continue
        is_headed = index in headed
        is_bare = head_cells is not None and not text_in(cell_at(head_cells, index))
        if NAME not in headed.values() and _are_names(texts, least=3 if is_headed else 2):
            headed[index] = NAME
        elif not is_headed and (
            3 * len(texts) < count or (is_bare and len({*texts}) == len(texts) < count)
        ):
            headed[index] = NOTE


def _is_code_and_number(row: Row, catalogue: Catalogue) -> bool:
    """Return whether a row has a known code and a number in one cell, and no number in another."""
    if sum(map(has_digit, texts_in(row.cells))) != 1:
        return False
    item = typed_row(row, catalogue)
    return isinstance(item, Line) and bool(item.codes) and not item.amount.is_none


# What a layout is remembered by.


def _heads(rows: Sequence[Row], catalogue: Catalogue) -> list[int]:
    """Return the rows that may be headings."""
    return [
        row.number
        for row in rows[:HEADINGS_WITHIN]
        if "n" not in map(_sign, row.cells)
        and sum(cell is not None for cell in row.cells) > 1
        and not _holds_data(row, catalogue)
    ]


def fingerprint(rows: Sequence[Row], head: int) -> str:
    """Return what a layout is remembered by: its headings without their numbers and the notes on
    its quantities, else whether most filled cells of its columns are codes, numbers or texts.
    """
    row = next((row for row in rows if row.number == head), None)
    words = [""]
    if row:
        texts = (cell if isinstance(cell, str) else "" for cell in row.cells)
        words = [ANY_NUMBER.sub("#", heading(text)) for text in texts]
        words += map(heading, _notes(rows, head))
    else:
        rows = rows[:HEADINGS_WITHIN]
        for index in range(max((len(row.cells) for row in rows), default=0)):
            signs = [sign for row in rows if (sign := _sign(cell_at(row.cells, index))) != "-"]
            words.append(max(sorted(set(signs)), key=signs.count, default="-"))
    return hashlib.sha256("\n".join(words).encode()).hexdigest()


def _sign(cell: Cell) -> str:
    if cell is None:
        return "-"
    try:
        return "-" if count_of(stored_value(cell)) is None else "n"
    except CellFault:
        text = text_in(cell)
    return "c" if has_digit(text) and " " not in text else "t"
