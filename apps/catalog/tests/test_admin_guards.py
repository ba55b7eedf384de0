"""Prices, promotions and counts that staff type: what is unlikely is named at its field, and saved
once it is ticked.
"""

from decimal import Decimal
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from apps.accounts.tests.staff import shown_messages
from apps.catalog.admin.guarded import Tick
from apps.catalog.models import Product, Stock
from apps.catalog.services import stock
from apps.catalog.tests.factories import make_brand, make_product, make_promotion
from apps.catalog.tests.test_admin_catalogue import PRODUCTS, product_fields

pytestmark = pytest.mark.django_db
PROMOTIONS = "/admin/catalog/promotion/"
TENTH = "A tenth of it: is the decimal point in the wrong place?"
HUNDREDFOLD = "A hundred times as much: is a decimal point lost?"
ABOVE = "1,530.00 is above the USRP, 34.00."


@pytest.fixture
def product() -> Product:
    return make_product(
        sku="AUR-1",
        usd_supply=Decimal("15.30"),
        usd_price=Decimal("34.00"),
        on_hand=1412,
        allocated=10,
    )


def errors_of(page: Any) -> dict[str, list[str]]:
    form = page.context["adminform"].form if "adminform" in page.context else page.context["form"]
    return {name: list(texts) for name, texts in form.errors.items()}


def tick_of(page: Any) -> str:
    """Return what the page's tick says; it is not set."""
    form = page.context["adminform"].form if "adminform" in page.context else page.context["form"]
    (tick,) = [one.tick for one in (form, page.context.get("rows")) if getattr(one, "tick", None)]
    assert not tick.is_set
    assert page.text.count("Yes, this is right") == 1
    return str(tick.value)


@pytest.mark.parametrize(
    ("field", "price", "warning"),
    [
        ("usd_supply", "1.53", [f"15.30 → 1.53, down by 90 %. {TENTH}"]),
        ("usd_supply", "1530", [f"15.30 → 1,530.00, up by 9,900 %. {HUNDREDFOLD}", ABOVE]),
        ("usd_supply", "0.00", ["0.00: it would cost nothing."]),
        ("usd_price", "15.29", ["34.00 → 15.29, down by 56 %.", "15.30 is above the USRP, 15.29."]),
    ],
)
def test_an_unlikely_price_is_named_ticked_and_saved(sales, product, field, price, warning):
    change = f"{PRODUCTS}{product.pk}/change/"
    fields = product_fields(product, **{field: price})
    page = sales.post(change, fields)
    assert errors_of(page) == {field: warning}
    prices = product.usd_supply, product.usd_price
    product.refresh_from_db()
    assert (product.usd_supply, product.usd_price) == prices
    saved = sales.post(change, {**fields, Tick.name: tick_of(page)})
    assert saved.status_code == 302
    product.refresh_from_db()
    assert getattr(product, field) == Decimal(price)


def test_a_tick_holds_for_what_was_named_alone(sales, product):
    change = f"{PRODUCTS}{product.pk}/change/"
    ticked = {Tick.name: tick_of(sales.post(change, product_fields(product, usd_supply="1.53")))}
    page = sales.post(change, product_fields(product, usd_supply="0.15", **ticked))
    assert "15.30 → 0.15" in errors_of(page)["usd_supply"][0]
    Product.objects.filter(pk=product.pk).update(usd_supply="30.60")
    page = sales.post(change, product_fields(product, usd_supply="1.53", **ticked))
    assert "30.60 → 1.53" in errors_of(page)["usd_supply"][0]
    tick_of(page)


def test_a_tick_stays_where_another_field_is_at_fault(sales, product):
    change = f"{PRODUCTS}{product.pk}/change/"
    fields = product_fields(product, usd_supply="1.53")
    ticked = {Tick.name: tick_of(sales.post(change, fields))}
    page = sales.post(change, {**fields, **ticked, "minimum": "0"})
    assert list(errors_of(page)) == ["minimum"]
    assert page.context["adminform"].form.tick.is_set


def test_a_price_that_changed_after_the_page_was_opened_is_not_put_back_unseen(sales, product):
    change = f"{PRODUCTS}{product.pk}/change/"
    opened = {"_opened": timezone.localtime().isoformat()}
    fields = product_fields(product) | opened
    assert sales.post(change, product_fields(product, usd_supply="15.90")).status_code == 302
    page = sales.post(change, fields)
    sentence = "It is 15.90 now: the product was changed after this page was opened."
    assert errors_of(page) == {"usd_supply": [sentence]}
    named_another_price = {**fields, "usd_supply": "15.90", "hs_code": "3304.99"}
    assert sales.post(change, named_another_price).status_code == 302
    assert sales.post(change, {**fields, Tick.name: tick_of(page)}).status_code == 302


@pytest.mark.parametrize("fields", [{"usd_supply": "15.90"}, {"eng_name": "Other"}, {}])
def test_nothing_is_asked_of_what_is_likely_or_was_so_before(sales, fields):
    product = make_product(usd_supply=Decimal("15.30"), usd_price=Decimal("15.90"))
    Product.objects.filter(pk=product.pk).update(usd_price="16.00" if fields else "0")
    product.refresh_from_db()
    change = f"{PRODUCTS}{product.pk}/change/"
    assert sales.post(change, product_fields(product, **fields)).status_code == 302


def test_a_price_below_an_open_promotion_is_named(sales, product):
    promotion = make_promotion([product], price=Decimal("14.00"))
    make_promotion([product], price=Decimal("15.00"), days=(-9, -1))
    page = sales.post(
        f"{PRODUCTS}{product.pk}/change/", product_fields(product, usd_supply="13.00")
    )
    assert errors_of(page) == {
        "usd_supply": [f"13.00 is below the promotion “{promotion.name}”, which is at 14.00."]
    }


def test_the_prices_of_a_product_that_is_added_are_looked_at(sales):
    fields = product_fields(Product(eng_name="New", usd_price=2, usd_supply=3, weight_g=5))
    fields |= {"sku": "NEW-1", "brand": make_brand().pk}
    page = sales.post(f"{PRODUCTS}add/", fields)
    assert errors_of(page) == {"usd_supply": ["3.00 is above the USRP, 2.00."]}
    sales.post(f"{PRODUCTS}add/", {**fields, Tick.name: tick_of(page)})
    assert Product.objects.get(sku="NEW-1").usd_supply == 3


def test_an_unlikely_count_is_named_ticked_and_saved(sales, product):
    page_of = reverse("admin:catalog_product_recount", args=[product.pk])
    fields = {"on_hand": "9", "reason": "Counted"}
    page = sales.post(page_of, fields)
    assert errors_of(page) == {
        "on_hand": [
            "1,412 → 9: less than a tenth is left.",
            "10 are promised: 1 more than would be on the shelf.",
        ]
    }
    assert Stock.objects.get(product=product).on_hand == 1412
    page = sales.post(page_of, {**fields, Tick.name: tick_of(page)}, follow=True)
    assert shown_messages(page) == [f"{product}: Stock recounted: 1,412 → 9 on hand."]
    assert Stock.objects.get(product=product).on_hand == 9


def test_a_count_of_a_shelf_that_a_colleague_counted_is_looked_at_again(sales, product):
    page_of = reverse("admin:catalog_product_recount", args=[product.pk])
    assert sales.get(page_of).context["form"]["shown"].value() == 1412
    Stock.objects.filter(product=product).update(on_hand=1400)
    fields = {"on_hand": "1405", "reason": "Counted", "shown": "1412"}
    page = sales.post(page_of, fields)
    assert errors_of(page) == {"on_hand": ["On hand is 1400 now; this page showed 1412."]}
    sales.post(page_of, {**fields, Tick.name: tick_of(page)})
    assert Stock.objects.get(product=product).on_hand == 1405


def test_a_count_is_judged_by_the_shelf_as_it_is_then(sales, product, monkeypatch):
    page_of = reverse("admin:catalog_product_recount", args=[product.pk])
    recount = stock.recount

    def after_a_delivery(**fields: Any) -> Any:
        Stock.objects.filter(product=product).update(on_hand=90_000)
        return recount(**fields)

    monkeypatch.setattr(stock, "recount", after_a_delivery)
    page = sales.post(page_of, {"on_hand": "1400", "reason": "Counted"})
    sentence = "The shelf changed meanwhile. 90,000 → 1,400: less than a tenth is left."
    assert errors_of(page) == {"on_hand": [sentence]}
    assert not product.stock_changes.exists()
