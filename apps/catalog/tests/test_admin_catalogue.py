"""The catalogue in admin: products changed, stock only through its actions, brands that a company
sees.
"""

from datetime import UTC, datetime
from decimal import Decimal

import pytest
from django.core.exceptions import PermissionDenied
from django.urls import reverse

from apps.accounts.models import Company
from apps.accounts.tests.factories import make_company
from apps.accounts.tests.staff import shown_messages, staff_client, staff_in
from apps.catalog.models import Brand, BrandAccess, Product, Promotion, Stock
from apps.catalog.services.access import set_visible_brands
from apps.catalog.tests.factories import make_brand, make_product, make_promotion
from apps.common.errors import Invalid

pytestmark = pytest.mark.django_db
NO_CLOSURES = {"closures-TOTAL_FORMS": 0, "closures-INITIAL_FORMS": 0}
PRODUCTS = "/admin/catalog/product/"
FIELDS = [
    "eng_name",
    "is_running",
    "usd_price",
    "usd_supply",
    "minimum",
    "weight_g",
    "hs_code",
    "origin",
]
MOMENTS = {
    "starts_at_0": "2026-12-01",
    "starts_at_1": "00:00",
    "ends_at_0": "2099-12-01",
    "ends_at_1": "00:00",
}


def product_fields(product: Product, **fields) -> dict:
    """Return what the form of a product sends."""
    return {
        "brand": product.brand_id,
        **{name: getattr(product, name) for name in FIELDS},
        **fields,
    }


def test_a_product_is_changed_but_neither_its_sku_nor_its_stock(sales):
    product = make_product(on_hand=70, allocated=20)
    fields = product_fields(
        product, usd_supply="5.10", sku="OTHER", on_hand="9", allocated="0", available="1"
    )
    assert sales.post(f"{PRODUCTS}{product.pk}/change/", fields).status_code == 302
    changed = Product.objects.select_related("stock").get(pk=product.pk)
    assert (changed.usd_supply, changed.sku) == (Decimal("5.10"), product.sku)
    assert (changed.stock.on_hand, changed.stock.allocated) == (70, 20)


@pytest.mark.parametrize("button", ["_save", "_continue", "_addanother", "_next"])
def test_what_was_saved_is_said_in_the_trades_words(sales, button):
    product = make_product()
    pressed = {**product_fields(product), button: "1"}
    shown = shown_messages(sales.post(f"{PRODUCTS}{product.pk}/change/", pressed, follow=True))
    assert shown == [f'<a href="{PRODUCTS}{product.pk}/change/">{product}</a> is saved.']
    page = sales.post(
        "/admin/catalog/brand/add/", {"eng": "Wild & <b>", **NO_CLOSURES, button: "1"}, follow=True
    )
    brand = Brand.objects.get(eng="Wild & <b>")
    link = f'<a href="/admin/catalog/brand/{brand.pk}/change/">Wild &amp; &lt;b&gt;</a>'
    assert shown_messages(page) == [f"{link} is added."]


def test_what_was_deleted_is_said_in_the_trades_words():
    promotion = make_promotion([make_product()])
    address = f"/admin/catalog/promotion/{promotion.pk}/delete/"
    page = staff_client().post(address, {"post": "yes"}, follow=True)
    assert shown_messages(page) == [f"{promotion} is deleted."]
    assert Product.objects.exists()


def test_a_new_product_gets_an_empty_stock(sales):
    fields = product_fields(Product(eng_name="New", usd_price=2, usd_supply=1, weight_g=5))
    sales.post(f"{PRODUCTS}add/", {**fields, "sku": "NEW-1", "brand": make_brand().pk})
    assert Stock.objects.get(product__sku="NEW-1").on_hand == 0


def test_a_sku_stands_once_in_capitals(sales):
    product = make_product(sku="A-1")
    fields = product_fields(product, sku="a-1")
    page = sales.post(f"{PRODUCTS}add/", fields)
    assert "sku" in page.context["adminform"].form.errors
    sales.post(f"{PRODUCTS}add/", {**fields, "sku": " b-1 "})
    assert Product.objects.filter(sku="B-1").exists()


@pytest.mark.parametrize(
    ("name", "value"), [("usd_price", "-1"), ("usd_supply", "-0.01"), ("minimum", "0")]
)
def test_a_figure_below_its_least_is_refused_at_its_field(sales, name, value):
    product = make_product()
    page = sales.post(f"{PRODUCTS}{product.pk}/change/", product_fields(product, **{name: value}))
    assert list(page.context["adminform"].form.errors) == [name]


def test_an_ean_is_checked_kept_plainly_and_taken_away_again(sales):
    product = make_product()
    change = f"{PRODUCTS}{product.pk}/change/"
    page = sales.post(change, product_fields(product, ean="4006381333930"))
    assert list(page.context["adminform"].form.errors) == ["ean"]
    for value, stored_value in (
        ("036000291452", "0036000291452"),
        ("4006381333931", "4006381333931"),
        ("", None),
    ):
        assert sales.post(change, product_fields(product, ean=value)).status_code == 302
        product.refresh_from_db()
        assert product.ean == stored_value


def test_a_promotions_moments_are_a_day_and_a_time_of_the_seller(sales):
    add = "/admin/catalog/promotion/add/"
    page = sales.get(add).text
    assert page.count("Seoul time") == 1
    assert (page.count("Starts at, date"), page.count("Ends at, time")) == (1, 1)
    assert ("Date:" in page, "Time:" in page, "DateTimeShortcuts" in page) == (False, False, False)
    wrong = {"starts_at_0": "1 Dec", "starts_at_1": "00:00", "ends_at_0": "", "ends_at_1": ""}
    assert sales.post(add, {"name": "Winter", **wrong}).context["adminform"].form.errors == {
        "starts_at": ["Write the date as 2026-12-01."],
        "ends_at": ["This field is required."],
    }
    early = sales.post(add, {"name": "Winter", **MOMENTS, "ends_at_0": "2026-11-01"})
    shown = early.context["adminform"].form.errors
    assert shown == {"ends_at": ["This is before the start."]}
    ends = {"ends_at_0": "2026-12-24", "ends_at_1": "23:59:59"}
    right = {"name": "Winter", **MOMENTS, "starts_at_1": "09:00", **ends}
    assert sales.post(add, right).status_code == 302
    promotion = Promotion.objects.get(name="Winter")
    page = sales.get(f"/admin/catalog/promotion/{promotion.pk}/change/").text
    shown_times = [f'value="{time}"' in page for time in ("09:00", "09:00:00", "23:59:59")]
    assert shown_times == [True, False, True]
    assert promotion.starts_at == datetime(2026, 12, 1, tzinfo=UTC)
    assert promotion.ends_at == datetime(2026, 12, 24, 14, 59, 59, tzinfo=UTC)


@pytest.mark.parametrize(
    "fields", [{"on_hand": "-1"}, {"on_hand": "x"}, {"on_hand": "5", "reason": ""}]
)
def test_a_wrong_count_is_refused_on_the_page(sales, fields):
    product = make_product(on_hand=70)
    url = reverse("admin:catalog_product_recount", args=[product.pk])
    assert sales.post(url, {"reason": "Counted", **fields}).status_code == 200
    assert Stock.objects.get(product=product).on_hand == 70


def test_movements_of_the_stock_are_read_only_even_for_a_superuser():
    product, admin = make_product(on_hand=70), staff_client()
    assert admin.get("/admin/catalog/stockchange/add/").status_code == 403
    assert admin.post(f"{PRODUCTS}{product.pk}/delete/", {"post": "yes"}).status_code == 403
    assert Stock.objects.get(product=product).on_hand == 70


def test_search_finds_every_word_in_name_sku_and_brand_and_an_ean(sales):
    named = {"eng_name": "Night Emulsion", "sku": "PEB-1", "ean": "4006381333931"}
    wanted = make_product(**named, brand=make_brand(eng="Pebble"))
    make_product(eng_name="Night Cream", brand=make_brand(eng="Other"))
    for term in ("NIGHT pebble", "peb-1", "4006381333931"):
        shown = [one.pk for one in sales.get(PRODUCTS, {"q": term}).context["cl"].result_list]
        assert shown == [wanted.pk]


def test_a_brands_page_says_who_may_see_it_and_counts_its_products(sales):
    brand, other = make_brand(), make_brand(eng="Omega")
    visible, hidden = make_product(brand=brand), make_product(brand=brand, is_running=3)
    restricted = make_company(name="Given", brands_restricted=True)
    BrandAccess.objects.create(company=restricted, brand=brand)
    BrandAccess.objects.create(
        company=make_company(name="Elsewhere", brands_restricted=True), brand=other
    )
    make_company(name="Everywhere")
    page = sales.get(f"/admin/catalog/brand/{brand.pk}/change/")
    assert [one.value for one in page.context["figures"]] == ["1", "2"]
    assert [company.name for company in page.context["companies"]] == ["Given"]
    assert list(page.context["products"]) == sorted((visible, hidden), key=lambda one: one.sort_key)


def test_an_approver_gives_a_company_its_brands_by_autocomplete():
    approver, company, brand = staff_client("Approvers"), make_company(), make_brand(eng="Pebble")
    query = {
        "app_label": "catalog",
        "model_name": "brandaccess",
        "field_name": "brand",
        "term": "peb",
    }
    shown = [hit["text"] for hit in approver.get("/admin/autocomplete/", query).json()["results"]]
    assert shown == ["Pebble"]
    assert approver.get("/admin/catalog/brand/").status_code == 403
    fields = {
        "name": company.name,
        "is_open": "on",
        "brands_restricted": "on",
        "brand_access-TOTAL_FORMS": 1,
        "brand_access-INITIAL_FORMS": 0,
        "brand_access-0-brand": brand.pk,
    }
    approver.post(f"/admin/accounts/company/{company.pk}/change/", fields)
    assert BrandAccess.objects.get().brand == brand


def test_a_brand_whose_name_differs_in_case_only_is_refused(sales):
    make_brand(eng="Aurora")
    page = sales.post(reverse("admin:catalog_brand_add"), {"eng": "AURORA"})
    assert "There is a brand of this name." in page.content.decode()
    assert Brand.objects.get().eng == "Aurora"


def test_a_brands_new_name_moves_its_products_in_lists(sales):
    first, second = (make_product(brand=make_brand(eng=eng)) for eng in ("Aurora", "Birch"))
    change = reverse("admin:catalog_brand_change", args=[first.brand_id])
    sales.post(change, {"eng": "Cedar", **NO_CLOSURES})
    assert list(Product.objects.order_by("brand__list_key", "sort_key")) == [second, first]
    assert list(Product.objects.all()) == [second, first]


def test_an_empty_catalogue_says_what_to_do_first():
    client = staff_client("Sales")
    send, add = "/admin/catalog/import/send/?kind=table", "/admin/catalog/product/add/"
    for path, links in {
        "product": (send, add),
        "brand": (send, "/admin/catalog/brand/add/"),
        "import": ("/admin/catalog/import/send/",),
    }.items():
        page = client.get(f"/admin/catalog/{path}/").text
        empty = page[page.index('class="empty"') :].partition("</p>")[0]
        assert [f'href="{link}"' in empty for link in links] == [True] * len(links)
    assert "/admin/catalog/brand/add/" in client.get(add).text
    make_brand()
    assert "/admin/catalog/brand/add/" not in client.get(add).text


def test_no_brand_and_one_that_is_unknown_beside_a_known_one_change_nothing() -> None:
    company = make_company()
    for brand_ids in ([], [make_brand().pk, 999_999]):
        with pytest.raises(Invalid):
            set_visible_brands(actor=staff_in(), company_id=company.pk, brand_ids=brand_ids)
    assert not BrandAccess.objects.exists()
    assert not Company.objects.get(pk=company.pk).brands_restricted


def test_brands_are_for_those_who_may_give_them() -> None:
    with pytest.raises(PermissionDenied):
        set_visible_brands(actor=staff_in("Sales"), company_id=make_company().pk, brand_ids=None)
