"""Open orders with their money: entered whole, and taken out whole while nobody touched them."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from apps.accounts.models import User
from apps.common.permissions import needs
from apps.orders.models import Order
from apps.orders.services.issued_documents import issue_proforma
from apps.orders.services.move_in import OldOrder, move_in, take_out
from apps.payments.models import Payment
from apps.payments.services.receive import move_money_in, take_money_out


@dataclass(frozen=True)
class Received:
    """Money that came for an order: US dollars, when, and whether it was its deposit."""

    amount: Decimal
    at: datetime
    is_deposit: bool


def mark_of(order: Order) -> list[str]:
    """Return what changes with anything that is done to an order or with its money."""
    counts = order.version, order.events.count(), order.payments.count(), order.documents.count()
    return [*map(str, counts), f"{order.received:.2f}", order.po_number, order.ship_address1]


@needs("orders.change_order")
def enter_order(
    *, old: OldOrder, money: list[Received], may_be_short: bool, actor: User, now: datetime
) -> Order:
    """Enter an order with what it received, in the caller's transaction; from Confirmed on its
    proforma invoice is issued.

    Raises:
        OutOfStock: see `move_in`.
    """
    order = move_in(old=old, may_be_short=may_be_short, actor=actor, now=now)
    for one in money:
        kind = Payment.Kind.DEPOSIT if one.is_deposit else Payment.Kind.BALANCE
        move_money_in(order=order, amount=one.amount, kind=kind, at=one.at, actor=actor)
    if old.status.is_priced:
        issue_proforma(order=order, now=now)
    return order


@needs("orders.change_order")
def remove_order(*, order_id: int, actor: User) -> None:
    """Delete an order that moved in, with its money, in the caller's transaction."""
    order = Order.objects.select_for_update().get(pk=order_id)
    take_money_out(order=order, actor=actor)
    take_out(order=order, actor=actor)
