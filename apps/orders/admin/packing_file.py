"""The packing sheet as a workbook to fill in: the same columns, SKUs as text, figures
as numbers.
"""

from io import BytesIO

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy
from openpyxl import Workbook
from openpyxl.styles import Font
from openpyxl.utils import get_column_letter

from apps.orders.admin.packing_cells import BOX_FIELDS, TITLES
from apps.orders.admin.packing_sheet import PackingSheet
from apps.orders.packing_rules import LineToPack

WIDTHS = {"sku": 18, "box": 8, "product": 46}
EXTRA = {"product": gettext_lazy("Product"), "confirmed": pgettext_lazy("line", "Confirmed")}
NUMBERS = (*BOX_FIELDS, "pieces", "confirmed")


def packing_spreadsheet(sheet: PackingSheet) -> bytes:
    """Return the sheet's rows with each product's name and confirmed pieces; no cell is
    a formula.
    """
    columns = {**TITLES, **EXTRA}
    lines = {line.sku: line for line in sheet.lines}
    book = Workbook()
    page = book.active
    page.title, page.freeze_panes = _("Packing"), "A2"
    page.append([str(title) for title in columns.values()])
    for row in sheet.rows:
        cells = row | _known(lines.get(row["sku"]))
        page.append([_value(name, cells.get(name, "")) for name in columns])
    for number, of_row in enumerate(page.iter_rows()):
        for cell in of_row:
            cell.font = Font(bold=number == 0)
            if isinstance(cell.value, str):
                cell.data_type, cell.number_format = "s", "@"
    for place, name in enumerate(columns, 1):
        page.column_dimensions[get_column_letter(place)].width = WIDTHS.get(name, 10)
    file = BytesIO()
    book.save(file)
    return file.getvalue()


def _value(name: str, typed: str) -> float | str | None:
    return float(typed) if typed and name in NUMBERS else typed or None


def _known(line: LineToPack | None) -> dict[str, str]:
    return {"product": line.name, "confirmed": str(line.pieces)} if line else {}
