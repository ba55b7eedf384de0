"""The column of a sheet that says in which currency its amounts are."""

from collections.abc import Collection

from django.utils.translation import gettext_noop as _

from apps.catalog.kinds.dollars import CURRENCY
from apps.catalog.sheet import Column
from apps.common.tables.cells import Cell, CellFault, cell_at, currency_in, is_nothing, text_of
from apps.common.tables.headings import Table
from apps.common.texts import Text
from apps.moving.kinds.columns import WORDS

DOLLAR = "USD"
DOLLARS = frozenset({"달러", "미국달러", "미달러", "미화", "us", "불"})
OTHERS = frozenset(
    {"원", "원화", "won", "유로", "euro", "엔", "엔화", "yen", "위안", "위안화", "rmb"}
)


def currency_of(cell: Cell) -> str:
    """Return US dollars as DOLLAR, another currency as it is written."""
    text = text_of(cell)
    is_dollar = currency_in(text) == DOLLAR or text.replace(" ", "").casefold() in DOLLARS
    return DOLLAR if is_dollar else text[:30]


COLUMN = Column(_("Currency"), currency_of, also=WORDS["currency"])


def _is_currency(cell: Cell) -> bool:
    try:
        text = text_of(cell).replace(" ", "").casefold()
    except CellFault:
        return False
    return text in (DOLLARS | OTHERS) - {"us"} or (len(text) <= 4 and bool(currency_in(text)))


def with_currency(table: Table, kept: Collection[str]) -> Table:
    """Return a table with its column of currencies: where no heading says one, that which holds
    nothing else, whatever its heading; those of the columns `kept` stay.
    """
    rows = list(table.rows)
    columns = dict(table.columns)
    stay = {columns[name] for name in kept if name in columns}
    for index, head in enumerate(table.head.cells if CURRENCY not in columns else ()):
        cells = [cell_at(row.cells, index) for row in rows]
        filled = [cell for cell in cells if not is_nothing(cell) and cell != head]
        if filled and index not in stay and all(map(_is_currency, filled)):
            columns = {name: at for name, at in columns.items() if at != index}
            columns[CURRENCY] = index
            break
    return table._replace(columns=columns, rows=iter(rows))


def currency_fault(currency: str | None, others: Collection[str | None]) -> Text | None:
    """Return why the amounts of a row are not read: it says another currency, or none where
    `others` of the file do.
    """
    title = Text(COLUMN.title)
    if currency and currency != DOLLAR:
        return Text("%(column)s: “%(cell)s” is not in US dollars", column=title, cell=currency)
    if not currency and set(others) - {DOLLAR, None}:
        return Text("%(column)s: it is missing", column=title)
    return None
