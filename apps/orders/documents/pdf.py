"""A document as PDF: A4, selectable text, embedded fonts; its long table has its head on every
page and rows that belong together on one.
"""

import io
import threading
from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import partial
from typing import Any

from reportlab.lib.colors import Color, HexColor
from reportlab.lib.enums import TA_RIGHT
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import (
    Flowable,
    Image,
    KeepTogether,
    LongTable,
    Paragraph,
    SimpleDocTemplate,
    Spacer,
    Table,
)

from apps.common.fonts import BODY, BOLD, DISPLAY, marked_up, register, runs
from apps.common.seller import seller
from apps.orders.documents.content import Cell, Content, Table as ContentTable, cell_text, money

# The screens' colours on white (design tokens: text, text-3, line-2, sunken).
INK, QUIET, LINE, TINT = (
    HexColor("#1d1b18"),
    HexColor("#6a655d"),
    HexColor("#bdb9b1"),
    HexColor("#f1efeb"),
)
MARGIN, TOP, BOTTOM = 14 * mm, 16 * mm, 18 * mm
WIDTH = A4[0] - 2 * MARGIN
FRAME_PAD = 6  # what ReportLab keeps free inside a frame
PAD = 6
CONTINUED = "continued"
ROW_PAD = 4.5
PAGE = A4[1] - TOP - BOTTOM - 2 * FRAME_PAD  # what a page holds
TALL = 10_000.0  # taller than any row
Rows = list[list[list[Paragraph]]]
SUMS_WIDTH, SUM_AMOUNT_WIDTH = 82 * mm, 32 * mm
LOGO = (56 * mm, 14 * mm)  # at most
# ReportLab's fonts keep a reading position: one document at a time in a process.
_one_at_a_time = threading.Lock()


def _style(
    font: str = BODY, size: float = 9, leading: float = 0, *, color: Color = INK, **more: Any
) -> ParagraphStyle:
    return ParagraphStyle(
        font, fontName=font, fontSize=size, leading=leading or size * 1.4, textColor=color, **more
    )


TITLE, BRAND = _style(DISPLAY, 21, 25), _style(DISPLAY, 13, 17, alignment=TA_RIGHT)
SELLER = _style(size=8.5, alignment=TA_RIGHT)
LABEL = _style(BOLD, 6.8, 11, color=QUIET)
TEXT, NUMBER, NOTE = _style(), _style(alignment=TA_RIGHT), _style(size=7.5, color=QUIET)
NUMBER_NOTE = _style(size=7.5, color=QUIET, alignment=TA_RIGHT)
HEAD, NUMBER_HEAD = (
    _style(BOLD, 6.8, 9, color=QUIET),
    _style(BOLD, 6.8, 9, color=QUIET, alignment=TA_RIGHT),
)
STRONG, STRONG_NUMBER = _style(BOLD), _style(BOLD, alignment=TA_RIGHT)
DUE, DUE_NUMBER = _style(BOLD, 11.5), _style(BOLD, 11.5, alignment=TA_RIGHT)
SECTION = _style(BOLD, 8.5, 13)
CLAUSE = _style(
    size=8, leading=11.6, leftIndent=9, bulletIndent=0, bulletFontName=BODY, bulletFontSize=8
)


def paragraph(words: str, style: ParagraphStyle) -> Paragraph:
    """Return a text in this style, with a wider font for what its own font lacks."""
    return Paragraph(marked_up(words, style.fontName), style)


def grid(
    table: type[Table],
    rows: Sequence[list[Any] | tuple[Any, ...]],
    widths: Sequence[float],
    style: Any,
    **more: Any,
) -> Table:
    """Return a table in the documents' font, its cells' content on top."""
    common: list[Any] = [
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
        ("FONT", (0, 0), (-1, -1), BODY, 9, 12.6),
    ]
    return table(rows, colWidths=widths, style=[*common, *style], spaceBefore=0, **more)


def padding(sides: float, top: float, bottom: float) -> list[Any]:
    """Return the commands for the room around what stands in a table's cells."""
    room = {"LEFT": sides, "RIGHT": sides, "TOP": top, "BOTTOM": bottom}
    return [(f"{side}PADDING", (0, 0), (-1, -1), size) for side, size in room.items()]


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
    main = paragraph(cell_text(cell), style)
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
    first, used = 0, 0.0
    for place, height in enumerate(heights):
        if place > first and used + height > room:
            yield first, place - 1
            first, used = place, NOTE.leading
        used += height
    yield first, len(heights) - 1


LOGO_STYLE = [("ALIGN", (0, 0), (-1, -1), "RIGHT"), *padding(0, 0, 3)]
MASTHEAD_STYLE = [
    ("VALIGN", (0, 0), (-1, -1), "BOTTOM"),
    *padding(0, 3, 5),
    ("LINEBELOW", (0, 0), (-1, -1), 2, INK),
]
BOXES_STYLE = [
    ("LINEBEFORE", (0, 0), (-1, -1), 0.5, LINE),
    ("LINEAFTER", (-1, 0), (-1, -1), 0.5, LINE),
    ("LINEBELOW", (0, 0), (-1, -1), 0.5, LINE),
    *padding(8, 5, 8),
]


class _Pages(Canvas):
    """A canvas that draws the pages' feet at the end, when their number is known."""

    def __init__(
        self, file: io.BytesIO, *, running_title: str, issued_at: datetime, **kwargs: Any
    ) -> None:
        super().__init__(file, **{**kwargs, "invariant": 1, "initialFontName": BODY})
        self._running_title = running_title
        self._finished: list[dict[str, Any]] = []
        self.setDateFormatter(lambda *_: f"{issued_at:D:%Y%m%d%H%M%SZ}")

    def showPage(self) -> None:
        self._finished.append(dict(self.__dict__))
        self._startPage()  # type: ignore[attr-defined]  # ReportLab's own way to number pages

    def save(self) -> None:
        for number, page in enumerate(self._finished, 1):
            self.__dict__.update(page)
            x, y = MARGIN, BOTTOM - 9 * mm
            self.setFillColor(QUIET)
            for font, part in runs(self._running_title, BODY):
                self.setFont(font, 8)
                self.drawString(x, y, part)
                x += self.stringWidth(part, font, 8)
            self.setFont(BODY, 8)
            self.drawRightString(A4[0] - MARGIN, y, f"{number} / {len(self._finished)}")
            super().showPage()
        super().save()


def render_pdf(content: Content, *, issued_at: datetime) -> bytes:
    """Return a document as a PDF file; the same content and moment give the same bytes."""
    file = io.BytesIO()
    title = f"{content['title'].capitalize()} {content['number']}"
    with _one_at_a_time:
        register()
        document = SimpleDocTemplate(
            file,
            pagesize=A4,
            leftMargin=MARGIN - FRAME_PAD,
            rightMargin=MARGIN - FRAME_PAD,
            topMargin=TOP,
            bottomMargin=BOTTOM,
            title=title,
            author=content["seller"] or content["brand"],
            creator=content["brand"],
            subject=content["number"],
            lang="en",
        )
        document.build(
            _story(content), canvasmaker=partial(_Pages, running_title=title, issued_at=issued_at)
        )
    return file.getvalue()


def _story(content: Content) -> list[Flowable]:
    brand: list[Flowable] = [paragraph(content["brand"], BRAND)]
    if seller().logo:  # in place of the name
        picture = Image(io.BytesIO(seller().logo))
        scale = min(LOGO[0] / picture.imageWidth, LOGO[1] / picture.imageHeight)
        picture.drawWidth *= scale
        picture.drawHeight *= scale
        brand = [grid(Table, [[picture]], [WIDTH * 0.42], LOGO_STYLE)]
    if content["seller"]:
        brand.append(paragraph(content["seller"], SELLER))
    masthead = [[paragraph(content["title"], TITLE), brand]]
    boxes = [
        [
            paragraph(box["label"].upper(), LABEL),
            *(paragraph(line, TEXT) for line in box["lines"] if line.strip()),
        ]
        for box in content["boxes"]
    ]
    boxes += [[]] * (len(boxes) % 2)
    pairs = list(zip(boxes[::2], boxes[1::2], strict=True))
    story: list[Flowable] = [
        grid(Table, masthead, [WIDTH * 0.58, WIDTH * 0.42], MASTHEAD_STYLE),
        grid(Table, pairs, [WIDTH / 2] * 2, BOXES_STYLE),
        Spacer(0, 5 * mm),
        long_table(content["table"]),
    ]
    if sums := content["sums"]:
        strong = [place for place, row in enumerate(sums) if row.get("strong")]
        rows = [
            [
                paragraph(row["label"], DUE if place in strong else TEXT),
                paragraph(money(row["usd"]), DUE_NUMBER if place in strong else NUMBER),
            ]
            for place, row in enumerate(sums)
        ]
        lines = [("LINEABOVE", (0, place), (-1, place), 0.8, INK) for place in strong]
        widths = [SUMS_WIDTH - SUM_AMOUNT_WIDTH, SUM_AMOUNT_WIDTH]
        table = grid(Table, rows, widths, [*padding(PAD, 2.5, 2.5), *lines], hAlign="RIGHT")
        story += [Spacer(0, 4 * mm), KeepTogether(table)]
    for section in content["sections"]:
        clauses = [
            Paragraph(marked_up(line, BODY), CLAUSE, bulletText="·") for line in section["lines"]
        ]
        head = [Spacer(0, 4 * mm), paragraph(section["title"], SECTION)]
        story.append(KeepTogether([*head, *clauses]))
    return story
