"""Which columns of a table hold US dollars, and which says of each row whether it does."""

import re
from collections.abc import Collection, Sequence
from decimal import Decimal
from itertools import chain, islice
from statistics import median

from apps.common.tables.cells import (
    Cell,
    CellFault,
    cell_at,
    currency_in,
    is_nothing,
    number_of,
    text_of,
)
from apps.common.tables.headings import Table, is_number
from apps.common.tables.spreadsheets import Row, SpreadsheetRefused
from apps.common.texts import Text

DOLLAR = "USD"
DOLLARS = frozenset({"달러", "미국달러", "미달러", "미화", "us", "불"})
OTHERS = frozenset(
    {"원", "원화", "won", "유로", "euro", "엔", "엔화", "yen", "위안", "위안화", "rmb"}
)
CURRENCY = "currency"  # the column of a table that says it for each row
# How a line names another currency: `단위: 원`, `All prices in KRW`.
OTHER_CURRENCY = re.compile(
    r"(단위|단가|가격|금액|통화)\W*([천만]*원|엔|유로|위안)(\W|$)|원화|엔화|위안화|[₩€¥£]"
    r"|(?<![A-Z])(KRW|EUR|JPY|CNY|RMB|GBP|RUB|HKD|SGD|AUD|CAD|TWD|VND|THB|KZT)(?![A-Z])",
    re.IGNORECASE,
)
IN_DOLLARS = re.compile(r"USD|US\$|\$|달러", re.IGNORECASE)
LOOKED_AT = 200  # rows
LIKE_WON, FEW = 1_000, 3  # half of the prices are so high: no list in dollars


def in_dollars(
    table: Table,
    money: Collection[str],
    sheet: str,
    *,
    settled: Collection[str] = (),
    by_figures: bool = False,
) -> Table:
    """Return a table with those of its columns of money that are US dollars: no heading names
    another currency, nor are they, `by_figures`, as high as won. Those that are `settled` stay.

    Raises:
        SpreadsheetRefused: its amounts are in another currency: so says a heading, a line above
            the headings or the name of its sheet, and nothing names dollars.
    """
    looked_at = list(islice(table.rows, LOOKED_AT))
    head, columns, foreign = table.head.cells, dict(table.columns), ""
    for name in (set(money) & columns.keys()) - set(settled):
        places = [columns.pop(name), *table.others.get(name, ())]
        rows = looked_at if by_figures else ()
        if fitting := [at for at in places if _may_be_dollars(cell_at(head, at), rows, at)]:
            columns[name] = max(fitting, key=lambda at: names_dollars(cell_at(head, at)))
        else:
            foreign = text_of(cell_at(head, places[0]))
    if columns.keys() & set(money):
        foreign = ""
    lines = [cell for row in table.above for cell in row.cells if isinstance(cell, str)]
    lines.append(sheet)
    if CURRENCY not in columns and not _says_dollars(head, lines, looked_at):
        others = (line for line in lines if OTHER_CURRENCY.search(line))
        foreign = next((line for line in others if not IN_DOLLARS.search(line)), foreign)
        if foreign:
            amount = text_of(foreign)[:60]
            raise SpreadsheetRefused(
                Text("“%(cell)s” is not in US dollars. Send a file with US dollars.", cell=amount)
            )
    return table._replace(columns=columns, rows=chain(looked_at, table.rows))


def _says_dollars(head: Sequence[Cell], lines: Sequence[str], rows: Sequence[Row]) -> bool:
    """Return whether a heading, a line above them or an amount names US dollars."""
    return (
        any(map(names_dollars, head))
        or any(IN_DOLLARS.search(line) and not OTHER_CURRENCY.search(line) for line in lines)
        or any(is_number(cell) and names_dollars(cell) for row in rows for cell in row.cells)
    )


def names_dollars(cell: Cell) -> bool:
    """Return whether a heading or an amount names US dollars."""
    return isinstance(cell, str) and currency_in(cell) == "USD"


def _may_be_dollars(heading: Cell, rows: Sequence[Row], place: int) -> bool:
    if isinstance(heading, str) and (currency := currency_in(heading)):
        return currency == "USD"
    figures = [figure for row in rows if (figure := _figure(cell_at(row.cells, place)))]
    return len(figures) < FEW or median(figures) < LIKE_WON


def _figure(cell: Cell) -> Decimal | None:
    if isinstance(cell, str) and currency_in(cell) not in ("", "USD"):
        return None
    try:
        return number_of(cell, ".")
    except CellFault:
        return None


def _is_currency(cell: Cell) -> bool:
    try:
        text = text_of(cell).replace(" ", "").casefold()
    except CellFault:
        return False
    return text in (DOLLARS | OTHERS) - {"us"} or (len(text) <= 4 and bool(currency_in(text)))


def with_currency(table: Table, columns_to_keep: Collection[str]) -> Table:
    """Return a table with its column of currencies: where no heading says one, that which holds
    nothing else, whatever its heading; those of `columns_to_keep` stay.
    """
    rows = list(table.rows)
    columns = dict(table.columns)
    stay = {columns[name] for name in columns_to_keep if name in columns}
    for index, head in enumerate(table.head.cells if CURRENCY not in columns else ()):
        cells = [cell_at(row.cells, index) for row in rows]
        filled = [cell for cell in cells if not is_nothing(cell) and cell != head]
        if filled and index not in stay and all(map(_is_currency, filled)):
            columns = {name: at for name, at in columns.items() if at != index}
            columns[CURRENCY] = index
            break
    return table._replace(columns=columns, rows=iter(rows))
