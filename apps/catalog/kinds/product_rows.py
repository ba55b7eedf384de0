"""What a row of a product list says of the SKU that it names."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from decimal import Decimal

from django.utils.translation import gettext_noop as _

from apps.catalog.kinds.dollars import same_in_other
from apps.catalog.models import ImportRow, Running
from apps.catalog.sheet import (
    AWAITED,
    BOXES,
    BRAND,
    CARTON,
    COLUMNS,
    IN_BOXES,
    NAME,
    NEEDED,
    NO_VALUE,
    NOT_FOR_SALE,
    ON_HAND,
    REMARK,
    RUNNING_ALSO,
    SKU,
    SORT,
    TITLES,
    FileRow,
    Value,
    at_column,
    is_page_number,
    is_sold_out,
    read_values,
    title_of,
    without_unit,
)
from apps.common.tables.cells import (
    CROSSED_OUT,
    Cell,
    CellFault,
    Unreadable,
    cell_at,
    count_of,
    sku_of,
    text_of,
)
from apps.common.tables.headings import HEADINGS_WITHIN, Table, is_number
from apps.common.tables.spreadsheets import Row
from apps.common.texts import Text

DITTOS = frozenset({"〃", "″", '"', "ditto", "상동"})
ALONE = _("a text alone: no product")
MINIMUM, STATE, PAIR = "minimum", "is_running", "pair"
TWO_NUMBERS = re.compile(r"(\d+)\s*/\s*(\d+)")
BESIDE_HYPHEN = re.compile(r"\s*-\s+|\s+-\s*")


def without_dittos(rows: Iterable[Row], repeated: set[int]) -> Iterator[Row]:
    """Yield rows with what stands above a cell where it has but a ditto mark (`〃`); note in which
    rows. Headings that are repeated on a printed page, and its number, are passed over.
    """
    above: tuple[Cell, ...] = ()
    sheet, beginning = 0, set[tuple[Cell, ...]]()
    for row in rows:
        if row.number // ImportRow.PER_SHEET != sheet:
            above, sheet, beginning = (), row.number // ImportRow.PER_SHEET, set()
        if any(cell in DITTOS for cell in row.cells if isinstance(cell, str)):
            repeated.add(row.number)
            cells = (
                cell_at(above, i) if isinstance(cell, str) and cell in DITTOS else cell
                for i, cell in enumerate(row.cells)
            )
            row = row._replace(cells=tuple(cells))  # noqa: PLW2901
        if not (row.cells in beginning or is_page_number(row.cells)):
            above = row.cells
        if len(beginning) < HEADINGS_WITHIN:
            beginning.add(row.cells)
        yield row


def product_row(
    row: Row, table: Table, marks: Mapping[str, str], answers: Mapping[str, str]
) -> FileRow:
    """Return what a row says; `marks` are those of its numbers, `answers` what was chosen."""
    columns = table.columns
    if title := title_of(row.cells):
        return FileRow(row.number, title, {}, [], left=Text(ALONE))
    sort = _text(cell_at(row.cells, columns.get(SORT)))
    if sort.casefold() in NOT_FOR_SALE:
        return FileRow(row.number, sort, {}, [], left=Text("not for sale: %(sort)s", sort=sort))
    doubts: list[Text] = []
    notes: list[Text] = []
    state = _state_in(_text(cell_at(row.cells, columns.get(REMARK))))
    cells = _with_values(row.cells, columns, doubts, is_gone=state == Running.DISCONTINUED)
    if (on_hand := columns.get(ON_HAND)) is not None:
        cells[on_hand] = _on_hand(cells[on_hand], notes)
    shown = {name: index for name, index in columns.items() if name in COLUMNS and name != SKU}
    minimum, fault = _minimum(cells, table, answers)
    if minimum is not None or fault:
        shown.pop(MINIMUM, None)
    values, faults = read_values(cells, shown, marks)
    doubts += same_in_other(table, cells)
    if fault:
        faults[MINIMUM] = at_column(TITLES[MINIMUM], fault)
    more: dict[str, Value] = {MINIMUM: minimum, STATE: state}
    values |= {name: value for name, value in more.items() if value is not None}
    cell = cell_at(row.cells, columns[SKU])
    try:
        sku = sku_of(cell)
    except CellFault as unread:
        return FileRow(row.number, "", {}, [at_column("SKU", unread)])
    if (whole := BESIDE_HYPHEN.sub("-", sku)) != sku:
        doubts.append(Text("SKU “%(written)s” is read as %(sku)s.", written=sku, sku=whole))
    return FileRow(
        row.number,
        whole,
        values,
        [faults[name] for name in NEEDED if name in faults],
        isinstance(cell, int),
        doubts=doubts,
        lost=[fault for name, fault in faults.items() if name not in NEEDED],
        notes=notes,
        asks=(PAIR,) if isinstance(fault, TwoNumbers) else (),
        carton=_carton(cells, table),
    )


class TwoNumbers(CellFault):
    """A cell that holds two numbers, of which either may be meant."""


def _text(cell: Cell) -> str:
    try:
        return text_of(cell)
    except CellFault:
        return ""


def _state_in(remark: str) -> int | None:
    """Return the state of sale that a remark names; None for any other remark."""
    said = remark.casefold().replace(" ", "")
    return next((int(state) for state, names in RUNNING_ALSO.items() if said in names), None)


def _with_values(
    cells: Sequence[Cell], columns: Mapping[str, int], doubts: list[Text], *, is_gone: bool
) -> list[Cell]:
    """Return a row's cells with what formulas showed when the file was saved and what is crossed
    out, to be asked (not what is crossed out of products that are gone), without what stands for
    nothing, and “품절” as the state of what is on sale with nothing on hand.
    """
    read = list(cells) + [None] * (max(columns.values()) + 1 - len(cells))
    for name, index in columns.items():
        cell = read[index]
        if isinstance(cell, Unreadable) and isinstance(cell.stored, int | Decimal):
            read[index] = cell.stored
            if cell.text != CROSSED_OUT and name in COLUMNS:
                doubts.append(Text("%(column)s comes from a formula.", column=Text(TITLES[name])))
            elif not is_gone and name in COLUMNS:
                doubts.append(Text("%(column)s is crossed out.", column=Text(TITLES[name])))
        elif name == ON_HAND and is_sold_out(cell):
            read[index] = 0
        elif name not in (SKU, NAME, BRAND) and _text(cell).casefold() in NO_VALUE:
            read[index] = None
    state, on_hand = columns.get(STATE), cell_at(read, columns.get(ON_HAND))
    if state is not None and is_sold_out(read[state]) and (on_hand == 0 or is_sold_out(on_hand)):
        read[state] = Running.ON_SALE.value
    return read


def _on_hand(cell: Cell, notes: list[Text]) -> Cell:
    """Return the pieces on hand: none where a text says that they are still to come."""
    text = _text(cell)
    if is_number(text) or not AWAITED.search(text):
        return cell
    notes.append(Text("On hand: “%(text)s”", text=text[:60]))
    return 0


def _carton(cells: Sequence[Cell], table: Table) -> int | None:
    """Return the pieces of a carton; None where they are not said."""
    with suppress(CellFault):
        return count_of(without_unit(cell_at(cells, table.columns.get(CARTON))))
    return None


def _minimum(
    cells: Sequence[Cell], table: Table, answers: Mapping[str, str]
) -> tuple[int | None, CellFault | None]:
    """Return the minimum in pieces where a row says it in boxes or beside the pieces of one, and
    why it cannot be told; nothing where its cell is a usual one.
    """
    boxes = cell_at(cells, table.columns.get(BOXES))
    cell = boxes if boxes is not None else cell_at(cells, table.columns.get(MINIMUM))
    text = _text(cell)
    if numbers := TWO_NUMBERS.fullmatch(text):
        # A heading says which is which: `MOQ/Carton`.
        which = "first" if boxes is not None else answers.get(PAIR, "")
        if which in ("first", "second"):
            return int(numbers[1 if which == "first" else 2]), None
        return None, TwoNumbers(Text("“%(cell)s” holds two numbers", cell=text))
    if not text or (boxes is None and not IN_BOXES.search(text)):
        return None, None
    try:
        count = count_of(IN_BOXES.sub("", text))
    except CellFault as fault:
        return None, fault
    carton = _carton(cells, table)
    if not count or not carton:
        return None, CellFault(Text("“%(cell)s” boxes, of how many pieces?", cell=text))
    return count * carton, None
