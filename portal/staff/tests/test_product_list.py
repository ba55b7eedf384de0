"""The products' list: its filters with their counts, and what a product's page says of it."""

from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.tests.factories import make_buyer
from apps.accounts.tests.staff import staff_client
from apps.catalog.models import Product, Stock, StockHold
from apps.catalog.rules import effective_moq
from apps.catalog.tests.factories import make_product
from apps.common.testing import selling
from apps.orders.models import Wish
from apps.orders.status import OrderStatus
from apps.orders.tests.factories import make_order_at
from portal.staff import products as filters

pytestmark = pytest.mark.django_db
LIST = "/admin/catalog/product/"


def listed(query: str = "") -> Any:
    return staff_client("Sales").get(f"{LIST}?{query}").context["cl"]


def skus(query: str) -> set[str]:
    return {product.sku for product in listed(query).result_list}


def test_below_the_moq_is_below_the_sellers():
    for special in (False, True):
        make_product(sku=f"S{special}", on_hand=8, minimum=3, is_special=special)
    assert skus("stock=moq") == {"SFalse", "STrue"}
    selling(least_moq=8, special_moq=9)
    assert skus("stock=moq") == {"STrue"}


def test_what_is_left_held_and_missing_is_found_and_counted():
    cases = [(3, False, 9), (3, False, 10), (30, False, 29), (30, True, 20), (30, True, 19)]
    for minimum, is_special, remaining in cases:
        moq = {"minimum": minimum, "is_special": is_special}
        make_product(on_hand=100, allocated=100 - remaining, hs_code="330499", **moq)
    none = make_product(on_hand=0, ean="4006381333931")
    short = make_product(on_hand=5, allocated=9, image="")
    below = {
        product.sku
        for product in Product.objects.select_related("stock")
        if 0
        < product.stock.on_hand - product.stock.allocated
        < effective_moq(minimum=product.minimum, special=product.is_special)
    }
    assert skus("stock=moq") == below
    assert skus("stock=none") == {none.sku, short.sku}
    assert skus("stock=short") == skus("missing=image") == {short.sku}
    assert skus("missing=hs_code") == {none.sku, short.sku}
    StockHold.objects.create(invoice_code="MHW-1", product=short, quantity=1)
    buyer = make_buyer()
    who, now = {"company_id": buyer.company_id, "user_id": buyer.id}, timezone.now()
    wish = {"product": none, "pieces": 5, "why": "sold_out", "since": now}
    Wish.objects.create(**who, **wish, held=5, held_until=now)
    assert skus("stock=held") == {none.sku, short.sku}
    products = listed("stock=held")
    counts = {
        spec.title: {one["display"]: one.get("count") for one in spec.choices(products)}
        for spec in products.filter_specs
    }
    assert counts["stock"] == {
        "Any": 7,
        "Short of promises": 1,
        "Nothing left": 2,
        "Below the MOQ": 3,
        "Held for somebody": 2,
    }
    assert counts["what is missing"] == {"Any": 7, "No picture": 1, "No EAN": 6, "No HS code": 2}
    assert counts["state"] == {
        "Any": 7,
        "Discontinued": 0,
        "On sale": 7,
        "Contact us": 0,
        "Hidden": 0,
    }


def test_a_long_list_is_not_counted(monkeypatch):
    make_product(image="")
    make_product()
    monkeypatch.setattr(filters, "MOST_COUNTED", 1)
    stock = listed("missing=image").filter_specs[1]
    assert [choice["count"] for choice in stock.choices(listed())] == [None] * 5
    assert len(skus("missing=image")) == 1


def test_a_product_says_how_long_it_lasts_what_is_wanted_and_sold_and_leads_to_the_next(
    django_assert_max_num_queries,
):
    first = make_product(on_hand=2000, eng_name="Aloe")
    second = make_product(eng_name="Balm", brand=first.brand)
    buyer = make_buyer()
    make_order_at(OrderStatus.SHIPPED, buyer, [(first, 900)])
    Stock.objects.filter(product=first).update(on_hand=50, allocated=0)
    wish = {"product": first, "pieces": 7, "why": "sold_out", "since": timezone.now()}
    Wish.objects.create(company_id=buyer.company_id, user_id=buyer.id, **wish)
    client, address = staff_client("Sales"), f"{LIST}{first.pk}/change/"
    client.get(address)
    with django_assert_max_num_queries(25):
        page = client.get(address)
    figures = {one.label: (one.value, one.hint) for one in page.context["figures"]}
    assert figures["Days left"] == ("5", "10.0 a day, 90 days")
    assert figures["Wanted"] == ("7", "1 customer")
    assert figures["12 months"][0] == "900"
    form = page.context["adminform"].form
    data = {name: form.initial[name] for name in form.fields if form.initial.get(name)}
    data["_next"] = "1"
    assert client.post(address, data)["Location"] == f"{LIST}{second.pk}/change/"
    last = f"{LIST}{second.pk}/change/"
    assert "Save, next product" not in client.get(last).text
    assert client.post(last, data | {"eng_name": "Balm"})["Location"] == LIST
