"""The long table of a document in its PDF: figures and names in cells, rows that belong together
kept on one page.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from reportlab.lib.pagesizes import A4
from reportlab.lib.units import mm
from reportlab.platypus import LongTable, Paragraph, Table

from apps.orders.documents.content import Cell, shown
from apps.orders.documents.content import Table as ContentTable
from apps.orders.documents.styles import (
    BOTTOM,
    FRAME_PAD,
    HEAD,
    INK,
    LINE,
    NOTE,
    NUMBER,
    NUMBER_HEAD,
    NUMBER_NOTE,
    PAD,
    STRONG,
    STRONG_NUMBER,
    TEXT,
    TINT,
    TOP,
    WIDTH,
    grid,
    padding,
    paragraph,
)

CONTINUED = "continued"
ROW_PAD = 4.5
PAGE = A4[1] - TOP - BOTTOM - 2 * FRAME_PAD  # what a page holds
TALL = 10_000.0  # taller than any row

Rows = list[list[list[Paragraph]]]


def long_table(table: ContentTable) -> Table:
    """Return the table: its head on every page, a group of rows on one page if a page
    can hold it.
    """
    columns = table["columns"]
    fixed = [column["width"] * mm for column in columns]
    widths = [width or WIDTH - sum(fixed) for width in fixed]

    def cells(row: list[Cell], *, strong: bool = False) -> list[list[Paragraph]]:
        return [
            _cell(cell, number=column["numbers"], strong=strong or cell.get("strong", False))
            for cell, column in zip(row, columns, strict=True)
        ]

    head = [
        [paragraph(column["title"].upper(), NUMBER_HEAD if column["numbers"] else HEAD)]
        for column in columns
    ]
    rows, total = [cells(row) for row in table["rows"]], cells(table["total"], strong=True)
    style = [
        *padding(PAD, ROW_PAD, ROW_PAD),
        ("BACKGROUND", (0, 0), (-1, 0), TINT),
        *(
            _grouped(table, rows, room=PAGE - _height(head, widths), widths=widths)
            if "groups" in table
            else []
        ),
        *_lines(table),
        ("LINEABOVE", (0, 0), (-1, 0), 0.8, INK),
        ("LINEBELOW", (0, 0), (-1, 0), 0.8, INK),
        ("LINEABOVE", (0, -1), (-1, -1), 1.4, INK),
    ]
    return grid(LongTable, [head, *rows, total], widths, style, repeatRows=1)


def _cell(cell: Cell, *, number: bool, strong: bool = False) -> list[Paragraph]:
    """Return what a cell shows: its words, and the note below them."""
    if number:
        style, note = STRONG_NUMBER if strong else NUMBER, NUMBER_NOTE
    else:
        style, note = STRONG if strong else TEXT, NOTE
    main = paragraph(shown(cell), style)
    return [main, paragraph(cell["note"], note)] if cell.get("note") else [main]


def _lines(table: ContentTable) -> list[Any]:
    """Return the commands for the lines between rows; within a group only below what goes on in its
    next row.
    """
    if "groups" not in table:
        return [("LINEBELOW", (0, 1), (-1, -2), 0.4, LINE)]
    commands: list[Any] = []
    y = 0
    for size in table["groups"]:
        for row in table["rows"][y + 1 : y + size]:
            y += 1
            filled = [x for x, cell in enumerate(row) if cell]
            commands.append(("LINEBELOW", (filled[0], y), (filled[-1], y), 0.4, LINE))
        y += 1
        commands.append(("LINEBELOW", (0, y), (-1, y), 0.4, LINE))
    return commands


def _height(row: Sequence[list[Paragraph]], widths: Sequence[float]) -> float:
    """Return how tall a row will be."""
    tallest: float = max(
        sum(part.wrap(width - 2 * PAD, TALL)[1] for part in cell)
        for cell, width in zip(row, widths, strict=True)
    )
    return tallest + 2 * ROW_PAD


def _grouped(table: ContentTable, rows: Rows, *, room: float, widths: Sequence[float]) -> list[Any]:
    """Return the commands that keep groups whole, the last with the total.

    A group that no page can hold is cut into parts that one can; each further part repeats its
    head, as continued.
    """
    commands: list[Any] = []
    start = 0
    for size in table["groups"]:
        heights = [_height(row, widths) for row in rows[start : start + size]]
        for first, last in _parts(heights, room):
            if first:
                head: Cell = {**table["rows"][start][0], "note": CONTINUED}
                rows[start + first][0] = _cell(head, number=False, strong=True)
            below = 2 if start + last + 1 == len(rows) else 1
            commands.append(("NOSPLIT", (0, start + first + 1), (0, start + last + below)))
        start += size
    return commands


def _parts(heights: Sequence[float], room: float) -> Iterator[tuple[int, int]]:
    """Yield the first and the last row of each part of a group that fits on a page, with the total
    below it.
    """
    room -= TEXT.leading + 2 * ROW_PAD
    first, taken = 0, 0.0
    for place, height in enumerate(heights):
        if place > first and taken + height > room:
            yield first, place - 1
            first, taken = place, NOTE.leading
        taken += height
    yield first, len(heights) - 1
