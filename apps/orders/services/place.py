"""A temporary order becomes an order: stock taken, lines written, event and tallies with it. An
order that began before the portal is entered at its status, and taken out again.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import cache
from typing import Any
from uuid import UUID

from django.db import connection

from apps.accounts.models import User
from apps.accounts.selectors import Buyer, buyer_of
from apps.accounts.shipping import SHIP_COLUMNS, Shipping, missing_ship_fields
from apps.catalog.models import Product
from apps.catalog.selectors.products import quantities
from apps.catalog.services import holds, stock
from apps.common.db.dialect import collected, elements, write_both
from apps.common.db.rows import Part
from apps.common.errors import Invalid
from apps.common.money import ZERO
from apps.common.permissions import needs
from apps.common.texts import Text
from apps.orders.models import (
    FrozenLine,
    FrozenProduct,
    Order,
    OrderEvent,
    OrderLine,
    SalesTally,
    TemporaryOrder,
)
from apps.orders.rules import WIRE, deposit_due, line_total, subtotal
from apps.orders.selectors.orders import month_of, step_due_at
from apps.orders.services.lines import freeze, release_stock
from apps.orders.services.moves import record, record_status
from apps.orders.services.tallies import count_sale, forget_status
from apps.orders.services.wishes import take_offers
from apps.orders.status import OrderStatus

# The lines go from the temporary order's JSON straight into rows. By `bulk_create` an order of ten
# lines would take 0.5 of its 9 ms more, one of 328 lines 10 ms.
LINES = """
INSERT INTO orders_orderline ({columns}, order_id, quantity, allocated, is_confirmed, is_ordered,
reason, comment)
SELECT {values}, %s, CAST(line.value->>'count' AS integer), CAST(line.value->>'count' AS integer),
TRUE, TRUE, '', ''
FROM orders_temporaryorder t, {lines} WHERE t.id = %s ORDER BY line.key"""

# What was ordered goes out of the basket; a line whose pieces were changed since stays. By Django a
# tenth of an order more (0.9 ms of 9), and two statements.
TAKE_OUT = """
UPDATE orders_basket SET revision = revision + 1, lines = (
 SELECT {collected} FROM (
  SELECT l.value, l.key FROM {basket}
  WHERE (l.value->>'count') || ' ' || (l.value->>'sku') NOT IN (
   SELECT (o.value->>'count') || ' ' || (o.value->>'sku')
   FROM orders_temporaryorder t, {ordered} WHERE t.id = %s)
  ORDER BY l.key) still)
WHERE user_id = %s AND lines <> '[]'"""


def place_order(
    *,
    draft: TemporaryOrder,
    buyer: Buyer,
    shipping: Shipping,
    export_declared: bool,
    payment_type: str,
    ship_memo: str = "",
    po_number: str = "",
    deposit: Decimal,
    wire_announced: bool = False,
    held: bool = False,
    idempotency_key: UUID | None = None,
    request_hash: str = "",
    now: datetime,
) -> Order:
    """Return the received order of a claimed temporary order, in the caller's transaction.

    Takes the stock, what is held for the company's wishes first, writes order and lines, the event
    and the tallies, and takes what is ordered out of the buyer's basket: seven statements, however
    many lines, one more for a request for shipping. With `held`, the pieces are those that are held
    for the temporary order.

    Raises:
        Invalid: a ship field is missing.
        OutOfStock: some pieces cannot be promised (any more).
    """
    if missing := missing_ship_fields(shipping):
        raise Invalid(errors=missing)
    code, pieces = draft.invoice_code, pieces_by_product(draft)
    if held:
        is_back_order = holds.hand_over(invoice_code=code)
    else:
        if draft.may_take_offers:
            take_offers(company_id=buyer.company_id, quantities=pieces, invoice_code=code, now=now)
        is_back_order = stock.allocate(
            quantities=pieces, stock_free=buyer.stock_free, seen_by=buyer
        )
    order = _order_of(
        draft,
        company_id=buyer.company_id,
        status_at=now,
        due_at=step_due_at(OrderStatus.RECEIVED, since=now),
        placed_at=now,
        payment_type=payment_type,
        export_declared=export_declared,
        deposit=deposit,
        wire_announced=wire_announced,
        ship_memo=ship_memo,
        po_number=po_number,
        is_back_order=is_back_order,
        idempotency_key=idempotency_key,
        request_hash=request_hash,
        **shipping.columns(),
    )
    order.save(force_insert=True)
    write_both(Part(_lines_sql(), (order.pk, draft.pk)), _ordered_out(draft))
    record_status(order=order, previous=None, actor=None, now=now)
    if ship_memo:
        record(order, OrderEvent.Kind.SHIP_MEMO, ship_memo, actor=buyer, now=now)
    return order


def _order_of(draft: TemporaryOrder, *, placed_at: datetime, **columns: Any) -> Order:
    """Return the received order of a temporary order, unsaved."""
    return Order(
        invoice_code=draft.invoice_code,
        temporary_order=draft,
        user_id=draft.user_id,
        status=OrderStatus.RECEIVED,
        placed_at=placed_at,
        month=month_of(placed_at),
        count=draft.count,
        pieces=sum(pieces_by_product(draft).values()),
        total=draft.total,
        real_total=draft.total,
        weight_g=draft.weight_g,
        **columns,
    )


@cache
def _lines_sql() -> str:
    """Return the statement that makes an order's lines of its temporary order's."""
    types = {
        name: OrderLine._meta.get_field(name).db_type(connection)
        for name in FrozenProduct.__annotations__
    }
    return LINES.format(
        columns=", ".join(types),
        values=", ".join(f"CAST(line.value->>'{name}' AS {of})" for name, of in types.items()),
        lines=elements("t.lines", "line"),
    )


def _ordered_out(draft: TemporaryOrder) -> Part:
    """Return the statement that takes a temporary order's lines out of its buyer's basket."""
    sql = TAKE_OUT.format(
        collected=collected(),
        basket=elements("orders_basket.lines", "l"),
        ordered=elements("t.lines", "o"),
    )
    return Part(sql, (draft.pk, draft.user_id))


def pieces_by_product(draft: TemporaryOrder) -> dict[int, int]:
    """Return the pieces of a temporary order by product id."""
    return {line["product_id"]: line["count"] for line in draft.lines}


def hold_stock(
    draft: TemporaryOrder, *, buyer: Buyer, until: datetime | None, now: datetime
) -> None:
    """Hold the pieces of a locked temporary order for its payment, or prolong the hold
    (`holds.hold`).

    Raises:
        OutOfStock: as for the order itself.
    """
    quantities, code = pieces_by_product(draft), draft.invoice_code
    if not holds.held_pieces(invoice_code=code):
        take_offers(company_id=buyer.company_id, quantities=quantities, invoice_code=code, now=now)
    holds.hold(
        invoice_code=code,
        quantities=quantities,
        stock_free=buyer.stock_free,
        seen_by=buyer,
        until=until,
    )


def take_ordered_out(*, draft: TemporaryOrder) -> None:
    """Take a temporary order's lines out of its buyer's basket, in the caller's transaction. One
    statement.
    """
    ordered_out = _ordered_out(draft)
    with connection.cursor() as cursor:
        cursor.execute(ordered_out.sql, ordered_out.values)


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
        deposit = deposit_due(goods=total, rate=buyer_of(user).deposit_share)
    lines: list[FrozenLine] = []
    for one in old.lines:
        moq, _step = quantities(one.product.minimum, one.product.is_special)
        lines.append({**freeze(one.product, price=one.price, moq=moq), "count": one.pieces})
    ship = {column: getattr(user, column) for column in SHIP_COLUMNS.values()}
    draft = TemporaryOrder.objects.create(
        user=user,
        lines=lines,
        total=total,
        count=len(lines),
        deposit_rate=deposit / total if total else ZERO,
        weight_g=sum(one.product.weight_g * one.pieces for one in old.lines),
        created_at=old.placed_at,
        expires_at=old.placed_at,
        ordered_at=old.placed_at,
        **ship,
    )
    order = _order_of(
        draft,
        former_number=old.number,
        company=user.company,
        status_at=now,
        due_at=step_due_at(old.status, since=now),
        placed_at=old.placed_at,
        payment_type=WIRE,
        po_number=old.po_number,
        deposit=deposit,
        shipping_fee=old.shipping_fee,
        is_back_order=stock.allocate(quantities=pieces_by_product(draft), stock_free=may_be_short),
        **ship,
    )
    order.save(force_insert=True)
    with connection.cursor() as cursor:
        cursor.execute(_lines_sql(), [order.pk, draft.pk])
    # The steps up to its status: received when it was placed, the others as it moves in.
    note = Text("Moved in: %(number)s", number=old.number)
    record_status(order=order, previous=None, actor=actor, note=note, now=old.placed_at)
    for status in OrderStatus:
        if OrderStatus.RECEIVED < status <= old.status:
            previous, order.status = order.state, status
            order.save(update_fields=["status"])
            record_status(order=order, previous=previous, actor=actor, note=note, now=now)
    if old.remark:
        record(order, OrderEvent.Kind.NOTE, old.remark, actor=actor, now=now)
    if old.status.is_priced:
        count_sale(order)
    return order


@needs("orders.change_order")
def take_out(*, order: Order, actor: User) -> None:
    """Delete a locked order that moved in and that nobody touched, without trace: stock, tallies,
    papers and history with it. Its payments are gone before.
    """
    release_stock(order)
    if order.state.is_priced:
        count_sale(order, sign=-1)
        SalesTally.objects.filter(company_id=order.company_id, orders=0, pieces=0).delete()
    forget_status(order)
    order.documents.all().delete()
    order.issued_documents.all().delete()
    order.events.all().delete()
    order.lines.all().delete()
    draft = order.temporary_order
    order.delete()
    if draft is not None:
        draft.delete()
