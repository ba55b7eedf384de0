"""What a document says, whether PDF or spreadsheet: plain values, kept as JSON from the moment it
is issued.
"""

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
