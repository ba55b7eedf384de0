"""A list of SKUs and quantities as a buyer sends it: the price list filled in, or any table or text with both."""

import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import chain, islice
from typing import NamedTuple

from apps.common.http.serializers import MAX_COUNT, MAX_LINES
from apps.common.tables.cells import Cell, CellFault, cell_at, count_of, find_columns, number_of, sku_of
from apps.common.tables.spreadsheets import HEADINGS_WITHIN, Row, SpreadsheetRefused, read_rows

MAX_BYTES = 5 * 1024 * 1024
MAX_SKU_SHOWN = 60
SKU, QTY, PRICE = "sku", "qty", "price"
HEADINGS = {
    SKU: (
        "SKU", "SKU code", "SKU no", "SKU number", "Item SKU", "Product SKU", "Item no", "Item number", "Item code",
        "Product code", "Product no", "Article no", "Article number", "Article code", "Article", "Item", "Code",
    ),
    QTY: (
        "Order qty", "Order quantity", "Qty to order", "Quantity to order", "Ordered", "Order", "Qty", "Quantity",
        "Quantity pcs", "Qty pcs", "Pieces", "Pcs", "Units", "Count",
    ),
    PRICE: (
        "Wholesale ($)", "Wholesale", "Wholesale price", "Wholesale USD", "Supply price", "Unit price",
        "Unit price USD", "Price", "Price ($)", "Price USD",
    ),
}  # fmt: skip
TIMES = re.compile(r"(?<![^\s\d])[x×*](?![^\s\d])", re.IGNORECASE)  # `x 20`, `x20`, `10 x`, `10x`
UNIT = re.compile(r"(?<=\d)\s*(?:pcs?|pieces?|units?|ea)\.?(?=\s|$)", re.IGNORECASE)
SEPARATORS = frozenset("\t;,")
FEW_DIGITS = 5  # a quantity has no more
ANY_NUMBER = re.compile(r"\d+")

NO_ROWS = "There are no rows in it."
NO_COLUMNS = "No column with SKUs beside a column with quantities was found. Call them “SKU” and “Order qty”."
NO_QUANTITIES = "No row has a quantity. Write how many pieces you want beside each SKU, and send it again."
TOO_MANY = f"More than {MAX_LINES:,} rows have a quantity. Send it in parts."


@dataclass(frozen=True)
class ListLine:
    """A row with a quantity: SKU and pieces as read; `fault` says why there are none, `guess` how many may be meant."""

    row: int
    sku: str
    count: int
    price: Decimal | None = None
    fault: str = ""
    guess: int = 0  # the pieces that a quantity which cannot be read may mean


class OrderList(NamedTuple):
    """The rows with a quantity, how many had none, and the row of the headings (0: there are none)."""

    lines: list[ListLine]
    without_quantity: int
    head: int = 0


def read_order_list(content: bytes, *, name: str) -> OrderList:
    """Return the lines of a list that somebody sent; rows without a quantity, or with 0, are only counted.

    Raises:
        SpreadsheetRefused: a file that cannot be read, no SKUs beside quantities, or more than 2,000 rows with one.
    """
    if name.lower().endswith(".txt"):
        content = _typed(content)
    rows = read_rows(io.BytesIO(content), name=name, max_bytes=MAX_BYTES)
    first = list(islice(rows, HEADINGS_WITHIN))
    if not first:
        raise SpreadsheetRefused(NO_ROWS)
    columns, below, head = _columns(first)
    lines: list[ListLine] = []
    without = 0
    for row in chain(below, rows):
        line = _line(row, columns)
        if line is None:
            without += 1
            continue
        if len(lines) == MAX_LINES:
            raise SpreadsheetRefused(TOO_MANY)
        lines.append(line)
    if not lines:
        raise SpreadsheetRefused(NO_QUANTITIES)
    return OrderList(lines, without, head)


def _typed(content: bytes) -> bytes:
    """Return a typed list with a tab between SKU and quantity where only spaces part them."""
    text = content.decode("utf-8", "surrogateescape")
    return "\n".join(map(_typed_line, text.splitlines())).encode("utf-8", "surrogateescape")


def _typed_line(line: str) -> str:
    """Return a line as people type it (`ABC-1 20`, `ABC-1 x 20 pcs`, `10 x ABC-1`) as SKU, tab and quantity.

    What stands beside a SKU and is no number is kept as its quantity: the review asks about it.
    """
    if SEPARATORS & set(line):
        return line
    words = TIMES.sub(" ", UNIT.sub(" ", line)).split()
    if len(words) < 2:
        return line
    first, last = words[0], words[-1]
    is_last = _is_number(last)
    if _is_number(first) and len(first) <= FEW_DIGITS and not (is_last and len(last) <= FEW_DIGITS):
        return f"{last}\t{first}"
    return f"{first}\t{last if is_last else ' '.join(words[1:])}"


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdigit()


def _columns(first: Sequence[Row]) -> tuple[dict[str, int], Sequence[Row], int]:
    """Return which column is what, by headings or by what is in them, the rows below, and the row of the headings."""
    for place, row in enumerate(first):
        columns = find_columns(row.cells, HEADINGS)
        if SKU in columns and QTY in columns:
            return columns, first[place + 1 :], row.number
    return _columns_without_headings(first), first, 0


def _columns_without_headings(first: Sequence[Row]) -> dict[str, int]:
    """Return the first column that holds anything as the SKUs, and the first of counts behind it as the quantities.

    Where that first column has counts and the next one what only SKUs look like, the quantities come first. A quantity
    that cannot be read makes no other column of it, if most of them can.
    """
    width = max(len(row.cells) for row in first)
    columns = [[cell_at(row.cells, index) for row in first] for index in range(width)]
    skus = next((index for index, cells in enumerate(columns) if any(cells)), width)
    if skus + 1 < width and _are_counts(columns[skus]) and all(map(_is_plainly_sku, columns[skus + 1])):
        return {QTY: skus, SKU: skus + 1}
    for index in range(skus + 1, width):
        if _are_counts(columns[index]):
            return {SKU: skus, QTY: index}
    raise SpreadsheetRefused(NO_COLUMNS)


def _are_counts(cells: Sequence[Cell]) -> bool:
    """Return whether a column holds pieces: no number with decimals, and at most half that is no number."""
    filled = [cell for cell in cells if cell not in (None, "")]
    unread = [cell for cell in filled if not _is_count(cell)]
    return 2 * len(unread) <= len(filled) and not any(map(_is_read, unread))


def _is_read(cell: Cell) -> bool:
    try:
        number_of(cell)
    except CellFault:
        return False
    return True


def _is_plainly_sku(cell: Cell) -> bool:
    """Return whether a cell has letters and digits without a space, as SKUs have and names and numbers have not."""
    has_both = isinstance(cell, str) and any(map(str.isalpha, cell)) and any(map(str.isdigit, cell))
    return has_both and " " not in str(cell).strip()


def _is_count(cell: Cell) -> bool:
    try:
        count_of(cell)
    except CellFault:
        return False
    return True


def _line(row: Row, columns: dict[str, int]) -> ListLine | None:
    quantity = cell_at(row.cells, columns[QTY])
    try:
        count, fault = count_of(quantity), ""
    except CellFault as error:
        count, fault = 0, f"Quantity: {error}."
    if not count and not fault:
        return None
    if count and count > MAX_COUNT:
        count, fault = 0, f"A line has at most {MAX_COUNT:,} pieces."
    try:
        sku = sku_of(cell_at(row.cells, columns[SKU]))
    except CellFault as error:
        sku, fault = "", f"SKU: {error}."
    price = _price(cell_at(row.cells, columns.get(PRICE)))
    return ListLine(row.number, sku[:MAX_SKU_SHOWN], count or 0, price, fault, _guess(quantity) if fault else 0)


def _guess(quantity: Cell) -> int:
    """Return the one number in a quantity that cannot be read (`about 20`, `2O pcs` has another); 0 where none is."""
    found = ANY_NUMBER.findall(quantity) if isinstance(quantity, str) else []
    return int(found[0]) if len(found) == 1 and len(found[0]) <= FEW_DIGITS else 0


def _price(cell: Cell) -> Decimal | None:
    """Return the price beside a quantity; what is none is passed over, as prices are the portal's."""
    try:
        return number_of(cell)
    except CellFault:
        return None
