"""PostgreSQL restarted between and during requests, and away for a while (reliability-and-security, 19.3; 0017).

The requests come as a server's thread brings them: over a kept connection, and through a gate that can be cut.
"""

import select
import socket
from collections.abc import Callable, Iterator
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection

from apps.accounts.selectors import Buyer
from apps.catalog.tests.factories import make_product
from apps.common.testing import ContractClient
from apps.orders.models import Order
from apps.orders.tests.factories import make_draft, ship_body, stock_of
from apps.payments.tests.paypal.support import audit
from portal.tests.reliability.network import Gate
from portal.tests.server import serve

pytestmark = [pytest.mark.postgresql, pytest.mark.django_db(transaction=True)]


class Thread:
    """A thread of the server, with a signed-in buyer before it."""

    def __init__(self, token: str) -> None:
        """Serve a buyer of this token."""
        self.token = token

    def send(self, method: str, path: str, body: object = None, **headers: str) -> tuple[int, Any]:
        """Return a request's status and answer."""
        answer = serve(method, path, body, **{"x-access-token": self.token, **headers})
        return answer.status, answer.body


@pytest.fixture
def gate(transactional_db: None) -> Iterator[Gate]:
    """Put a gate before the database, for the time of the test."""
    connection.ensure_connection()
    info = connection.connection.info
    server: tuple[int, Any] = (socket.AF_INET, (info.host, info.port))
    if info.host.startswith("/"):
        server = (socket.AF_UNIX, f"{info.host}/.s.PGSQL.{info.port}")
    gate, kept = Gate(server), dict(connection.settings_dict)
    connection.close()
    connection.settings_dict.update(HOST="127.0.0.1", PORT=str(gate.port), CONN_MAX_AGE=60)
    yield gate
    gate.close()
    connection.close()
    connection.settings_dict.update(kept)


@pytest.fixture
def thread(gate: Gate, api: ContractClient) -> Thread:
    """Return a thread that has answered before, so that its connection is a kept one."""
    thread = Thread(api.token or "")
    assert thread.send("GET", "/api/notice")[0] == 200
    assert connection.connection is not None
    return thread


def terminated(gate: Gate) -> None:
    """Let the server end the kept connection, as a restart does: with a word."""
    kept = connection.connection.info.backend_pid
    with connection.copy().cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s, 5000)", [kept])
        cursor.connection.close()


RESTARTS: dict[str, Callable[[Gate], None]] = {"with a word": terminated, "without a word": lambda gate: gate.cut()}


@pytest.mark.parametrize("restart", RESTARTS)
def test_a_restart_between_requests_is_not_noticed(buyer: Buyer, gate: Gate, thread: Thread, restart: str) -> None:
    for path in ("/api/notice", "/api/wallet", f"/api/product/stock/{buyer.uuid}/0", "/api/order/0"):
        RESTARTS[restart](gate)
        select.select([connection.connection.fileno()], [], [], 5)  # until the end has come through the gate
        assert thread.send("GET", path)[0] == 200, path


def checkout_body(buyer: Buyer, code: str, total: float) -> dict[str, Any]:
    head = {"uuid": str(buyer.uuid), "email": buyer.email, "invoice_code": code, "type": "ORDER"}
    money = {"payment_type": "T/T", "export_report": 1, "payer_id": "Glow", "amount": total}
    return {**head, **money, **ship_body()}


@pytest.mark.parametrize("statement", [1, 3, 5])
def test_a_restart_during_a_checkout_costs_that_request_alone(
    buyer: Buyer, gate: Gate, thread: Thread, statement: int
) -> None:
    product = make_product()
    draft = make_draft(buyer, [(product, 20)])
    body, key = checkout_body(buyer, draft.invoice_code, float(draft.total)), {"Idempotency-Key": str(uuid4())}
    seen: list[str] = []

    def cut(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        seen.append(sql)
        if len(seen) == statement:
            gate.cut()
        return execute(sql, params, many, context)

    with connection.execute_wrapper(cut):
        status, answer = thread.send("POST", "/api/order/checkout-deposit/tt", body, **key)
    assert len(seen) >= statement
    assert (status, answer["code"]) == (500, "error")
    assert thread.send("GET", "/api/notice")[0] == 200
    assert (Order.objects.count(), stock_of(product), audit()) == (0, (1000, 0, 0), "")
    assert thread.send("POST", "/api/order/checkout-deposit/tt", body, **key)[0] == 200
    assert (Order.objects.count(), stock_of(product), audit()) == (1, (1000, 20, 0), "")


def test_while_it_is_away_everybody_is_told_and_afterwards_nobody_notices(gate: Gate, thread: Thread) -> None:
    gate.close()
    for path in ("/api/notice", "/api/order/0"):
        status, answer = thread.send("GET", path)
        assert (status, answer["code"]) == (500, "error")
    status, answer = thread.send("GET", "/readyz")
    assert (status, answer["database"]) == (503, "failed")
    assert thread.send("GET", "/healthz")[0] == 200
    gate.open()
    assert thread.send("GET", "/readyz")[0] == 200
    assert [thread.send("GET", path)[0] for path in ("/api/notice", "/api/order/0")] == [200, 200]
