"""A booked wire that goes back: to the wallet or by bank, never more than it brought, seen in every
paper and sum.
"""

from datetime import UTC, datetime
from decimal import Decimal
from html import unescape

import pytest
from django.core.exceptions import PermissionDenied
from django.core.management import call_command
from django.db import DatabaseError, transaction
from post_office.models import Email

from apps.accounts.tests.factories import make_buyer
from apps.accounts.tests.staff import shown_messages, staff_client, staff_in
from apps.common.errors import NotFound
from apps.common.mail import Mail, queue, write_texts
from apps.common.money import ZERO
from apps.orders.errors import StaffRefusal
from apps.orders.models import Order
from apps.orders.selectors.orders import due_of
from apps.orders.status import OrderStatus
from apps.orders.tests.factories import SHIPPING_FEE, make_sales
from apps.payments.models import Payment, WalletEntry, WireRefund
from apps.payments.selectors import wallet_balance
from apps.payments.services.receive import Way, movable, refund_wire
from apps.payments.services.wire import book_wire
from apps.payments.tests.accounts import unexplained
from apps.payments.tests.factories import make_confirmed_order

pytestmark = pytest.mark.django_db
NOW = datetime.now(UTC)


def again(order: Order) -> Order:
    return Order.objects.get(pk=order.pk)


def refund(wire: Payment, amount: str, way: Way = Way.WALLET, **fields) -> WireRefund:
    wire = Payment.objects.get(pk=wire.pk)
    given = {
        "seen": movable(wire),
        "reason": "Ten could not be delivered",
        "actor": make_sales(),
        "now": NOW,
        **fields,
    }
    return refund_wire(payment_id=wire.pk, amount=Decimal(amount), way=way, **given)


def sound(order: Order) -> None:
    """Assert that the account explains the order's money and that every rule of the audit holds."""
    assert unexplained(order.company_id) == {}
    call_command("audit", without_mails=True)


@pytest.fixture
def confirmed() -> Order:
    """A confirmed order: its deposit of 90.00 came by wire, the shipping fee is due."""
    return make_confirmed_order(make_buyer(email="anna@portal.test"))


@pytest.fixture
def paid(confirmed) -> tuple[Order, Payment]:
    wire = book_wire(
        order_id=confirmed.pk,
        amount=SHIPPING_FEE,
        depositor="Glow Trading",
        actor=make_sales(),
        now=NOW,
    )
    Email.objects.all().delete()
    assert again(confirmed).status == OrderStatus.PAID
    return again(confirmed), wire


def test_a_refund_to_the_wallet_is_credit_at_once_and_a_paid_order_does_not_ask_for_it_again(paid):
    order, wire = paid
    done = refund(wire, "20.00")
    after = again(order)
    assert (after.received, due_of(after)) == (order.received - 20, ZERO)
    assert after.status == OrderStatus.PAID
    assert (wallet_balance(company_id=order.company_id), done.entry.kind) == (
        Decimal("20.00"),
        "refund",
    )
    mail = write_texts(Email.objects.get())
    assert mail.to == ["anna@portal.test"]
    assert "in your company" in mail.message
    assert "Ten could not be delivered" in mail.message
    assert movable(Payment.objects.get(pk=wire.pk)) == SHIPPING_FEE - 20
    sound(order)


def test_a_refund_by_bank_moves_no_credit_and_a_confirmed_order_asks_again(confirmed):
    wire = confirmed.payments.get()
    due = due_of(confirmed)
    assert refund(wire, "15.50", Way.BANK).entry is None
    after = again(confirmed)
    assert (after.status, due_of(after)) == (OrderStatus.CONFIRMED, due + Decimal("15.50"))
    assert wallet_balance(company_id=confirmed.company_id) == 0
    assert "within 15 business days" in write_texts(Email.objects.latest("id")).message
    sound(confirmed)


@pytest.mark.parametrize(
    ("amount", "fields", "words"),
    [
        ("50.01", {}, "The amount is wrong."),
        ("0.00", {}, "The amount is wrong."),
        ("1.005", {}, "The amount is wrong."),
        ("10.00", {"seen": Decimal("49.00")}, "is left now"),
    ],
)
def test_what_is_refused_changes_nothing(paid, amount, fields, words):
    order, wire = paid
    with pytest.raises(StaffRefusal, match=words):
        refund(wire, amount, **fields)
    assert again(order).version == order.version
    assert not WireRefund.objects.exists()
    assert not WalletEntry.objects.exists()


def test_all_parts_together_are_at_most_what_came(paid):
    order, wire = paid
    refund(wire, "30.00")
    refund(wire, "20.00", Way.BANK)
    with pytest.raises(StaffRefusal, match="The amount is wrong"):
        refund(wire, "0.01")
    sound(order)


def test_only_who_may_change_payments_refunds_and_only_payments_of_orders(paid):
    _, wire = paid
    with pytest.raises(PermissionDenied):
        refund(wire, "1.00", actor=staff_in("Approvers"))
    with pytest.raises(NotFound):
        refund_wire(
            payment_id=0,
            amount=Decimal(1),
            way=Way.BANK,
            reason="x",
            seen=Decimal(1),
            actor=make_sales(),
            now=NOW,
        )


def test_a_refund_is_never_edited(paid):
    done = refund(paid[1], "1.00")
    for change in (lambda: WireRefund.objects.update(amount=2), done.delete):
        with pytest.raises((DatabaseError, TypeError)), transaction.atomic():
            change()


def test_the_page_shows_what_will_happen_and_does_it_once(paid):
    order, wire = paid
    client, page = staff_client("Sales"), f"/admin/payments/payment/{wire.pk}/refund-wire/"
    assert page in client.get(f"/admin/orders/order/{order.pk}/change/").text
    assert "What will happen" not in client.get(page).text
    asked = {"amount": "20.00", "way": "wallet", "reason": "Ten could not be delivered"}
    answer = client.get(page, asked)
    shown, letter = answer.text, answer.context["letter"]
    for words in (
        "Refund 20.00 to the wallet",
        "0.00 →",
        "anna@portal.test",
        "The red button has no shortcut",
    ):
        assert words in shown
    assert "At most 50.00." in client.get(page, {**asked, "amount": "60"}).text
    client.post(page, {**asked, "seen": "50.00"})
    sent = Email.objects.latest("id")
    assert (sent.subject, sent.context["values"]["text"]) == (
        letter.subject,
        letter.context["text"],
    )
    assert sent.context["values"]["facts"] == [list(fact) for fact in letter.context["facts"]]
    assert letter.context["text"] in unescape(shown)
    refused = client.post(page, {**asked, "seen": "50.00"})
    assert "is left now" in refused.text
    assert WireRefund.objects.get().amount == 20
    assert "Refunded to the wallet" in client.get(f"/admin/orders/order/{order.pk}/change/").text
    assert "Refunded to the wallet" in client.get(f"/admin/payments/payment/{wire.pk}/change/").text
    refund(wire, "30.00")
    assert "nothing of it is left to refund" in str(shown_messages(client.get(page, follow=True)))


def test_the_order_page_says_how_much_may_be_refunded_at_most(paid):
    order, wire = paid
    client, page = staff_client("Sales"), f"/admin/orders/order/{order.pk}/change/"
    brought = sum((movable(one) for one in order.payments.all()), Decimal(0))
    assert f'Refundable, at most</th><td class="num strong">{brought:,.2f}' in client.get(page).text
    refund(wire, "20.00")
    assert (
        f'Refundable, at most</th><td class="num strong">{brought - 20:,.2f}'
        in client.get(page).text
    )


def test_the_order_page_shows_the_mails_to_its_buyers_alone(paid):
    order, _ = paid
    other = make_confirmed_order(make_buyer(email="other@portal.test"))
    confirm_mail = Mail(
        order.user.email, f"Order confirmed: {order.invoice_code}", "order", {"text": "Confirmed"}
    )
    queue(
        [
            confirm_mail,
            Mail("sales@portal.test", f"New order: {order.invoice_code}", "order", {"text": "New"}),
        ]
    )
    rows = (
        staff_client("Sales")
        .get(f"/admin/orders/order/{order.pk}/change/")
        .text.split('id="mails"')[1]
    )
    assert f"Order confirmed: {order.invoice_code}" in rows.split("</section>")[0]
    assert "New order" not in rows.split("</section>")[0]
    assert other.invoice_code not in rows
