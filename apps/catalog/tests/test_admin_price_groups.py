"""The pages of price groups: their terms, and prices of many products set at once."""

from datetime import date
from decimal import Decimal

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.test import Client
from django.utils import timezone

from apps.accounts.models import PriceGroup
from apps.accounts.tests.factories import make_company
from apps.accounts.tests.staff import staff_in
from apps.catalog.models import PriceGroupItem
from apps.catalog.selectors import prices_for
from apps.catalog.tests.factories import (
    make_brand,
    make_group_price,
    make_price_group,
    make_product,
    make_products,
)
from apps.common.days import midnight

pytestmark = pytest.mark.django_db
GROUPS, ITEMS = "/admin/accounts/pricegroup/", "/admin/catalog/pricegroupitem/"


def what_is_set(group):
    return [
        (item.product.sku, item.price, item.starts_at, item.ends_at)
        for item in group.items.select_related("product").order_by("product__sku", "starts_at")
    ]


def test_a_group_is_made_changed_and_stands_in_the_history(sales):
    sales.post(f"{GROUPS}add/", {"name": "Gold", "percent": "-10", "minimum_order": "500"})
    group = PriceGroup.objects.get()
    assert (group.percent, group.minimum_order) == (Decimal(-10), Decimal(500))
    fields = {"name": "Gold", "percent": "-12.5", "deposit_rate": "30"}
    assert sales.post(f"{GROUPS}{group.pk}/change/", fields).status_code == 302
    group.refresh_from_db()
    assert group.deposit_rate == Decimal("0.30")
    for wrong in ("0.3", "101", "30.5"):
        page = sales.post(f"{GROUPS}{group.pk}/change/", {**fields, "deposit_rate": wrong})
        assert "A whole number from 0 to 100." in page.text
    assert (group.percent, group.minimum_order) == (Decimal("-12.50"), None)
    page = sales.get(f"{GROUPS}{group.pk}/history/")
    assert "Deposit, % of the subtotal – → 30" in page.text
    assert "Per cent on each price − 10.00 → − 12.50" in page.text
    assert sales.get(GROUPS).status_code == 200
    far = {"name": "Gold", "percent": "-90"}
    tick = sales.post(f"{GROUPS}{group.pk}/change/", far).context["adminform"].form.tick
    group.refresh_from_db()
    assert (group.percent, tick.is_set) == (Decimal("-12.50"), False)
    sales.post(f"{GROUPS}{group.pk}/change/", {**far, tick.name: tick.value})
    group.refresh_from_db()
    assert group.percent == -90
    refused = sales.post(f"{GROUPS}{group.pk}/change/", {"name": "Gold", "percent": "-101"})
    assert "percent" in refused.context["errors"].as_data() or refused.context["errors"]


def test_who_opened_a_group_before_it_changed_is_asked(sales):
    group = make_price_group(-10)
    opened = {"_opened": timezone.localtime().isoformat()}
    page, form = f"{GROUPS}{group.pk}/change/", {"name": group.name, "deposit_rate": ""}
    sales.post(page, {**form, **opened, "percent": "-12", "minimum_order": ""})
    late = {**form, **opened, "percent": "-10", "minimum_order": "500"}
    form_again = sales.post(page, late).context["adminform"].form
    assert "It is -12.00 now" in form_again.errors["percent"][0]
    group.refresh_from_db()
    assert (group.percent, group.minimum_order) == (Decimal(-12), None)
    sales.post(page, {**late, form_again.tick.name: form_again.tick.value})
    group.refresh_from_db()
    assert (group.percent, group.minimum_order) == (Decimal(-10), Decimal(500))


def test_pasted_prices_hold_for_their_days(sales):
    one, other = make_product(sku="A-1"), make_product(sku="A-2")
    group = make_price_group(-10, company := make_company())
    form = {"codes": "SKU\tPrice\nA-1\t4.00\nA-2 3.99", "last_day": "2999-12-31"}
    page = sales.post(f"{GROUPS}{group.pk}/prices/", form, follow=True)
    assert [str(one) for one in page.context["messages"]]
    ends_at = midnight(date(3000, 1, 1))
    assert what_is_set(group) == [
        ("A-1", Decimal("4.00"), None, ends_at),
        ("A-2", Decimal("3.99"), None, ends_at),
    ]
    company.refresh_from_db()
    prices = prices_for(company, [one, other], timezone.now())
    assert [prices[product.pk].price for product in (one, other)] == [4, Decimal("3.99")]
    again = {"codes": "A-1 3.90", "first_day": "2999-01-01"}
    sales.post(f"{GROUPS}{group.pk}/prices/", again)
    sales.post(f"{GROUPS}{group.pk}/prices/", {"codes": "A-1 3.95"})
    of_one = [row[1:] for row in what_is_set(group) if row[0] == "A-1"]
    later = (Decimal("3.90"), midnight(date(2999, 1, 1)), None)
    assert sorted(of_one, key=lambda row: row[0]) == [later, (Decimal("3.95"), None, None)]
    assert "A-1" in LogEntry.objects.filter(object_id=str(group.pk)).latest("pk").change_message


@pytest.mark.parametrize(
    ("days", "said"),
    [
        ({}, "1 prices set: "),
        ({"first_day": "2999-01-01"}, "1 prices set from Tue 1 Jan: "),
        ({"last_day": "2999-12-31"}, "1 prices set until Tue 31 Dec: "),
        (
            {"first_day": "2999-01-01", "last_day": "2999-12-31"},
            "1 prices set, Tue 1 Jan – Tue 31 Dec: ",
        ),
    ],
)
def test_the_message_says_the_days_that_there_are(sales, days, said):
    make_product(sku="A-1")
    page = f"{GROUPS}{make_price_group(0).pk}/prices/"
    answer = sales.post(page, {"codes": "A-1 4.00", **days}, follow=True)
    assert said in str(next(iter(answer.context["messages"])))
    assert said in LogEntry.objects.latest("pk").get_change_message()


def test_what_names_no_product_is_shown_and_nothing_is_saved(sales):
    make_product(sku="A-1")
    group = make_price_group(0)
    page = sales.post(f"{GROUPS}{group.pk}/prices/", {"codes": "A-1 4.00\nNONE 3.00\nA-1"})
    assert page.context["form"]["codes"].value() == "A-1 4.00\nNONE 3.00\nA-1"
    assert "No product has this SKU or EAN" in page.text
    assert not PriceGroupItem.objects.exists()
    past = {"codes": "A-1 4", "last_day": "2026-01-31"}
    for form in ({}, {**past, "first_day": "2027-02-01", "last_day": "2027-01-31"}, past):
        assert sales.post(f"{GROUPS}{group.pk}/prices/", form).context["form"].errors
    assert not PriceGroupItem.objects.exists()


def test_an_unlikely_price_is_looked_at_first(sales):
    make_product(sku="A-1", usd_supply=Decimal("4.50"))
    group = make_price_group(0)
    form = {"codes": "A-1 0.45"}
    page = sales.post(f"{GROUPS}{group.pk}/prices/", form)
    assert not PriceGroupItem.objects.exists()
    tick = page.context["form"].tick
    sales.post(f"{GROUPS}{group.pk}/prices/", {**form, tick.name: tick.value})
    assert PriceGroupItem.objects.get().price == Decimal("0.45")


def test_a_brand_gets_a_per_cent_off(sales):
    make_products(2, brand=(brand := make_brand()), usd_supply=Decimal("4.55"))
    group = make_price_group(0)
    sales.post(f"{GROUPS}{group.pk}/prices/", {"brand": brand.pk, "percent": "10"})
    assert {item.price for item in group.items.all()} == {Decimal("4.10")}


def test_single_prices_are_changed_and_taken_out(sales):
    group, product = make_price_group(0), make_product(usd_supply=Decimal("4.50"))
    item = make_group_price(group, product, Decimal("4.00"))
    page = f"{ITEMS}{item.pk}/change/"
    sales.post(page, {"price": "3.95", "last_day": "2999-12-31"})
    item.refresh_from_db()
    assert (item.price, item.ends_at) == (Decimal("3.95"), midnight(date(3000, 1, 1)))
    assert sales.get(page).context["adminform"].form.initial["last_day"] == date(2999, 12, 31)
    assert "3.95" in sales.get(f"/admin/catalog/product/{product.pk}/change/").text
    sales.post(ITEMS, {"action": "take_out", "_selected_action": [item.pk]})
    assert not group.items.exists()
    entry = LogEntry.objects.filter(object_id=str(group.pk)).latest("pk")
    assert product.sku in entry.change_message


def test_who_may_not_set_prices_only_looks(sales):
    group, product = make_price_group(0), make_product()
    item = make_group_price(group, product, Decimal("4.00"))
    client = Client()
    client.force_login(
        approver := staff_in("Approvers"), backend="django.contrib.auth.backends.ModelBackend"
    )
    assert client.get(f"{GROUPS}{group.pk}/change/").status_code == 403
    approver.user_permissions.add(Permission.objects.get(codename="view_pricegroup"))
    assert client.get(f"{GROUPS}{group.pk}/change/").status_code == 200
    page = client.get(f"{ITEMS}{item.pk}/change/", headers={"accept-language": "ko"}).text
    assert "적용 종료일" in page
    assert "Last day" not in page
    assert "None" not in page
    assert client.post(f"{GROUPS}{group.pk}/prices/", {"codes": "x 1"}).status_code == 403
    assert client.post(f"{ITEMS}{item.pk}/change/", {"price": "1"}).status_code == 403
