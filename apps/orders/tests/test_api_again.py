"""Ordering again: what was ordered as it can be ordered now, what is due, and what was not ordered
for long.
"""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from apps.accounts.selectors import Buyer
from apps.accounts.tests.factories import make_buyer
from apps.catalog.models import Product, Running, Stock
from apps.catalog.tests.factories import make_brand, make_product, make_products, restrict
from apps.common.types import Json
from apps.orders.models import Order, OrderLine
from apps.orders.selectors.waiting import not_ordered_for_long, what_is_due
from apps.orders.status import OrderStatus
from apps.orders.tests.factories import call_off, make_order, make_order_at, receive

S = OrderStatus
NOW = datetime.now(UTC)
DAY = timedelta(days=1)
MONDAY = datetime(2026, 11, 16, 1, tzinfo=UTC)  # ten in the morning in Seoul


def again(api: Client, query: str) -> list[Json]:
    response = api.get(f"/api/order-again?{query}")
    assert response.status_code == 200
    lines: list[Json] = response.json()["lines"]
    return lines


@pytest.mark.parametrize(
    ("ordered", "change", "on_hand", "count", "notes"),
    [
        (20, {}, 1000, 20, []),
        (20, {"usd_supply": Decimal("5.25")}, 1000, 20, ["Price now $5.25, was $4.50."]),
        (60, {}, 45, 40, ["40 instead of 60: only 45 in stock."]),
        (60, {"minimum": 50}, 45, 0, ["Left out: only 45 in stock, fewer than the MOQ of 50."]),
        (20, {"minimum": 24}, 1000, 24, ["24 instead of 20: the MOQ is 24."]),
        (40, {"minimum": 12}, 1000, 48, ["48 instead of 40: only multiples of 12 can be ordered."]),
        (40, {"minimum": 12}, 44, 36, ["36 instead of 40: only multiples of 12 can be ordered."]),
        (20, {}, 0, 0, ["Left out: cannot be ordered now (Sold out)."]),
        (20, {"is_running": 2}, 1000, 0, ["Left out: cannot be ordered now (Contact us)."]),
    ],
)
def test_what_differs_from_then_is_named_with_its_reason(
    buyer: Buyer, api: Client, ordered: int, change: Json, on_hand: int, count: int, notes: list
) -> None:
    product = make_product()
    order = make_order(buyer, [(product, ordered)])
    Product.objects.filter(pk=product.pk).update(**change)
    Stock.objects.filter(product=product).update(on_hand=on_hand, allocated=0)
    (line,) = again(api, f"invoice_code={order.invoice_code}")
    assert (line["sku"], line["count"], line["notes"]) == (product.sku, count, notes)
    assert line["product"]["count"] == count


def test_a_product_that_is_gone_keeps_its_name(buyer: Buyer, api: Client) -> None:
    product = make_product()
    order = make_order(buyer, [(product, 20)])
    restrict(order.company, [make_brand()])
    (line,) = again(api, f"invoice_code={order.invoice_code}")
    assert (line["eng_name"], line["product"], line["count"]) == (product.eng_name, None, 0)
    assert line["notes"] == ["Left out: no longer in your price list."]


def test_a_month_is_added_up_without_cancelled_orders_and_staffs_lines(
    buyer: Buyer, api: Client
) -> None:
    first, second, other = make_products(3)
    orders = [make_order(buyer, [(first, 20), (second, 10)]), make_order(buyer, [(first, 30)])]
    OrderLine.objects.filter(order=orders[1]).update(price=Decimal("4.00"))
    line = orders[1].lines.get()
    line.pk, line.product, line.sku, line.is_ordered = None, other, other.sku, False
    line.save()
    call_off(make_order(buyer, [(first, 500)]))
    lines = again(api, f"month={orders[0].month}")
    assert [(line["sku"], line["count"]) for line in lines] == [(first.sku, 50), (second.sku, 10)]
    assert lines[0]["notes"] == ["Price now $4.50, was $4.00."]  # the last order's price
    (alone,) = again(api, f"month={orders[0].month}&sku={second.sku}")
    assert alone["count"] == 10


def test_two_statements_however_many_lines(
    buyer: Buyer, api: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    order = make_order(buyer, [(product, 10) for product in make_products(7)])
    with django_assert_num_queries(3):  # who asks is one
        again(api, f"invoice_code={order.invoice_code}")


@pytest.mark.parametrize(
    "query", ["", "invoice_code=A&month=2026-10", "month=2026-13", "month=october"]
)
def test_an_order_or_a_month_must_be_named(api: Client, query: str) -> None:
    assert api.get(f"/api/order-again?{query}").status_code == 400


def test_what_is_empty_is_not_found(buyer: Buyer, api: Client) -> None:
    for query in ("month=2001-01", f"invoice_code={make_order(buyer).invoice_code}&sku=X"):
        assert api.get(f"/api/order-again?{query}").status_code == 404


def due(buyer: Buyer) -> list[tuple[str, str, str, str]]:
    steps = what_is_due(buyer=buyer, now=MONDAY)["steps"]
    return [(step["title"], step["text"], step["due"], step["action"]) for step in steps]


def at(order: Order, **fields: object) -> str:
    Order.objects.filter(pk=order.pk).update(**fields)
    return order.invoice_code


def test_what_is_due_names_each_step_by_its_day(buyer: Buyer) -> None:
    product = make_product(usd_supply=Decimal("10.00"))
    lines = [(product, 10)]
    make_order_at(S.SHIPPED, buyer, lines)
    wired = at(make_order(buyer, lines), wire_announced=True, placed_at=MONDAY, due_at=MONDAY + DAY)
    confirmed = at(make_order_at(S.CONFIRMED, buyer, lines), due_at=MONDAY + 3 * DAY)
    late = at(make_order_at(S.PREPARING, buyer, lines), due_at=MONDAY - 5 * DAY)
    part = make_order_at(S.CONFIRMED, buyer, lines)
    receive(part, Decimal("20.00"))
    reviewed = at(make_order_at(S.CONFIRMED, buyer, lines), payment_pending=True, due_at=MONDAY)
    at(part, due_at=MONDAY + 4 * DAY)
    awaited = f"{wired} · waiting for your wire"
    paid = f"{part.invoice_code} · partly paid, $120.00 received"
    assert due(buyer) == [
        ("Deposit $100.00 by wire", awaited, "by Tue 17 Nov", "Bank details"),
        ("Balance $50.00", confirmed, "by Thu 19 Nov", "Pay"),
        ("Balance $30.00", paid, "by Fri 20 Nov", "Pay"),
        (f"Confirmation of {late}", "Promised for Wed 11 Nov", "5 days late", ""),
        ("Balance $50.00", f"{reviewed} · under review", "", ""),
    ]
    answer = what_is_due(buyer=buyer, now=MONDAY)
    assert (answer["owed"], answer["more"]) == (Decimal("230.00"), 0)
    assert [step["tone"] for step in answer["steps"]] == ["warn", "warn", "info", "bad", "info"]
    nothing = {"owed": 0, "more": 0, "steps": []}
    assert what_is_due(buyer=make_buyer(), now=MONDAY) == nothing


def test_a_deposit_without_a_way_to_pay_is_the_buyer_s_to_do(buyer: Buyer) -> None:
    code = make_order(buyer, [(make_product(usd_supply=Decimal("10.00")), 10)]).invoice_code
    text = f"{code} · please write to us how you want to pay it"
    assert due(buyer) == [("Deposit $100.00", text, "", "Open")]


def test_six_steps_are_shown_and_the_rest_counted(buyer: Buyer) -> None:
    product = make_product()
    for _ in range(8):
        make_order(buyer, [(product, 10)])
    answer = what_is_due(buyer=buyer, now=MONDAY)
    assert (len(answer["steps"]), answer["more"]) == (6, 2)


def test_what_the_buyer_can_do_is_shown_before_late_promises(buyer: Buyer) -> None:
    product = make_product()
    for days in range(7):
        at(make_order_at(S.PREPARING, buyer, [(product, 10)]), due_at=MONDAY - days * DAY)
    balance = at(make_order_at(S.CONFIRMED, buyer, [(product, 10)]), due_at=MONDAY + 4 * DAY)
    steps = what_is_due(buyer=buyer, now=MONDAY)["steps"]
    assert [step["invoice_code"] == balance for step in steps] == [True] + [False] * 5
    assert steps[1]["due"].endswith("6 days late")


def ordered_on(buyer: Buyer, product: Product, *days_ago: int, pieces: int = 20) -> None:
    for days in days_ago:
        at(make_order(buyer, [(product, pieces + days)]), placed_at=NOW - days * DAY)


def test_regular_products_come_up_when_longer_ago_than_usual(buyer: Buyer) -> None:
    late, later, punctual, seldom, discontinued, today = make_products(6, is_special=True)
    ordered_on(buyer, late, 110, 80, 50)
    ordered_on(buyer, later, 120, 100, 80)
    ordered_on(buyer, punctual, 70, 40, 10)
    ordered_on(buyer, seldom, 200, 100)
    ordered_on(buyer, discontinued, 110, 80, 50)
    for minutes in (50, 49, 40):
        at(make_order(buyer, [(today, 20)]), placed_at=NOW - timedelta(minutes=minutes))
    Product.objects.filter(pk=discontinued.pk).update(is_running=Running.CONTACT_US)
    columns = ("sku", "every_days", "days_ago", "count")
    products = not_ordered_for_long(buyer=buyer, now=NOW)
    shown = [tuple(line[name] for name in columns) for line in products]
    assert shown == [(later.sku, 20, 80, 100), (late.sku, 30, 50, 70)]
    assert not_ordered_for_long(buyer=make_buyer(), now=NOW) == []


def test_the_call_brings_both_in_four_statements_besides_who_asks(
    buyer: Buyer, api: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    ordered_on(buyer, make_product(is_special=True), 110, 80, 50)
    with django_assert_num_queries(5):
        answer = api.get(f"/api/dashboard/due/{buyer.uuid}").json()
    assert (len(answer["steps"]), len(answer["regulars"])) == (3, 1)
    assert api.get(f"/api/dashboard/due/{make_buyer().uuid}").status_code == 404
