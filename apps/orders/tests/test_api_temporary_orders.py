"""POST and DELETE /temp-order, POST /order/check."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.conf import settings
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from apps.accounts.models import Company
from apps.accounts.selectors import Buyer
from apps.accounts.tests.factories import make_buyer
from apps.catalog.errors import BelowMoq, NotMultipleOfMoq, OutOfStock
from apps.catalog.models import Product, Stock
from apps.catalog.tests.factories import (
    make_price_group,
    make_product,
    make_products,
    make_promotion,
)
from apps.common.testing import ContractClient, selling
from apps.common.types import Json
from apps.orders.errors import NoLines, OrderExists
from apps.orders.models import SavedBasket, TemporaryOrder
from apps.orders.tests.factories import make_draft, make_order, ship_body

SignIn = Callable[[Buyer], ContractClient]
URL = "/api/temp-order?shop=first"


def body_of(buyer: Buyer, lines: list[tuple[str, int]], **fields: Any) -> Json:
    """Return what the product order screen sends."""
    product = [{"sku": sku, "count": count} for sku, count in lines]
    head = {"uuid": str(buyer.uuid), "export_report": 0, "count": 1, "total": 0.01}
    return {**head, **ship_body(), "product": product, **fields}


def test_a_basket_becomes_a_priced_list_and_reserves_nothing(
    api: ContractClient, buyer: Buyer
) -> None:
    one, two = make_product(on_hand=100), make_product(on_hand=100, is_special=True, weight_g=200)
    make_promotion([two], price=Decimal("3.00"))
    answer = api.send("POST", URL, body_of(buyer, [(one.sku, 20), (two.sku, 21)]))
    assert answer.status_code == 200
    draft = TemporaryOrder.objects.get()
    assert answer.json() == {"success": 1, "invoice_code": draft.invoice_code}
    assert draft.invoice_code.startswith(f"{settings.INVOICE_PREFIX.upper()}-")
    assert (draft.count, draft.total, draft.weight_g) == (2, Decimal("153.00"), 20 * 120 + 21 * 200)
    lines = [(line["sku"], line["count"], line["price"], line["box_qty"]) for line in draft.lines]
    assert lines == [(one.sku, 20, "4.50", 10), (two.sku, 21, "3.00", 20)]
    assert draft.expires_at - draft.created_at == timedelta(days=7)
    assert set(Stock.objects.values_list("allocated", flat=True)) == {0}


def test_a_sku_given_twice_is_added_up(api: ContractClient, buyer: Buyer) -> None:
    product = make_product()
    api.send("POST", URL, body_of(buyer, [(product.sku, 5), (product.sku, 15)]))
    assert [line["count"] for line in TemporaryOrder.objects.get().lines] == [20]


def test_less_than_the_minimum_order_is_refused_with_what_is_missing(
    api: ContractClient, buyer: Buyer
) -> None:
    selling(minimum_order=Decimal("50.00"))
    product = make_product(usd_supply=Decimal("4.50"))
    answer = api.send("POST", URL, body_of(buyer, [(product.sku, 10)]))
    assert (answer.status_code, answer.json()["code"]) == (400, "below_minimum")
    assert answer.json()["message"] == "$5.00 more to reach our minimum order of $50.00."
    assert answer.json()["errors"] == {"total": ["5.00"]}
    selling(minimum_order=Decimal("90.00"))
    assert api.send("POST", URL, body_of(buyer, [(product.sku, 20)])).status_code == 200


def test_a_group_has_prices_a_minimum_and_a_deposit_share_of_its_own(
    api: ContractClient, buyer: Buyer
) -> None:
    selling(minimum_order=Decimal("500.00"))
    company = Company.objects.get(pk=buyer.company_id)
    make_price_group(-10, company, minimum_order=Decimal("50.00"), deposit_rate=Decimal("0.30"))
    product = make_product(usd_supply=Decimal("4.50"))
    answer = api.send("POST", URL, body_of(buyer, [(product.sku, 10)]))
    assert answer.json()["message"] == "$9.50 more to reach our minimum order of $50.00."
    assert api.send("POST", URL, body_of(buyer, [(product.sku, 20)])).status_code == 200
    draft = TemporaryOrder.objects.get()
    assert (draft.lines[0]["price"], draft.deposit_rate) == ("4.05", Decimal("0.30"))
    Company.objects.update(deposit_rate=0)
    assert api.send("POST", URL, body_of(buyer, [(product.sku, 30)])).status_code == 200
    rates = TemporaryOrder.objects.order_by("id").values_list("deposit_rate", flat=True)
    assert list(rates) == [Decimal("0.30"), 0]


def test_ship_fields_may_be_empty(api: ContractClient, buyer: Buyer) -> None:
    body = body_of(buyer, [(make_product().sku, 10)], **dict.fromkeys(ship_body(), ""))
    assert api.send("POST", URL, body).status_code == 200
    assert TemporaryOrder.objects.get().ship_country is None


@pytest.mark.parametrize(
    ("lines", "status", "message"),
    [
        ([], 400, NoLines.message),
        ([("NO-SUCH", 9), ("SCARCE", 9)], 400, None),
        ([("SCARCE", 10), ("PLENTY", 9)], 409, OutOfStock.message),
        ([("CONTACT", 10)], 409, OutOfStock.message),
        ([("PLENTY", 15), ("OTHER", 9)], 400, BelowMoq.message),
        ([("PLENTY", 15)], 400, NotMultipleOfMoq.message),
    ],
)
def test_refuses_in_this_order(
    api: ContractClient,
    buyer: Buyer,
    lines: list[tuple[str, int]],
    status: int,
    message: str | None,
) -> None:
    make_product(sku="PLENTY")
    make_product(sku="OTHER")
    make_product(sku="SCARCE", on_hand=9)
    make_product(sku="CONTACT", is_running=2)
    body = body_of(buyer, lines) if lines else {"uuid": str(buyer.uuid), "export_report": 0}
    answer = api.send("POST", URL, body)
    assert answer.status_code == status
    if message:
        assert answer.json()["message"] == message
    else:
        assert answer.json()["errors"] == {"NO-SUCH": ["Unknown SKU."]}
    if status == 409:
        assert list(answer.json()["errors"]) == [lines[0][0]]
    assert not TemporaryOrder.objects.exists()


def test_a_stock_free_buyer_orders_what_is_not_there(sign_in: SignIn) -> None:
    buyer = make_buyer(stock_free=True)
    product = make_product(on_hand=0)
    assert sign_in(buyer).send("POST", URL, body_of(buyer, [(product.sku, 10)])).status_code == 200


@pytest.mark.parametrize(
    "change",
    [
        {"product": "x"},
        {"product": [{"sku": "A", "count": 0}]},
        {"product": [{"sku": "A", "count": 1.5}]},
        {"product": [{"sku": "A", "count": "10"}]},
        {"product": [{"sku": "A", "count": 1_000_001}]},
        {"product": [{"sku": "A\x00", "count": 10}]},
        {"product": [{"sku": 5, "count": 10}]},
        {"product": [{"count": 10}]},
        {"product": [{"sku": "A", "count": 10, "seen_price": "4.50"}]},
        {"product": [7]},
        {"product": [{"sku": "A", "count": 10}] * 2001},
        {"ship_country": 10**9},
        {"ship_country": "Poland"},
        {"ship_city": "x" * 81},
        {"ship_city": "a\x07b"},
        {"export_report": 2},
    ],
)
def test_malformed_bodies_are_refused(api: ContractClient, buyer: Buyer, change: Json) -> None:
    answer = api.send("POST", URL, {**body_of(buyer, [("A", 10)]), **change})
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid")


# Repeats


def test_a_repeat_with_the_same_key_gets_the_first_answer(
    api: ContractClient, buyer: Buyer
) -> None:
    product = make_product()
    body, key = body_of(buyer, [(product.sku, 10)]), {"Idempotency-Key": str(uuid4())}
    first = api.send("POST", URL, body, headers=key)
    Stock.objects.update(on_hand=0)  # gone meanwhile: a repeat is still a repeat
    again = api.send("POST", URL, body, headers=key)
    assert (again.status_code, again.json()) == (200, first.json())
    assert TemporaryOrder.objects.count() == 1


@pytest.mark.parametrize("seconds", [1000, 0])
def test_the_same_key_with_another_body_is_refused(
    api: ContractClient, buyer: Buyer, seconds: int
) -> None:
    product, key = make_product(), {"Idempotency-Key": str(uuid4())}
    api.send("POST", URL, body_of(buyer, [(product.sku, 10)]), headers=key)
    Stock.objects.update(on_hand=seconds)
    answer = api.send("POST", URL, body_of(buyer, [(product.sku, 20)]), headers=key)
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid")
    assert TemporaryOrder.objects.count() == 1


def test_a_key_holds_for_a_day(api: ContractClient, buyer: Buyer) -> None:
    body, key = body_of(buyer, [(make_product().sku, 10)]), {"Idempotency-Key": str(uuid4())}
    first = api.send("POST", URL, body, headers=key).json()
    long_ago = datetime.now(UTC) - timedelta(days=8)
    TemporaryOrder.objects.update(created_at=long_ago, expires_at=long_ago + timedelta(days=7))
    second = api.send("POST", URL, body, headers=key)
    assert second.status_code == 200
    assert second.json() != first


def test_two_buyers_may_use_the_same_key(
    api: ContractClient, buyer: Buyer, sign_in: SignIn
) -> None:
    other, product, key = make_buyer(), make_product(), {"Idempotency-Key": str(uuid4())}
    api.send("POST", URL, body_of(buyer, [(product.sku, 10)]), headers=key)
    answer = sign_in(other).send("POST", URL, body_of(other, [(product.sku, 10)]), headers=key)
    assert answer.status_code == 200
    assert TemporaryOrder.objects.count() == 2


# Order, Back, Order


def request(api: ContractClient, body: Json, key: UUID | None = None) -> Any:
    """Send a request for an order as the screens do, under a key of its own."""
    return api.send("POST", URL, body, headers={"Idempotency-Key": str(key or uuid4())})


def test_an_open_request_of_the_same_lines_is_priced_anew(
    api: ContractClient, buyer: Buyer
) -> None:
    one, two = make_product(), make_product()
    lines = [(one.sku, 10), (two.sku, 20)]
    first = request(api, body_of(buyer, lines))
    now = TemporaryOrder.objects.get()
    Product.objects.filter(pk=one.pk).update(usd_supply=Decimal("7.00"))
    again = request(api, body_of(buyer, lines[::-1], ship_city="Gdynia"))
    assert again.json() == first.json()
    draft = TemporaryOrder.objects.get()
    prices = {line["sku"]: line["price"] for line in draft.lines}
    assert prices == {one.sku: "7.00", two.sku: "4.50"}
    assert (draft.total, draft.ship_city) == (Decimal("160.00"), "Gdynia")
    assert (draft.created_at, draft.expires_at > now.expires_at) == (now.created_at, True)


@pytest.mark.parametrize(
    "what", ["other pieces", "expired", "ordered", "at PayPal", "a colleague's", "without a key"]
)
def test_another_request_is_made_where_none_is_open(
    sign_in: SignIn, buyer: Buyer, what: str
) -> None:
    product, now = make_product(), datetime.now(UTC)
    key = {} if what == "without a key" else {"Idempotency-Key": str(uuid4())}
    of_whom = make_buyer(company_id=buyer.company_id) if what == "a colleague's" else buyer
    make_draft(of_whom, [(product, 20 if what == "other pieces" else 10)])
    moments = {"expired": "expires_at", "ordered": "ordered_at", "at PayPal": "paypal_at"}
    if what in moments:
        TemporaryOrder.objects.update(**{moments[what]: now})
    body = body_of(buyer, [(product.sku, 10)])
    assert sign_in(buyer).send("POST", URL, body, headers=key).status_code == 200
    assert TemporaryOrder.objects.count() == 2


def test_a_price_that_the_buyer_was_not_shown_is_asked_about(
    api: ContractClient, buyer: Buyer
) -> None:
    risen, same = make_product(), make_product()
    lines = [{"sku": risen.sku, "count": 20, "seen_price": 4.5}, {"sku": same.sku, "count": 10}]
    lines_seen = [lines[0], {**lines[1], "seen_price": 4.5}]
    Product.objects.filter(pk=risen.pk).update(usd_supply=Decimal("13.00"))
    key = uuid4()
    refused = request(api, body_of(buyer, [], product=lines_seen), key)
    assert (refused.status_code, refused.json()["code"]) == (409, "price_changed")
    assert refused.json()["errors"] == {risen.sku: ["4.50", "13.00"]}
    assert not TemporaryOrder.objects.exists()

    lines_seen[0] = {**lines_seen[0], "seen_price": 13}
    body = body_of(buyer, [], product=lines_seen)
    accepted = request(api, body, key)
    assert accepted.status_code == 200
    assert TemporaryOrder.objects.get().total == Decimal("305.00")
    Product.objects.filter(pk=risen.pk).update(usd_supply=Decimal("2.00"))
    assert request(api, body, key).json() == accepted.json()  # a repeat is still a repeat
    assert TemporaryOrder.objects.get().total == Decimal("305.00")
    assert request(api, body).json()["errors"] == {risen.sku: ["13.00", "2.00"]}


def test_it_costs_four_statements_however_many_lines(api: ContractClient, buyer: Buyer) -> None:
    products = make_products(100)
    used = []
    for number in (1, 10, 100):
        body = body_of(buyer, [(product.sku, 10) for product in products[:number]])
        api.send("POST", URL, body)  # the tree of addresses is read once for the process
        with CaptureQueriesContext(connection) as queries:
            assert request(api, body).status_code == 200
        control = ("SAVEPOINT", "RELEASE", "BEGIN", "COMMIT")
        used.append(sum(not query["sql"].startswith(control) for query in queries))
    assert used == [4, 4, 4]


# DELETE /temp-order/{invoice_code}, POST /order/check


def test_a_temporary_order_can_be_dropped(api: ContractClient, buyer: Buyer) -> None:
    product = make_product()
    draft = make_draft(buyer, [(product, 20)])
    assert api.send("DELETE", f"/api/temp-order/{draft.invoice_code}").json() == {"success": 1}
    assert not TemporaryOrder.objects.exists()
    stored = SavedBasket.objects.get()
    assert (stored.kind, stored.lines) == ("cancelled", [{"sku": product.sku, "count": 20}])
    assert api.send("DELETE", f"/api/temp-order/{draft.invoice_code}").status_code == 404


def test_an_order_cannot_be_dropped(api: ContractClient, buyer: Buyer) -> None:
    order = make_order(buyer)
    answer = api.send("DELETE", f"/api/temp-order/{order.invoice_code}")
    assert (answer.status_code, answer.json()["code"]) == (409, "order_exists")
    assert answer.json()["message"] == OrderExists.message


def test_check_tells_whether_the_order_exists(api: ContractClient, buyer: Buyer) -> None:
    for one, success in ((make_draft(buyer), 0), (make_order(buyer), 1)):
        answer = api.send("POST", "/api/order/check", {"invoice_code": one.invoice_code})
        assert answer.json() == {"success": success}


def test_a_right_number_with_a_wrong_date_is_unknown(api: ContractClient, buyer: Buyer) -> None:
    prefix, _, number = make_draft(buyer).invoice_code.split("-")
    assert api.send("DELETE", f"/api/temp-order/{prefix}-200101-{number}").status_code == 404


def test_requests_that_were_left_are_listed_until_they_expire_or_are_ordered(
    sign_in: SignIn, buyer: Buyer, django_assert_num_queries: Callable[[int], Any]
) -> None:
    now, day = datetime.now(UTC), timedelta(days=1)
    make_draft(buyer, now=now - 8 * day)
    make_order(buyer)
    drafts = [make_draft(buyer, now=now - 2 * day), make_draft(buyer, now=now)]
    make_draft(make_buyer(company_id=buyer.company_id))
    api = sign_in(buyer)
    with django_assert_num_queries(2):  # who asks is one
        result = api.get("/api/temp-orders").json()["result"]
    assert [row["invoice_code"] for row in result] == [one.invoice_code for one in drafts[::-1]]
    assert (result[0]["total"], result[0]["count"]) == (float(drafts[1].total), 1)
    ends = timezone.localtime(drafts[1].expires_at)
    assert result[0]["until"] == f"Prices are held until {ends:%a %-d %b, %H:%M} Seoul."
    for _ in range(25):
        make_draft(buyer, now=now)
    assert len(api.get("/api/temp-orders").json()["result"]) == 20
