"""Pages of products show what the database holds at that moment, whoever changed it and however."""

import json
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone

from apps.accounts.models import Company, User
from apps.accounts.selectors import Buyer
from apps.catalog.models import Brand, BrandAccess, Product, Promotion, Stock
from apps.catalog.selectors import products_by_sku
from apps.catalog.tests.factories import (
    make_brand,
    make_product,
    make_products,
    make_promotion,
    restrict,
)
from apps.common.testing import ContractClient

pytestmark = pytest.mark.django_db
Json = dict[str, Any]


def page_of(api: ContractClient, buyer: Buyer, brand: int = 0, after: str = "") -> Json:
    """Return a page."""
    path = f"/api/product/stock/{buyer.uuid}/{brand}"
    page: Json = api.get(f"{path}?after={after}" if after else path).json()
    return page


@pytest.mark.parametrize("restricted", [False, True])
def test_whatever_changes_is_seen_by_the_next_call(
    api: ContractClient, buyer: Buyer, restricted: bool
) -> None:
    product = make_products(2)[0]
    other = make_brand(eng="Aardvark")
    company = Company.objects.get(pk=buyer.company_id)
    if restricted:
        restrict(company, [product.brand, other])

    def page_json() -> Json:
        rows: dict[str, Json] = {row["sku"]: row for row in page_of(api, buyer)["result"]}
        return rows[product.sku]

    def rename_brand() -> None:
        brand = Brand.objects.get(pk=product.brand_id)
        brand.eng = "Zebra"
        brand.save()

    def move() -> None:
        moved = Product.objects.get(pk=product.pk)
        moved.brand = other
        moved.save()

    own = Product.objects.filter(pk=product.pk)
    changes: list[tuple[Callable[[], object], str, object]] = [
        (lambda: own.update(eng_name="Another name"), "eng_name", "Another name"),
        (lambda: own.update(usd_supply=Decimal("3.25")), "usd_supply", 3.25),
        (lambda: own.update(usd_price=Decimal("9.75")), "usd_price", 9.75),
        (lambda: own.update(minimum=24), "moq", 24),
        (lambda: own.update(is_running=2), "is_running", 2),
        (lambda: own.update(is_running=1), "is_running", 1),
        (rename_brand, "brand", "Zebra"),
        (move, "brand", "Aardvark"),
        (lambda: make_promotion([product], price=Decimal("2.50")), "usd_supply", 2.5),
        (lambda: Promotion.objects.update(ends_at=timezone.now()), "usd_supply", 3.25),
        (
            lambda: Stock.objects.filter(product=product).update(on_hand=0, allocated=0),
            "selectable",
            0,
        ),
        (lambda: User.objects.filter(pk=buyer.id).update(stock_free=True), "selectable", 1),
        (lambda: Stock.objects.filter(product=product).update(on_hand=40), "qty", 40),
        (lambda: Stock.objects.filter(product=product).delete(), "qty", 0),
    ]
    for change, field, value in changes:
        before = page_json()
        assert page_json() == before != {**before, field: value}, field
        change()
        assert page_json()[field] == value, field


def test_a_change_that_was_taken_back_is_not_shown(api: ContractClient, buyer: Buyer) -> None:
    product = make_product()
    path = f"/api/product/stock/{buyer.uuid}/0"
    assert api.get(path).json()["result"][0]["eng_name"] == product.eng_name
    for name in ("Once", "Twice"):
        with transaction.atomic():
            Product.objects.filter(pk=product.pk).update(eng_name=name)
            assert api.get(path).json()["result"][0]["eng_name"] == name
            transaction.set_rollback(True)
        assert api.get(path).json()["result"][0]["eng_name"] == product.eng_name


def test_a_page_without_products(api: ContractClient, buyer: Buyer) -> None:
    make_product()
    empty = make_brand()
    page = page_of(api, buyer, empty.pk)
    assert (page["result"], page["total"], page["has_next"], page["next"]) == ([], 0, False, None)
    assert page_of(api, buyer, after="fg")["result"] == []  # beyond the end
    unknown = f"/api/product/stock/{buyer.uuid}/{empty.pk + 1}"
    shown = [api.get(unknown + query).status_code for query in ("", "?page=2", "?search=x")]
    assert shown == [404] * 3


@pytest.mark.parametrize("amount", ["0.30", "12.34", "1234567890.07", "9999999999.99"])
def test_prices_are_exact(api: ContractClient, buyer: Buyer, amount: str) -> None:
    product = make_product(usd_supply=Decimal(amount), usd_price=Decimal(amount))
    answer = api.get(f"/api/product/stock/{buyer.uuid}/0").content
    (row,) = json.loads(answer, parse_float=Decimal)["result"]
    assert (row["usd_supply"], row["usd_price"]) == (Decimal(amount),) * 2
    ordered = products_by_sku(buyer=buyer, skus=[product.sku], now=timezone.now())[product.sku]
    assert str(ordered.usd_supply) == amount


def test_a_brand_that_is_no_longer_the_buyers_is_not_found(
    api: ContractClient, buyer: Buyer
) -> None:
    product, visible = make_product(), make_product(brand=make_brand())
    for brand in (product.brand_id, visible.brand_id):
        assert api.get(f"/api/product/stock/{buyer.uuid}/{brand}").status_code == 200
    restrict(Company.objects.get(pk=buyer.company_id), [visible.brand])
    assert api.get(f"/api/product/stock/{buyer.uuid}/{product.brand_id}").status_code == 404
    assert [row["sku"] for row in page_of(api, buyer)["result"]] == [visible.sku]
    BrandAccess.objects.all().delete()
    page = page_of(api, buyer)
    assert (page["result"], page["has_next"], page["total"]) == ([], False, 0)
