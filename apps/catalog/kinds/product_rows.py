"""What a row of a product list says of the SKU that it names, and of which brand it is."""

import re
from collections.abc import Mapping
from decimal import Decimal

from django.utils.translation import gettext_noop as _

from apps.catalog.models import Running
from apps.catalog.sheet import (
    BRAND,
    COLUMNS,
    NAME,
    NEEDED,
    NO_VALUE,
    ON_HAND,
    REMARK,
    RUNNING_ALSO,
    SKU,
    TITLES,
    WEIGHT,
    FileRow,
    at_column,
    is_sold_out,
    read_values,
    title_of,
)
from apps.common.tables.cells import (
    CROSSED_OUT,
    Cell,
    CellFault,
    Unreadable,
    cell_at,
    sku_of,
    text_or_none,
)
from apps.common.tables.headings import Table
from apps.common.tables.spreadsheets import Row
from apps.common.texts import Text

ALONE = _("a text alone: no product")
STATE = "is_running"
IN_KILOS = re.compile(r"\bkg\W*$", re.IGNORECASE)  # a heading
# What remarks and names say of products that are not made any more.
GONE = re.compile(r"단종|판매\s*(종료|중지|중단)|discontinued|\beol\b|end of life", re.IGNORECASE)


def product_row(row: Row, table: Table, marks: Mapping[str, str]) -> FileRow:
    """Return what a row says; `marks` are those of its numbers."""
    columns = table.columns
    if title := title_of(row.cells):
        return FileRow(row.number, title, {}, [], left=Text(ALONE))
    doubts: list[Text] = []
    cells = _with_values(row, table, doubts)
    shown = {name: index for name, index in columns.items() if name in COLUMNS and name != SKU}
    values, faults = read_values(cells, shown, marks)
    remark = text_or_none(cell_at(row.cells, columns.get(REMARK)))
    said = remark.casefold().replace(" ", "")
    state = next((one for one, names in RUNNING_ALSO.items() if said in names), None)
    if state is not None:
        values[STATE] = int(state)
    elif gone := GONE.search(f"{remark} {values.get(NAME, '')}"):
        values.setdefault(STATE, Running.DISCONTINUED.value)
        doubts.append(Text("“%(text)s”: it is taken as discontinued.", text=gone[0]))
    try:
        sku = sku_of(cell_at(row.cells, columns[SKU]))
    except CellFault as unread:
        return FileRow(row.number, "", {}, [at_column("SKU", unread)])
    if not sku and values.keys() == {NAME}:
        return FileRow(row.number, str(values[NAME]), {}, [], left=Text(ALONE))
    return FileRow(
        row.number,
        sku,
        values,
        [faults[name] for name in NEEDED if name in faults],
        isinstance(cell_at(row.cells, columns[SKU]), int),
        doubts=doubts,
        lost=[fault for name, fault in faults.items() if name not in NEEDED],
    )


def with_brand(read: FileRow, seen: dict[str, str]) -> FileRow:
    """Return a row with the brand of the cell above it in its column, which a merged one leaves
    empty; `seen` is what the rows of its sheet said so far.
    """
    if own := str(read.values.get(BRAND, "")):
        seen[BRAND] = own
    elif read.left is None and BRAND in seen:
        return read._replace(above=seen[BRAND])
    return read


def _with_values(row: Row, table: Table, doubts: list[Text]) -> list[Cell]:
    """Return a row's cells with what formulas showed when the file was saved, to be looked at,
    without what stands for nothing, and “품절” as the state of what is on sale
    with nothing on hand.
    """
    columns = table.columns
    read = list(row.cells) + [None] * (max(columns.values()) + 1 - len(row.cells))
    for name, index in columns.items():
        cell = read[index]
        if isinstance(cell, Unreadable) and name in COLUMNS:
            if isinstance(cell.stored, int | Decimal) and cell.text != CROSSED_OUT:
                read[index] = cell.stored
                doubts.append(Text(_FORMULA, column=Text(TITLES[name])))
        elif name == ON_HAND and is_sold_out(cell):
            read[index] = 0
        elif name not in (SKU, NAME, BRAND) and text_or_none(cell).casefold() in NO_VALUE:
            read[index] = None
    weight = columns.get(WEIGHT)
    if weight is not None and IN_KILOS.search(str(table.head.cells[weight])):
        cell = read[weight]
        if isinstance(cell, int | Decimal):
            read[weight] = round(cell * 1000)
        elif isinstance(cell, str) and cell.strip()[-1:].isdecimal():
            read[weight] = f"{cell} kg"
    state, on_hand = columns.get(STATE), cell_at(read, columns.get(ON_HAND))
    if state is not None and is_sold_out(read[state]) and on_hand == 0:
        read[state] = Running.ON_SALE.value
    return read


_FORMULA = _("%(column)s comes from a formula.")
