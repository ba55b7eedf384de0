"""The products of a promotion: many are set by code or brand, with guards and a tick."""

from decimal import Decimal

import pytest
from django.contrib.admin.models import LogEntry

from apps.catalog.admin.guarded import Tick
from apps.catalog.models import Promotion, Running
from apps.catalog.tests.factories import make_brand, make_product, make_products, make_promotion
from apps.catalog.tests.test_admin_catalogue import MOMENTS
from apps.catalog.tests.test_admin_guards import PROMOTIONS, TENTH, errors_of, tick_of

pytestmark = pytest.mark.django_db
ITEMS = "/admin/catalog/promotionitem/"


@pytest.fixture
def promotion() -> Promotion:
    return make_promotion([])


def prices(promotion: Promotion) -> dict[str, Decimal | None]:
    return dict(promotion.items.order_by("pk").values_list("product__sku", "price"))


def page_of(promotion: Promotion) -> str:
    return f"{PROMOTIONS}{promotion.pk}/prices/"


def test_one_that_is_added_leads_to_its_products(sales):
    answer = sales.post(f"{PROMOTIONS}add/", {"name": "Winter", **MOMENTS})
    assert answer.headers["Location"] == page_of(Promotion.objects.get(name="Winter"))
    assert sales.get(answer.headers["Location"]).status_code == 200


def test_pasted_codes_are_set_and_what_is_unknown_stays(sales, promotion):
    make_product(sku="A-1", usd_supply=Decimal("15.30"))
    make_product(sku="A-2", usd_supply=Decimal("0.33"), ean="4006381333931")
    for sku in ("A-3", "A-4"):
        make_product(sku=sku, ean="0036000291452")
    right = "a-1\tCream 50 ml\t$ 13.77\n4006381333931"
    codes = f"{right}\nNONE-9 4.00\n036000291452\nA-1 cheap\nA-1 9"
    page = sales.post(page_of(promotion), {"codes": codes, "percent": "25"})
    assert page.context["form"].errors["codes"] == [
        "“NONE-9 4.00”: No product has this SKU or EAN.",
        "“036000291452”: Several products have this EAN: A-3, A-4.",
        "“A-1 cheap”: “cheap” is not a number.",
        "“A-1 9”: A-1 is named twice, at different prices.",
    ]
    assert prices(promotion) == {}
    sales.post(page_of(promotion), {"codes": right, "percent": "25"})
    assert prices(promotion) == {"A-1": Decimal("13.77"), "A-2": Decimal("0.25")}


def test_half_a_cent_is_rounded_up(sales, promotion):
    make_product(sku="A-1", usd_supply=Decimal("0.50"))
    sales.post(page_of(promotion), {"codes": "A-1", "percent": "15"})
    assert prices(promotion) == {"A-1": Decimal("0.43")}  # 0.425


def test_a_brand_comes_whole_and_keeps_the_prices_of_what_is_there(sales):
    brand = make_brand()
    first, second = (make_product(brand=brand, usd_supply=Decimal(10)) for _ in range(2))
    make_product(brand=brand, is_running=Running.HIDDEN)
    promotion = make_promotion([first], price=Decimal("9.99"))
    sales.post(page_of(promotion), {"brand": brand.pk})
    assert prices(promotion) == {first.sku: Decimal("9.99"), second.sku: None}
    messages = [entry.get_change_message() for entry in LogEntry.objects.order_by("pk")]
    assert messages == [f"2 products set: {first}: 9.99 → 9.99; {second}: – → –"]
    sales.post(page_of(promotion), {"brand": brand.pk, "percent": "20"})
    assert set(prices(promotion).values()) == {Decimal("8.00")}


@pytest.mark.parametrize(
    ("price", "warning"),
    [
        ("99.00", "99.00 is above the wholesale price, 15.30."),
        ("1.53", f"15.30 → 1.53, down by 90 %. {TENTH}"),
        ("0", "0.00: it would cost nothing."),
    ],
)
def test_an_unlikely_price_is_named_ticked_and_set(sales, promotion, price, warning):
    product = make_product(sku="A-1", usd_supply=Decimal("15.30"))
    fields = {"codes": f"A-1 {price}"}
    page = sales.post(page_of(promotion), fields)
    assert page.context["form"].errors == {"codes": [f"{product}: {warning}"]}
    assert prices(promotion) == {}
    tick = {Tick.name: page.context["form"].tick.value}
    assert sales.post(page_of(promotion), {**fields, **tick}).status_code == 302
    assert prices(promotion) == {"A-1": Decimal(price)}


def test_all_prices_are_looked_at_where_it_is_to_run_longer(sales):
    product = make_product(usd_supply=Decimal("15.30"))
    change = f"{PROMOTIONS}{make_promotion([product], price=Decimal('99.00')).pk}/change/"
    fields = {"name": "Winter", **MOMENTS}
    assert sales.post(change, {**fields, "ends_at_0": "2026-12-02"}).status_code == 302
    page = sales.post(change, fields)
    assert "99.00 is above" in tick_of(page)
    assert sales.post(change, {**fields, Tick.name: tick_of(page)}).status_code == 302


def test_a_price_of_one_product_is_changed_and_taken_out(sales):
    first, second = make_products(2, usd_supply=Decimal("15.30"))
    promotion = make_promotion([first, second], price=Decimal("14.00"))
    item = promotion.items.get(product=first)
    listed = f"{ITEMS}?promotion__id__exact={promotion.pk}"
    assert "14.00" in sales.get(listed).text
    assert listed in sales.get(f"{PROMOTIONS}{promotion.pk}/change/").text
    page = sales.get(listed)
    assert page.context["trail"][-1] == (str(promotion), f"{PROMOTIONS}{promotion.pk}/change/")
    assert "delete_selected" not in page.text
    assert "trail" not in sales.get(ITEMS).context_data
    change = f"{ITEMS}{item.pk}/change/"
    assert "above the wholesale" in str(errors_of(sales.post(change, {"price": "99.00"})))
    sales.post(change, {"price": "13.00"})
    ids = [item.pk, promotion.items.get(product=second).pk]
    sales.post(ITEMS, {"action": "take_out", "_selected_action": ids})
    assert prices(promotion) == {}
    message = LogEntry.objects.filter(object_id=promotion.pk).first().get_change_message()
    shown = set(message.split("; "))
    assert shown == {f"taken out {first} at 13.00", f"taken out {second} at 14.00"}


def test_many_products_are_set_in_few_statements(sales, promotion, django_assert_max_num_queries):
    codes = "\n".join(product.sku for product in make_products(60))
    sales.get(page_of(promotion))
    with django_assert_max_num_queries(30):
        sales.post(page_of(promotion), {"codes": codes})
    assert promotion.items.count() == 60
