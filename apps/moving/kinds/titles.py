"""Orders that stand below each other in a sheet, each below a title that says its number, its
customer or its day.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext_noop as _

from apps.catalog.models import ImportRow
from apps.catalog.services.import_tables import is_total
from apps.catalog.sheet import at_column
from apps.common.tables.cells import (
    CellFault,
    cell_at,
    currency_in,
    is_nothing,
    stored_value,
    text_of,
)
from apps.common.tables.headings import Table, find_columns
from apps.common.tables.spreadsheets import Row, SpreadsheetRefused
from apps.common.texts import Text
from apps.moving.kinds.columns import COMPANY
from apps.moving.kinds.days import YEAR_FIRST, day_of
from apps.moving.kinds.order_columns import (
    COLUMNS,
    DAY,
    NUMBER,
    OF_ORDER,
    PIECES,
    PO,
    PRICE,
    SKU,
    STATUS,
    VALUE,
    are_lines_of_orders,
    status_of,
)

TITLE = "title"  # what stands above a line: number of the row, text, whether it surely is a title
OF_LINES = _("the title of an order")
HEADINGS = {
    name: (COLUMNS[name].title, *COLUMNS[name].also) for name in (*OF_ORDER, NUMBER)
}  # the last wins
LINE = {name: (COLUMNS[name].title, *COLUMNS[name].also) for name in (SKU, PIECES, PRICE)}
FIGURE = re.compile(r"[\d.,\s]+")
BETWEEN = re.compile(r"\n|\s{2,}|\s+[-–—/|·•]\s+|[|()（）\[\]【】;]|,\s")
LABELLED = re.compile(r"([^\d:：#]+?)\s*[:：#]\s*(.*)")
BARE_NUMBER = re.compile(r"(?:no\.?\s*|#\s*)?([^\W\d_]{0,8}[-_/]?\d[\w/-]*)", re.IGNORECASE)
Above = Sequence[tuple[int, str, bool]]


def titles_of(table: Table, rows: Sequence[Row]) -> dict[int, Above | None]:
    """Return the titles above each line, by its number, and None for the titles themselves. One
    that follows a line at once may be a note; those in front of it are kept then.
    """
    heads = [head.cells for head in table.heads]
    figures = [table.columns[name] for name in (PIECES, PRICE, VALUE) if name in table.columns]
    found: dict[int, Above | None] = {}
    titles: list[tuple[int, str, bool]] = []
    is_free, is_open, last = True, False, 0
    for row in [*table.above, *rows]:
        is_free |= row.number > last + 1
        last = row.number
        texts = [text_of(stored_value(cell)) for cell in row.cells if not is_nothing(cell)]
        cells = [cell_at(row.cells, index) for index in figures]
        if row.cells in heads or any(map(is_total, texts)):
            is_free = True
        elif (again := find_columns(row.cells, LINE)).keys() >= {SKU, PIECES, PRICE}:
            found[row.number], is_free = None, True
            if any(table.columns[name] != again[name] for name in (SKU, PIECES, PRICE)):
                raise SpreadsheetRefused(
                    Text(
                        "Row %(row)s has its columns elsewhere: give it a sheet.",
                        row=row.number % ImportRow.PER_SHEET,
                    )
                )
        elif any(isinstance(one, int) or FIGURE.fullmatch(str(one)) for one in cells):
            found[row.number] = titles
            is_free = is_open = False
        elif is_open:
            number, text, is_sure = titles[-1]
            titles = [*titles[:-1], (number, "\n".join([text, *texts]), is_sure)]
            found[row.number] = None
        else:
            title = (row.number, "\n".join(texts), is_free)
            titles = [title] if is_free else [*titles, title]
            found[row.number], is_open = None, True
    return found if any(found.values()) else {}


def is_of_order(text: str, names: Mapping[str, str]) -> bool:
    """Return whether a title surely is an order's: it says so, or names a day, a customer that is
    there or a number alone.
    """
    values, rest, _faults = said_in(text, names)
    number = sum(map(str.isdigit, values.get(NUMBER, "")))
    return (
        are_lines_of_orders([Row(1, (text,))])
        or DAY in values
        or values.get(COMPANY) in names.values()
        or (number > 2 and values.keys() == {NUMBER} and not rest)
    )


def said_in(text: str, names: Mapping[str, str]) -> tuple[dict[str, Any], list[str], list[Text]]:
    """Return what a title says of its order, what of it is not understood, and what is wrong;
    `names` are the customers by their names in small letters.
    """
    values: dict[str, Any] = {}
    rest: list[str] = []
    faults: list[Text] = []
    if customer := _customer_in(text.casefold(), names):
        at = text.casefold().index(customer)
        values[COMPANY] = names[customer]
        text = f"{text[:at]}\n{text[at + len(customer) :]}"
    label = ""
    for part in filter(None, (one.strip(" -–—/·,") for one in BETWEEN.split(text))):
        name, value = (label, part) if label else _labelled(part)
        label = "" if value or name in values else name  # whose value stands in the next cell
        try:
            if name and value:
                values.setdefault(name, COLUMNS[name].read(value))
            elif not name:
                _read_bare(part, values, rest)
        except CellFault as fault:
            faults.append(at_column(COLUMNS[name].title, fault))
    if COMPANY not in values and len(rest) == 1 and not currency_in(rest[0]):
        values[COMPANY] = rest.pop()
    if NUMBER not in values and PO in values:
        values[NUMBER] = values.pop(PO)
    said = (one for one in rest if currency_in(one))
    faults += [Text("“%(text)s” is not read: give it a column", text=one) for one in said]
    return values, rest, faults


def _customer_in(text: str, names: Mapping[str, str]) -> str:
    """Return the name of the one customer that a text names; empty for none, or several."""
    there = [one for one in names if re.search(rf"(?<!\w){re.escape(one)}(?!\w)", text)]
    whole = [one for one in there if not any(one != other and one in other for other in there)]
    return whole[0] if len({names[one] for one in whole}) == 1 else ""


def _labelled(part: str) -> tuple[str, str]:
    """Return what a part of a title is by its label, and what stands behind that."""
    if labelled := LABELLED.fullmatch(part):
        (name,) = find_columns([labelled[1]], HEADINGS) or ("",)
        return name, labelled[2]
    words = part.split()
    for count in range(min(3, len(words)), 0, -1):
        if found := find_columns([" ".join(words[:count])], HEADINGS):
            return next(iter(found)), " ".join(words[count:])
    return "", ""


def _read_bare(part: str, values: dict[str, Any], rest: list[str]) -> None:
    """Read a part without a label: a day, a status, a number, or what is left."""
    if status_of(part) is not None:
        values.setdefault(STATUS, int(status_of(part) or 0))
        return
    if day := YEAR_FIRST.search(part):
        values.setdefault(DAY, day_of(day[0].strip()))
        part = part.replace(day[0], " ").strip()
    else:
        try:
            values.setdefault(DAY, day_of(part))
            return
        except CellFault:
            pass
    words = part.split()
    for at in dict.fromkeys((0, -1) if words and not currency_in(part) else ()):
        if NUMBER not in values and words and (number := BARE_NUMBER.fullmatch(words[at])):
            values[NUMBER] = number[1]
            words.pop(at)
    if words:
        rest.append(" ".join(words))
