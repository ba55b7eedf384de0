"""The packing sheet as a workbook to fill in: the same columns, SKUs as text, figures
as numbers.
"""

from io import BytesIO

import xlsxwriter

from apps.orders.admin.packing_cells import BOX_FIELDS, TITLES
from apps.orders.admin.packing_sheet import PackingSheet
from apps.orders.packing_rules import LineToPack

WIDTHS = {"sku": 18, "box": 8, "product": 46}
EXTRA = {"product": "Product", "confirmed": "Confirmed"}
NUMBERS = (*BOX_FIELDS, "pieces", "confirmed")


def packing_spreadsheet(sheet: PackingSheet) -> bytes:
    """Return the sheet's rows with each product's name and confirmed pieces; no cell is
    a formula.
    """
    file = BytesIO()
    columns = {**TITLES, **EXTRA}
    lines = {line.sku: line for line in sheet.lines}
    with xlsxwriter.Workbook(file, {"in_memory": True, "strings_to_formulas": False}) as book:
        page, head, text = (
            book.add_worksheet("Packing"),
            book.add_format({"bold": True}),
            book.add_format(),
        )
        text.set_num_format("@")
        page.freeze_panes(1, 0)
        for place, (name, title) in enumerate(columns.items()):
            page.write_string(0, place, title, head)
            page.set_column(place, place, WIDTHS.get(name, 10), text if name == "sku" else None)
        for number, row in enumerate(sheet.rows, 1):
            cells = row | _known(lines.get(row["sku"]))
            for place, name in enumerate(columns):
                if name in NUMBERS and cells.get(name):
                    page.write_number(number, place, float(cells[name]))
                elif cells.get(name):
                    page.write_string(number, place, cells[name], text if name == "sku" else None)
    return file.getvalue()


def _known(line: LineToPack | None) -> dict[str, str]:
    return {"product": line.name, "confirmed": str(line.pieces)} if line else {}
