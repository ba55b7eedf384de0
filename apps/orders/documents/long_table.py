"""The long table of a document in its PDF: figures and names in cells, rows that belong together
kept on one page.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from reportlab.lib.pagesizes import A4
from reportlab.lib.units import mm
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.platypus import LongTable, Table

from apps.common.fonts import BODY, BOLD, runs
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

Rows = list[list[Any]]


def long_table(table: ContentTable) -> Table:
    """Return the table: its head on every page, a group of rows on one page if a page
    can hold it.
    """
    columns = table["columns"]
    fixed = [column["width"] * mm for column in columns]
    widths = [width or WIDTH - sum(fixed) for width in fixed]

    def cells(row: list[Cell], *, strong: bool = False) -> list[Any]:
        return [
            _cell(
                cell,
                BOLD if strong or cell.get("strong") else BODY,
                width,
                number=column["numbers"],
            )
            for cell, column, width in zip(row, columns, widths, strict=True)
        ]

    head = [
        paragraph(column["title"].upper(), NUMBER_HEAD if column["numbers"] else HEAD)
        for column in columns
    ]
    rows, total = [cells(row) for row in table["rows"]], cells(table["total"], strong=True)
    heads = [
        (x, y)
        for y, row in enumerate(table["rows"], 1)
        for x, cell in enumerate(row)
        if cell.get("strong")
    ]
    style = [
        *(
            ("ALIGN", (place, 0), (place, -1), "RIGHT")
            for place, column in enumerate(columns)
            if column["numbers"]
        ),
        ("TEXTCOLOR", (0, 0), (-1, -1), INK),
        *padding(PAD, ROW_PAD, ROW_PAD),
        ("BACKGROUND", (0, 0), (-1, 0), TINT),
        *(("FONT", at, at, BOLD, 9, 12.6) for at in heads),
        ("FONT", (0, -1), (-1, -1), BOLD, 9, 12.6),
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


def _cell(cell: Cell, font: str, width: float, *, number: bool) -> Any:
    """Return what a cell shows: a plain string where that does, which is set several times as fast
    as a paragraph.
    """
    words = shown(cell)
    if not cell.get("note"):
        parts = list(runs(words, font))
        if not parts:
            return ""
        ((chosen, text), *more) = parts
        if (
            chosen == font
            and not more
            and stringWidth(text, font, TEXT.fontSize) <= width - 2 * PAD
        ):
            return text
    if number:
        style, note = STRONG_NUMBER if font == BOLD else NUMBER, NUMBER_NOTE
    else:
        style, note = STRONG if font == BOLD else TEXT, NOTE
    main = paragraph(words, style)
    return [main, paragraph(cell["note"], note)] if cell.get("note") else main


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


def _height(row: Sequence[Any], widths: Sequence[float]) -> float:
    """Return how tall a row will be."""

    def tall(cell: Any, width: float) -> float:
        if isinstance(cell, str):
            return TEXT.leading
        parts = cell if isinstance(cell, list) else [cell]
        return sum((part.wrap(width - 2 * PAD, TALL)[1] for part in parts), 0.0)

    tallest: float = max(tall(cell, width) for cell, width in zip(row, widths, strict=True))
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
                rows[start + first][0] = _cell(head, BOLD, widths[0], number=False)
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
