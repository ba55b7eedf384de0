"""What a tab is read as: its headings, what each column holds, and what follows from that; and what
its layout is remembered by.
"""

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from itertools import combinations, islice, pairwise, product
from math import prod
from typing import NamedTuple

from xlsxwriter.utility import xl_col_to_name

from apps.common.tables.cells import (
    CENT,
    MARKS,
    Cell,
    CellFault,
    Unreadable,
    cell_at,
    count_of,
    heading,
    number_of,
    stored_value,
)
from apps.common.tables.spreadsheets import HEADINGS_WITHIN, Row, Tab
from apps.common.types import Json
from apps.orders.intake.catalogue import Catalogue, is_worded, sizes_of, words_of
from apps.orders.intake.typed import Line, typed_row
from apps.orders.intake.words import (
    AGREEMENTS,
    CARTONS,
    EAN,
    FORMER_TABS,
    KIND_STEMS,
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
    is_total,
    kind_of,
    meaning_of_note,
    number_text,
    text_in,
    texts_in,
)
from apps.orders.intake.workbook import TITLES

CODES = (SKU, EAN, OWN)
MAX_CARTON = 10_000
FIRST_ROWS = 30  # that tell whether it is worth while to look at all
COLUMNS, QUANTITY, NUMBER, CARTON = "columns", "quantity", "number", "carton"
ASKS = (COLUMNS, QUANTITY, NUMBER, CARTON)
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
        return fingerprint(as_sent(self.tab.rows), self.head)

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
        return cells_of(self.tab.rows, self.head)

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
        choices |= {(i,): self.heading_of(i) for i in totals if are_counts(self.column(i))}
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
            return sum(is_code_and_number(row, self.catalogue) for row in self.below)
        return sum(
            row.number in self.known
            for row in self.below
            if any(
                not amount_in(cell_at(row.cells, index), self.decimal).is_none
                for index in (*self.quantities, *self.columns(CARTONS))
            )
        )


def number_in(cell: Cell, mark: str = "") -> Decimal | None:
    """Return the number of a cell; None where it has none."""
    try:
        return number_of(stored_value(cell), mark)
    except CellFault:
        return None


def witness_of(cell: Cell) -> Cell:
    """Return a cell's value, also a crossed-out number's: it was the old one, and bears witness."""
    return cell.stored if isinstance(cell, Unreadable) else cell


def total_of(cells: Iterable[Cell], mark: str) -> Decimal:
    """Return the sum of the cells that are numbers."""
    return sum((number_in(cell, mark) or Decimal(0) for cell in cells), Decimal(0))


def as_sent(rows: Sequence[Row]) -> Sequence[Row]:
    """Return rows without the columns that this portal added to a sheet that it gave back."""
    for row in rows[:HEADINGS_WITHIN]:
        texts = list(map(text_in, row.cells))
        pairs = enumerate(pairwise(texts))
        first = next((place for place, pair in pairs if place and pair == ANSWERED[:2]), 0)
        if first and {*ANSWERED}.issubset(texts[first:]):
            return [one._replace(cells=one.cells[:first]) for one in rows]
    return rows


def cells_of(rows: Sequence[Row], number: int) -> Sequence[Cell]:
    """Return the cells of a row; none where there is no such row."""
    return next((row.cells for row in rows if row.number == number), ())


def are_counts(cells: Sequence[Cell]) -> bool:
    """Return whether a column may hold pieces: at least half are whole numbers, and none has
    decimals.
    """
    readings = ([number_in(cell, mark) for mark in MARKS] for cell in cells)
    counts = [some for both in readings if (some := [one for one in both if one is not None])]
    is_whole = all(
        any(one == one.to_integral_value() and one <= 10**7 for one in some) for some in counts
    )
    return bool(counts) and is_whole and 2 * len(counts) >= len(cells)


def is_code_and_number(row: Row, catalogue: Catalogue) -> bool:
    """Return whether a row has a known code and a number in one cell, and no number in another."""
    if sum(map(has_digit, texts_in(row.cells))) != 1:
        return False
    item = typed_row(row, catalogue)
    return isinstance(item, Line) and bool(item.codes) and not item.amount.is_none


def notes_on(rows: Sequence[Row], head: int) -> list[str]:
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


def fingerprint(rows: Sequence[Row], head: int) -> str:
    """Return what a layout is remembered by: its headings without their numbers and the notes on
    its quantities, else whether most filled cells of its columns are codes, numbers or texts.
    """
    row = next((row for row in rows if row.number == head), None)
    words = [""]
    if row:
        texts = (cell if isinstance(cell, str) else "" for cell in row.cells)
        words = [ANY_NUMBER.sub("#", heading(text)) for text in texts]
        words += map(heading, notes_on(rows, head))
    else:
        rows = rows[:HEADINGS_WITHIN]
        for index in range(max((len(row.cells) for row in rows), default=0)):
            signs = [sign for row in rows if (sign := sign_of(cell_at(row.cells, index))) != "-"]
            words.append(max(sorted(set(signs)), key=signs.count, default="-"))
    return hashlib.sha256("\n".join(words).encode()).hexdigest()


def sign_of(cell: Cell) -> str:
    """Return whether a cell holds a number (n), a code (c), a text (t) or nothing (-)."""
    if cell is None:
        return "-"
    try:
        return "-" if count_of(stored_value(cell)) is None else "n"
    except CellFault:
        text = text_in(cell)
    return "c" if has_digit(text) and " " not in text else "t"
