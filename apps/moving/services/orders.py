"""Open orders with their money: entered whole, and taken out whole while nobody touched them."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from apps.accounts.models import User
from apps.catalog.models import Brand, Product, Running, Stock
from apps.common.permissions import needs
from apps.orders.models import Order
from apps.orders.services.documents import issue_proforma
from apps.orders.services.place import OldLine, OldOrder, move_in, take_out
from apps.orders.status import OrderStatus
from apps.payments.models import Payment
from apps.payments.services.receive import move_money_in, take_money_out

FORMER_BALANCE, DEBT_NUMBER = "FORMER-BALANCE", "BALANCE-"
PLENTY = 100_000  # pieces on the shelf: one for each customer who owes something


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
def enter_debt(
    *, user: User, amount: Decimal, at: datetime, remark: str, actor: User, now: datetime
) -> Order:
    """Enter what a company owes from before as an order, Confirmed, of one piece of a hidden
    product at this price in US dollars, in the caller's transaction.
    """
    old = OldOrder(
        number=debt_number(user.company_id),
        user=user,
        placed_at=at,
        status=OrderStatus.CONFIRMED,
        lines=[OldLine(_former_balance(), 1, amount)],
        deposit=None,
        shipping_fee=Decimal(0),
        po_number="",
        remark=remark,
    )
    return enter_order(old=old, money=[], may_be_short=True, actor=actor, now=now)


def debt_number(company_id: int | None) -> str:
    """Return the former number of the order that holds what a company owes from before."""
    return f"{DEBT_NUMBER}{company_id}"


def _former_balance() -> Product:
    """Return the product that stands for debts of before; it is added with the first of them."""
    if product := Product.objects.filter(sku=FORMER_BALANCE).first():
        return product
    product = Product.objects.create(
        sku=FORMER_BALANCE,
        eng_name="Former balance",
        brand=Brand.objects.get_or_create(eng="Former balance")[0],
        is_running=Running.HIDDEN,
        usd_price=0,
        usd_supply=0,
        weight_g=0,
    )
    Stock.objects.update_or_create(product=product, defaults={"on_hand": PLENTY})
    return product


def forget_former_balance() -> None:
    """Delete the product that stands for debts of before, once no order holds it."""
    product = Product.objects.filter(sku=FORMER_BALANCE, order_lines=None).first()
    if product:
        product.delete()
        Brand.objects.filter(pk=product.brand_id, products=None).delete()


@needs("orders.change_order")
def remove_order(*, order_id: int, actor: User) -> None:
    """Delete an order that moved in, with its money, in the caller's transaction."""
    order = Order.objects.select_for_update().get(pk=order_id)
    take_money_out(order=order, actor=actor)
    take_out(order=order, actor=actor)
