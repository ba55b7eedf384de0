"""Reading what a document's file says, for tests."""

import io
from typing import Any

import openpyxl
from pypdf import PdfReader

from apps.common.testing import ContractClient
from apps.orders.documents import content as cells
from apps.orders.documents.content import Cell, Content
from apps.orders.models import Order, OrderDocument
from apps.orders.services.documents import open_document

# What a document may do in whose browser it is opened: nothing.
PRIVATE_PDF = {
    "Content-Type": "application/pdf",
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "sandbox; default-src 'none'",
    "Cache-Control": "private, no-store",
    "Referrer-Policy": "no-referrer",
}


def pages_of(file: bytes) -> list[str]:
    """Return the text of a PDF's pages, a line for each piece of text."""
    pages = [page.extract_text() for page in PdfReader(io.BytesIO(file)).pages]
    return ["\n".join(line.strip() for line in text.splitlines()) for text in pages]


def words_of(file: bytes) -> str:
    """Return the text of a whole PDF on one line, however it was broken."""
    return " ".join(" ".join(pages_of(file)).split())


def cells_of(file: bytes) -> list[list[Any]]:
    """Return the cells of a spreadsheet's one sheet."""
    (sheet,) = openpyxl.load_workbook(io.BytesIO(file)).worksheets
    return [list(row) for row in sheet.iter_rows()]


def values_of(file: bytes) -> list[list[Any]]:
    """Return what stands in the cells of a spreadsheet's one sheet."""
    return [[cell.value for cell in row] for row in cells_of(file)]


def documents_of(order: Order) -> dict[str, OrderDocument]:
    """Return the documents that the portal issued for an order, by title."""
    return {document.title: document for document in order.documents.filter(issued__isnull=False)}


def file_of(order: Order, title: str) -> bytes:
    """Return the file of a document that the portal issued."""
    document = documents_of(order)[title]
    return open_document(document=document, now=document.uploaded_at).read()


def make_content(rows: list[list[Cell]] | None = None, **fields: Any) -> Content:
    """Return what a small document says, fields changed."""
    content: Content = {
        "title": "TEST DOCUMENT",
        "number": "MHW-1",
        "brand": "Maren & Holt",
        "seller": "Maren & Holt Co., Ltd.",
        "boxes": [{"label": "Buyer", "lines": ["Brightwater Trading Co."]}],
        "table": {
            "columns": [
                cells.column("SKU", 30),
                cells.column("Description"),
                cells.column("Qty", 20, numbers=True),
                cells.column("Amount $", 30, numbers=True),
            ],
            "rows": [] if rows is None else rows,
            "total": [cells.text("Total"), cells.text(""), cells.pieces(0), {"usd": "0.00"}],
        },
        "sums": [],
        "sections": [],
    }
    content.update(fields)  # type: ignore[typeddict-item]
    return content


def pdf_name(order: Order) -> str:
    """Return the name of an order's proforma as PDF."""
    return f"Proforma_Invoice_{order.invoice_code}.pdf"


def xlsx_name(order: Order) -> str:
    """Return the name of an order's proforma as a spreadsheet."""
    return f"Proforma_Invoice_{order.invoice_code}.xlsx"


def listed(api: ContractClient, order: Order) -> dict[str, str]:
    """Return the files that the details list, name by name, with their links."""
    files = api.get(f"/api/details/{order.invoice_code}").json()["fileList"]
    return {file["name"]: file["url"] for file in files}
