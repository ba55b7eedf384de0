"""How the documents look: the page, the colours, the kinds of text, and a table's common ground."""

from collections.abc import Sequence
from typing import Any

from reportlab.lib.colors import Color, HexColor
from reportlab.lib.enums import TA_RIGHT
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.platypus import Paragraph, Table

from apps.common.fonts import BODY, BOLD, DISPLAY, marked_up

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
