"""A table to download, as a spreadsheet or as CSV; text stays text, so that no cell is
a formula.
"""

import csv
from collections.abc import Iterable, Sequence
from decimal import Decimal
from io import BytesIO, StringIO

import xlsxwriter
from django.http import HttpResponse
from django.utils.http import content_disposition_header

from apps.common.storage.files import XLSX
from apps.common.tables.delimited import plain

FORMATS = ("xlsx", "csv")
CSV = "text/csv; charset=utf-8"
MOST_ROWS = 20_000  # of orders: more are asked for in parts, by the filters
NARROWEST = 14  # characters of a column
Cell = str | int | Decimal
Rows = Iterable[Sequence[Cell]]


def table_file(rows: Rows, *, name: str, title: str = "", format_: str) -> HttpResponse:
    """Return rows, the headings first, as a file of one of the `FORMATS` to download; money is what
    is Decimal.

    A workbook's sheet is called `title`, or like the file.
    """
    content, kind = (
        (csv_of(rows), CSV)
        if format_ == "csv"
        else (spreadsheet_of(rows, title=title or name), XLSX)
    )
    response = HttpResponse(content, content_type=kind)
    response["Content-Disposition"] = content_disposition_header(True, f"{name}.{format_}")
    return response


def spreadsheet_of(rows: Rows, *, title: str) -> bytes:
    """Return rows as a workbook with one sheet of this title, its headings bold and in sight.

    What is text stays text when somebody types over it: a code keeps its zeros.
    """
    buffer = BytesIO()
    book = xlsxwriter.Workbook(buffer, {"constant_memory": True})
    sheet, money = book.add_worksheet(title), book.add_format({"num_format": "#,##0.00"})
    text, heading = book.add_format({"num_format": "@"}), book.add_format({"bold": True})
    sheet.freeze_panes(1, 0)
    for row, cells in enumerate(rows):
        for column, cell in enumerate(cells):
            if isinstance(cell, str):
                if row == 0:
                    sheet.set_column(column, column, max(len(cell) + 2, NARROWEST))
                sheet.write_string(row, column, cell, text if row else heading)
            else:
                sheet.write_number(row, column, cell, money if isinstance(cell, Decimal) else None)
    book.close()
    return buffer.getvalue()


def csv_of(rows: Rows) -> bytes:
    """Return rows as CSV in UTF-8, with the mark that spreadsheets look for."""
    text = StringIO()
    writer = csv.writer(text)
    for cells in rows:
        writer.writerow([plain(cell) if isinstance(cell, str) else cell for cell in cells])
    return text.getvalue().encode("utf-8-sig")
