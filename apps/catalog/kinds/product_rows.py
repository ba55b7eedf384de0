"""What a row of a product list says of the SKU that it names, and of which brand it is."""

import re
from collections.abc import Mapping
from decimal import Decimal

from django.utils.translation import gettext_noop as _

from apps.catalog.models import Import, ImportRow, Running
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
BETWEEN, SHEET = "between", "sheet"  # where brands stand that no column holds
STATE = "is_running"
SHADE = re.compile(r"[-–—•└ㄴ]\s")  # of the product above, which its name does not say
BESIDE_HYPHEN = re.compile(r"\s*-\s+|\s+-\s*")
MARKS = "[]【】<>■▶▷●○◆□★※ "
BEFORE = re.compile(r"^(브랜드|brand)\s*[:：]\s*", re.IGNORECASE)
HANGUL = re.compile(r"[가-힣]")
IN_KILOS = re.compile(r"\bkg\W*$", re.IGNORECASE)  # a heading
# What remarks and names say of products that are not made any more.
GONE = re.compile(r"단종|판매\s*(종료|중지|중단)|discontinued|\beol\b|end of life", re.IGNORECASE)
DISCONTINUED, ENDED = Running.DISCONTINUED.value, "ended"
TWICE = re.compile(r"(?P<first>[^()/|]+?)\s*[(/|]\s*(?P<second>[^()/|]+?)\s*\)?")


def named(text: str) -> str:
    """Return the brand in a text: in Latin letters where it stands in both (`아누아(Anua)`)."""
    text = BEFORE.sub("", text.strip(MARKS)).strip(MARKS)
    if both := TWICE.fullmatch(text):
        korean = [bool(HANGUL.search(part)) for part in both.groups()]
        if korean[0] != korean[1]:
            return both["second"] if korean[0] else both["first"]
    return text


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
    is_gone = values.get(STATE) == DISCONTINUED or GONE.search(f"{remark} {values.get(NAME)}")
    try:
        sku = sku_of(cell_at(row.cells, columns[SKU]))
    except CellFault as unread:
        return FileRow(row.number, "", {}, [at_column("SKU", unread)])
    if not sku and values.keys() == {NAME}:
        return FileRow(row.number, str(values[NAME]), {}, [], left=Text(ALONE))
    if (whole := BESIDE_HYPHEN.sub("-", sku)) != sku:
        doubts.append(Text("SKU “%(written)s” is read as %(sku)s.", written=sku, sku=whole))
    if SHADE.match(name := str(values.get(NAME, ""))):
        doubts.append(Text("The name “%(name)s” begins with a dash.", name=name))
    return FileRow(
        row.number,
        whole,
        values,
        [faults[name] for name in NEEDED if name in faults],
        isinstance(cell_at(row.cells, columns[SKU]), int),
        doubts=doubts,
        lost=[fault for name, fault in faults.items() if name not in NEEDED],
        ends=CROSSED_OUT if row.is_crossed_out else ENDED if is_gone else "",
    )


def with_brand(read: FileRow, seen: dict[str, tuple[str, int]], source: Import) -> FileRow:
    """Return a row with the brand that it has from elsewhere: the cell above it in its column,
    which a merged one leaves empty, or where its sender says that brands stand. `seen` is what the
    rows of its sheet said so far.
    """
    own = str(read.values.get(BRAND, ""))
    if read.left is not None and read.left.key == ALONE:
        seen[BETWEEN] = read.key, read.number
    elif own:
        if BRAND in seen and seen[BRAND][0] == own:
            seen["repeats"] = own, read.number
        seen[BRAND] = own, read.number
    elif BRAND in seen:
        brand, number = named(seen[BRAND][0]), seen[BRAND][1] % ImportRow.PER_SHEET
        doubt = Text("Brand “%(brand)s”, as in row %(row)s.", brand=brand, row=number)
        return read._replace(above=(brand, doubt if "repeats" in seen else None))
    elif (where := (source.answers or {}).get(BRAND)) == BETWEEN and BETWEEN in seen:
        return read._replace(above=(named(seen[BETWEEN][0]), None))
    elif where == SHEET and source.sheets:
        return read._replace(above=(named(source.sheets[read.number // ImportRow.PER_SHEET]), None))
    return read


def _in_kilos(cell: Cell) -> Cell:
    """Return a weight of a column of kilograms, as grams or with that behind it."""
    if isinstance(cell, int | Decimal):
        return round(cell * 1000)
    return f"{cell} kg" if isinstance(cell, str) and cell.strip()[-1:].isdecimal() else cell


def _with_values(row: Row, table: Table, doubts: list[Text]) -> list[Cell]:
    """Return a row's cells with what formulas showed when the file was saved and what is crossed
    out, to be asked, without what stands for nothing, and “품절” as the state of what is on sale
    with nothing on hand.
    """
    columns = table.columns
    read = list(row.cells) + [None] * (max(columns.values()) + 1 - len(row.cells))
    for name, index in columns.items():
        cell = read[index]
        if isinstance(cell, Unreadable) and name in COLUMNS:
            if isinstance(cell.stored, int | Decimal):
                read[index] = cell.stored
                is_crossed = cell.text == CROSSED_OUT
                text = "%(column)s is crossed out." if is_crossed else _FORMULA
                if not (is_crossed and row.is_crossed_out):  # that is asked for the whole row
                    doubts.append(Text(text, column=Text(TITLES[name])))
        elif name == ON_HAND and is_sold_out(cell):
            read[index] = 0
        elif name not in (SKU, NAME, BRAND) and text_or_none(cell).casefold() in NO_VALUE:
            read[index] = None
    weight = columns.get(WEIGHT)
    if weight is not None and IN_KILOS.search(str(table.head.cells[weight])):
        read[weight] = _in_kilos(read[weight])
    state, on_hand = columns.get(STATE), cell_at(read, columns.get(ON_HAND))
    if state is not None and is_sold_out(read[state]) and on_hand == 0:
        read[state] = Running.ON_SALE.value
    return read


_FORMULA = _("%(column)s comes from a formula.")
_("%(column)s is crossed out.")
