"""The forms that a paper takes as a file."""

from collections.abc import Callable
from datetime import datetime

from django.utils.module_loading import import_string

from apps.common.storage.files import PDF, SPREADSHEET
from apps.orders.papers.content import Content

RENDERERS = {
    PDF.content_type: "apps.orders.papers.pdf.render_pdf",
    SPREADSHEET.content_type: "apps.orders.papers.xlsx.render_xlsx",
}


def render(content: Content, *, content_type: str, issued_at: datetime) -> bytes:
    """Return a paper as a file; the same content and moment give the same bytes.

    What draws a form is loaded with its first paper: it is large, and a starting server would wait for it.
    """
    renderer: Callable[..., bytes] = import_string(RENDERERS[content_type])
    return renderer(content, issued_at=issued_at)
