"""In which currency the amounts of a sheet are."""

from collections.abc import Collection

from django.utils.translation import gettext_noop as _

from apps.catalog.kinds.dollars import IN_DOLLARS, names_other_currency
from apps.catalog.sheet import at_column
from apps.common.tables.cells import Cell, CellFault, cell_at, is_nothing, text_of
from apps.common.tables.headings import Table
from apps.common.texts import Text
from apps.moving.kinds.columns import CURRENCY, CURRENCY_COLUMN, DOLLARS, OTHER

MISSING = _("%(column)s: it is missing")

NAMES = DOLLARS | {
    *("usd", "us$", "$", "dollar", "dollars", "eur", "€", "euro", "euros", "유로", "krw", "₩"),
    *("won", "원", "원화", "jpy", "yen", "¥", "엔", "엔화", "cny", "rmb", "위안", "위안화"),
    *("gbp", "£", "rub", "루블", "hkd", "hk$", "sgd", "aud", "cad", "twd", "nt$", "vnd", "동"),
    *("thb", "kzt", "aed", "uah"),
} - {"us"}  # a country


def _is_currency(cell: Cell) -> bool:
    try:
        return text_of(cell).replace(" ", "").casefold() in NAMES
    except CellFault:
        return False


def with_currency(table: Table, required: Collection[str]) -> Table:
    """Return a table with its column of currencies: where no heading says one, that which holds
    nothing else, whatever its heading; those of `required` things stay.
    """
    rows = list(table.rows)
    columns = dict(table.columns)
    kept = {columns[name] for name in required if name in columns}
    for index, head in enumerate(table.head.cells if CURRENCY not in columns else ()):
        cells = [cell_at(row.cells, index) for row in rows]
        filled = [cell for cell in cells if not is_nothing(cell) and cell != head]
        if filled and index not in kept and all(map(_is_currency, filled)):
            columns = {name: at for name, at in columns.items() if at != index}
            columns[CURRENCY] = index
            break
    return table._replace(columns=columns, rows=iter(rows))


def not_in_dollars(currency: str) -> Text:
    """Return why a row is refused whose column says another currency."""
    return at_column(CURRENCY_COLUMN.title, CellFault(Text(OTHER, cell=currency)))


def foreign_line(lines: Collection[str]) -> str:
    """Return the first line that names another currency and no dollars; empty for none."""
    return next((line for line in lines if _is_foreign(line)), "")


def _is_foreign(line: str) -> bool:
    if _is_currency(line):
        return not (IN_DOLLARS.search(line) or line.replace(" ", "").casefold() in DOLLARS)
    return names_other_currency(line)
