"""PostgreSQL restarted, silent, dropped without a word, away for a while (reliability-and-security,
19.3; 0017).

The requests come as a server's thread brings them: over a kept connection, and through a gate that
can be cut.
"""

import select
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from threading import Barrier
from time import monotonic, sleep
from typing import Any
from uuid import uuid4

import pytest
from django.db import OperationalError, close_old_connections, connection, transaction
from django.db.models import F
from django.http import HttpResponse

from apps.accounts.selectors import Buyer
from apps.catalog.models import Product
from apps.catalog.tests.factories import make_product
from apps.common.testing import ContractClient
from apps.notices.api.views import NoticesView
from apps.orders.models import Order
from apps.orders.tests.factories import make_draft, stock_of
from apps.payments.tests.factories import wire_body
from apps.payments.tests.paypal.support import audit
from portal.ops import sweeps
from portal.ops.sweeps import run_sweep
from portal.postgresql import base
from portal.tests.reliability.network import Gate
from portal.tests.server import serve
from portal.tests.serving import until

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


READ_SECONDS, WRITE_SECONDS = 1.0, 1.5


@pytest.fixture
def gate(transactional_db: None, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Gate]:
    """Put a gate before the database, for the time of the test, and let nobody wait for it long."""
    settings.DATABASE_READ_SECONDS, settings.DATABASE_WRITE_SECONDS = READ_SECONDS, WRITE_SECONDS
    monkeypatch.setattr(base, "PAUSE_SECONDS", 0.3)
    monkeypatch.setattr(base, "PROBE_SECONDS", 0.3)
    monkeypatch.setattr(base, "_silent_until", {})
    connection.ensure_connection()
    gate, settings_before = Gate.before(connection.connection.info), dict(connection.settings_dict)
    connection.close()
    connection.settings_dict.update(HOST="127.0.0.1", PORT=str(gate.port), CONN_MAX_AGE=60)
    yield gate
    gate.close()
    connection.close()
    connection.settings_dict.update(settings_before)


@pytest.fixture
def thread(gate: Gate, api: ContractClient) -> Thread:
    """Return a thread that has answered before, so that its connection is a kept one."""
    thread = Thread(api.token or "")
    assert thread.send("GET", "/api/notice")[0] == 200
    assert connection.connection is not None
    return thread


def terminated(gate: Gate) -> None:
    """Let the server end the kept connection, as a restart does: with a word."""
    backend = connection.connection.info.backend_pid
    with connection.copy().cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s, 5000)", [backend])
        cursor.connection.close()


RESTARTS: dict[str, Callable[[Gate], None]] = {
    "with a word": terminated,
    "without a word": lambda gate: gate.cut(),
}


@pytest.mark.parametrize("restart", RESTARTS)
def test_a_restart_between_requests_is_not_noticed(
    buyer: Buyer, gate: Gate, thread: Thread, restart: str
) -> None:
    for path in (
        "/api/notice",
        "/api/wallet",
        f"/api/product/stock/{buyer.uuid}/0",
        "/api/order/0",
    ):
        RESTARTS[restart](gate)
        select.select(
            [connection.connection.fileno()], [], [], 5
        )  # until the end has come through the gate
        assert thread.send("GET", path)[0] == 200, path


@contextmanager
def before_statement(number: int, happens: Callable[[], None]) -> Iterator[list[str]]:
    """Let something happen before a request's statement of this number goes out; yield those that
    went.
    """
    statements: list[str] = []

    def watch(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        statements.append(sql)
        if len(statements) == number:
            happens()
        return execute(sql, params, many, context)

    with connection.execute_wrapper(watch):
        yield statements
    assert len(statements) >= number


LOSSES: dict[str, Callable[[Gate], None]] = {**RESTARTS, "dropped": Gate.forget}


def test_a_lost_read_is_asked_once_more(gate: Gate, thread: Thread) -> None:
    """Who is calling, which every call asks first, and what a page shows."""
    for loss in LOSSES.values():
        with before_statement(1, partial(loss, gate)):
            assert thread.send("GET", "/api/order/0")[0] == 200
    for loss in (
        RESTARTS.values()
    ):  # a connection that answered a moment ago is slow before it counts as dropped
        with before_statement(2, partial(loss, gate)):
            assert thread.send("GET", "/api/order/0")[0] == 200


def test_no_transaction_begins_on_a_lost_connection(
    gate: Gate, thread: Thread, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even that of a call that asks nothing before."""
    monkeypatch.setattr(NoticesView, "authentication_classes", ())
    monkeypatch.setattr(NoticesView, "permission_classes", ())

    def write(view: NoticesView, request: Any) -> HttpResponse:
        with transaction.atomic():
            Product.objects.update(minimum=F("minimum") + 1)
        return HttpResponse()

    monkeypatch.setattr(NoticesView, "get", write)
    product = make_product(minimum=10)
    for loss in LOSSES.values():
        loss(gate)
        assert thread.send("GET", "/api/notice")[0] == 200
    product.refresh_from_db()
    assert product.minimum == 10 + len(LOSSES)


@pytest.mark.parametrize(("statement", "loss"), [(3, "cut"), (5, "silence")])
def test_a_checkout_that_loses_the_database_is_refused_and_done_by_its_repeat(
    buyer: Buyer, gate: Gate, thread: Thread, statement: int, loss: str
) -> None:
    product = make_product()
    draft = make_draft(buyer, [(product, 20)])
    body, key = wire_body(buyer, draft), {"Idempotency-Key": str(uuid4())}
    with before_statement(statement, getattr(gate, loss)):
        status, answer = thread.send("POST", "/api/order/checkout-deposit/tt", body, **key)
    assert (status, answer["code"]) == (503, "unavailable")
    gate.speak()
    wait_for_answers()
    assert thread.send("GET", "/api/notice")[0] == 200
    assert (Order.objects.count(), stock_of(product), audit()) == (0, (1000, 0, 0), "")
    assert thread.send("POST", "/api/order/checkout-deposit/tt", body, **key)[0] == 200
    assert (Order.objects.count(), stock_of(product), audit()) == (1, (1000, 20, 0), "")


def wait_for_answers() -> None:
    """Wait until a process that found the server silent asks it again."""
    while base._silent_until[connection.alias] > monotonic():
        sleep(0.05)


@pytest.mark.parametrize("statement", [1, 3])
def test_a_silent_server_holds_no_sweep(
    gate: Gate, monkeypatch: pytest.MonkeyPatch, statement: int
) -> None:
    """Neither one that asks for its lock nor one at work, and it runs again once there
    are answers.
    """
    monkeypatch.setattr(sweeps, "STATEMENT_SECONDS", 0.5)
    connection.ensure_connection()
    with before_statement(statement, gate.silence), pytest.raises(OperationalError):
        run_sweep("holds")
    gate.speak()
    wait_for_answers()
    close_old_connections()  # as the loop does
    # Its lock is free when the server has noticed that the first connection is gone.
    until(lambda: run_sweep("holds") == 0)


def test_one_thread_asks_a_silent_server_the_others_do_not_wait(
    gate: Gate, thread: Thread, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(base, "PAUSE_SECONDS", 60)
    gate.silence()
    assert thread.send("GET", "/api/notice")[0] == 503
    opened = len(gate.taken)
    assert [thread.send("GET", "/api/notice")[0] for _ in range(20)] == [503] * 20
    assert len(gate.taken) == opened
    base._silent_until[connection.alias] = monotonic()  # the minute is over
    barrier = Barrier(4)

    def ask() -> None:
        barrier.wait()
        assert thread.send("GET", "/api/notice")[0] == 503
        connection.close()

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(lambda _: ask(), range(4)))
    assert len(gate.taken) == opened + 1


def test_a_server_that_is_only_slow_is_not_called_silent(gate: Gate, thread: Thread) -> None:
    """Its answer comes too late for this request; the next one gets a connection and its answer."""

    def sleepy(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        return execute("SELECT pg_sleep(2)", None, many, context)

    with connection.execute_wrapper(sleepy):
        assert thread.send("GET", "/api/notice")[0] == 503
    assert thread.send("GET", "/api/notice")[0] == 200


def test_a_request_that_is_out_of_time_shuts_nobody_out(gate: Gate, thread: Thread) -> None:
    """A connection that has just answered, and a statement that takes all the time: there is none
    left to connect.
    """
    slow: list[str] = []

    def sleepy(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        slow.append(sql)
        return execute(
            "SELECT pg_sleep(5)" if len(slow) == 2 else sql,
            None if len(slow) == 2 else params,
            many,
            context,
        )

    with connection.execute_wrapper(sleepy):
        assert thread.send("GET", "/api/notice")[0] == 503
    assert not base._silent_until.get(connection.alias)
    assert thread.send("GET", "/api/notice")[0] == 200


def test_while_it_is_away_everybody_is_told_and_afterwards_nobody_notices(
    gate: Gate, thread: Thread
) -> None:
    gate.close()
    for path in ("/api/notice", "/api/order/0"):
        status, answer = thread.send("GET", path)
        assert (status, answer["code"]) == (503, "unavailable")
    status, answer = thread.send("GET", "/readyz")
    assert (status, answer["database"]) == (503, "failed")
    assert thread.send("GET", "/healthz")[0] == 200
    gate.open()
    assert thread.send("GET", "/readyz")[0] == 200
    assert [thread.send("GET", path)[0] for path in ("/api/notice", "/api/order/0")] == [200, 200]
