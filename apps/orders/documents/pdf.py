"""A document as PDF: A4, selectable text, embedded fonts, the table's head and page numbers on
every page.
"""

import io
import threading
from collections.abc import Sequence
from datetime import datetime
from functools import partial
from typing import Any

from reportlab.lib.pagesizes import A4
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable, KeepTogether, Paragraph, SimpleDocTemplate, Spacer, Table

from apps.common.fonts import BODY, marked_up, register, runs
from apps.orders.documents.cells import money
from apps.orders.documents.content import Box, Content, Section, Sum
from apps.orders.documents.long_table import long_table
from apps.orders.documents.styles import (
    BOTTOM,
    BRAND,
    CLAUSE,
    DUE,
    DUE_NUMBER,
    FRAME_PAD,
    INK,
    LABEL,
    LINE,
    MARGIN,
    NUMBER,
    PAD,
    QUIET,
    SECTION,
    SELLER,
    TEXT,
    TITLE,
    TOP,
    WIDTH,
    grid,
    paragraph,
)

SUMS_WIDTH, SUM_AMOUNT_WIDTH = 82 * mm, 32 * mm

# ReportLab's fonts keep a reading position: one document at a time in a process.
_one_at_a_time = threading.Lock()


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
            self._foot(number)
            super().showPage()
        super().save()

    def _foot(self, number: int) -> None:
        y = BOTTOM - 9 * mm
        self.setFillColor(QUIET)
        x = MARGIN
        for font, part in runs(self._running_title, BODY):
            self.setFont(font, 8)
            self.drawString(x, y, part)
            x += self.stringWidth(part, font, 8)
        self.setFont(BODY, 8)
        self.drawRightString(A4[0] - MARGIN, y, f"{number} / {len(self._finished)}")


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
    return [
        _masthead(content),
        _boxes(content["boxes"]),
        Spacer(0, 5 * mm),
        long_table(content["table"]),
        *_sums(content["sums"]),
        *(_section(section) for section in content["sections"]),
    ]


def _masthead(content: Content) -> Table:
    brand = [paragraph(content["brand"], BRAND)]
    if content["seller"]:
        brand.append(paragraph(content["seller"], SELLER))
    style = [
        ("VALIGN", (0, 0), (-1, -1), "BOTTOM"),
        ("LEFTPADDING", (0, 0), (-1, -1), 0),
        ("RIGHTPADDING", (0, 0), (-1, -1), 0),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 5),
        ("LINEBELOW", (0, 0), (-1, -1), 2, INK),
    ]
    return grid(
        Table, [[paragraph(content["title"], TITLE), brand]], [WIDTH * 0.58, WIDTH * 0.42], style
    )


def _boxes(boxes: Sequence[Box]) -> Table:
    cells = [
        [
            paragraph(box["label"].upper(), LABEL),
            *(paragraph(line, TEXT) for line in box["lines"] if line.strip()),
        ]
        for box in boxes
    ]
    cells += [[]] * (len(cells) % 2)
    style = [
        ("LINEBEFORE", (0, 0), (-1, -1), 0.5, LINE),
        ("LINEAFTER", (-1, 0), (-1, -1), 0.5, LINE),
        ("LINEBELOW", (0, 0), (-1, -1), 0.5, LINE),
        ("LEFTPADDING", (0, 0), (-1, -1), 8),
        ("RIGHTPADDING", (0, 0), (-1, -1), 8),
        ("TOPPADDING", (0, 0), (-1, -1), 5),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 8),
    ]
    return grid(Table, list(zip(cells[::2], cells[1::2], strict=True)), [WIDTH / 2] * 2, style)


def _sums(sums: Sequence[Sum]) -> list[Flowable]:
    if not sums:
        return []
    rows = [
        [
            paragraph(row["label"], DUE if row.get("strong") else TEXT),
            paragraph(money(row["usd"]), DUE_NUMBER if row.get("strong") else NUMBER),
        ]
        for row in sums
    ]
    style = [
        ("LEFTPADDING", (0, 0), (-1, -1), PAD),
        ("RIGHTPADDING", (0, 0), (-1, -1), PAD),
        ("TOPPADDING", (0, 0), (-1, -1), 2.5),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 2.5),
        *(
            ("LINEABOVE", (0, place), (-1, place), 0.8, INK)
            for place, row in enumerate(sums)
            if row.get("strong")
        ),
    ]
    widths = [SUMS_WIDTH - SUM_AMOUNT_WIDTH, SUM_AMOUNT_WIDTH]
    return [Spacer(0, 4 * mm), KeepTogether(grid(Table, rows, widths, style, hAlign="RIGHT"))]


def _section(section: Section) -> Flowable:
    clauses = [
        Paragraph(marked_up(line, BODY), CLAUSE, bulletText="·") for line in section["lines"]
    ]
    head = [Spacer(0, 4 * mm), paragraph(section["title"], SECTION)]
    return KeepTogether([*head, *clauses])
