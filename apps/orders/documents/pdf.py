"""A document as PDF: A4, selectable text, embedded fonts, the table's head and page numbers on
every page.
"""

import io
import threading
from datetime import datetime
from functools import partial
from typing import Any

from reportlab.lib.pagesizes import A4
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import (
    Flowable,
    Image,
    KeepTogether,
    Paragraph,
    SimpleDocTemplate,
    Spacer,
    Table,
)

from apps.common.fonts import BODY, marked_up, register, runs
from apps.common.seller import seller
from apps.orders.documents.content import Content, money
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
    padding,
    paragraph,
)

SUMS_WIDTH, SUM_AMOUNT_WIDTH = 82 * mm, 32 * mm

LOGO = (56 * mm, 14 * mm)  # at most
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
