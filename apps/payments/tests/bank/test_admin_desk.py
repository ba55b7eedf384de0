"""The payment desk: wires confirmed, booked, refused, and orders cancelled; money moves through the
services alone.
"""

from decimal import Decimal

import pytest
from django.urls import reverse
from post_office.models import Email

from apps.accounts.tests.factories import make_buyer
from apps.accounts.tests.staff import shown_messages, staff_client
from apps.common.mail import write_texts
from apps.orders.models import Order
from apps.orders.status import OrderStatus
from apps.orders.tests.factories import SHIPPING_FEE, make_order_at
from apps.payments.models import WalletEntry
from apps.payments.states import PaymentState
from apps.payments.tests.bank.statement_desk import DAY, DESK
from apps.payments.tests.factories import (
    announced,
    make_announced_balance,
    make_confirmed_order,
    make_wire_order,
)

pytestmark = pytest.mark.django_db


def page(name: str, pk: int) -> str:
    is_of_order = name in ("announced", "book", "cancel")
    model = "orders_order" if is_of_order else "payments_payment"
    return reverse(f"admin:{model}_{name}", args=[pk])


def test_the_desk_lists_the_announced_wires_oldest_first_in_constant_statements(
    sales, django_assert_max_num_queries
):
    buyer = make_buyer()
    first = make_wire_order(buyer)
    sales.get(DESK)
    with django_assert_max_num_queries(13) as one:
        sales.get(DESK)
    orders = [first, *(make_wire_order(buyer) for _ in range(5))]
    with django_assert_max_num_queries(13) as many:
        response = sales.get(DESK)
    found = [wire["payment"].invoice_code for wire in response.context["wires"]]
    assert found == [o.invoice_code for o in orders]
    assert len(one) == len(many)


def test_confirming_a_deposit_wire_books_what_arrived(sales):
    order = make_wire_order(make_buyer())
    url = page("confirm", announced(order).pk)
    answer = sales.post(url, {"received": "40.00", **DAY}, follow=True)
    assert Order.objects.get(pk=order.pk).deposit_received == Decimal("40.00")
    link = f'<a href="/admin/orders/order/{order.pk}/change/">{order}</a>'
    assert shown_messages(answer) == [f"{link}: Wire of 40.00 confirmed."]


def test_confirming_leads_back_to_the_desk_with_the_next_wire_focused(sales):
    first, second, third = [make_wire_order(make_buyer()) for _ in range(3)]

    def next_after(order):
        url = page("confirm", announced(order).pk)
        answer = sales.post(url, {"received": "40.00", **DAY}, follow=True)
        assert answer.request["PATH_INFO"] == DESK
        assert answer.text.count(" autofocus") == bool(answer.context["wires"])
        return [wire["payment"].order for wire in answer.context["wires"] if wire["is_next"]]

    assert next_after(second) == [third]
    assert next_after(third) == [first]
    assert next_after(first) == []


def test_a_rest_too_large_to_write_off_is_refused_at_its_field(sales):
    order = make_announced_balance(make_buyer())
    fields = {"received": "1.00", "write_off_reason": "No idea", **DAY}
    answer = sales.post(page("confirm", announced(order).pk), fields)
    assert "Only a small rest of a balance can be written off." in shown_messages(answer)[0]
    assert "write_off_reason" in answer.context["form"].errors
    assert Order.objects.get(pk=order.pk).status == OrderStatus.CONFIRMED


def test_refusing_needs_a_reason(sales):
    order = make_wire_order(make_buyer())
    wire = announced(order)
    assert sales.post(page("refuse", wire.pk), {"reason": " "}).status_code == 200
    sales.post(page("refuse", wire.pk), {"reason": "It never came"})
    wire.refresh_from_db()
    assert (wire.state, wire.reason) == (PaymentState.REFUSED, "It never came")


def test_a_wire_that_nobody_announced_is_booked(sales):
    order = make_confirmed_order(make_buyer())
    response = sales.get(page("book", order.pk))
    assert response.context["form"]["amount"].value() == SHIPPING_FEE
    seen_value = response.context["form"]["seen"].value()
    fields = {"amount": str(SHIPPING_FEE), "depositor": "Glow", "seen": seen_value, **DAY}
    sales.post(page("book", order.pk), fields)
    assert Order.objects.get(pk=order.pk).status == OrderStatus.PAID


def test_a_second_press_books_no_second_wire(sales):
    order = make_confirmed_order(make_buyer())
    fields = {"amount": "10.00", "depositor": "Glow", "seen": str(order.received), **DAY}
    sales.post(page("book", order.pk), fields)
    again = sales.post(page("book", order.pk), fields)
    assert "has now received $100.00, not $90.00" in shown_messages(again)[-1]
    assert again.context["form"]["seen"].value() == "100.00"
    assert Order.objects.get(pk=order.pk).received == Decimal("100.00")


def test_an_announced_wire_is_confirmed_and_not_booked_beside_it(sales):
    order = make_wire_order(make_buyer())
    fields = {"amount": "90.00", "depositor": "Glow", "seen": "0.00", **DAY}
    answer = sales.post(page("book", order.pk), fields)
    assert "A wire of $90.00 is announced for it" in shown_messages(answer)[0]
    assert Order.objects.get(pk=order.pk).received == 0


def test_a_deposit_that_came_twice_asks_the_second_question(sales):
    order = make_wire_order(make_buyer())
    Order.objects.filter(pk=order.pk).update(received=90, deposit_received=90)
    answer = sales.post(page("confirm", announced(order).pk), {"received": "90.00", **DAY})
    assert "90.00 USD stay with" in answer.context["question"].text
    assert announced(order).received == 0


class TestCancel:
    def fields(self, **fields: str) -> dict[str, str]:
        hidden_fields = {"seen_terms": "0.00", "seen_full": "90.00"}
        return {
            "by_terms": "1",
            "kind": "Other",
            "words": "As you asked.",
            **hidden_fields,
            **fields,
        }

    @pytest.mark.parametrize(("by_terms", "credited"), [("1", []), ("0", [Decimal("90.00")])])
    def test_both_ways_credit_what_the_page_showed(self, sales, by_terms, credited):
        order = make_order_at(OrderStatus.PREPARING, make_buyer())
        figures = sales.get(page("cancel", order.pk)).context["figures"]
        assert (figures.received, figures.credited_by_terms) == (Decimal("90.00"), Decimal("0.00"))
        assert figures.credited_in_full == Decimal("90.00")
        fields = self.fields(by_terms=by_terms, letter="Dear all,\n\nit is over.")
        sales.post(page("cancel", order.pk), fields)
        cancelled = Order.objects.get(pk=order.pk)
        assert cancelled.status == OrderStatus.CANCELLED
        assert cancelled.cancel_reason == "As you asked."
        assert list(WalletEntry.objects.values_list("amount", flat=True)) == credited
        mail = write_texts(Email.objects.latest("id"))
        assert "Dear all,\n\nit is over.\n\nAs you asked." in mail.message
        assert f"Credited to your wallet: ${sum(credited):,.2f}" in mail.message

    def test_a_figure_that_changed_meanwhile_is_refused_and_shown(self, sales):
        order = make_order_at(OrderStatus.PREPARING, make_buyer())
        answer = sales.post(page("cancel", order.pk), self.fields(seen_full="60.00", by_terms="0"))
        assert "A figure has changed meanwhile" in shown_messages(answer)[0]
        assert 'value="90.00"' in answer.text
        assert answer.context["form"]["by_terms"].value() == "0"
        assert Order.objects.get(pk=order.pk).status == OrderStatus.PREPARING

    def test_words_are_needed(self, sales):
        order = make_order_at(OrderStatus.PREPARING, make_buyer())
        answer = sales.post(page("cancel", order.pk), self.fields(words=""))
        assert "words" in answer.context["form"].errors
        assert Order.objects.get(pk=order.pk).status == OrderStatus.PREPARING

    @pytest.mark.parametrize("status", [OrderStatus.SHIPPED, OrderStatus.CANCELLED])
    def test_it_is_not_offered_from_shipment_on(self, sales, status):
        order = make_order_at(status, make_buyer())
        answer = sales.get(page("cancel", order.pk), follow=True)
        assert "can no longer be cancelled" in shown_messages(answer)[0]


def test_payments_and_ledger_are_read_only_even_for_a_superuser():
    admin, order = staff_client(), make_wire_order(make_buyer())
    wire = announced(order)
    for path in ("payments/payment", "payments/walletentry"):
        assert admin.get(f"/admin/{path}/add/").status_code == 403
    answer = admin.post(f"/admin/payments/payment/{wire.pk}/change/", {"state": "captured"})
    assert answer.status_code == 403
    response = admin.post(f"/admin/payments/payment/{wire.pk}/delete/", {"post": "yes"})
    assert response.status_code == 403
    assert announced(order).state == PaymentState.ANNOUNCED
