"""Models of the catalog app."""

from apps.catalog.models.imports import (
    IMPORT_FOLDER,
    KINDS,
    Import,
    ImportRow,
    rows_path,
    stored_path,
)
from apps.catalog.models.prices import (
    BrandClosure,
    PriceGroupItem,
    ProductPrice,
    Promotion,
    PromotionItem,
)
from apps.catalog.models.products import (
    Brand,
    BrandAccess,
    CatalogChange,
    ListKeyField,
    Product,
    Running,
    list_key,
)
from apps.catalog.models.stock import Stock, StockChange, StockHold
