"""Rows of hand-written SQL are named, and typed as the ORM types them, on both databases."""

from decimal import Decimal
from typing import NamedTuple

import pytest
from django.db import connection

from apps.accounts.models import User
from apps.accounts.tests.factories import make_buyer, make_user
from apps.common.db.rows import fetch_all
from apps.common.http.renderers import dumps
from apps.orders.models import Order
from apps.orders.tests.factories import make_order

pytestmark = pytest.mark.django_db


class UserRow(NamedTuple):
    """A user."""

    id: int
    email: str
    is_active: bool


class MoneyRow(NamedTuple):
    """What an order comes to."""

    total: Decimal
    shipping_fee: Decimal
    nothing: Decimal | None


def test_rows_are_named_and_typed() -> None:
    make_user()
    (user,) = User.objects.values_list(*UserRow._fields)
    sql = f"SELECT {', '.join(UserRow._fields)} FROM accounts_user"
    assert fetch_all(UserRow, sql) == [UserRow(*user)]
    assert fetch_all(UserRow, f"{sql} WHERE id = %s", [0]) == []


@pytest.mark.parametrize("amount", ["0.30", "0.10", "12.34", "1234567890.07", "9999999999.99"])
def test_money_is_exact_from_the_database_to_the_answer(amount: str) -> None:
    order = make_order(make_buyer())
    Order.objects.filter(pk=order.pk).update(total=Decimal(amount))
    (row,) = fetch_all(MoneyRow, "SELECT total, shipping_fee, NULL FROM orders_order")
    assert (str(row.total), row.shipping_fee, row.nothing) == (amount, order.shipping_fee, None)
    assert dumps(row.total).decode() == str(Decimal(amount).normalize())


def test_a_sum_of_money_is_money() -> None:
    sql = (
        "SELECT %s + %s, 0, NULL"
        if connection.vendor == "sqlite"
        else "SELECT %s::numeric + %s::numeric, 0, NULL"
    )
    (row,) = fetch_all(MoneyRow, sql, [Decimal("0.1"), Decimal("0.2")])
    assert row.total == Decimal("0.3")
