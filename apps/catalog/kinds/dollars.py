"""Which columns of a product list are prices in US dollars, as prices here are."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from decimal import Decimal
from functools import lru_cache
from itertools import chain, islice
from statistics import median

from django.utils.translation import gettext_noop as _

from apps.catalog.sheet import HEADINGS, PRICES, TITLES
from apps.common.tables.cells import (
    Cell,
    CellFault,
    cell_at,
    currency_in,
    heading,
    number_of,
    text_of,
)
from apps.common.tables.headings import Table, is_number
from apps.common.tables.spreadsheets import Row, SpreadsheetRefused
from apps.common.texts import Text

# How a line above the headings names another currency: `단위: 원`, `All prices in KRW`.
OTHER_CURRENCY = re.compile(
    r"(단위|단가|가격|금액|통화)\W*([천만]*원|엔|유로|위안)(\W|$)|원화|엔화|위안화|[₩€¥£]"
    r"|(?<![A-Z])(KRW|EUR|JPY|CNY|RMB|GBP|RUB|HKD|SGD|AUD|CAD|TWD|VND|THB|KZT)(?![A-Z])",
    re.IGNORECASE,
)
IN_DOLLARS = re.compile(r"USD|US\$|\$|달러", re.IGNORECASE)
PRICE_NAMES = frozenset(
    {*(heading(name) for column in PRICES for name in HEADINGS[column]), "price", "가격", "단가"}
)
LOOKED_AT = 200  # rows
LIKE_WON, FEW = 1_000, 3  # half of the prices are so high: no list in dollars
REFUSED = _(
    "“%(heading)s” is not in US dollars, as prices here are. "
    "Add a column “Wholesale ($)” with them, and send the file again."
)


def in_dollars(table: Table, above: Collection[Sequence[Cell]], chosen: Collection[str]) -> Table:
    """Return a table with those columns of prices alone that are US dollars, as their headings say
    or their figures may be, beside those that were `chosen`; `above` are the rows above them.

    Raises:
        SpreadsheetRefused: its prices are in another currency, and in that alone.
    """
    looked_at = list(islice(table.rows, LOOKED_AT))
    head, columns, dropped = table.head.cells, dict(table.columns), ""
    for name in (PRICES & columns.keys()) - set(chosen):
        places = [columns.pop(name), *table.others.get(name, ())]
        fitting = (place for place in places if _may_be_dollars(table, looked_at, place))
        if (place := next(fitting, None)) is not None:
            columns[name] = place
        else:
            dropped = text_of(cell_at(head, places[0]))
    read = {columns[name] for name in PRICES & columns.keys()}
    names_dollars = any(map(_names_dollars, head)) or _says_dollars(above, looked_at)
    if not names_dollars:
        foreign = [_foreign_line(above)]
        if not read:
            foreign += [dropped, *(text_of(cell) for cell in head if _is_foreign_price(cell))]
        if any(foreign):
            raise SpreadsheetRefused(Text(REFUSED, heading=next(filter(None, foreign))))
    return table._replace(columns=columns, rows=chain(looked_at, table.rows))


def _says_dollars(above: Collection[Sequence[Cell]], rows: Iterable[Row]) -> bool:
    """Return whether a line above the headings (`Currency: US$`), or an amount, says dollars."""
    lines = [cell for cells in above for cell in cells if isinstance(cell, str)]
    amounts = [cell for row in rows for cell in row.cells if isinstance(cell, str)]
    return any(IN_DOLLARS.search(one) and not OTHER_CURRENCY.search(one) for one in lines) or any(
        is_number(one) and _names_dollars(one) for one in amounts
    )


def _names_dollars(cell: Cell) -> bool:
    return isinstance(cell, str) and currency_in(cell) == "USD"


def _may_be_dollars(table: Table, rows: Sequence, place: int) -> bool:
    """Return whether a column names dollars, or has figures that may be some."""
    cell = cell_at(table.head.cells, place)
    if isinstance(cell, str) and (currency := currency_in(cell)):
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


def _foreign_line(above: Iterable[Sequence[Cell]]) -> str:
    """Return what is said of another currency (`단위: 원`) above the headings, if anything."""
    texts = (text_of(cell) for cells in above for cell in cells if isinstance(cell, str))
    return next(filter(names_other_currency, texts), "")


def names_other_currency(text: str) -> bool:
    """Return whether a line names another currency and no dollars."""
    return OTHER_CURRENCY.search(text) is not None and not IN_DOLLARS.search(text)


_currency_of = lru_cache(maxsize=500)(currency_in)  # of headings, for each row


def same_in_other(table: Table, cells: Sequence[Cell]) -> Iterator[Text]:
    """Yield which prices of a row have the figure of a column in another currency: one is wrong."""
    for name in sorted(PRICES & table.columns.keys()):
        price = _figure(cell_at(cells, table.columns[name]))
        for index, cell in enumerate(table.head.cells):
            is_other = isinstance(cell, str) and _currency_of(cell) not in ("", "USD")
            if price and is_other and _figure(cell_at(cells, index)) == price:
                yield Text(
                    "%(column)s: “%(other)s” says the same.",
                    column=Text(TITLES[name]),
                    other=text_of(cell),
                )


def _is_foreign_price(cell: Cell) -> bool:
    """Return whether a heading is of prices in another currency than dollars."""
    if not isinstance(cell, str) or (currency := currency_in(cell)) in ("", "USD"):
        return False
    words = (
        word
        for word in heading(cell).split()
        if currency not in (currency_in(f"({word})"), currency_in(f"{word}$"))
    )
    return " ".join(words) in PRICE_NAMES
