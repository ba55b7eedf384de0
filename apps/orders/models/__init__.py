"""Models of the orders app."""

from apps.orders.models.documents import IssuedDocument, OrderDocument
from apps.orders.models.figures import BrandBuyer, BrandBuyerMark, OrderTally, month_bucket, status_bucket
from apps.orders.models.orders import (
    UNREAD,
    FormerTracking,
    FrozenLine,
    FrozenProduct,
    Order,
    OrderEvent,
    OrderLine,
    TemporaryOrder,
    invoice_code,
)
from apps.orders.models.packing import PackingBox, PackingItem

__all__ = [
    "UNREAD",
    "BrandBuyer",
    "BrandBuyerMark",
    "FormerTracking",
    "FrozenLine",
    "FrozenProduct",
    "IssuedDocument",
    "Order",
    "OrderDocument",
    "OrderEvent",
    "OrderLine",
    "OrderTally",
    "PackingBox",
    "PackingItem",
    "TemporaryOrder",
    "invoice_code",
    "month_bucket",
    "status_bucket",
]
