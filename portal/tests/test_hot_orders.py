"""An order is requested and checked out before routing begins as the views do it (decision 0074), or by them."""

import logging
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.db import DataError, OperationalError, connection, transaction
from django.test import Client

from apps.accounts import remembered
from apps.accounts.models import User
from apps.accounts.selectors import Buyer
from apps.accounts.tests.factories import make_buyer
from apps.catalog.models import Stock
from apps.catalog.tests.factories import make_products
from apps.common.db.prepared import fetch_all
from apps.common.logs import _trace
from apps.common.testing import ContractClient
from apps.common.types import Json
from apps.orders.api.throttles import CheckoutLimit, OrderRequestLimit
from apps.orders.models import Order, TemporaryOrder
from apps.orders.tests.factories import make_draft, ship_body
from apps.payments.tests.factories import wire_body
from portal import hot
from portal.tests.test_hot import told, views_alone

pytestmark = pytest.mark.django_db
REQUEST, CHECKOUT = "/api/temp-order?shop=first", "/api/order/checkout-deposit/tt?send=0"


@pytest.fixture
def basket(buyer: Buyer) -> Json:
    """Return the body of a request for two products."""
    lines = [{"sku": product.sku, "count": product.minimum} for product in make_products(2)]
    return {"uuid": str(buyer.uuid), "export_report": 0, "count": 2, "total": 0, "product": lines, **ship_body()}


@pytest.fixture
def send(api: ContractClient) -> Callable[..., Any]:
    """Return a function that posts a body under an Idempotency-Key, by a client that has just read the settings."""
    assert api.token
    token = api.token

    def post(path: str, body: object, key: object = "") -> Any:
        return (
            ContractClient()
            .sign_in(token)
            .send("post", path, body, headers={"Idempotency-Key": str(key)} if key else None)
        )

    return post


def test_an_order_is_answered_as_by_its_views(
    send: Callable[..., Any], buyer: Buyer, basket: Json, answers: list[int]
) -> None:
    keys = uuid4(), uuid4()
    asked = told(send(REQUEST, basket, keys[0]))
    code = TemporaryOrder.objects.get().invoice_code
    form = wire_body(buyer, TemporaryOrder.objects.get())
    made = told(send(CHECKOUT, form, keys[1]))
    assert answers == [200, 200]
    with views_alone():
        assert told(send(REQUEST, basket, keys[0])) == asked
        assert told(send(CHECKOUT, form, keys[1])) == made
    assert answers == [200, 200]
    assert told(send(CHECKOUT, form, keys[1])) == made
    order = Order.objects.get()
    assert (order.invoice_code, order.lines.count(), order.export_declared) == (code, 2, True)


@pytest.mark.parametrize(
    ("change", "key", "status"),
    [
        ({"product": []}, "", 400),
        ({"product": [{"sku": "none", "count": 10}]}, "", 400),
        ({"product": [{"sku": "none", "count": "10"}]}, "", 400),
        ({"uuid": "another"}, "", 404),
        ({"uuid": str(uuid4())}, "", 404),
        ({"uuid": 5}, "", 404),
        ({}, "no uuid", 400),
    ],
    ids=["no lines", "unknown", "text for a number", "no uuid", "somebody's", "a number", "bad key"],
)
def test_a_refused_request_is_the_views(
    send: Callable[..., Any], basket: Json, answers: list[int], change: Json, key: str, status: int
) -> None:
    for _ in range(2):  # of a buyer looked up, and of one remembered
        refused = told(send(REQUEST, {**basket, **change}, key))
        assert (refused[0], answers[-1]) == (status, 0)
        with views_alone():
            assert told(send(REQUEST, {**basket, **change}, key)) == refused
    assert not TemporaryOrder.objects.exists()


def test_a_refused_checkout_is_the_views_and_leaves_nothing(
    send: Callable[..., Any], buyer: Buyer, basket: Json, answers: list[int]
) -> None:
    assert send(REQUEST, basket).status_code == 200
    form = wire_body(buyer, TemporaryOrder.objects.get())
    Stock.objects.update(on_hand=0)
    for change, status in (({}, 409), ({"amount": 1.0}, 400), ({"payer_id": ""}, 400), ({"invoice_code": "X"}, 404)):
        answers.clear()
        refused = told(send(CHECKOUT, {**form, **change}))
        assert (refused[0], answers) == (status, [0]), change
        with views_alone():
            assert told(send(CHECKOUT, {**form, **change})) == refused
    assert TemporaryOrder.objects.get().ordered_at is None
    assert not Order.objects.exists()


def test_whoever_is_out_orders_nothing(
    send: Callable[..., Any], buyer: Buyer, basket: Json, answers: list[int]
) -> None:
    assert send(REQUEST, basket).status_code == 200
    form = wire_body(buyer, TemporaryOrder.objects.get())
    user = User.objects.filter(pk=buyer.id)
    user.update(session_version=buyer.session_version + 1)
    for path, body in ((REQUEST, basket), (CHECKOUT, form)):
        user.update(session_version=buyer.session_version)
        remembered.remember(buyer)
        user.update(session_version=buyer.session_version + 1)
        answers.clear()
        assert send(path, body).status_code == 403
        assert answers == [0]
    assert TemporaryOrder.objects.get().ordered_at is None
    assert not Order.objects.exists()


def test_nobody_checks_out_what_another_requested(
    send: Callable[..., Any], buyer: Buyer, basket: Json, answers: list[int]
) -> None:
    draft = make_draft(make_buyer())
    assert send(REQUEST, basket).status_code == 200
    assert send(CHECKOUT, wire_body(buyer, draft)).status_code == 404
    draft.refresh_from_db()
    assert draft.ordered_at is None


def test_both_limits_count_a_call_once(
    send: Callable[..., Any],
    buyer: Buyer,
    basket: Json,
    settings: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    settings.THROTTLE_FACTOR = 1
    monkeypatch.setattr(OrderRequestLimit, "uses", 3)
    monkeypatch.setattr(CheckoutLimit, "uses", 1)
    refused = {**basket, "product": []}
    assert [send(REQUEST, body).status_code for body in (refused, basket, refused, basket)] == [400, 200, 400, 429]
    form = wire_body(buyer, TemporaryOrder.objects.get())
    assert [send(CHECKOUT, form).status_code for _ in range(2)] == [200, 429]


@pytest.mark.django_db(transaction=True)
@pytest.mark.postgresql
def test_an_order_takes_six_statements_with_the_buyer_asked_in_them(
    send: Callable[..., Any], buyer: Buyer, basket: Json, caplog: pytest.LogCaptureFixture
) -> None:
    assert send(REQUEST, basket).status_code == 200  # the buyer is remembered from here on
    form = wire_body(buyer, TemporaryOrder.objects.get())
    caplog.set_level("INFO", "portal.request")
    assert send(REQUEST, basket).status_code == 200
    assert send(CHECKOUT, form).status_code == 200
    assert [getattr(record, "queries", 0) for record in caplog.records] == [2, 4]


@pytest.mark.postgresql
def test_a_statement_that_gave_way_asks_for_the_buyer_again(buyer: Buyer, monkeypatch: pytest.MonkeyPatch) -> None:
    failing = [OperationalError("gave way")]

    def fail_once(execute: Callable[..., Any], *statement: Any) -> Any:
        if failing:
            raise failing.pop()
        return execute(*statement)

    User.objects.filter(pk=buyer.id).update(is_active=False)
    with connection.execute_wrapper(fail_once), remembered.unless_changed(buyer):
        with pytest.raises(OperationalError):
            fetch_all("SELECT 1", [])
        with pytest.raises(remembered.BuyerChanged):
            fetch_all("SELECT 1", [])


@pytest.mark.postgresql
def test_a_transaction_that_gave_way_later_asks_for_the_buyer_again(buyer: Buyer) -> None:
    def work() -> None:
        with remembered.unless_changed(buyer):
            assert fetch_all("SELECT 1", []) == [(1,)]
            User.objects.filter(pk=buyer.id).update(is_active=False)
            assert fetch_all("SELECT 1", []) == [(1,)]
            with pytest.raises(DataError), transaction.atomic():
                fetch_all("SELECT CAST(%s AS bigint)", ["x"])
            fetch_all("SELECT 1", [])

    with pytest.raises(remembered.BuyerChanged):
        work()


@pytest.mark.django_db(transaction=True)
@pytest.mark.postgresql
def test_what_writes_first_must_be_within_a_transaction(buyer: Buyer) -> None:
    rename = "UPDATE accounts_user SET manager = 'Other' WHERE id = %s RETURNING id"
    with pytest.raises(RuntimeError), remembered.unless_changed(buyer):
        fetch_all(rename, [buyer.id])
    assert User.objects.get(pk=buyer.id).manager == buyer.manager
    with transaction.atomic(), remembered.unless_changed(buyer):
        assert fetch_all(rename, [buyer.id]) == [(buyer.id,)]


def test_a_body_nested_too_deep_is_refused(send: Callable[..., Any], basket: Json) -> None:
    deep: Any = 1
    for _ in range(300):
        deep = [deep]
    assert send(REQUEST, {**basket, "more": deep}).status_code == 400


def test_a_failure_is_logged_with_its_route_and_its_buyer(
    api: ContractClient, buyer: Buyer, basket: Json, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(**_: Any) -> None:
        raise OperationalError("away")

    seen: list[tuple[object, dict[str, str]]] = []

    class Watch(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            trace = _trace.get()
            seen.append((getattr(record, "route", ""), trace.who() if trace else {}))

    monkeypatch.setattr(logging.getLogger("portal.request"), "handlers", [Watch()])
    client = Client(headers={"x-access-token": str(api.token)}, raise_request_exception=False)
    assert client.get("/api/order/0").status_code == 200
    monkeypatch.setattr(hot, "request_order", fail)
    assert client.post(REQUEST, basket, "application/json").status_code == 500
    who = {"user": str(buyer.uuid), "company": str(buyer.company_id)}
    assert seen[-1] == ("api/temp-order", who)
