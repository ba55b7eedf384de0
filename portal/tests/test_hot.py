"""The hot calls answer what their views answer, and leave everything unusual to them."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connection

from apps.accounts.models import Company, User
from apps.accounts.selectors import Buyer
from apps.accounts.tests.factories import make_buyer
from apps.catalog.models import Stock
from apps.catalog.tests.factories import make_products, restrict
from apps.common.http.throttles import SignedInLimit
from apps.common.testing import ContractClient
from apps.orders.tests.factories import make_order
from portal import hot

pytestmark = pytest.mark.django_db


@contextmanager
def views_alone() -> Iterator[None]:
    """Let no call be answered before its view."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hot, "CALLS", ())
        yield


def ask(token: str, method: str, path: str, body: object = None) -> tuple[int, bytes, dict[str, str]]:
    """Return status, body and headers of a call by a client that has just read the settings."""
    return told(ContractClient().sign_in(token).send(method, path, body))


def told(response: Any) -> tuple[int, bytes, dict[str, str]]:
    """Return status, body and headers of an answer."""
    own = ("X-Request-ID", "Allow")  # the first differs for each request, the second is REST framework's
    headers = {name: value for name, value in response.headers.items() if name not in own}
    return response.status_code, response.content, headers


def calls(buyer: Buyer) -> list[tuple[str, str, object]]:
    codes = [make_order(buyer).invoice_code for _ in range(2)]
    uuid = str(buyer.uuid)
    products = make_products(60)
    return [
        ("get", f"/api/product/stock/{uuid}/0", None),
        ("get", f"/api/product/stock/{uuid}/0/?after=YQ", None),
        ("get", f"/api/product/stock/{uuid}/{products[0].brand_id}", None),
        ("get", "/api/order/0", None),
        ("get", "/api/order/1", None),
        ("get", "/api/order/5/", None),
        ("get", "/api/order/0?after=1", None),
        ("get", f"/api/details/{codes[0]}", None),
        ("post", "/api/dashboard", {"uuid": uuid}),
    ]


def test_a_hot_call_answers_as_its_view_does(api: ContractClient, buyer: Buyer, answers: list[int]) -> None:
    assert api.token
    for method, path, body in calls(buyer):
        answers.clear()
        fast = ask(api.token, method, path, body)
        assert answers == [200], path
        with views_alone():
            assert ask(api.token, method, path, body) == fast, path
        assert answers == [200], path


def test_what_is_unusual_is_the_views(api: ContractClient, buyer: Buyer, answers: list[int]) -> None:
    assert api.token
    other, uuid = make_buyer(), str(buyer.uuid)
    foreign = make_order(other).invoice_code
    asked = [
        ("get", f"/api/product/stock/{other.uuid}/0", None, 404),
        ("get", f"/api/product/stock/{uuid}/987654", None, 404),
        ("get", f"/api/product/stock/{uuid}/0?search=a", None, 200),
        ("get", f"/api/product/stock/{uuid}/0?after=!", None, 400),
        ("get", f"/api/product/stock/{buyer.uuid.hex}/0", None, 200),
        ("get", f"/api/details/{foreign}", None, 404),
        ("delete", "/api/order/0", None, 405),
        ("post", "/api/dashboard", {"uuid": str(other.uuid)}, 404),
        ("post", "/api/dashboard", {"uuid": 5}, 400),
        ("post", "/api/dashboard", [uuid], 400),
        ("get", "/api/dashboard", None, 405),
    ]
    for method, path, body, status in asked:
        answers.clear()
        assert ask(api.token, method, path, body)[0] == status, path
        assert 200 not in answers, path
    assert ask("no-token", "get", "/api/order/0")[0] == ask("", "get", "/api/order/0")[0] == 403


def test_whoever_is_out_is_out_on_the_next_call(api: ContractClient, buyer: Buyer, answers: list[int]) -> None:
    user, company = User.objects.filter(pk=buyer.id), Company.objects.filter(pk=buyer.company_id)
    assert api.token
    for table, change, back in (
        (user, {"is_active": False}, {"is_active": True}),
        (user, {"approval": "rejected"}, {"approval": "approved"}),
        (user, {"is_staff": True}, {"is_staff": False}),
        (company, {"is_open": False}, {"is_open": True}),
        (user, {"session_version": buyer.session_version + 1}, {"session_version": buyer.session_version}),
    ):
        assert ask(api.token, "get", "/api/order/0")[0] == 200
        table.update(**change)
        assert ask(api.token, "get", "/api/order/0")[0] == 403, change
        table.update(**back)
    assert answers == [200, 0] * 5


def test_stock_and_brands_are_seen_by_the_next_call(api: ContractClient, buyer: Buyer, answers: list[int]) -> None:
    product = make_products(2)[0]
    path = f"/api/product/stock/{buyer.uuid}/0"
    before = {row["sku"]: row["qty"] for row in api.get(path).json()["result"]}
    Stock.objects.filter(product=product).update(on_hand=1, allocated=0)
    after = {row["sku"]: row["qty"] for row in api.get(path).json()["result"]}
    assert after == {**before, product.sku: 1}
    restrict(Company.objects.get(pk=buyer.company_id), [])
    assert api.get(path).json()["result"] == []
    assert answers == [200] * 3


def test_each_call_is_counted_once(
    api: ContractClient, answers: list[int], settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.THROTTLE_FACTOR = 1
    monkeypatch.setattr(SignedInLimit, "uses", 4)
    assert api.token
    assert [ask(api.token, "get", "/api/order/0")[0] for _ in range(2)] == [200, 200]
    assert ask(api.token, "get", "/api/details/unknown")[0] == 404
    assert ask(api.token, "get", "/api/order/1")[0] == 200
    assert ask(api.token, "get", "/api/order/1")[0] == 429
    assert answers == [200, 200, 0, 200, 0]


def test_who_calls_is_asked_in_the_calls_own_statement(
    api: ContractClient, buyer: Buyer, answers: list[int], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "portal.request")
    for path in (f"/api/product/stock/{buyer.uuid}/0", "/api/order/0", "/api/order/0"):
        assert api.get(path).status_code == 200
    costs = [getattr(record, "queries", 0) for record in caplog.records]
    assert costs == ([2, 1, 1] if connection.vendor == "postgresql" else [2, 2, 2])


def test_a_buyer_is_answered_as_it_is_now_not_as_remembered(
    api: ContractClient, buyer: Buyer, answers: list[int]
) -> None:
    order = make_order(buyer)
    path = f"/api/details/{order.invoice_code}"
    assert [api.get(path).json()["order"]["company"] for _ in range(2)] == [buyer.company] * 2
    Company.objects.filter(pk=buyer.company_id).update(name="Renamed")
    assert [api.get(path).json()["order"]["company"] for _ in range(2)] == ["Renamed"] * 2
    other = make_buyer()
    User.objects.filter(pk=buyer.id).update(company_id=other.company_id)
    assert [api.get(path).status_code for _ in range(2)] == [404, 404]
    assert answers == [200, 200, 200, 200, 0, 0]


def test_what_is_left_to_the_view_is_not_tried_twice(
    api: ContractClient, buyer: Buyer, caplog: pytest.LogCaptureFixture
) -> None:
    other = make_buyer()
    assert api.get("/api/order/0").status_code == 200
    caplog.set_level("INFO", "portal.request")
    assert api.get(f"/api/product/stock/{other.uuid}/0").status_code == 404
    looked_up_before = 0 if connection.vendor == "postgresql" else 1
    assert getattr(caplog.records[-1], "queries", 0) == looked_up_before + 1
