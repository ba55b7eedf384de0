"""Somebody else holds what a call would change, for longer than the call can wait."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import OperationalError, connection
from psycopg.errors import LockNotAvailable

from apps.accounts.selectors import Buyer
from apps.common.db import transactions
from apps.common.testing import ContractClient
from apps.orders.models import Order
from apps.orders.tests.factories import ship_body
from apps.payments.tests.factories import make_wire_order

pytestmark = pytest.mark.usefixtures("transactional_db")

SHORT_WAIT, LONG_WAIT = {
    "postgresql": ("SET lock_timeout = 50", "RESET lock_timeout"),
    "sqlite": ("PRAGMA busy_timeout = 50", "PRAGMA busy_timeout = 8000"),
}[connection.vendor]


@contextmanager
def held(order: Order) -> Iterator[None]:
    """Let somebody else change an order, and nobody here wait for it long."""
    other: Any = connection.copy()
    other.ensure_connection()
    other.set_autocommit(False)
    try:
        with other.cursor() as theirs, connection.cursor() as ours:
            theirs.execute("UPDATE orders_order SET memo = 'held' WHERE id = %s", [order.pk])
            ours.execute(SHORT_WAIT)
            yield
            ours.execute(LONG_WAIT)
    finally:
        other.rollback()
        other.close()


def test_whoever_waited_too_long_is_told_and_may_try_again(
    api: ContractClient, buyer: Buyer
) -> None:
    order = make_wire_order(buyer)
    body = {"invoice_code": order.invoice_code, **ship_body(ship_city="Busan")}
    with held(order):
        refused = api.send("PUT", "/api/order/edit/address", body)
        assert (refused.status_code, refused.json()["code"]) == (409, "busy")
        assert int(refused["Retry-After"]) > 0
        assert api.get("/api/order/0").status_code == 200  # who only reads does not wait
    assert api.send("PUT", "/api/order/edit/address", body).status_code == 200
    order.refresh_from_db()
    assert (order.ship_city, order.memo) == ("Busan", "")


@pytest.mark.parametrize(("last_start", "starts"), [(60, 3), (-1, 1)])
def test_a_service_is_repeated_while_there_is_time(
    monkeypatch: pytest.MonkeyPatch, last_start: int, starts: int
) -> None:
    monkeypatch.setattr(transactions, "LAST_START_SECONDS", last_start)
    started = []

    @transactions.one_transaction
    def wait_in_vain() -> None:
        started.append(True)
        raise OperationalError from LockNotAvailable()

    with pytest.raises(OperationalError):
        wait_in_vain()
    assert len(started) == starts
