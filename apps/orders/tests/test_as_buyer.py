"""Staff see an order as its buyer does: the same answers, noted in the history, and nothing can be
done there.
"""

import re
from decimal import Decimal

import pytest

from apps.accounts.models import User
from apps.accounts.tests.factories import make_buyer
from apps.accounts.tests.staff import shown_messages, staff_client
from apps.common.staff_lists import shown as figure
from apps.common.testing import vectors
from apps.orders.admin.as_buyer import money_rows
from apps.orders.models import Order, OrderEvent
from apps.orders.services.conversation import keep_note
from apps.orders.services.moves import stale
from apps.orders.status import OrderStatus
from apps.orders.tests.factories import make_order_at, make_sales

pytestmark = pytest.mark.django_db


@pytest.fixture
def order() -> Order:
    """Return a confirmed order with an unread message."""
    order = make_order_at(OrderStatus.CONFIRMED, make_buyer())
    Order.objects.filter(pk=order.pk).update(message_unread=True)
    OrderEvent.objects.create(
        order=order, kind="message", note="When does it ship?", at=order.placed_at
    )
    keep_note(order_id=order.pk, text="Zzinternal", actor=make_sales(), now=order.placed_at)
    return order


def test_the_page_shows_the_buyers_answers_and_nothing_of_ours(order):
    page = staff_client("Sales").get(f"/admin/orders/order/{order.pk}/as-buyer/")
    for text in (
        "You see what the buyer sees",
        order.company.name,
        "Pay the balance",
        "When does it ship?",
    ):
        assert text in page.text
    assert "Zzinternal" not in page.text
    assert Order.objects.get(pk=order.pk).message_unread


NOTHING = (
    "total",
    "real_total",
    "shipping_fee",
    "deposit",
    "deposit_received",
    "paid",
    "balance_due",
)


def written(value: str) -> str:
    """Return a row's value as staff read it."""
    words, _, amount = value.rpartition(" ")
    if not amount[-1:].isdigit():
        return value
    return f"{words} {figure(Decimal(amount))}".strip()


@pytest.mark.parametrize("row", vectors("orders/order_totals"), ids=lambda row: row["source"])
def test_its_money_stands_in_the_rows_of_the_buyers_page(row):
    cents = {name: Decimal(row["order"].get(name, 0)).quantize(Decimal("0.01")) for name in NOTHING}
    refunded = (
        [{"amount": Decimal(row["refunded"]).quantize(Decimal("0.01"))}]
        if "refunded" in row
        else []
    )
    order = {
        "weight_kg": None,
        "products_weight_kg": 30.5,
        "next_step": {"rows": refunded},
        **row["order"],
        **cents,
    }
    assert money_rows(order) == [(label, written(value)) for label, value in row["rows"]]


def test_who_looked_stands_in_the_history_once_a_day(order):
    client = staff_client("Sales", manager="Mina Park")
    for _ in range(2):
        client.get(f"/admin/orders/order/{order.pk}/as-buyer/")
    seen = OrderEvent.objects.get(order=order, kind=OrderEvent.Kind.SEEN)
    assert seen.actor is not None
    assert seen.actor.manager == "Mina Park"
    assert "Seen as the buyer sees it" in client.get(f"/admin/orders/order/{order.pk}/change/").text
    assert "Mina Park" not in str(stale(order)), "looking is no change"


def test_the_page_sends_nothing_and_opens_no_door_to_the_buyers_calls(order):
    client = staff_client("Sales")
    page = client.get(f"/admin/orders/order/{order.pk}/as-buyer/")
    main = page.text[page.text.index('id="content"') :]
    assert not re.search(r"<(form|button|input|textarea|script)", main)
    assert str(order.user.uuid) not in page.text
    before = OrderEvent.objects.count()
    assert client.post(f"/admin/orders/order/{order.pk}/as-buyer/").status_code == 302
    assert OrderEvent.objects.count() == before


def test_a_buyer_who_may_not_come_in_sees_nothing(order):
    User.objects.filter(pk=order.user_id).update(is_active=False)
    page = staff_client("Sales").get(f"/admin/orders/order/{order.pk}/as-buyer/", follow=True)
    assert "may not sign in" in shown_messages(page)[0]
    assert not OrderEvent.objects.filter(kind=OrderEvent.Kind.SEEN).exists()
