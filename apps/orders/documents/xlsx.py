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
        self.title = book.add_format({**bold, "font_size": 16})
        self.bold, self.top = book.add_format(bold), book.add_format({"valign": "top"})
        self.head = book.add_format({**bold, "bottom": 1, "bg_color": "#F1EFEB"})
        self.number_head = book.add_format(
            {**bold, "bottom": 1, "bg_color": "#F1EFEB", "align": "right"}
        )
        self.formats = {
            kind: book.add_format({"num_format": figures}) for kind, figures in FIGURES.items()
        }
        self.totals = {
            kind: book.add_format({**bold, "num_format": figures, "top": 1})
            for kind, figures in FIGURES.items()
        }
        self.total = book.add_format({**bold, "top": 1})
        self.strong_usd = book.add_format({**bold, "num_format": FIGURES["usd"]})

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
            plain, strong = (None, self.formats["usd"]), (self.bold, self.strong_usd)
            bold, usd = strong if sum_.get("strong") else plain
            sheet.write_string(self.row, widest, sum_["label"], bold)
            sheet.write_number(self.row, len(columns) - 1, Decimal(sum_["usd"]), usd)
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
        if "usd" in cell:
            amount = Decimal(cell["usd"])
            self.sheet.write_number(
                self.row, place, amount, formats["unit" if amount % CENTS else "usd"]
            )
        elif "grams" in cell:
            self.sheet.write_number(
                self.row, place, Decimal(cell["grams"]) / 1000, formats["grams"]
            )
        elif "cbm" in cell:
            self.sheet.write_number(self.row, place, Decimal(cell["cbm"]), formats["cbm"])
        elif "pieces" in cell:
            self.sheet.write_number(self.row, place, cell["pieces"], formats["pieces"])
        else:
            self.sheet.write_string(self.row, place, cell.get("text", ""), text)
