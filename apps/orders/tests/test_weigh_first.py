"""Weigh, then ask for money: packing at Preparing, and the fee that its weight proposes."""

from decimal import Decimal
from typing import Any

import pytest
from django.urls import reverse

from apps.accounts.tests.factories import make_buyer
from apps.accounts.tests.staff import staff_client
from apps.catalog.models import Product
from apps.catalog.tests.factories import make_product
from apps.orders.errors import StaffRefusal
from apps.orders.models import Order, ShippingRate
from apps.orders.selectors.packing import lines_to_pack, packing_differences, proposed_fee
from apps.orders.status import OrderStatus
from apps.orders.tests.factories import confirm, make_order_at, pack
from apps.orders.tests.test_admin_packing import body as packing_of
from apps.orders.tests.test_admin_sheet import address, filled

pytestmark = pytest.mark.django_db
S = OrderStatus


@pytest.fixture
def order() -> Order:
    lines = [(make_product(sku="A-1"), 20), (make_product(sku="B-2"), 40)]
    return make_order_at(S.PREPARING, make_buyer(), lines)


def again(order: Order) -> Order:
    return Order.objects.get(pk=order.pk)


def save(order: Order, *decisions: tuple[int, str, str], **fields: Any) -> None:
    body = {**filled(order, *decisions, **fields), "save": "1"}
    assert staff_client("Sales").post(address(order), body).status_code == 302


def test_packing_opens_on_the_lines_as_the_saved_sheet_has_them(order):
    make_product(sku="GIFT-1")
    added = ({"sku": "GIFT-1", "quantity": 24, "reason": "free_offer"},)
    save(order, (0, "discontinued", ""), (15, "short", ""), added=added)
    assert [(line.sku, line.pieces) for line in lines_to_pack(order_id=order.pk)] == [
        ("B-2", 15),
        ("GIFT-1", 24),
    ]
    pack(order)
    assert (again(order).packing_status, again(order).measured_weight_g) == (2, 39 * 120 * 11 // 10)


def test_a_sheet_that_is_not_weighed_goes_on_to_the_packing(order):
    sales = staff_client("Sales")
    body = {**filled(order, (20, "", ""), (40, "", "")), "save": "pack"}
    packing = reverse("admin:orders_order_packing", args=[order.pk])
    assert sales.get(address(order)).text.count('value="pack"') == 1
    assert sales.post(address(order), body)["Location"] == packing
    pack(order)
    assert 'value="pack"' not in sales.get(address(order)).text


def test_a_line_that_is_to_be_proposed_is_packed_as_ordered(order):
    save(order, (8, "propose:fewer", ""), (40, "", ""))
    assert [line.pieces for line in lines_to_pack(order_id=order.pk)] == [20, 40]


def test_packing_says_what_does_not_agree_any_more_and_the_confirmation_opens_it_again(order):
    pack(order)
    save(order, (20, "", ""), (35, "short", ""))
    assert [str(text) for text in packing_differences(order)] == ["B-2: 5 too many."]
    sales = staff_client("Sales")
    page = sales.get(reverse("admin:orders_order_change", args=[order.pk]))
    assert "B-2: 5 too many." in page.text
    assert "B-2: 5 too many." in sales.get(address(order)).text
    sales.post(address(order), filled(order, (20, "", ""), (35, "short", "")))
    assert (again(order).status, again(order).packing_status) == (S.CONFIRMED, 1)
    assert again(order).events.filter(kind="packing").last().text.startswith("Opened again")
    pack(order)


def test_what_was_packed_stands_through_a_confirmation_that_changes_nothing(order):
    pack(order)
    assert confirm(order).packing_status == Order.Packing.COMPLETE


def test_a_back_order_is_not_packed_beyond_the_shelf_at_preparing(db):
    product = make_product(on_hand=0)
    order = make_order_at(S.PREPARING, make_buyer(stock_free=True), [(product, 20)])
    with pytest.raises(StaffRefusal, match="20 pieces, and 0 on the shelf"):
        pack(order)
    sheet = staff_client("Sales").get(reverse("admin:orders_order_packing", args=[order.pk]))
    warning = f"{product.sku}: 20 pieces, and 0 on the shelf."
    assert warning in sheet.context["check"]["missing"], "said before the button is pressed"


def test_the_fee_is_proposed_by_measured_weight_and_country(order):
    ShippingRate.objects.create(country=None, per_kg="9.00")
    Order.objects.filter(pk=order.pk).update(measured_weight_g=7_920)
    assert proposed_fee(again(order)).amount == Decimal("72.00"), "8.0 kg as shown"
    poland = order.ship_country
    ShippingRate.objects.create(country=poland, per_kg="4.10", at_least="40.00")
    fee = proposed_fee(again(order))
    assert fee == (Decimal("40.00"), f"8 kg at 4.10 to {poland}, at least 40.00")
    Order.objects.filter(pk=order.pk).update(measured_weight_g=None)
    assert proposed_fee(again(order)) is None, "nothing is guessed"


def test_the_sheet_shows_the_proposal_and_takes_it_only_from_whoever_confirms(order):
    ShippingRate.objects.create(country=None, per_kg="9.00")
    save(order, (20, "", ""), (40, "", ""), shipping_fee="")
    pack(order)
    page = staff_client("Sales").get(address(order))
    assert page.context["form"]["shipping_fee"].value() == Decimal("72.00")
    assert "8 kg at 9.00 to" in page.text
    assert again(order).shipping_fee == 0


def test_one_rate_stands_for_all_other_countries(order):
    add = reverse("admin:orders_shippingrate_add")
    sales = staff_client("Sales")
    for _ in range(2):
        page = sales.post(add, {"country": "", "per_kg": "9.00", "at_least": "0"})
    assert page.status_code == 200, "the second is refused"
    assert ShippingRate.objects.count() == 1
    assert staff_client("Approvers").get(add).status_code == 403


def test_buyers_see_nothing_of_the_packing_before_status_3(order, sign_in):
    buyer = make_buyer()
    order = make_order_at(S.PREPARING, buyer)
    pack(order)
    api = sign_in(buyer)

    def order_seen() -> dict:
        answer = api.get(f"/api/details/{order.invoice_code}").json()
        order_json: dict = answer["order"] | {"box": answer["box"]}
        return order_json

    hidden = order_seen()
    assert [hidden[name] for name in ("packing_status", "packing_build_date", "weight")] == [
        0,
        None,
        None,
    ]
    assert hidden["box"] == []
    confirm(order)
    assert (order_seen()["packing_status"], len(order_seen()["box"])) == (2, 1)


def test_an_ean_is_a_code_wherever_a_sku_is(order):
    product = order.lines.get(sku="B-2").product
    gift = make_product(sku="GIFT-1")
    Product.objects.filter(pk=product.pk).update(ean="9528804087689")
    Product.objects.filter(pk=gift.pk).update(ean="9528804087696")
    rows = "1\t1\t8\t52 cm\t40cm\t34\tA-1\t20\n\t\t\t\t\t\t9528804087689\t40"
    address_of = reverse("admin:orders_order_packing", args=[order.pk])
    sales = staff_client("Sales")
    assert sales.post(address_of, packing_of(order, rows)).status_code == 302
    assert packing_differences(order) == []
    added = ({"sku": "9528804087696", "quantity": 24, "reason": "free_offer"},)
    save(order, added=added)
    assert [str(text) for text in packing_differences(order)] == ["GIFT-1: 24 not packed."]
    other = make_product(sku="TWIN")
    Product.objects.filter(pk=other.pk).update(ean="9528804087696")
    page = sales.post(address(order), filled(order, added=added))
    assert "no product with this SKU or EAN" in page.text, "which of two is not guessed"


def test_korean_headings_and_units_are_read_in_a_paste(order):
    head = "박스\t무게\t가로\t세로\t높이\t상품코드\t상품명\t수량"
    rows = f"{head}\n1\t8.1 kg\t52\t40 cm\t34\tA-1\tSerum\t20"
    page = staff_client("Sales").post(
        reverse("admin:orders_order_packing_check", args=[order.pk]), packing_of(order, rows)
    )
    answer = page.json()
    assert answer["cells"] == {}
    assert (answer["totals"]["packed"], answer["totals"]["measured"]) == ("20", "8.1 kg")
