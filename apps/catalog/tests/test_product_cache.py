"""Products that were written before are not written again, and are shown as the database holds them (decision 0084)."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from django.db import DEFAULT_DB_ALIAS, connections, transaction
from django.utils import timezone

from apps.accounts.models import Company, User
from apps.accounts.selectors import Buyer
from apps.accounts.tests.factories import make_buyer
from apps.catalog.models import Brand, BrandAccess, Product, Promotion, Stock
from apps.catalog.selectors import pages
from apps.catalog.tests.factories import make_brand, make_product, make_products, make_promotion, restrict
from apps.common.testing import ContractClient

pytestmark = pytest.mark.django_db
Json = dict[str, Any]


def forget() -> None:
    """Let nothing be known of what was written before."""
    getattr(connections[DEFAULT_DB_ALIAS], "kept", {}).clear()


@pytest.fixture(autouse=True)
def _nothing_known() -> None:
    forget()


@pytest.fixture
def costs(caplog: pytest.LogCaptureFixture) -> Callable[[], list[int]]:
    """Return what tells the statements of each request since it was asked last."""
    caplog.set_level("INFO", "portal.request")

    def told() -> list[int]:
        found = [record.queries for record in caplog.records if hasattr(record, "queries")]
        caplog.clear()
        return found

    return told


def page_of(api: ContractClient, buyer: Buyer, brand: int = 0, after: str = "") -> Json:
    """Return a page, and see that it is the same when nothing is known."""
    path = f"/api/product/stock/{buyer.uuid}/{brand}"
    asked = f"{path}?after={after}" if after else path
    page: Json = api.get(asked).json()
    known = dict(getattr(connections[DEFAULT_DB_ALIAS], "kept", {}))
    forget()
    assert api.get(asked).json() == page
    getattr(connections[DEFAULT_DB_ALIAS], "kept", {}).update(known)
    return page


@pytest.mark.postgresql
@pytest.mark.parametrize("restricted", [False, True])
def test_products_known_already_cost_one_statement(
    api: ContractClient, buyer: Buyer, costs: Callable[[], list[int]], restricted: bool
) -> None:
    products = make_products(3)
    if restricted:
        restrict(Company.objects.get(pk=buyer.company_id), [products[0].brand])
    path = f"/api/product/stock/{buyer.uuid}/0"
    first = [api.get(path).json() for _ in range(3)]
    assert first[0] == first[1] == first[2]
    assert costs() == [2, 2, 2]  # who calls, and the page
    Stock.objects.filter(product=products[1]).update(allocated=7)
    assert [row["qty"] for row in api.get(path).json()["result"]] == [1000, 993, 1000]
    assert [row["qty"] for row in api.get(path).json()["result"]] == [1000, 993, 1000]
    assert costs() == [3, 2]  # what has changed is read once
    make_product()
    assert len(api.get(path).json()["result"]) == 4
    assert costs() == [3]


@pytest.mark.parametrize("restricted", [False, True])
def test_whatever_changes_is_seen_by_the_next_call(api: ContractClient, buyer: Buyer, restricted: bool) -> None:
    product = make_products(2)[0]
    other = make_brand(eng="Aardvark")
    company = Company.objects.get(pk=buyer.company_id)
    if restricted:
        restrict(company, [product.brand, other])

    def shown() -> Json:
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
        (lambda: Stock.objects.filter(product=product).update(on_hand=0, allocated=0), "selectable", 0),
        (lambda: User.objects.filter(pk=buyer.id).update(stock_free=True), "selectable", 1),
        (lambda: Stock.objects.filter(product=product).update(on_hand=40), "qty", 40),
        (lambda: Stock.objects.filter(product=product).delete(), "qty", 0),
    ]
    for change, field, value in changes:
        before = shown()
        assert shown() == before != {**before, field: value}, field
        change()
        assert shown()[field] == value, field


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


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_rows_that_were_moved_are_not_taken_for_each_other(api: ContractClient, buyer: Buyer) -> None:
    with transaction.atomic():
        products = make_products(8)
    path = f"/api/product/stock/{buyer.uuid}/0"
    for _ in range(2):
        assert [row["sku"] for row in api.get(path).json()["result"]] == [product.sku for product in products]
    products.pop(1).delete()  # those behind it move up
    with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
        cursor.execute("SELECT txid_current()")  # a transaction later, VACUUM knows that nobody sees the deleted row
        cursor.execute("VACUUM FULL catalog_product")
    assert [row["sku"] for row in api.get(path).json()["result"]] == [product.sku for product in products]


@pytest.mark.postgresql
def test_a_page_without_products_costs_one_statement_more_than_its_buyer(
    api: ContractClient, buyer: Buyer, costs: Callable[[], list[int]]
) -> None:
    path = f"/api/product/stock/{buyer.uuid}"
    make_product()
    empty = make_brand()
    assert api.get(f"{path}/0").json()["total"] == 1
    assert costs() == [2]
    for _ in range(2):
        page = api.get(f"{path}/{empty.pk}").json()
        assert (page["result"], page["total"], page["has_next"], page["next"]) == ([], 0, False, None)
        assert api.get(f"{path}/0?after=fg").json()["result"] == []  # beyond the end
    assert costs() == [2] * 4


def test_pages_lead_on_from_what_is_known(api: ContractClient, buyer: Buyer) -> None:
    products = make_products(120)
    for _ in range(2):
        skus: list[str] = []
        after = ""
        while True:
            page = page_of(api, buyer, products[0].brand_id, after)
            skus += [row["sku"] for row in page["result"]]
            after = page["next"]
            if after is None:
                break
        assert skus == [product.sku for product in products]


def test_a_brand_that_is_not_the_buyers_is_not_found_though_its_products_are_known(
    api: ContractClient, buyer: Buyer
) -> None:
    product, seen = make_product(), make_product(brand=make_brand())
    for brand in (product.brand_id, seen.brand_id):
        assert api.get(f"/api/product/stock/{buyer.uuid}/{brand}").status_code == 200
    restrict(Company.objects.get(pk=buyer.company_id), [seen.brand])
    assert api.get(f"/api/product/stock/{buyer.uuid}/{product.brand_id}").status_code == 404
    assert [row["sku"] for row in page_of(api, buyer)["result"]] == [seen.sku]
    BrandAccess.objects.all().delete()
    assert page_of(api, buyer)["result"] == []


def test_buyers_of_all_stock_and_others_are_shown_their_own(
    sign_in: Callable[[Buyer], ContractClient], buyer: Buyer
) -> None:
    make_product(on_hand=0)
    for _ in range(2):
        for who, selectable in ((buyer, 0), (make_buyer(stock_free=True), 1)):
            page = sign_in(who).get(f"/api/product/stock/{who.uuid}/0").json()
            assert page["result"][0]["selectable"] == selectable


@pytest.mark.postgresql
def test_no_more_is_kept_than_has_room_and_nothing_beyond_the_connection(
    api: ContractClient, buyer: Buyer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "MOST_SHOWN", 60)
    products = make_products(120)
    path = f"/api/product/stock/{buyer.uuid}/{products[0].brand_id}"
    database: Any = connections[DEFAULT_DB_ALIAS]
    after = ""
    for number in (51, 51, 20):
        after = api.get(f"{path}?after={after}" if after else path).json()["next"]
        assert [len(shown) for shown in database.kept.values()] == [number]
    other = database.copy()
    other.kept = {"rows": "of another server"}
    other.connect()
    other.close()
    assert other.kept == {}
