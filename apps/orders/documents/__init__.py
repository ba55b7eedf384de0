"""The papers of an order: what each says, and its file, PDF or spreadsheet."""

from datetime import datetime

from apps.common.storage.files import PDF
from apps.common.texts import in_english
from apps.orders.documents.content import Content


@in_english()
def render(content: Content, *, content_type: str, issued_at: datetime) -> bytes:
    """Return a document as a file; the same content and moment give the same bytes.

    A renderer is large: it is loaded with its first document, so that a starting server need not
    wait for it.
    """
    if content_type == PDF.content_type:
        from apps.orders.documents.pdf import render_pdf

        return render_pdf(content, issued_at=issued_at)
    from apps.orders.documents.xlsx import render_xlsx

    return render_xlsx(content, issued_at=issued_at)
