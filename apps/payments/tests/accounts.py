"""What the account of a company should come to, by the columns that the audit checks, and what its
lines leave open.
"""

from decimal import Decimal

from apps.common.money import ZERO
from apps.orders.models import Order
from apps.orders.status import OrderStatus
from apps.payments.account import lines_of_orders


def open_by_columns(order: Order) -> Decimal:
    """Return what an order's part of the account comes to: what it asks for, less what it keeps. US
    dollars.
    """
    if order.status == OrderStatus.CANCELLED:
        return ZERO
    is_priced = OrderStatus(order.status).is_priced
    asked = (
        order.real_total + order.shipping_fee - order.written_off if is_priced else order.deposit
    )
    return Decimal(asked - order.received + order.credited)


def unexplained(company_id: int) -> dict[str, Decimal]:
    """Return by invoice code what the account does not explain, in US dollars; nothing if it
    explains all.
    """
    found = {}
    orders = {order.invoice_code: order for order in Order.objects.filter(company_id=company_id)}
    for code, lines in lines_of_orders(company_id=company_id).items():
        total = sum((line.amount for line in lines), ZERO)
        if total != (expected := open_by_columns(orders[code])):
            found[code] = expected - total
    return found
