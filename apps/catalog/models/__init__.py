"""Models of the catalog app."""

from apps.catalog.models.imports import IMPORT_FOLDER, Import, ImportRow, rows_path, stored_path
from apps.catalog.models.list_layouts import MAX_HEADINGS, ListLayout
from apps.catalog.models.lists import LIST_FOLDER, ListInHand, list_path
from apps.catalog.models.messages import PastedMessage
from apps.catalog.models.own_codes import MAX_OWN_CODE, OwnCode
from apps.catalog.models.products import (
    Brand,
    BrandAccess,
    CatalogChange,
    ListKeyField,
    Product,
    Running,
    SearchWord,
    list_key,
)
from apps.catalog.models.promotions import Promotion, PromotionItem
from apps.catalog.models.stock import Arrival, Stock, StockChange, StockHold

__all__ = [
    "IMPORT_FOLDER",
    "LIST_FOLDER",
    "MAX_HEADINGS",
    "MAX_OWN_CODE",
    "Arrival",
    "Brand",
    "BrandAccess",
    "CatalogChange",
    "Import",
    "ImportRow",
    "ListInHand",
    "ListKeyField",
    "ListLayout",
    "OwnCode",
    "PastedMessage",
    "Product",
    "Promotion",
    "PromotionItem",
    "Running",
    "SearchWord",
    "Stock",
    "StockChange",
    "StockHold",
    "list_key",
    "list_path",
    "rows_path",
    "stored_path",
]
