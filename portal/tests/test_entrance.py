"""What every call keeps to, asked through the server's own entrance: the views of the URL conf, one
by one.
"""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.core.signals import request_finished, request_started
from django.db import OperationalError, close_old_connections, connection
from django.test.utils import CaptureQueriesContext
from django.urls import resolve
from rest_framework.permissions import BasePermission
from rest_framework.throttling import BaseThrottle

from apps.accounts.models import User
from apps.accounts.selectors import Buyer
from apps.catalog.tests.factories import make_products
from apps.common.http.api import PortalView
from apps.common.testing import ContractClient
from apps.common.types import Json
from apps.orders.api.requests import CheckoutLimit, OrderRequestLimit
from apps.orders.models import TemporaryOrder
from apps.orders.tests.factories import ship_body
from apps.payments.tests.factories import wire_body
from portal.tests.calls import CALLS, EXPIRED, NOT_FOUND, method_of
from portal.tests.server import Served, serve
from portal.tests.test_paths import filled

pytestmark = pytest.mark.django_db
METHODS = ("get", "post", "put", "delete")
REQUEST, CHECKOUT = "/api/temp-order", "/api/order/checkout-deposit/tt"


class Nobody(BasePermission):
    """Lets nobody in."""

    def has_permission(self, request: Any, view: Any) -> bool:
        return False


class Never(BaseThrottle):
    """A limit that is used up."""

    def allow_request(self, request: Any, view: Any) -> bool:
        return False

    def wait(self) -> float:
        return 7


def is_for_buyers(view: type[PortalView]) -> bool:
    """Return whether a view asks for a buyer, and no permission but the common ones."""
    is_usual = view.permission_classes == PortalView.permission_classes
    return is_usual and bool(view.authentication_classes)


# A call of each view; test_paths compares the calls with the addresses, both ways.
VIEWS: dict[Any, str] = {resolve(filled(call)).func.cls: call for call in CALLS}  # type: ignore[attr-defined]


@pytest.fixture(autouse=True)
def _one_transaction() -> Iterator[None]:
    """Leave the test's connection open: it holds the test's transaction, at which requests would
    take offence.
    """
    signals = request_started, request_finished
    for signal in signals:
        signal.disconnect(close_old_connections)
    yield
    for signal in signals:
        signal.connect(close_old_connections)


@pytest.fixture
def call(api: ContractClient) -> Callable[[str], Served]:
    """Return a function that makes a view's call, signed in."""

    def make(call: str) -> Served:
        method = method_of(call)
        body: Json | None = {} if method in ("post", "put") else None
        return serve(method.upper(), filled(call), body, **{"X-Access-Token": str(api.token)})

    return make


@pytest.fixture
def basket(buyer: Buyer) -> Json:
    """Return the body of a request for two products."""
    lines = [{"sku": product.sku, "count": product.minimum} for product in make_products(2)]
    sums = {"count": 2, "total": 0, "export_report": 0}
    return {"uuid": str(buyer.uuid), "product": lines, **sums, **ship_body()}


def test_every_call_is_a_view_of_one_kind() -> None:
    assert len(VIEWS) > 40
    assert [view for view in VIEWS if not issubclass(view, PortalView)] == []


def test_what_a_view_permits_holds(
    call: Callable[[str], Served], monkeypatch: pytest.MonkeyPatch
) -> None:
    for view, methods in VIEWS.items():
        with monkeypatch.context() as patch:
            patch.setattr(view, "permission_classes", [Nobody])
            refused = call(methods)
        assert (refused.status, refused.body) == NOT_FOUND, methods


def test_the_limits_of_a_view_hold(
    call: Callable[[str], Served], monkeypatch: pytest.MonkeyPatch
) -> None:
    for view, methods in VIEWS.items():
        with monkeypatch.context() as patch:
            patch.setattr(view, "throttle_classes", [Never])
            refused = call(methods)
        refusal = (refused.status, refused.body["code"], refused.headers["Retry-After"])
        assert refusal == (429, "throttled", "7"), methods


def test_nothing_is_done_for_a_buyer_who_is_out(
    call: Callable[[str], Served], buyer: Buyer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def write(view: PortalView, request: Any, *args: Any, **kwargs: Any) -> None:
        User.objects.filter(pk=buyer.id).update(manager="Written")
        raise OperationalError

    for view in VIEWS:
        for method in METHODS:
            if hasattr(view, method):
                monkeypatch.setattr(view, method, write)
    user = User.objects.filter(pk=buyer.id)
    newer = {"session_version": buyer.session_version + 1}
    for out in ({"is_active": False}, {"is_active": True, **newer}):
        user.update(**out)
        for view, methods in VIEWS.items():
            if is_for_buyers(view):
                refused = call(methods)
                assert (refused.status, refused.body) == EXPIRED, methods
    assert user.get().manager == buyer.manager


def test_each_limit_counts_a_call_once(
    api: ContractClient, buyer: Buyer, basket: Json, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.THROTTLE_FACTOR = 1
    monkeypatch.setattr(OrderRequestLimit, "uses", 3)
    monkeypatch.setattr(CheckoutLimit, "uses", 1)
    refused = {**basket, "product": []}
    bodies = (refused, basket, refused, basket)
    assert [api.send("post", REQUEST, body).status_code for body in bodies] == [400, 200, 400, 429]
    form = wire_body(buyer, TemporaryOrder.objects.get())
    assert [api.send("post", CHECKOUT, form).status_code for _ in range(2)] == [200, 429]


@pytest.mark.postgresql
def test_the_statements_of_an_order(api: ContractClient, buyer: Buyer, basket: Json) -> None:
    assert api.send("post", REQUEST, basket).status_code == 200
    form = wire_body(buyer, TemporaryOrder.objects.get())
    with CaptureQueriesContext(connection) as queries:
        assert api.send("post", REQUEST, basket).status_code == 200
        assert api.send("post", CHECKOUT, form).status_code == 200
    # The test's own transaction makes savepoints of theirs.
    assert sum("SAVEPOINT" not in query["sql"] for query in queries) <= 13


def test_a_body_nested_too_deep_is_refused(api: ContractClient, basket: Json) -> None:
    deep: Any = 1
    for _ in range(300):
        deep = [deep]
    assert api.send("post", REQUEST, {**basket, "more": deep}).status_code == 400
