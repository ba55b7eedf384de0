"""The product spreadsheet: any list of products as a workbook that can be imported again."""

from decimal import Decimal
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from apps.catalog.models import Product
from apps.catalog.sheet import COLUMNS, SKU, shown, values_of
from apps.common.tables.download import Cell, Rows

PROMISED = _("Promised (not imported)")
CHUNK = 500
MONEY = frozenset({"usd_price", "usd_supply"})
COUNTS = frozenset({"minimum", "weight_g", "on_hand"})


def export_rows(products: QuerySet[Product]) -> Rows:
    """Yield the headings of the spreadsheet in the language of the page, then the products, some
    hundreds at a time.
    """
    yield [gettext(title) for title in (*(one.title for one in COLUMNS.values()), PROMISED)]
    for product in products.select_related("brand", "stock").iterator(chunk_size=CHUNK):
        values = {SKU: product.sku, **values_of(product)}
        promised = product.stock.allocated if hasattr(product, "stock") else 0
        yield [*(_cell(name, values[name]) for name in COLUMNS), promised]


def _cell(name: str, value: Any) -> Cell:
    if name in MONEY:
        return Decimal(value)
    if name in COUNTS:
        return int(value)
    return value or "" if isinstance(value, str | None) else shown(name, value)
