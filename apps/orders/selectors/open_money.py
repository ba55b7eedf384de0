"""What orders still have to bring, as expressions of a statement: for lists and sums."""

from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db.models import Case, DecimalField, ExpressionWrapper, F, Q, Value, When
from django.db.models.functions import Greatest, Round

from apps.orders.status import OrderStatus

MONEY: DecimalField = DecimalField(max_digits=16, decimal_places=2)
NOTHING = Value(Decimal("0.00"), output_field=MONEY)
S = OrderStatus


def _money(expression: Any) -> Round:
    return Round(ExpressionWrapper(expression, output_field=MONEY), 2)


def cost(order: str = "") -> Round:
    """Return what an order costs by now, confirmed lines and shipping fee; `order` leads to it, as
    `orders__`.
    """
    return _money(F(f"{order}real_total") + F(f"{order}shipping_fee"))


def balance(order: str = "") -> Round:
    """Return what is still to pay of a confirmed order, below zero where too much came."""
    paid = F(f"{order}received") - F(f"{order}credited") + F(f"{order}written_off")
    return _money(F(f"{order}real_total") + F(f"{order}shipping_fee") - paid)


def open_money(order: str = "") -> Case:
    """Return the deposit that has not come, or the balance until the order ships."""
    deposit = _money(F(f"{order}deposit") - F(f"{order}deposit_received"))
    status = f"{order}status__in"
    return Case(
        When(Q((status, (S.RECEIVED, S.PREPARING))), then=Greatest(deposit, NOTHING)),
        When(Q((status, (S.CONFIRMED, S.PAID))), then=Greatest(balance(order), NOTHING)),
        default=NOTHING,
        output_field=MONEY,
    )


COST, OPEN_MONEY = cost(), open_money()


def is_overdue(now: datetime, order: str = "") -> Q:
    """Return which orders' balance is late: the buyer's own step (docs/orders.md, What is late)."""
    return Q((f"{order}status", S.CONFIRMED), (f"{order}due_at__lte", now))
