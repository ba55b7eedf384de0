"""Small PDF files for the demo's order documents and notices."""

import io

from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

MARGIN, TITLE, TEXT, LEADING = 56, 18, 10.5, 16  # points


def pdf(title: str, lines: list[str]) -> bytes:
    """Return a PDF of one A4 page: the title, then each line as selectable text. The same input
    gives the same bytes.
    """
    file = io.BytesIO()
    canvas = Canvas(file, A4, invariant=1)
    canvas.setTitle(title)
    top = A4[1] - MARGIN - TITLE
    canvas.setFont("Helvetica-Bold", TITLE)
    canvas.drawString(MARGIN, top, title)
    canvas.line(MARGIN, top - 12, A4[0] - MARGIN, top - 12)
    text = canvas.beginText(MARGIN, top - 36)
    text.setFont("Helvetica", TEXT, LEADING)
    text.textLines(lines)
    canvas.drawText(text)
    canvas.save()
    return file.getvalue()
