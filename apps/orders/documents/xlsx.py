"""A document as a spreadsheet: the same content in cells; text stays text, money and pieces are
numbers.
"""

import io
from datetime import datetime
from decimal import Decimal
from typing import Any

import xlsxwriter

from apps.orders.documents.content import Cell, Content

MM_A_CHARACTER = 1.9
REST_WIDTH = 56
FIGURES = {
    "usd": "#,##0.00",
    "unit": "#,##0.00##",
    "grams": "#,##0.000",
    "cbm": "#,##0.000",
    "pieces": "#,##0",
}
CENTS = Decimal("0.01")


def render_xlsx(content: Content, *, issued_at: datetime) -> bytes:
    """Return a document as an XLSX file with no formula in it; the same content and moment give the
    same bytes.
    """
    file = io.BytesIO()
    with xlsxwriter.Workbook(file, {"in_memory": True}) as book:
        book.set_properties(
            {
                "title": f"{content['title'].capitalize()} {content['number']}",
                "author": content["seller"] or content["brand"],
                "created": issued_at.replace(tzinfo=None),
            }
        )
        _write(book, content)
    return file.getvalue()


def _write(book: Any, content: Content) -> None:
    """Write the whole document row by row; the columns are those of its table."""
    sheet = book.add_worksheet(content["title"].capitalize())
    bold: dict[str, Any] = {"bold": True}
    heading = {**bold, "bottom": 1, "bg_color": "#F1EFEB"}
    title = book.add_format({**bold, "font_size": 16})
    bold_text, total = book.add_format(bold), book.add_format({**bold, "top": 1})
    head, number_head = book.add_format(heading), book.add_format({**heading, "align": "right"})
    formats, strong, totals = (
        {kind: book.add_format({**look, "num_format": form}) for kind, form in FIGURES.items()}
        for look in ({}, bold, {**bold, "top": 1})
    )

    def block(row: int, title: str, lines: list[str]) -> int:
        sheet.write_string(row, 0, title, bold_text)
        for line in filter(str.strip, lines):
            row += 1
            sheet.write_string(row, 0, line)
        return row + 2

    columns = content["table"]["columns"]
    sheet.set_paper(9)  # A4
    sheet.fit_to_pages(1, 0)
    for place, column in enumerate(columns):
        width = max(column["width"] / MM_A_CHARACTER, 8) if column["width"] else REST_WIDTH
        sheet.set_column(place, place, width)
    sheet.write_string(0, 0, content["title"], title)
    sheet.write_string(1, 0, " · ".join(filter(None, [content["brand"], content["seller"]])))
    row = 3
    for box in content["boxes"]:
        row = block(row, box["label"], box["lines"])
    for place, column in enumerate(columns):
        sheet.write_string(row, place, column["title"], number_head if column["numbers"] else head)
    sheet.repeat_rows(row)
    for values in content["table"]["rows"]:
        row += 1
        _cells(sheet, row, values, formats)
        if note := next((cell["note"] for cell in values if cell.get("note")), ""):
            sheet.write_string(row, len(values), note)
    _cells(sheet, row + 1, content["table"]["total"], totals, total)
    row += 3
    widest = next(place for place, column in enumerate(columns) if not column["width"])
    for sum_ in content["sums"]:
        label, figures = (bold_text, strong) if sum_.get("strong") else (None, formats)
        sheet.write_string(row, widest, sum_["label"], label)
        sheet.write_number(row, len(columns) - 1, Decimal(sum_["usd"]), figures["usd"])
        row += 1
    row += 1
    for section in content["sections"]:
        row = block(row, section["title"], section["lines"])


def _cells(
    sheet: Any, row: int, values: list[Cell], formats: dict[str, Any], text: Any = None
) -> None:
    for place, value in enumerate(values):
        cell: dict[str, Any] = {**value}
        kind = next((kind for kind in FIGURES if kind in cell), "")
        if not kind:
            sheet.write_string(row, place, cell.get("text", ""), text)
            continue
        figure = Decimal(cell[kind])
        if kind == "grams":
            figure /= 1000
        elif kind == "usd" and figure % CENTS:
            kind = "unit"
        sheet.write_number(row, place, figure, formats[kind])
