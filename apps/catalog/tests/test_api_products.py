"""GET /product/stock and /product/promotion/stock: what a page holds, and for whom."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from django.db import DataError, IntegrityError, transaction

from apps.accounts.models import Company
from apps.accounts.selectors import Buyer
from apps.accounts.tests.factories import make_buyer, make_company
from apps.catalog.models import Product, Running, Stock
from apps.catalog.selectors import pages
from apps.catalog.tests.factories import (
    make_brand,
    make_product,
    make_products,
    make_promotion,
    restrict,
)
from apps.common.testing import ContractClient
from apps.common.types import Json

SignIn = Callable[[Buyer], ContractClient]


def skus(answer: Json) -> list[str]:
    return [product["sku"] for product in answer["result"]]


def test_a_product_has_all_that_the_card_shows(api: ContractClient, buyer: Buyer) -> None:
    brand = make_brand(eng="Aurum")
    make_product(
        sku="00410275", eng_name="Glow Serum", brand=brand, on_hand=100, allocated=40, minimum=24
    )
    (product,) = api.get(f"/api/product/stock/{buyer.uuid}/0").json()["result"]
    assert product == {
        "sku": "00410275",
        "eng_name": "Glow Serum",
        "brand_id": brand.pk,
        "brand": "Aurum",
        "image": product["image"],
        "images": [product["image"]],
        "ean": None,
        "is_running": 1,
        "qty": 60,
        "expect_qty": 60,
        "held": 0,
        "usd_price": 12.0,
        "usd_supply": 4.5,
        "usual_price": None,
        "price_until": None,
        "minimum": 24,
        "weight": 120,
        "count": 0,
        "moq": 24,
        "step": 24,
        "availability": "On sale",
        "selectable": 1,
    }


def test_pages_follow_each_other_by_brand_then_name(api: ContractClient, buyer: Buyer) -> None:
    late, early = make_brand(eng="Zeta"), make_brand(eng="alpha")
    make_products(60, brand=late)
    make_products(60, brand=early)
    url = f"/api/product/stock/{buyer.uuid}/0"
    wanted = list(Product.objects.order_by("sort_key").values_list("sku", flat=True))
    first = api.get(url).json()
    assert (first["page"], first["has_next"], first["total"]) == (1, True, 120)
    second = api.get(url, {"after": first["next"]}).json()
    assert (second["page"], second["has_next"], second["total"]) == (None, True, None)
    third = api.get(url, {"after": second["next"]}).json()
    assert (third["has_next"], third["next"]) == (False, None)
    assert skus(first) + skus(second) + skus(third) == wanted
    assert first["result"][0]["brand"] == "alpha"
    assert skus(api.get(url, {"page": 2}).json()) == skus(second)
    beyond = api.get(url, {"page": 9}).json()
    assert (beyond["result"], beyond["has_next"], beyond["page"]) == ([], False, 9)


def test_a_brands_pages_follow_each_other_and_a_full_last_one_has_no_next(
    api: ContractClient, buyer: Buyer
) -> None:
    mine = make_brand()
    products = make_products(100, brand=mine)
    make_product(brand=make_brand())
    url = f"/api/product/stock/{buyer.uuid}/{mine.pk}"
    first = api.get(url).json()
    assert (len(first["result"]), first["has_next"], first["total"]) == (50, True, 100)
    second = api.get(url, {"after": first["next"]}).json()
    assert (second["has_next"], second["next"]) == (False, None)
    assert skus(first) + skus(second) == [product.sku for product in products]


@pytest.mark.parametrize("brand_id", ["987654", "-1", "x", "99999999999", "1.5", "²"])
def test_an_unknown_brand_is_not_found(api: ContractClient, buyer: Buyer, brand_id: str) -> None:
    assert api.get(f"/api/product/stock/{buyer.uuid}/{brand_id}").status_code == 404


@pytest.mark.parametrize(
    ("search", "skus"),
    [
        ("serum", {"A"}),
        ("SERUM aur", {"A"}),
        ("abc-1", {"A"}),
        ("mask serum", set()),
        ("100%", {"B"}),
        ("_", set()),
        ("\\", set()),
        ("  ", {"A", "B"}),
        ("ÉCLAT", {"B"}),
    ],
)
def test_search_wants_every_word_somewhere(
    api: ContractClient, buyer: Buyer, search: str, skus: set[str]
) -> None:
    make_product(eng_name="A Glow Serum", sku="ABC-1", brand=make_brand(eng="Aurum"))
    make_product(eng_name="B Éclat Mask 100%", sku="ABC-2", brand=make_brand(eng="Zeta"))
    answer = api.get(f"/api/product/stock/{buyer.uuid}/0", {"search": search}).json()
    assert {product["eng_name"][0] for product in answer["result"]} == skus
    assert answer["total"] == len(skus)


@pytest.mark.parametrize(
    "query",
    [
        {"page": "0"},
        {"page": "x"},
        {"page": ""},
        {"after": "!"},
        {"after": "AA"},
        {"search": "a\x00"},
    ],
)
def test_a_broken_query_is_invalid(
    api: ContractClient, buyer: Buyer, query: dict[str, str]
) -> None:
    response = api.get(f"/api/product/stock/{buyer.uuid}/0", query)
    assert (response.status_code, response.json()["code"]) == (400, "invalid")


def test_a_restricted_company_sees_its_brands_only(buyer: Buyer, sign_in: SignIn) -> None:
    mine, other = make_brand(), make_brand()
    product = make_product(brand=mine)
    hidden = make_product(brand=other)
    restrict(Company.objects.get(pk=buyer.company_id), [mine])
    limited = make_buyer(company_id=buyer.company_id)
    client = sign_in(limited)
    base = f"/api/product/stock/{limited.uuid}"
    answer = client.get(f"{base}/0").json()
    assert (skus(answer), answer["total"]) == ([product.sku], 1)
    assert skus(client.get(f"{base}/0", {"search": "product"}).json()) == [product.sku]
    assert client.get(f"{base}/{other.pk}").status_code == 404
    assert [
        brand["brand_id"] for brand in client.get(f"/api/brand/{limited.uuid}").json()["result"]
    ] == [mine.pk]
    make_promotion([product, hidden])
    assert skus(client.get(f"/api/product/promotion/stock/{limited.uuid}").json()) == [product.sku]


@pytest.mark.parametrize(
    "names", [("alpha", "beta", "gamma", "zeta"), ("Same", "hidden", "Same 2", "same-b")]
)
def test_a_restricted_companys_pages_lead_through_its_brands_in_order(
    buyer: Buyer, sign_in: SignIn, names: tuple[str, ...]
) -> None:
    brands = [make_brand(eng=name) for name in names]
    for number in range(140):
        make_product(brand=brands[number % 4])
    visible = [brand for brand in brands if brand.eng not in ("beta", "hidden")]
    restrict(Company.objects.get(pk=buyer.company_id), visible)
    client, url = sign_in(buyer), f"/api/product/stock/{buyer.uuid}/0"
    wanted = list(
        Product.objects.filter(brand__in=visible).order_by("sort_key").values_list("sku", flat=True)
    )
    first = client.get(url).json()
    assert first["total"] == len(wanted) == 105
    second = client.get(url, {"after": first["next"]}).json()
    third = client.get(url, {"after": second["next"]}).json()
    assert skus(first) + skus(second) + skus(third) == wanted
    assert third["next"] is None
    assert client.get(url, {"page": 2}).json()["result"] == second["result"]


def test_a_running_promotion_sets_the_price_in_every_list(
    api: ContractClient, buyer: Buyer
) -> None:
    cheap, dear, over, plain = make_products(4)
    make_promotion([cheap], price=Decimal("3.10"))
    make_promotion([cheap], price=Decimal("3.40"))
    make_promotion([dear])
    make_promotion([over], price=Decimal("1.00"), days=(-9, -1))
    make_promotion([plain], price=Decimal("1.00"), days=(1, 9))
    answer = api.get(f"/api/product/stock/{buyer.uuid}/0").json()
    prices = {product["sku"]: product["usd_supply"] for product in answer["result"]}
    assert prices == {cheap.sku: 3.1, dear.sku: 4.5, over.sku: 4.5, plain.sku: 4.5}
    usual = {product["sku"]: product["usual_price"] for product in answer["result"]}
    assert usual == {cheap.sku: 4.5, dear.sku: None, over.sku: None, plain.sku: None}
    promoted = api.get(f"/api/product/promotion/stock/{buyer.uuid}").json()
    assert (skus(promoted), promoted["total"]) == ([cheap.sku, dear.sku], 2)


def test_sold_out_and_stock_free(sign_in: SignIn) -> None:
    make_product(on_hand=0)
    make_product(is_running=Running.CONTACT_US)
    checked, free = make_buyer(), make_buyer(stock_free=True)
    cards = {
        buyer: [
            (product["availability"], product["selectable"])
            for product in sign_in(buyer).get(f"/api/product/stock/{buyer.uuid}/0").json()["result"]
        ]
        for buyer in (checked, free)
    }
    assert cards == {
        checked: [("Sold out", 0), ("Contact us", 0)],
        free: [("Sold out", 1), ("Contact us", 1)],
    }


@pytest.mark.parametrize("rows", [1, 55])
@pytest.mark.parametrize("restricted", [False, True])
def test_a_page_costs_two_statements(
    sign_in: SignIn, django_assert_num_queries: Callable, rows: int, restricted: bool
) -> None:
    brand = make_brand()
    company = make_company()
    make_promotion(make_products(rows, brand=brand), price=Decimal("2.00"))
    if restricted:
        restrict(company, [brand])
    buyer = make_buyer(company=company)
    client = sign_in(buyer)
    for path in (
        f"stock/{buyer.uuid}/0",
        f"stock/{buyer.uuid}/{brand.pk}",
        f"promotion/stock/{buyer.uuid}",
    ):
        for query in ({}, {"search": "product"}, *([{"page": "2"}] if rows > 50 else [])):
            with django_assert_num_queries(2):
                client.get(f"/api/product/{path}", query)


def test_a_uuid_may_be_in_capitals(api: ContractClient, buyer: Buyer) -> None:
    assert api.get(f"/api/brand/{str(buyer.uuid).upper()}").status_code == 200


def test_brands_by_name_case_ignored(api: ContractClient, buyer: Buyer) -> None:
    for name in ("beta", "Alpha", "Gamma"):
        make_brand(eng=name)
    answer = api.get(f"/api/brand/{buyer.uuid}/").json()
    assert [brand["eng"] for brand in answer["result"]] == ["Alpha", "beta", "Gamma"]


def test_a_list_is_narrowed_and_counted(api: ContractClient, buyer: Buyer) -> None:
    sold, discontinued, remaining, promoted = make_products(4)
    Product.objects.filter(pk=remaining.pk).update(is_running=Running.DISCONTINUED)
    Stock.objects.filter(product=discontinued).update(allocated=1000)
    make_promotion([promoted])
    url = f"/api/product/stock/{buyer.uuid}/0"

    def search_skus(**query: str | int) -> list[str]:
        answer = api.get(url, query).json()
        assert answer["total"] == len(answer["result"])
        return skus(answer)

    assert search_skus(in_stock=1) == [sold.sku, remaining.sku, promoted.sku]
    assert search_skus(on_sale=1) == [sold.sku, promoted.sku]
    assert search_skus(promotion=1) == search_skus(promotion=1, in_stock=1) == [promoted.sku]
    assert search_skus(on_sale=1, search=sold.sku) == [sold.sku]
    shown = skus(api.get(f"/api/product/promotion/stock/{buyer.uuid}", {"in_stock": 1}).json())
    assert shown == [promoted.sku]
    assert api.get(url, {"in_stock": "perhaps"}).status_code == 400


@pytest.mark.parametrize(
    ("sort", "order"), [("name", "eng_name"), ("price", "usd_supply"), ("new", "-id")]
)
def test_a_list_is_sorted_page_by_page(
    api: ContractClient, buyer: Buyer, sort: str, order: str
) -> None:
    brands = make_brand(eng="Zeta"), make_brand(eng="Alpha")
    for number in range(120):
        price = Decimal(number * 37 % 120 + 1)
        make_product(
            brand=brands[number % 2], eng_name=f"Name {number * 53 % 120:03d}", usd_supply=price
        )
    url, pages = f"/api/product/stock/{buyer.uuid}/0", []
    answer = api.get(url, {"sort": sort}).json()
    assert answer["total"] == 120
    while pages.append(skus(answer)) or answer["next"]:
        answer = api.get(url, {"sort": sort, "after": answer["next"]}).json()
    assert [len(page) for page in pages] == [50, 50, 20]
    shown = [sku for page in pages for sku in page]
    assert shown == list(Product.objects.order_by(order).values_list("sku", flat=True))
    assert api.get(url, {"sort": sort, "after": "bm9uc2Vuc2U"}).status_code == 400


def test_a_promotions_price_is_what_a_list_is_sorted_by(api: ContractClient, buyer: Buyer) -> None:
    dear, cheap = make_product(usd_supply=Decimal(9)), make_product(usd_supply=Decimal(5))
    make_promotion([dear], price=Decimal(3))
    shown = skus(api.get(f"/api/product/stock/{buyer.uuid}/0", {"sort": "price"}).json())
    assert shown == [dear.sku, cheap.sku]


@pytest.mark.parametrize("search", ["creams gold", "gold cream", "CREAM golds", "brushes", "boxes"])
def test_a_search_knows_plurals_and_minds_no_order(
    api: ContractClient, buyer: Buyer, search: str
) -> None:
    make_product(eng_name="Toner")
    product = make_product(eng_name="Gold Cream Brush Box")
    shown = skus(api.get(f"/api/product/stock/{buyer.uuid}/0", {"search": search}).json())
    assert shown == [product.sku]


EAN = "4006381333931"


def test_an_ean_or_its_end_finds_its_products(api: ContractClient, buyer: Buyer) -> None:
    first, second = make_product(sku="FIRST", ean=EAN), make_product(sku="SECOND", ean=EAN)
    make_product(sku="SHORT", ean="96385074")
    upc = make_product(sku="UPC", ean="0036000291452")
    by_name = make_product(sku="NAMED", eng_name="Box of 96385074 pieces")
    make_product(sku="1333")
    url = f"/api/product/stock/{buyer.uuid}/0"

    def skus_of_search(search: str) -> set[str]:
        answer = api.get(url, {"search": search}).json()
        assert answer["total"] == len(answer["result"])
        return set(skus(answer))

    for term in (EAN, "4 006381 333931", "400-6381-333931", f"EAN {EAN}", "ean: 4006381 333931"):
        assert skus_of_search(term) == {first.sku, second.sku}, term
    assert skus_of_search(f"{EAN} {second.sku}") == {second.sku}
    assert skus_of_search("036000291452") == {upc.sku}
    assert by_name.sku in skus_of_search("96385074")
    assert len(skus_of_search("96385074")) == 2
    assert skus_of_search("333931") == skus_of_search("３３３９３１") == {first.sku, second.sku}
    assert skus_of_search("1333") == {"1333"}  # neither its middle
    assert skus_of_search("931") == set()  # nor what every thousandth ends with
    assert skus_of_search("4006381333930") == set()
    shown = {row["sku"]: row["ean"] for row in api.get(url).json()["result"]}[upc.sku]
    assert shown == "0036000291452"


@pytest.mark.parametrize("ean", ["", "123", "123456789", "12345678901A", "40063813339311"])
def test_the_database_keeps_no_other_ean(buyer: Buyer, ean: str) -> None:
    product = make_product()
    with pytest.raises((IntegrityError, DataError)), transaction.atomic():
        Product.objects.filter(pk=product.pk).update(ean=ean)


@pytest.fixture
def few_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let lists be counted up to 60 products, and a search go through the first 80 of a list before
    it finds all.
    """
    monkeypatch.setattr(pages, "MOST_COUNTED", 60)
    monkeypatch.setattr(pages, "FAR", 80)
    monkeypatch.setattr(pages, "NEAREST_BRANDS", "ORDER BY list_key LIMIT 1")


@pytest.mark.usefixtures("few_counted")
@pytest.mark.parametrize("others", [0, 90], ids=["soon", "at the end of the list"])
@pytest.mark.parametrize("restricted", [False, True], ids=["all brands", "some brands"])
@pytest.mark.parametrize(
    "query", [{"search": "lotion"}, {"in_stock": 1, "search": "lotion"}], ids=str
)
def test_a_common_word_is_counted_so_far_and_paged_to_its_end(
    api: ContractClient, buyer: Buyer, others: int, restricted: bool, query: dict[str, Any]
) -> None:
    before, own = make_brand(eng="Aaa"), make_brand(eng="Zzz")
    make_products(others, brand=before)
    expected = [
        p.sku for p in make_products(125, brand=own, eng_name="Lotion")
    ]  # numbered as they are made
    if restricted:
        make_products(90, brand=make_brand(eng="Bbb"), eng_name="Lotion")
        restrict(Company.objects.get(pk=buyer.company_id), [*([before] if others else []), own])
    url, counts = f"/api/product/stock/{buyer.uuid}/0", []
    after: dict[str, str] = {}
    for totals in ((60, True), (None, False), (None, False)):
        page = api.get(url, {**query, **after}).json()
        assert (page["total"], page["total_is_least"]) == totals
        counts += skus(page)
        after = {"after": page["next"]}
    assert (counts, page["has_next"]) == (sorted(expected), False)


@pytest.mark.usefixtures("few_counted")
def test_what_is_counted_up_to_its_end_says_no_more(api: ContractClient, buyer: Buyer) -> None:
    make_products(60, eng_name="Lotion")
    make_products(10)
    url = f"/api/product/stock/{buyer.uuid}/0"

    def total(**query: Any) -> tuple[int, bool]:
        page = api.get(url, query).json()
        return page["total"], page["total_is_least"]

    assert total(search="lotion") == (60, False)
    assert total(in_stock=1) == (60, True)
    assert total(search="product", sort="name") == (10, False)
    assert total() == (70, False)  # the brands' own counters
    make_product(eng_name="Lotion")
    assert total(search="lotion") == total(search="lotion", sort="name") == (60, True)
