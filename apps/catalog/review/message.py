"""A pasted text that is no table of SKUs and quantities: read as a message."""

from apps.accounts.selectors import Buyer
from apps.catalog.lists.order_list import read_order_list
from apps.catalog.lists.rows import ListLine
from apps.catalog.reading import Reading
from apps.catalog.selectors import reader_for, skus_behind
from apps.common.tables.spreadsheets import SpreadsheetRefused

PASTED = ".txt"
MAX_CHARACTERS, MAX_ROWS = 20_000, 500

TOO_LONG = (
    f"A message has at most {MAX_CHARACTERS:,} characters in {MAX_ROWS} lines. Send it in parts."
)
NOTHING_FOUND = (
    "Nothing in it names a product. Write what you want and how many pieces, a line for each."
)


def read_message(*, buyer: Buyer, content: bytes, name: str) -> Reading | None:
    """Return what a message asks for; None where it is a file, or a table of SKUs or own codes and
    quantities.

    Raises:
        SpreadsheetRefused: a message that is too long, or asks for nothing.
    """
    if not name.lower().endswith(PASTED):
        return None
    text = content.decode("utf-8", "replace")
    if _is_table(buyer, content, name):
        return None
    if len(text) > MAX_CHARACTERS or text.count("\n") >= MAX_ROWS:
        raise SpreadsheetRefused(TOO_LONG)
    read = reader_for(buyer=buyer, text=text).read(text)
    if not read.lines:
        raise SpreadsheetRefused(NOTHING_FOUND)
    return read


def _is_table(buyer: Buyer, content: bytes, name: str) -> bool:
    """Return whether most rows of a text begin or end with a code: SKUs are without spaces and have
    digits.
    """
    try:
        lines = read_order_list(content, name=name).lines
    except SpreadsheetRefused:
        return False
    known = skus_behind(
        buyer=buyer, codes={line.sku for line in lines if not _looks_like_code(line)}
    )
    codes = sum(_looks_like_code(line) or line.sku in known for line in lines)
    return 2 * codes > len(lines)


def _looks_like_code(line: ListLine) -> bool:
    return any(map(str.isdigit, line.sku)) and " " not in line.sku
