"""What a document says, whether PDF or spreadsheet: plain values, kept as JSON from the moment it
is issued; how its cells, columns and sums are made, and how each is read.
"""

from decimal import Decimal
from typing import NotRequired, TypedDict


class Cell(TypedDict, total=False):
    """A cell of a table: a text, pieces, grams (shown as kilograms), cubic metres ("0.212") or US
    dollars ("1234.50").

    There may be a quieter `note` below it; `strong` heads its row.
    """

    text: str
    note: str
    pieces: int
    grams: int
    cbm: str
    usd: str
    strong: bool


class Column(TypedDict):
    """A column: `width` in mm, 0 for what the others leave; numbers stand on the right."""

    title: str
    width: int
    numbers: bool


class Table(TypedDict):
    """The document's one long table, with a row of totals.

    `groups` are the numbers of rows that belong together, such as a box's: the first row heads its
    group.
    """

    columns: list[Column]
    rows: list[list[Cell]]
    total: list[Cell]
    groups: NotRequired[list[int]]


class Box(TypedDict):
    """A labelled block of lines; two stand beside each other."""

    label: str
    lines: list[str]


class Sum(TypedDict):
    """A row of the money below the table, US dollars; the `strong` one is what the document is
    about.
    """

    label: str
    usd: str
    strong: NotRequired[bool]


class Section(TypedDict):
    """A titled list of sentences below the sums."""

    title: str
    lines: list[str]


class Content(TypedDict):
    """A whole document. `brand` and `seller` head it; `number` and `title` stand on every page."""

    title: str
    number: str
    brand: str
    seller: str
    boxes: list[Box]
    table: Table
    sums: list[Sum]
    sections: list[Section]


def text(words: str, note: str = "") -> Cell:
    """Return a cell of text, perhaps with a note below it."""
    return {"text": words, "note": note} if note else {"text": words}


def pieces(count: int, note: str = "") -> Cell:
    """Return a cell of pieces, perhaps with a note below it."""
    return {"pieces": count, "note": note} if note else {"pieces": count}


def grams(weight_g: int, note: str = "") -> Cell:
    """Return a cell of a weight, perhaps with a note below it."""
    return {"grams": weight_g, "note": note} if note else {"grams": weight_g}


def cubic(volume: Decimal | None) -> Cell:
    """Return a cell of cubic metres; a dash where they are not known."""
    return text("–") if volume is None else {"cbm": f"{volume:.3f}"}


def usd(amount: Decimal) -> Cell:
    """Return a cell of US dollars."""
    return {"usd": f"{amount:.2f}"}


def row_of_sum(label: str, amount: Decimal, *, strong: bool = False) -> Sum:
    """Return a row of the money below the table."""
    return {"label": label, "usd": f"{amount:.2f}", "strong": strong}


def column(title: str, width: int = 0, *, numbers: bool = False) -> Column:
    """Return a column of a table; `width` in mm, 0 for what the others leave."""
    return {"title": title, "width": width, "numbers": numbers}


def money(amount: str) -> str:
    """Return US dollars of a content as people read them: `1,234.50`, a minus before what is taken
    off.

    A price of one piece may have more than cents: `0.0823`.
    """
    places = max(2, len(amount.partition(".")[2]))
    return f"{Decimal(amount):,.{places}f}".replace("-", "−")


def kilograms(weight_g: int) -> str:
    """Return a weight in kilograms to the gram, so that a column adds up: `1,014.235`."""
    return f"{Decimal(weight_g) / 1000:,.3f}"


def shown(cell: Cell) -> str:
    """Return what a cell says as people read it."""
    if "pieces" in cell:
        return f"{cell['pieces']:,}"
    if "grams" in cell:
        return kilograms(cell["grams"])
    if "cbm" in cell:
        return f"{Decimal(cell['cbm']):,}"
    return money(cell["usd"]) if "usd" in cell else cell.get("text", "")
