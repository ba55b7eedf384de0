"""POST /product/cart/stock: the basket against stock and prices."""

from collections.abc import Callable
from decimal import Decimal

import pytest

from apps.accounts.selectors import Buyer
from apps.catalog.models import Product
from apps.catalog.selectors import products_by_sku
from apps.catalog.tests.factories import make_product, make_products, make_promotion
from apps.common.testing import ContractClient
from apps.common.types import Json

URL = "/api/product/cart/stock"


def ask(client: ContractClient, buyer: Buyer, *lines: tuple[str, int]) -> list[Json]:
    body = {
        "uuid": str(buyer.uuid),
        "skuData": [{"sku": sku, "count": count} for sku, count in lines],
    }
    response = client.send("post", URL, body)
    assert response.status_code == 200
    result: list[Json] = response.json()["result"]
    return result


def test_the_basket_in_the_order_asked(api: ContractClient, buyer: Buyer) -> None:
    first, second, third = make_products(3)
    make_promotion([second], price=Decimal("3.10"))
    asked = (third.sku, 30), ("UNKNOWN", 10), (first.sku, 10), (second.sku, 20), (third.sku, 10)
    result = ask(api, buyer, *asked)
    shown = [(line["sku"], line["count"], line["usd_supply"]) for line in result]
    assert shown == [(third.sku, 40, 4.5), (first.sku, 10, 4.5), (second.sku, 20, 3.1)]


def test_an_empty_basket(api: ContractClient, buyer: Buyer) -> None:
    assert ask(api, buyer) == []


@pytest.mark.parametrize("lines", [1, 500])
def test_a_basket_costs_two_statements(
    api: ContractClient, buyer: Buyer, django_assert_num_queries: Callable, lines: int
) -> None:
    asked = [(product.sku, 10) for product in make_products(3)] + [
        (f"NO-{number}", 10) for number in range(lines)
    ]
    with django_assert_num_queries(2):
        assert len(ask(api, buyer, *asked)) == 3


def test_the_longest_basket_is_2000_lines(api: ContractClient, buyer: Buyer) -> None:
    assert ask(api, buyer, *((f"NO-{number}", 10) for number in range(2000))) == []
    body = {
        "uuid": str(buyer.uuid),
        "skuData": [{"sku": f"NO-{number}", "count": 1} for number in range(2001)],
    }
    assert api.send("post", URL, body).status_code == 400


@pytest.mark.parametrize(
    "data",
    [
        None,
        "x",
        {},
        [5],
        [None],
        [[]],
        [{}],
        [{"sku": "A"}],
        [{"sku": "A", "count": 0}],
        [{"sku": "A", "count": -1}],
        [{"sku": "A", "count": 1_000_001}],
        [{"sku": "A", "count": 1.5}],
        [{"sku": "A", "count": "10"}],
        [{"sku": "A", "count": True}],
        [{"sku": "A", "count": None}],
        [{"sku": 5, "count": 10}],
        [{"sku": "", "count": 10}],
        [{"sku": "A\x00", "count": 10}],
        [{"sku": "A" * 41, "count": 10}],
    ],
)
def test_a_broken_basket_is_invalid(api: ContractClient, buyer: Buyer, data: object) -> None:
    response = api.send("post", URL, {"uuid": str(buyer.uuid), "skuData": data})
    assert (response.status_code, response.json()["code"]) == (400, "invalid")
    assert any(name.startswith("skuData") for name in response.json()["errors"])


@pytest.mark.parametrize("uuid", [None, 5, ""])
def test_a_basket_names_its_buyer(api: ContractClient, uuid: object) -> None:
    assert api.send("post", URL, {"uuid": uuid, "skuData": []}).status_code == 400


def test_products_by_sku_are_exact_in_one_statement(
    buyer: Buyer, now, django_assert_num_queries: Callable
) -> None:
    special = make_product(
        is_special=True, minimum=5, usd_supply=Decimal("0.07"), usd_price=Decimal("19.99")
    )
    sold_out = make_product(on_hand=0)
    with django_assert_num_queries(1):
        products = products_by_sku(buyer=buyer, skus=[special.sku, sold_out.sku, "NO"], now=now)
    assert set(products) == {special.sku, sold_out.sku}
    one = products[special.sku]
    assert (one.id, one.moq, one.step, one.weight_g, one.qty) == (special.pk, 20, 1, 120, 1000)
    assert (one.usd_supply, one.usd_price) == (Decimal("0.07"), Decimal("19.99"))
    shown = [one.available(stock_free=False), products[sold_out.sku].available(stock_free=False)]
    assert shown == [1000, 0]
    assert products_by_sku(buyer=buyer, skus=[], now=now) == {}
    assert Product.objects.count() == 2
