"""What the portal needs falls silent: the server as it ships answers everybody in time, and
recovers alone.
"""

import os
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from redis import Redis

from apps.accounts.selectors import Buyer
from apps.accounts.tests.factories import PASSWORD
from apps.catalog.tests.factories import make_product
from apps.common.models import Seller
from apps.common.seller import touch_seller
from apps.common.testing import ContractClient
from apps.orders.tests.factories import make_draft
from apps.payments.selectors import deposit_of, with_fee
from apps.payments.tests.factories import wire_body
from portal.tests.reliability.network import Gate
from portal.tests.reliability.outside import Answer, Outside, address_of_database, served, until
from portal.tests.reliability.test_redis_faults import own_redis  # noqa: F401 - a fixture
from tools.paypal_simulator.testing import make_simulator

pytestmark = pytest.mark.usefixtures("transactional_db")

Request = tuple[str, str, Any]
AT_ONCE = 12  # more than the server has threads


@pytest.fixture
def requests(buyer: Buyer) -> list[Request]:
    """Return what a buyer asks: reads, a sign-in, an order."""
    product = make_product()
    lines = [{"sku": product.sku, "count": 20}]
    order = {"uuid": str(buyer.uuid), "export_report": 0, "product": lines}
    return [
        ("GET", "/api/notice", None),
        ("GET", f"/api/product/stock/{buyer.uuid}/0", None),
        ("GET", "/api/order/0", None),
        ("POST", "/api/dashboard", {"uuid": str(buyer.uuid)}),
        ("POST", "/api/login", {"email": buyer.email, "password": PASSWORD}),
        ("POST", "/api/temp-order", order),
    ]


def all_at_once(portal: Outside, requests: list[Request]) -> list[Answer]:
    """Make each request twice, all together."""
    with ThreadPoolExecutor(AT_ONCE) as callers:
        return list(callers.map(lambda request: portal.send(*request), requests * 2))


@pytest.fixture
def gate() -> Iterator[Gate]:
    """Put a gate before PostgreSQL."""
    connection.ensure_connection()
    gate = Gate.before(connection.connection.info)
    yield gate
    gate.close()


@pytest.mark.postgresql
def test_a_silent_database(
    api: ContractClient, requests: list[Request], gate: Gate, tmp_path: Path
) -> None:
    limits = {"DATABASE_SECONDS": "1"}
    with served(tmp_path, DATABASE_URL=address_of_database(gate.port), **limits) as portal:
        portal.token = str(api.token)
        assert {answer.status for answer in all_at_once(portal, requests)} == {200}
        for _ in range(2):
            gate.silence()
            for answer in all_at_once(portal, requests):
                assert (answer.status, answer.body["code"], answer.headers["Retry-After"]) == (
                    503,
                    "unavailable",
                    "5",
                )
            assert portal.send("GET", "/readyz").body["database"] == "failed"
            assert (portal.status("/healthz"), portal.status("/accent.css")) == (200, 200)
            gate.speak()
            until(lambda: {answer.status for answer in all_at_once(portal, requests)} == {200})
            assert portal.status("/readyz") == 200
        learns_of_a_change(portal)


def learns_of_a_change(portal: Outside) -> None:
    """What the seller changes in one process holds in another: with a caller at once, without one
    by the next look.
    """
    touch_seller()
    Seller.objects.update(title="Nuri", deposit_rate="0.25")
    assert portal.send("GET", "/api/config").body["deposit_rate"] == 0.25
    portal.token = ""
    until(lambda: portal.send("GET", "/api/config").body["title"] == "Nuri")


@pytest.mark.redis
def test_a_redis_that_falls_silent(
    api: ContractClient,
    requests: list[Request],
    own_redis: Redis,  # noqa: F811
    tmp_path: Path,
) -> None:
    """Its process stops, its connections stay."""
    port = own_redis.connection_pool.connection_kwargs["port"]
    process = own_redis.info("server")["process_id"]
    with served(tmp_path, REDIS_URL=f"redis://127.0.0.1:{port}/0", TASKS="celery") as portal:
        portal.token = str(api.token)
        assert {answer.status for answer in all_at_once(portal, requests)} == {200}
        assert own_redis.dbsize() > 0
        os.kill(process, signal.SIGSTOP)
        try:
            assert {answer.status for answer in all_at_once(portal, requests)} == {200}
            assert portal.send("GET", "/readyz").body["redis"] == "degraded"
        finally:
            os.kill(process, signal.SIGCONT)


def test_a_paypal_that_drips(api: ContractClient, buyer: Buyer, tmp_path: Path) -> None:
    """One payer waits; then every process of the server knows."""
    Seller.objects.create(invoice_prefix=settings.INVOICE_PREFIX, version=1)  # of the server too
    draft = make_draft(buyer, [(make_product(), 20)])
    amount = float(with_fee(deposit_of(draft))["paypal_total"])
    body = wire_body(buyer, draft, payment_type="PAYPAL", amount=amount)
    with (
        make_simulator() as paypal,
        served(tmp_path, PAYPAL_ENDPOINT=paypal.url, PAYPAL_READ_TIMEOUT="1") as portal,
    ):
        portal.token = str(api.token)
        paypal.fault("drip", "create", calls=2, seconds=0.2)
        answers = [
            portal.send("POST", "/api/order/checkout-deposit/paypal", body) for _ in range(9)
        ]
        assert [answer.status for answer in answers] == [502, *[503] * 8]
        assert {answer.body["code"] for answer in answers} == {"provider_unavailable"}
        assert {answer.headers["Retry-After"] for answer in answers[1:]} == {"30"}
