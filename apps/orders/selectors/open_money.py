"""What orders still have to bring, as expressions of a statement: for lists and sums."""

from datetime import datetime
from decimal import Decimal

from django.db.models import Case, DecimalField, ExpressionWrapper, F, Q, Value, When
from django.db.models.functions import Greatest

from apps.orders.status import OrderStatus

MONEY: DecimalField = DecimalField(max_digits=16, decimal_places=2)
NOTHING = Value(Decimal("0.00"), output_field=MONEY)
S = OrderStatus


def _rest(expression: object) -> Greatest:
    return Greatest(ExpressionWrapper(expression, output_field=MONEY), NOTHING)


def cost(order: str = "") -> ExpressionWrapper:
    """Return what an order costs by now, confirmed lines and shipping fee; `order` leads to it, as
    `orders__`.
    """
    return ExpressionWrapper(
        F(f"{order}real_total") + F(f"{order}shipping_fee"), output_field=MONEY
    )


def open_money(order: str = "") -> Case:
    """Return the deposit that has not come, or the balance: as `due_of` says of one order."""
    deposit = F(f"{order}deposit") - F(f"{order}deposit_received")
    kept = F(f"{order}received") - F(f"{order}credited") + F(f"{order}written_off")
    balance = F(f"{order}real_total") + F(f"{order}shipping_fee") - kept
    status = f"{order}status__in"
    return Case(
        When(Q((status, (S.RECEIVED, S.PREPARING))), then=_rest(deposit)),
        When(Q((status, (S.CONFIRMED, S.PAID))), then=_rest(balance)),
        default=NOTHING,
        output_field=MONEY,
    )


COST, OPEN_MONEY = cost(), open_money()


def is_overdue(now: datetime, order: str = "") -> Q:
    """Return which orders' balance is late: the buyer's own step (docs/orders.md, What is late)."""
    return Q((f"{order}status", S.CONFIRMED), (f"{order}due_at__lte", now))
