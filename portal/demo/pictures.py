"""Pictures of the demo products, by their packaging; served at `{image host}/{100|300}/{image}`
(section 2, Product ordering; api.md, product). Small PDF files for order documents and notices.
"""

import io
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from types import SimpleNamespace

from django.core.files.base import ContentFile
from django.core.files.storage import Storage
from PIL import Image
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

PICTURES = Path(__file__).parent / "pictures"
SIZES = (100, 300)
"""Side of each variant in pixels; also the name of its folder."""


def write_pictures(products: Iterable[SimpleNamespace], storage: Storage) -> int:
    """Store the picture of every product in both sizes; return how many files were written.

    A file that is there already is left alone, so a second call costs next to nothing.
    """
    count = 0
    for product in products:
        for size in SIZES:
            name = f"products/{size}/{product.image}"
            if not storage.exists(name):
                storage.save(name, ContentFile(_content(product.picture, size)))
                count += 1
    return count


@cache
def _content(picture: str, size: int) -> bytes:
    with Image.open(PICTURES / f"{picture}.jpg") as image:
        buffer = io.BytesIO()
        image.resize((size, size)).save(buffer, "JPEG", quality=80, optimize=True)
        return buffer.getvalue()


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
