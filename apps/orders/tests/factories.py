"""Makers of temporary orders and orders for tests, through the services that buyers and
staff use.
"""

from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

from django.db import transaction

from apps.accounts.models import User
from apps.accounts.selectors import Buyer
from apps.accounts.shipping import Shipping
from apps.accounts.tests.factories import make_country, make_staff
from apps.catalog.models import Product, Stock
from apps.catalog.services import stock
from apps.catalog.tests.factories import make_product
from apps.orders.models import Order, PackingBox, PackingItem, TemporaryOrder
from apps.orders.rules import Box, Contents
from apps.orders.selectors.packing import lines_to_pack
from apps.orders.services.confirm import AddedLine, LineDecision, confirm_order
from apps.orders.services.lines import allocated_pieces
from apps.orders.services.moves import move_order, record_money_received, start_preparing
from apps.orders.services.packing import PackingListDetails, complete_packing, ship_order
from apps.orders.services.place import place_order
from apps.orders.services.request import claim_temporary_order, request_order
from apps.orders.status import OrderStatus

Lines = Sequence[tuple[Product, int]]
SHIPPING_FEE = Decimal("50.00")
TRACKING: dict[str, Any] = {
    "tracking_number": "DHL-123",
    "shipping_url": "https://carrier.test/DHL-123",
}


def make_shipping(**fields: Any) -> Shipping:
    """Return a whole shipping address."""
    address = {
        "ship_country": make_country().pk,
        "ship_city": "Warszawa",
        "ship_zipcode": "00-682",
        "ship_address1": "ul. Lipowa 51",
        "ship_phone": "+48 22 555 01 74",
    }
    return Shipping(**{**address, **fields})


def ship_body(**fields: Any) -> dict[str, Any]:
    """Return a whole shipping address as a call's body."""
    return asdict(make_shipping(**fields))


def make_draft(
    buyer: Buyer, lines: Lines | None = None, *, now: datetime | None = None, **fields: Any
) -> TemporaryOrder:
    """Return a buyer's temporary order, of 20 pieces of a new product unless told otherwise."""
    lines = [(make_product(), 20)] if lines is None else lines
    return request_order(
        buyer=buyer,
        lines=[(product.sku, count) for product, count in lines],
        shipping=make_shipping(),
        now=now or datetime.now(UTC),
        **fields,
    )


def stock_of(product: Product) -> tuple[int, int, int]:
    """Return a product's pieces on the shelf, allocated and short."""
    stock = Stock.objects.get(product=product)
    return stock.on_hand, stock.allocated, stock.short


def make_sales(**fields: Any) -> User:
    """Return a member of staff whose name is known and who may do everything."""
    return make_staff(**{"manager": "Mina Park", "is_superuser": True, **fields})


@transaction.atomic
def make_order(
    buyer: Buyer, lines: Lines | None = None, *, now: datetime | None = None, **fields: Any
) -> Order:
    """Return a received order of a buyer, without any payment."""
    now = now or datetime.now(UTC)
    return make_order_of(make_draft(buyer, lines, now=now), buyer, now=now, **fields)


@transaction.atomic
def make_order_of(
    draft: TemporaryOrder, buyer: Buyer, *, now: datetime | None = None, **fields: Any
) -> Order:
    """Return the received order of a temporary order, without any payment."""
    now = now or datetime.now(UTC)
    placing = {
        "shipping": make_shipping(),
        "export_declared": True,
        "payment_type": "T/T",
        "deposit": draft.total,
    }
    claimed = claim_temporary_order(buyer=buyer, invoice_code=draft.invoice_code, now=now)
    return place_order(draft=claimed, buyer=buyer, now=now, **{**placing, **fields})


def all_as_ordered(order: Order) -> list[LineDecision]:
    """Return the decisions that confirm every line whole."""
    return [LineDecision(line.pk, line.quantity) for line in order.lines.filter(is_confirmed=True)]


def confirm(
    order: Order,
    decisions: Sequence[LineDecision] | None = None,
    *,
    added: Sequence[AddedLine] = (),
    shipping_fee: Decimal = SHIPPING_FEE,
    actor: User | None = None,
) -> Order:
    """Confirm a preparing order, whole unless told otherwise."""
    return confirm_order(
        order_id=order.pk,
        version=Order.objects.get(pk=order.pk).version,
        decisions=all_as_ordered(order) if decisions is None else decisions,
        added=added,
        shipping_fee=shipping_fee,
        actor=actor or make_sales(),
        now=datetime.now(UTC),
    )


DETAILS = PackingListDetails(build_date=date(2026, 11, 14))


def one_box(order: Order) -> Box:
    """Return a box with everything that an order sends, as heavy as boxes usually are."""
    lines = lines_to_pack(order_id=order.pk)
    grams = sum(line.pieces * line.weight_g for line in lines)
    contents = tuple(Contents(line.product_id, line.pieces) for line in lines)
    return Box(
        1, grams * 110 // 100 or 100, Decimal("52.0"), Decimal("40.0"), Decimal("34.0"), contents
    )


def pack(order: Order, *, actor: User | None = None) -> Order:
    """Pack a confirmed order into one box, completely."""
    return complete_packing(
        order_id=order.pk,
        version=Order.objects.get(pk=order.pk).version,
        boxes=[one_box(order)],
        details=DETAILS,
        actor=actor or make_sales(),
        now=datetime.now(UTC),
    )


@transaction.atomic
def receive(order: Order, amount: Decimal, *, is_deposit: bool = False) -> None:
    """Record money received for an order."""
    locked = Order.objects.select_for_update().get(pk=order.pk)
    now = datetime.now(UTC)
    record_money_received(
        order=locked, amount=amount, is_deposit=is_deposit, actor=None, note="Test", now=now
    )


@transaction.atomic
def call_off(order: Order) -> None:
    """Cancel an order without any money moving."""
    locked = Order.objects.select_for_update().get(pk=order.pk)
    stock.release(quantities=allocated_pieces(locked.lines.all()))
    locked.lines.update(allocated=0)
    now = datetime.now(UTC)
    move_order(
        order=locked, target=OrderStatus.CANCELLED, actor=make_sales(), note="Sold out", now=now
    )


def make_order_at(
    status: OrderStatus, buyer: Buyer, lines: Lines | None = None, **fields: Any
) -> Order:
    """Return an order that went all the way to a status; its deposit, the whole subtotal, is
    received.
    """
    order = make_order(buyer, lines, **fields)
    actor = make_sales()
    receive(order, order.total, is_deposit=True)
    if status == OrderStatus.CANCELLED:
        call_off(order)
    if status >= OrderStatus.PREPARING:
        start_preparing(order_id=order.pk, actor=actor, now=datetime.now(UTC))
    if status >= OrderStatus.CONFIRMED:
        confirm(order, actor=actor)
    if status >= OrderStatus.PAID:
        receive(order, SHIPPING_FEE)
    if status >= OrderStatus.SHIPPED:
        pack(order, actor=actor)
        ship_order(order_id=order.pk, actor=actor, now=datetime.now(UTC), **TRACKING)
    return Order.objects.get(pk=order.pk)


# Packed orders


BUILT_ON = date(2026, 11, 14)
Packed = Sequence[tuple[Product, int]]


def make_box(
    order: Order, contents: Packed, *, count: int = 1, weight_g: int = 14_200, **fields: Any
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
