"""The product spreadsheet: any list of products as a workbook that can be imported again."""

from collections.abc import Iterable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import xlsxwriter
from django.db.models import QuerySet
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from apps.catalog.models import Product
from apps.catalog.sheet import COLUMNS, SKU, shown, values_of

PROMISED = _("Promised (not imported)")
CHUNK = 500
AS_NUMBERS = frozenset({"usd_price", "usd_supply", "minimum", "weight_g", "on_hand"})


def export_rows(products: QuerySet[Product]) -> Iterator[dict[str, Any]]:
    """Yield the products as the spreadsheet has them, some hundreds at a time."""
    for product in products.select_related("brand", "stock").iterator(chunk_size=CHUNK):
        promised = product.stock.allocated if hasattr(product, "stock") else 0
        yield {SKU: product.sku, **values_of(product), PROMISED: promised}


def write_products(rows: Iterable[dict[str, Any]], path: Path) -> None:
    """Write rows of `export_rows` to an xlsx file, one at a time, with headings in the language of
    the page. Text stays text, whatever it begins with.
    """
    with xlsxwriter.Workbook(path, {"constant_memory": True, "tmpdir": str(path.parent)}) as book:
        bold = book.add_format({"bold": True, "bottom": 1})
        money = book.add_format({"num_format": "#,##0.00"})
        plain = book.add_format({"num_format": "@"})
        grey = book.add_format({"font_color": "#767676"})
        sheet = book.add_worksheet(gettext("Products"))
        sheet.freeze_panes(1, 1)
        for index, (name, column) in enumerate(COLUMNS.items()):
            sheet.set_column(index, index, column.width, None if name in AS_NUMBERS else plain)
            sheet.write_string(0, index, gettext(column.title), bold)
        last = len(COLUMNS)
        sheet.set_column(last, last, 22)
        sheet.write_string(0, last, gettext(PROMISED), bold)
        for line, row in enumerate(rows, 1):
            for index, name in enumerate(COLUMNS):
                if name in AS_NUMBERS:
                    value = row[name]
                    sheet.write_number(
                        line, index, Decimal(value), money if isinstance(value, str) else None
                    )
                else:
                    text = (
                        row[name] or ""
                        if isinstance(row[name], str | None)
                        else shown(name, row[name])
                    )
                    sheet.write_string(line, index, text, plain)
            sheet.write_number(line, last, row[PROMISED], grey)
