"""The histories of products, promotions and shelves keep old → new and who."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.contrib.admin.models import LogEntry
from django.urls import reverse
from django.utils import timezone

from apps.catalog.admin.guarded import Tick
from apps.catalog.models import Product, Promotion, PromotionItem
from apps.catalog.tests.factories import make_brand, make_product, make_promotion
from apps.catalog.tests.test_admin_catalogue import MOMENTS, PRODUCTS, product_fields
from apps.catalog.tests.test_admin_guards import PROMOTIONS, tick_of

pytestmark = pytest.mark.django_db


def last() -> str:
    """Return what the newest history says."""
    return LogEntry.objects.order_by("-pk").first().get_change_message()


def test_a_products_history_says_from_what_to_what_and_who(sales):
    product = make_product(usd_supply=Decimal("15.30"), usd_price=Decimal("34.00"))
    other = make_brand(eng="Omega")
    old = product.brand
    change = f"{PRODUCTS}{product.pk}/change/"
    fields = product_fields(
        product, usd_supply="1.53", minimum=1200, is_special="on", is_running=3, brand=other.pk
    )
    sales.post(change, {**fields, Tick.name: tick_of(sales.post(change, fields))})
    message = last()
    assert set(message.split("; ")) == {
        "Wholesale $ 15.30 → 1.53",
        "Minimum 10 → 1,200",
        "Special MOQ no → yes",
        "Who sees it On sale → Hidden",
        f"Brand {old} → Omega",
    }
    for page in (change, f"{PRODUCTS}{product.pk}/history/"):
        html = sales.get(page).text
        assert ("Wholesale $ 15.30 → 1.53" in html, "(Yuna Seo)" in html) == (True, True)


def test_a_history_begins_with_the_newest_and_says_that_nothing_changed(sales):
    product = make_product()
    for fields in ({"minimum": 20}, {"minimum": 20}):
        sales.post(f"{PRODUCTS}{product.pk}/change/", product_fields(product, **fields))
        product.refresh_from_db()
    page = sales.get(f"{PRODUCTS}{product.pk}/history/")
    messages = [entry.get_change_message() for entry in page.context["action_list"]]
    assert messages == ["Nothing changed", "Minimum 10 → 20"]


def test_the_history_of_a_product_begins_with_its_figures(sales):
    fields = product_fields(Product(eng_name="New", usd_price=20, usd_supply=4, weight_g=5))
    sales.post(f"{PRODUCTS}add/", {**fields, "sku": "NEW-1", "brand": make_brand().pk})
    assert last() == "Added: Wholesale $ 4.00; USRP $ 20.00; Minimum 10; Weight, g 5"


def test_a_promotions_history_names_its_days(sales):
    sales.post(f"{PROMOTIONS}add/", {"name": "Winter", **MOMENTS})
    assert last() == "Added"
    change = f"{PROMOTIONS}{Promotion.objects.get().pk}/change/"
    sales.post(change, {"name": "Winter", **MOMENTS, "ends_at_0": "2099-12-24"})
    assert last() == "Ends at 2099-12-01 00:00 → 2099-12-24 00:00"


def test_a_promotion_that_is_deleted_leaves_its_prices_in_the_history(sales):
    products = make_product(), make_product()
    promotion = make_promotion(products, price=Decimal("4.00"))
    PromotionItem.objects.filter(product=products[1]).update(price=None)
    sales.post(f"{PROMOTIONS}{promotion.pk}/delete/", {"post": "yes"})
    assert last() == f"Deleted: {products[0]} at 4.00; {products[1]}"


@pytest.mark.parametrize(
    ("page", "fields", "message"),
    [
        ("recount", {"on_hand": "64"}, "Stock recounted: 70 → 64 on hand"),
        ("receive", {"pieces": "1,000"}, ""),
        ("receive", {"pieces": "1000"}, "1,000 pieces received: 70 → 1,070 on hand"),
    ],
)
def test_a_shelfs_history_says_from_what_to_what(sales, page, fields, message):
    product = make_product(on_hand=70)
    sales.post(
        reverse(f"admin:catalog_product_{page}", args=[product.pk]), {**fields, "reason": "DN 7"}
    )
    entries = [entry.get_change_message() for entry in LogEntry.objects.all()]
    assert entries == ([message] if message else [])


def test_the_history_of_what_is_expected_says_from_what_to_what(sales):
    product = make_product()
    page = reverse("admin:catalog_product_expect", args=[product.pk])
    day = timezone.localdate() + timedelta(days=9)
    for pieces, message in (
        ("1200", f"Expected: nothing → 1,200 on {day}"),
        ("30", f"Expected: 1,200 on {day} → 30 on {day}"),
        ("0", f"Expected: 30 on {day} → nothing"),
    ):
        sales.post(page, {"pieces": pieces, "expected_on": day.isoformat()})
        assert last() == message
