"""The page of a promotion: many products come into its table by code or brand, then are saved."""

from decimal import Decimal
from typing import Any

import pytest
from django.test import Client

from apps.accounts.tests.staff import staff_client
from apps.catalog.models import Promotion, Running
from apps.catalog.tests.factories import make_brand, make_product, make_products, make_promotion
from apps.catalog.tests.test_admin_guards import PROMOTIONS, rows

pytestmark = pytest.mark.django_db
ADD = f"{PROMOTIONS}add/"


@pytest.fixture
def sales() -> Client:
    return staff_client("Sales")


def shown(page: Any) -> list[tuple[str, str]]:
    """Return the SKUs of the page's table with their prices."""
    return [
        (row["product"].sku, row["form"]["price"].value()) for row in page.context["rows"].rows()
    ]


def test_pasted_codes_come_into_the_table_and_what_is_unknown_stays(sales):
    make_product(sku="A-1", usd_supply=Decimal("15.30"))
    make_product(sku="A-2", usd_supply=Decimal("0.33"), ean="4006381333931")
    for sku in ("A-3", "A-4"):
        make_product(sku=sku, ean="0036000291452")
    codes = "a-1\tCream 50 ml\t$ 13.77\n4006381333931\nNONE-9 4.00\n036000291452\nA-1 cheap\nA-1 9"
    page = sales.post(ADD, {**rows(), "codes": codes, "percent": "25", "_add": "1"})
    assert shown(page) == [("A-1", "13.77"), ("A-2", "0.25")]
    assert page.context["more"]["codes"].value() == "NONE-9 4.00\n036000291452\nA-1 cheap\nA-1 9"
    assert page.context["more"].errors["codes"] == [
        "“NONE-9 4.00”: No product has this SKU or EAN.",
        "“036000291452”: Several products have this EAN: A-3, A-4.",
        "“A-1 cheap”: “cheap” is not a number.",
        "“A-1 9”: A-1 is named twice, at different prices.",
    ]
    assert not Promotion.objects.exists()


def test_half_a_cent_is_rounded_up(sales):
    make_product(sku="A-1", usd_supply=Decimal("0.50"))
    page = sales.post(ADD, {**rows(), "codes": "A-1", "percent": "15", "_add": "1"})
    assert shown(page) == [("A-1", "0.43")]  # 0.425


def test_adding_to_the_table_refuses_no_empty_day(sales):
    make_product(sku="A-1")
    page = sales.post(ADD, {**rows(), "starts_at_0": "", "codes": "A-1", "_add": "1"})
    assert (shown(page), page.context["form"].errors) == ([("A-1", "")], {})


def test_a_brand_comes_whole_and_sets_the_price_of_what_is_there(sales):
    brand = make_brand()
    first, second = (make_product(brand=brand, usd_supply=Decimal(10)) for _ in range(2))
    make_product(brand=brand, is_running=Running.HIDDEN)
    other = make_product(brand=make_brand(eng="Omega"))
    typed = {**rows((other, "3.00"), (first, "9.99")), "items-1-DELETE": "on"}
    page = sales.post(ADD, {**typed, "brand": brand.pk, "percent": "20", "_add": "1"})
    assert shown(page) == [(other.sku, "3.00"), (first.sku, "8.00"), (second.sku, "8.00")]
    assert not page.context["rows"].forms[1]["DELETE"].value()
    page = sales.post(ADD, {**typed, "codes": other.sku, "brand": brand.pk, "_add": "1"})
    assert shown(page) == [(other.sku, "3.00"), (first.sku, "9.99"), (second.sku, "")]


def test_saving_with_codes_that_were_not_read_shows_them_first(sales):
    product = make_product(sku="A-1", usd_supply=Decimal(10))
    page = sales.post(ADD, {**rows(), "codes": "A-1 9.00", "_save": "1"})
    assert (shown(page), Promotion.objects.exists()) == ([("A-1", "9.00")], False)
    assert sales.post(ADD, rows((product, "9.00"))).status_code == 302
    assert Promotion.objects.get().items.get().price == 9


def test_a_promotion_of_many_products_is_saved_in_few_statements(
    sales, django_assert_max_num_queries
):
    products = make_products(60)
    promotion = make_promotion(products[:30])
    change = f"{PROMOTIONS}{promotion.pk}/change/"
    sales.get(change)
    with django_assert_max_num_queries(30):
        taken_out = {f"items-{place}-DELETE": "on" for place in range(10)}
        sales.post(change, {**rows(*((product, "") for product in products[5:])), **taken_out})
    left = set(promotion.items.values_list("product_id", flat=True))
    assert left == {product.pk for product in (*products[:5], *products[15:])}
