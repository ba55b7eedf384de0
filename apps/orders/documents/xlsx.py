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
        _Sheet(book, content).write()
    return file.getvalue()


class _Sheet:
    """Writes a content row by row."""

    def __init__(self, book: Any, content: Content) -> None:
        self.content = content
        self.sheet = book.add_worksheet(content["title"].capitalize())
        self.row = 0
        bold: dict[str, Any] = {"bold": True}
        head = {**bold, "bottom": 1, "bg_color": "#F1EFEB"}
        self.title = book.add_format({**bold, "font_size": 16})
        self.bold, self.total = book.add_format(bold), book.add_format({**bold, "top": 1})
        self.head = book.add_format(head)
        self.number_head = book.add_format({**head, "align": "right"})
        self.formats, self.strong, self.totals = (
            {kind: book.add_format({**look, "num_format": form}) for kind, form in FIGURES.items()}
            for look in ({}, bold, {**bold, "top": 1})
        )

    def write(self) -> None:
        """Write the whole document; the columns are those of its table."""
        content, sheet = self.content, self.sheet
        sheet.set_paper(9)  # A4
        sheet.fit_to_pages(1, 0)
        for place, column in enumerate(content["table"]["columns"]):
            sheet.set_column(
                place,
                place,
                max(column["width"] / MM_A_CHARACTER, 8) if column["width"] else REST_WIDTH,
            )
        sheet.write_string(0, 0, content["title"], self.title)
        sheet.write_string(1, 0, " · ".join(filter(None, [content["brand"], content["seller"]])))
        self.row = 3
        for box in content["boxes"]:
            self._lines(box["label"], box["lines"])
        columns = content["table"]["columns"]
        for place, column in enumerate(columns):
            head = self.number_head if column["numbers"] else self.head
            sheet.write_string(self.row, place, column["title"], head)
        sheet.repeat_rows(self.row)
        for row in content["table"]["rows"]:
            self.row += 1
            for place, cell in enumerate(row):
                self._cell(place, cell, self.formats)
            if note := next((cell["note"] for cell in row if cell.get("note")), ""):
                sheet.write_string(self.row, len(row), note)
        self.row += 1
        for place, cell in enumerate(content["table"]["total"]):
            self._cell(place, cell, self.totals, self.total)
        self.row += 2
        widest = next(place for place, column in enumerate(columns) if not column["width"])
        for sum_ in content["sums"]:
            plain, strong = (None, self.formats), (self.bold, self.strong)
            label, figures = strong if sum_.get("strong") else plain
            sheet.write_string(self.row, widest, sum_["label"], label)
            sheet.write_number(self.row, len(columns) - 1, Decimal(sum_["usd"]), figures["usd"])
            self.row += 1
        self.row += 1
        for section in content["sections"]:
            self._lines(section["title"], section["lines"])

    def _lines(self, title: str, lines: list[str]) -> None:
        self.sheet.write_string(self.row, 0, title, self.bold)
        for line in filter(str.strip, lines):
            self.row += 1
            self.sheet.write_string(self.row, 0, line)
        self.row += 2

    def _cell(self, place: int, cell: Cell, formats: dict[str, Any], text: Any = None) -> None:
        values: dict[str, Any] = {**cell}
        kind = next((kind for kind in FIGURES if kind in values), "")
        if not kind:
            self.sheet.write_string(self.row, place, cell.get("text", ""), text)
            return
        figure = Decimal(values[kind])
        if kind == "grams":
            figure /= 1000
        elif kind == "usd" and figure % CENTS:
            kind = "unit"
        self.sheet.write_number(self.row, place, figure, formats[kind])
