"""Makers of packed orders for tests."""

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import Any

from apps.catalog.models import Product
from apps.orders.models import Order, PackingBox, PackingItem

BUILT_ON = date(2026, 11, 14)
Contents = Sequence[tuple[Product, int]]


def make_box(
    order: Order, contents: Contents, *, count: int = 1, weight_g: int = 14_200, **fields: Any
) -> PackingBox:
    """Add boxes of one kind to an order: pieces of each product in one of them."""
    sides = {"length": Decimal(52), "width": Decimal(40), "height": Decimal(34)}
    number = order.boxes.count() + 1
    box = PackingBox.objects.create(
        order=order, number=number, count=count, weight_g=weight_g, **{**sides, **fields}
    )
    PackingItem.objects.bulk_create(
        PackingItem(box=box, product=product, quantity=quantity) for product, quantity in contents
    )
    return box


def mark_packed(order: Order, **fields: Any) -> Order:
    """Complete an order's packing as its boxes stand, and measure it."""
    weight = sum(box.count * box.weight_g for box in order.boxes.all())
    values = {"packing_build_date": BUILT_ON, "measured_weight_g": weight, **fields}
    Order.objects.filter(pk=order.pk).update(packing_status=Order.Packing.COMPLETE, **values)
    order.refresh_from_db()
    return order
