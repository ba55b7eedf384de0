"""An order that began before the portal: entered at its status, and taken out again."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from apps.accounts.models import User
from apps.accounts.selectors import buyer_of
from apps.accounts.shipping import SHIP_COLUMNS
from apps.catalog.models import Product
from apps.catalog.selectors.products import quantities
from apps.catalog.services import stock
from apps.common.money import ZERO, usd
from apps.common.permissions import needs
from apps.common.texts import Text
from apps.orders.due import step_due_at
from apps.orders.models import (
    FrozenLine,
    FrozenProduct,
    IssuedDocument,
    Order,
    OrderDocument,
    OrderEvent,
    OrderLine,
    SalesTally,
    TemporaryOrder,
)
from apps.orders.rules import line_total, subtotal
from apps.orders.selectors.orders import month_of
from apps.orders.services.lines import freeze, release_stock
from apps.orders.services.moves import count_sale, forget_status, record, record_status
from apps.orders.status import OrderStatus

WIRE = "T/T"


@dataclass(frozen=True)
class OldLine:
    """Pieces of a product at a wholesale price in US dollars, as they were agreed."""

    product: Product
    pieces: int
    price: Decimal


@dataclass(frozen=True)
class OldOrder:
    """An order of before; money in US dollars. `deposit` is what was agreed; without, the
    company's share of the lines.
    """

    number: str
    user: User
    placed_at: datetime
    status: OrderStatus
    lines: Sequence[OldLine]
    deposit: Decimal | None
    shipping_fee: Decimal
    po_number: str
    remark: str  # for staff alone

    @property
    def total(self) -> Decimal:
        """Return the subtotal of its lines, in US dollars."""
        return subtotal(line_total(price=one.price, quantity=one.pieces) for one in self.lines)


@needs("orders.change_order")
def move_in(*, old: OldOrder, may_be_short: bool, actor: User, now: datetime) -> Order:
    """Enter an open order at its status, in the caller's transaction: code, lines, stock, history
    and tallies. Nobody is told.

    Raises:
        OutOfStock: some pieces cannot be promised, and it may not be short of any.
    """
    user, total = old.user, old.total
    assert user.company is not None
    deposit = old.deposit
    if deposit is None:
        deposit = usd(total * buyer_of(user).deposit_share)
    lines: list[FrozenLine] = [{**_frozen(one), "count": one.pieces} for one in old.lines]
    ship = {column: getattr(user, column) for column in SHIP_COLUMNS.values()}
    weight_g = sum(one.product.weight_g * one.pieces for one in old.lines)
    draft = TemporaryOrder.objects.create(
        user=user,
        lines=lines,
        total=total,
        count=len(lines),
        deposit_rate=deposit / total if total else ZERO,
        weight_g=weight_g,
        created_at=old.placed_at,
        expires_at=old.placed_at,
        ordered_at=old.placed_at,
        **ship,
    )
    wanted = {one.product.pk: one.pieces for one in old.lines}
    order = Order.objects.create(
        invoice_code=draft.invoice_code,
        former_number=old.number,
        temporary_order=draft,
        company=user.company,
        user=user,
        status=OrderStatus.RECEIVED,
        status_at=now,
        due_at=step_due_at(old.status, since=now),
        placed_at=old.placed_at,
        month=month_of(old.placed_at),
        payment_type=WIRE,
        po_number=old.po_number,
        count=len(lines),
        pieces=sum(wanted.values()),
        total=total,
        real_total=total,
        deposit=deposit,
        shipping_fee=old.shipping_fee,
        weight_g=weight_g,
        is_back_order=stock.allocate(wanted=wanted, stock_free=may_be_short),
        **ship,
    )
    OrderLine.objects.bulk_create(
        OrderLine(order=order, quantity=one.pieces, allocated=one.pieces, **_frozen(one))
        for one in old.lines
    )
    # The steps up to its status: received when it was placed, the others as it moves in.
    note = Text("Moved in: %(number)s", number=old.number)
    record_status(order=order, previous=None, actor=actor, note=note, now=old.placed_at)
    for status in OrderStatus:
        if OrderStatus.RECEIVED < status <= old.status:
            previous, order.status = OrderStatus(order.status), status
            order.save(update_fields=["status"])
            record_status(order=order, previous=previous, actor=actor, note=note, now=now)
    if old.remark:
        record(order, OrderEvent.Kind.NOTE, old.remark, actor=actor, now=now)
    if old.status.is_priced:
        count_sale(order)
    return order


def _frozen(line: OldLine) -> FrozenProduct:
    product = line.product
    moq, _step = quantities(product.minimum, product.is_special)
    return freeze(product, price=line.price, moq=moq)


@needs("orders.change_order")
def take_out(*, order: Order, actor: User) -> None:
    """Delete a locked order that moved in and that nobody touched, without trace: stock, tallies,
    papers and history with it. Its payments are gone before.
    """
    release_stock(order)
    if OrderStatus(order.status).is_priced:
        count_sale(order, sign=-1)
        SalesTally.objects.filter(company_id=order.company_id, orders=0, pieces=0).delete()
    forget_status(order)
    OrderDocument.objects.filter(order=order).delete()
    IssuedDocument.objects.filter(order=order).delete()
    order.events.all().delete()
    order.lines.all().delete()
    draft = order.temporary_order
    order.delete()
    if draft is not None:
        draft.delete()
