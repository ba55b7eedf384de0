"""Makes a document's file: PDF or spreadsheet."""

from collections.abc import Callable
from datetime import datetime

from django.utils.module_loading import import_string

from apps.common.storage.files import PDF, SPREADSHEET
from apps.orders.documents.content import Content

RENDERERS = {
    PDF.content_type: "apps.orders.documents.pdf.render_pdf",
    SPREADSHEET.content_type: "apps.orders.documents.xlsx.render_xlsx",
}


def render(content: Content, *, content_type: str, issued_at: datetime) -> bytes:
    """Return a document as a file; the same content and moment give the same bytes.

    A renderer is large: it is loaded with its first document, so that a starting server need not wait for it.
    """
    renderer: Callable[..., bytes] = import_string(RENDERERS[content_type])
    return renderer(content, issued_at=issued_at)
