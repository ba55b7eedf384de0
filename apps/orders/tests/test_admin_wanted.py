"""The page of what is wanted: pieces, customers, age, what there is and what to buy; the purchase
list per brand.
"""

from datetime import UTC, datetime, timedelta
from io import BytesIO
from typing import Any

import pytest
from openpyxl import load_workbook

from apps.accounts.selectors import Buyer
from apps.accounts.tests.factories import make_buyer
from apps.accounts.tests.staff import staff_client
from apps.catalog.models import Product, Running, Stock
from apps.catalog.tests.factories import make_brand, make_product
from apps.orders.admin.records import A_PAGE
from apps.orders.models import Wish
from apps.orders.selectors.wishes import WishQuery, wanted
from apps.orders.services.wishes import wish_for

pytestmark = pytest.mark.django_db
URL = "/admin/orders/wish/"
NOW = datetime.now(UTC)
TODAY = NOW.date()


@pytest.fixture
def wished(buyer: Buyer) -> Buyer:
    """Two customers want two products of two brands and a code; the oldest waits for 40 days."""
    oil = make_product(on_hand=0, sku="OIL", eng_name="Night Oil", brand=make_brand(eng="Zephyr"))
    make_product(on_hand=0, sku="GONE", eng_name="Day Oil", brand=make_brand(eng="Aurora"))
    other = make_buyer()
    for who, sku, pieces in (
        (buyer, "OIL", 30),
        (other, "OIL", 20),
        (buyer, "GONE", 10),
        (buyer, "NB-7", 5),
    ):
        wish_for(buyer=who, sku=sku, pieces=pieces, now=NOW)
    Wish.objects.filter(product=oil, user_id=buyer.id).update(since=NOW - timedelta(days=40))
    Stock.objects.filter(product=oil).update(on_hand=12)
    return buyer


def groups(**asked: Any) -> list[tuple[str, int, int, int, int]]:
    found = wanted(WishQuery(**asked), today=TODAY).groups
    return [(one.name, one.wanted, len(one.companies), one.available, one.to_buy) for one in found]


def test_what_is_wanted_is_counted_by_product_brand_and_customer(wished: Buyer) -> None:
    assert groups() == [
        ("Night Oil", 50, 2, 12, 38),
        ("Day Oil", 10, 1, 0, 10),
        ("NB-7", 5, 1, 0, 0),
    ]
    assert groups(by="brand") == [
        ("Zephyr", 50, 2, 12, 38),
        ("Aurora", 10, 1, 0, 10),
        ("Unknown codes", 5, 1, 0, 0),
    ]
    assert next(row[:2] for row in groups(by="customer")) == (wished.company, 45)
    assert [row[1] for row in groups(by="wish")] == [30, 20, 10, 5]
    whole = wanted(WishQuery(), today=TODAY)
    assert (whole.pieces, whole.skus, whole.customers, whole.to_buy) == (65, 3, 2, 48)


def test_what_is_wanted_is_searched_and_filtered(wished: Buyer) -> None:
    assert [row[0] for row in groups(words="oil")] == ["Night Oil", "Day Oil"]
    assert [row[0] for row in groups(words=wished.company)] == ["Night Oil", "Day Oil", "NB-7"]
    assert [row[0] for row in groups(why="unknown_sku")] == ["NB-7"]
    assert groups(overdue=True) == [("Night Oil", 30, 1, 12, 18)]


def test_nothing_is_bought_of_what_is_not_sold_any_more(wished: Buyer) -> None:
    product = Product.objects.get(sku="GONE")
    product.is_running = Running.DISCONTINUED
    product.save()
    assert ("Day Oil", 10, 1, 0, 0) in groups()
    assert "Discontinued" in staff_client("Sales").get(URL).text


def test_the_page_says_who_waits_for_what_and_home_leads_to_it(wished: Buyer) -> None:
    client = staff_client("Sales")
    page = client.get(URL).text
    for text in ("65 pieces of 3 SKUs", '<b class="late">40 d</b>', "Sold out", "Unknown code"):
        assert text in page
    assert (
        "All: <b>5</b> pieces of <b>1</b> SKU, 1 customer." in client.get(URL, {"q": "NB-7"}).text
    )
    assert wished.company in client.get(URL, {"by": "customer"}).text
    home = client.get("/admin/").text
    assert ("Wanted and not available" in home, f'href="{URL}?overdue=1"' in home) == (True, True)
    assert staff_client("Approvers").get(URL).status_code == 403


def test_what_is_on_its_way_need_not_be_bought(wished: Buyer) -> None:
    oil = Product.objects.get(sku="OIL")
    client = staff_client("Sales")
    page = f"/admin/catalog/product/{oil.pk}/expect/"
    day = TODAY + timedelta(days=20)
    assert client.post(page, {"pieces": "30", "expected_on": "2020-01-01"}).status_code == 200
    assert client.post(page, {"pieces": "30", "expected_on": str(day)}).status_code == 302
    assert groups()[0] == ("Night Oil", 50, 2, 12, 8)
    assert f'30<span class="second">{day:%m-%d}</span>' in client.get(URL).text
    sheet = load_workbook(BytesIO(client.get(URL, {"format": "xlsx"}).content)).active
    assert sheet is not None
    figures = [row[7:11] for row in sheet.iter_rows(min_row=2, values_only=True)]
    assert (12, 30, str(day), 8) in figures


def test_each_customer_leads_to_its_wishes(wished: Buyer) -> None:
    client = staff_client("Sales")
    link = f"?by=wish&amp;company={wished.company_id}"
    assert f'href="{link}"' in client.get(URL, {"by": "customer"}).text
    page = client.get(URL, {"by": "wish", "company": str(wished.company_id)}).text
    assert f"Of {wished.company} alone." in page
    assert "All: <b>45</b> pieces of <b>3</b> SKUs, 1 customer." in page


def test_the_purchase_list_is_a_workbook_brand_by_brand(wished: Buyer) -> None:
    client = staff_client("Sales")
    sheet = load_workbook(
        BytesIO(client.get(URL, {"format": "xlsx", "by": "brand"}).content)
    ).active
    assert sheet is not None
    rows = list(sheet.iter_rows(values_only=True))
    assert rows[0][:4] == ("Brand", "SKU", "Product", "Wanted")
    assert [(*row[:5], row[10]) for row in rows[1:]] == [
        ("", "NB-7", "", 5, 1, 0),
        ("Aurora", "GONE", "Day Oil", 10, 1, 10),
        ("Zephyr", "OIL", "Night Oil", 50, 2, 38),
    ]
    product = Product.objects.get(sku="GONE")
    some: list[tuple[dict[str, Any], list[str]]] = [
        ({"brand": str(product.brand_id)}, ["GONE"]),
        ({"pick": str(product.pk)}, ["GONE"]),
        ({"pick": [str(product.pk), "code:NB-7"]}, ["NB-7", "GONE"]),
        ({"pick": [str(product.pk), "code:NB-7"], "why": "unknown_sku"}, ["NB-7"]),
        ({"pick": "x"}, []),
    ]
    for query, skus in some:
        one = load_workbook(BytesIO(client.get(URL, {"format": "xlsx", **query}).content)).active
        assert one is not None
        assert [row[1] for row in one.iter_rows(values_only=True)] == ["SKU", *skus]


def test_many_products_are_shown_by_pages(buyer: Buyer) -> None:
    products = [make_product(on_hand=0) for _ in range(A_PAGE + 1)]
    for place, product in enumerate(products, 1):
        wish_for(buyer=buyer, sku=product.sku, pieces=place, now=NOW)
    client = staff_client("Sales")
    first, second = client.get(URL), client.get(URL, {"page": "2", "pick": str(products[0].pk)})
    boxes = [
        page.text.count('type="checkbox" name="pick"')
        for page in (first, second, client.get(URL, {"page": "x"}))
    ]
    assert boxes == [A_PAGE, 1, A_PAGE]
    assert "Page: <b>1</b> piece." in second.text
    assert 'href="?page=1"' in second.text  # without what was ticked
    assert "All: <b>1,326</b> pieces of <b>51</b> SKUs" in second.text
    assert 'name="pick"' not in client.get(URL, {"by": "brand"}).text
