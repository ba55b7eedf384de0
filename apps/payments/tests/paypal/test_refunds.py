"""Money sent back to PayPal (design/paypal.md, test 31)."""

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest

from apps.accounts.tests.staff import staff_client
from apps.catalog.tests.factories import make_product
from apps.orders.errors import StaffRefusal
from apps.orders.models import Order
from apps.orders.tests.factories import make_sales
from apps.payments.models import Payment, Refund
from apps.payments.services.refunds import refund_payment, refundable
from apps.payments.tests.factories import cancel
from apps.payments.tests.paypal.support import (
    REFUSED,
    Desk,
    Journey,
    S,
    audit,
    minutes,
    money,
    outcome,
)


def refund(payment: Payment, amount: str, **fields: Any) -> Refund:
    given = {"reason": "Damaged", "actor": make_sales(), "now": datetime.now(UTC), **fields}
    return refund_payment(payment_id=payment.pk, amount=Decimal(amount), **given)


@pytest.fixture
def paid(desk: Desk) -> Journey:
    journey = desk.deposit([(make_product(on_hand=100), 20)])
    journey.pay()
    return journey


def test_all_of_it(desk: Desk, paid: Journey) -> None:
    assert refundable(paid.payment) == money("93.15")
    pending = refund(paid.payment, "93.15")
    assert (pending.state, bool(pending.refund_id), pending.next_check_at) == (
        "completed",
        True,
        None,
    )
    payment, order = paid.payment, paid.order
    assert (payment.state, payment.received, order.received) == (S.REFUNDED, 0, 0)
    assert order.deposit_received == 0
    assert desk.captures()[0].state == "refunded"
    assert refundable(payment) == 0
    assert audit() == ""


def test_parts_up_to_all_and_no_cent_more(desk: Desk, paid: Journey) -> None:
    refund(paid.payment, "50.00")
    assert (paid.payment.state, paid.payment.received) == (S.PARTIALLY_REFUNDED, 40)
    assert paid.order.received == 40
    for amount in ("43.16", "0.00", "-1.00", "0.001"):
        with pytest.raises(StaffRefusal):
            refund(paid.payment, amount)
    assert paid.come_back().json()["success"] == 1
    refund(paid.payment, "43.15")
    assert (paid.payment.state, paid.order.received) == (S.REFUNDED, 0)
    assert desk.captures()[0].refunded == "93.15"
    with pytest.raises(StaffRefusal):
        refund(paid.payment, "0.01")
    assert len(desk.paypal.calls("refund")) == 2
    assert audit() == ""


def test_held_money_goes_back_as_paypal_took_it(desk: Desk) -> None:
    journey = desk.deposit([(make_product(on_hand=100), 20)])
    payer = journey.approve()
    desk.paypal.fault("amount_mismatch", "execute", amount="92.00")
    journey.come_back(payer)
    payment = journey.payment
    assert (payment.state, payment.amount) == (S.HELD, money("93.15"))
    assert refundable(payment) == money("92.00")
    refund(payment, "50.00")
    assert (journey.payment.state, refundable(journey.payment)) == (S.HELD, money("42.00"))
    assert journey.payment.alarm
    assert refund(payment, "42.00").state == "completed"
    assert journey.payment.alarm == "", "staff have settled it"
    assert (journey.payment.state, desk.captures()[0].refunded) == (S.REFUNDED, "92.00")
    assert audit() == ""


def test_a_refund_of_a_paid_order_is_not_asked_for_again(desk: Desk) -> None:
    journey = desk.balance()
    journey.pay()
    page = staff_client().get(f"/admin/payments/payment/{journey.payment.pk}/refund/")
    assert "stays paid, what goes back is waived" in page.text
    refund(journey.payment, "10.00")
    order = journey.order
    assert (order.status, order.received, order.written_off) == (4, 130, 10)
    assert audit() == ""


@pytest.mark.parametrize(
    "kind", ["timeout_after", "500_after", "reset_after", "malformed_json", "timeout_before", "429"]
)
def test_a_lost_answer_is_one_refund(desk: Desk, paid: Journey, kind: str) -> None:
    desk.paypal.fault(kind, "refund")
    pending = refund(paid.payment, "93.15")
    assert (pending.state, paid.payment.state) == ("queued", S.CAPTURED)
    with pytest.raises(StaffRefusal):
        refund(paid.payment, "93.15")
    for _ in range(2):
        desk.wait(minutes(3))
    assert Refund.objects.get().state == "completed"
    assert (paid.payment.state, desk.captures()[0].refunded) == (S.REFUNDED, "93.15")
    assert len({call.request_id for call in desk.paypal.calls("refund")}) == 1
    assert audit() == ""


def test_a_lost_answer_that_an_event_tells(desk: Desk, paid: Journey) -> None:
    desk.paypal.fault("reset_after", "refund")
    refund(paid.payment, "93.15")
    event = desk.paypal.events()[-1]
    assert "REFUNDED" in event.type
    desk.report(event)
    assert Refund.objects.values_list("state", flat=True).get() == "completed"
    assert paid.payment.state == S.REFUNDED
    assert audit() == ""


def test_refused_by_paypal(desk: Desk, paid: Journey) -> None:
    desk.paypal.fault("refuse", "refund")
    pending = refund(paid.payment, "93.15")
    assert (pending.state, bool(pending.failure)) == ("failed", True)
    assert (paid.payment.state, paid.order.received) == (S.CAPTURED, 90)
    assert bool(paid.payment.alarm) is True
    assert refundable(paid.payment) == money("93.15")
    assert audit() == ""


def test_what_is_in_the_wallet_is_not_sent_back_as_well(desk: Desk) -> None:
    journey = desk.deposit([(make_product(on_hand=200), 100)])
    journey.pay()
    order = journey.order
    cancel(order, by_terms=True)
    assert refundable(journey.payment) == 100
    page = staff_client().get(f"/admin/payments/payment/{journey.payment.pk}/refund/")
    assert ("At most; the company&#x27;s wallet has the rest") in page.text
    sent = {"amount": "100.01", "reason": "Damaged", "seen": "100.00"}
    page = staff_client().post(f"/admin/payments/payment/{journey.payment.pk}/refund/", sent)
    assert [page.context["form"][name].value() for name in sent] == list(sent.values())
    for amount in ("465.75", "100.01"):
        with pytest.raises(StaffRefusal):
            refund(journey.payment, amount)
    refund(journey.payment, "60.00")
    assert refundable(journey.payment) == 40
    refund(journey.payment, "40.00")
    assert refundable(journey.payment) == 0
    order = Order.objects.get(pk=order.pk)
    assert (order.received, order.credited) == (350, 350)
    assert audit() == ""


def test_a_new_payment_after_a_refund_has_a_number_of_its_own(desk: Desk) -> None:
    journey = desk.balance()
    payer = journey.approve()
    desk.paypal.fault("amount_mismatch", "execute")
    assert outcome(journey.come_back(payer)) == REFUSED
    refund(journey.payment, f"{refundable(journey.payment)}")
    again = desk.link_balance(journey.order)
    assert again.payment.invoice_number == f"{journey.code}-B1"
    assert again.pay().json()["status_id"] == 4
    assert audit() == ""
