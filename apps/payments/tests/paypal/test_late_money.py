"""Money that an order cannot take any more: late, of another amount, taken back (design/paypal.md,
tests 27 and 28).
"""

from datetime import UTC, datetime
from typing import Any

import pytest
from post_office.models import Email

from apps.accounts.tests.factories import make_buyer
from apps.catalog.tests.factories import make_product
from apps.orders.tests.factories import make_draft, stock_of
from apps.payments.gateway import provider_of
from apps.payments.models import Payment, Refund
from apps.payments.provider import Outcome
from apps.payments.services.settle import settle
from apps.payments.tests.factories import cancel, make_confirmed_order
from apps.payments.tests.paypal.support import (
    BALANCE,
    DEPOSIT,
    NOT_FOUND,
    Desk,
    Journey,
    S,
    audit,
    minutes,
    money,
    outcome,
)
from tools.paypal_simulator.records import Capture


def take_behind_our_back(desk: Desk, journey: Journey) -> None:
    """Let PayPal take the money of an attempt that the portal has ended."""
    payment = journey.payment
    payment.payer_id = journey.approve()
    evidence = provider_of(payment).execute(payment)
    assert evidence.outcome is Outcome.CAPTURED


def test_late_money_that_the_order_can_still_take(desk: Desk) -> None:
    product = make_product(on_hand=20)
    journey = desk.deposit([(product, 20)])
    journey.give_up()
    take_behind_our_back(desk, journey)
    desk.report(desk.paypal.events()[-1])
    assert (journey.payment.state, journey.order.status) == (S.CAPTURED, 1)
    assert stock_of(product) == (20, 20, 0)
    assert audit() == ""


@pytest.mark.parametrize("obstacle", ["stock", "wire", "second", "deleted"])
def test_late_money_of_a_deposit_is_sent_back_once(desk: Desk, obstacle: str) -> None:
    product = make_product(on_hand=20)
    draft = make_draft(desk.buyer, [(product, 20)])
    journey = desk.link_deposit(draft)
    if obstacle == "stock":
        journey.give_up()
        desk.deposit([(product, 20)]).pay()
    elif obstacle == "second":
        desk.link_deposit(draft).pay()
    elif obstacle == "wire":
        assert desk.post_wire(draft) == (200, "")
    else:
        assert desk.api.send("DELETE", f"/api/temp-order/{draft.invoice_code}").status_code == 200
    payment = journey.payment
    Payment.objects.filter(pk=payment.pk).update(invoice_number=f"{draft.invoice_code}-D")
    if obstacle == "second":
        # PayPal refuses a second payment of one invoice number; the portal must not rely on it.
        checkout = desk.paypal.checkout(journey.token)
        other = {"id": "1AB23456CD789012E", "checkout": checkout.id}
        desk.paypal.store.save(Capture(**{**vars(desk.captures()[0]), **other}))
        checkout.capture, checkout.approved = "1AB23456CD789012E", True
        desk.paypal.store.save(checkout)
        now = datetime.now(UTC)
        for _ in range(2):
            evidence = provider_of(payment).fetch(payment)
            settle(payment_id=payment.pk, evidence=evidence, source="webhook", now=now)
    else:
        take_behind_our_back(desk, journey)
        for _ in range(2):
            desk.report(desk.paypal.events()[-1])
    desk.wait(minutes(0))
    payment = journey.payment
    assert (payment.state, payment.received) == (S.REFUNDED, 0)
    assert Refund.objects.values_list("state", "amount").get() == ("completed", money("93.15"))
    assert len(desk.paypal.calls("refund")) == 1
    assert payment.alarm
    assert Email.objects.filter(subject=f"PayPal payment: {journey.code}").count() == 1
    assert audit() == ""


def test_late_money_of_a_cancelled_order_is_sent_back(desk: Desk) -> None:
    journey = desk.balance()
    order = journey.order
    cancel(order, by_terms=True)
    take_behind_our_back(desk, journey)
    desk.report(desk.paypal.events()[-1])
    desk.wait(minutes(0.1))
    assert journey.payment.state == S.REFUNDED
    assert journey.order.received == 90
    assert audit() == ""


def test_money_taken_back_by_paypal(desk: Desk) -> None:
    order = make_confirmed_order(desk.buyer)
    journey = desk.link_balance(order)
    journey.pay()
    desk.report(desk.paypal.decide(desk.captures()[0].id, "reversed"))
    payment = journey.payment
    assert (payment.state, payment.received, bool(payment.alarm)) == (S.REVERSED, 0, True)
    assert (journey.order.received, journey.order.status) == (90, 4)
    assert audit() == ""


def test_money_taken_back_that_is_in_the_wallet_too(desk: Desk) -> None:
    """The company has the credit already: the books keep what they can, and staff are told of the
    rest.
    """
    journey = desk.deposit([(make_product(on_hand=100), 100)])
    journey.pay()
    order = journey.order
    cancel(order, by_terms=True)
    desk.report(desk.paypal.decide(desk.captures()[0].id, "reversed"))
    payment, order = journey.payment, journey.order
    assert (payment.state, payment.received, order.received) == (S.REVERSED, 350, 350)
    assert order.credited == 350
    assert Email.objects.filter(subject=f"PayPal payment: {journey.code}").count() == 2
    assert audit() == ""


def test_a_link_is_never_sent_to_another_buyers_order(desk: Desk, sign_in: Any) -> None:
    draft, order = make_draft(desk.buyer), make_confirmed_order(desk.buyer)
    other = make_buyer()
    stranger = sign_in(other)
    body = Desk(desk.paypal, other, stranger, desk.name).body(draft)
    assert outcome(stranger.send("POST", DEPOSIT, body)) == NOT_FOUND
    shown = outcome(stranger.send("POST", BALANCE, {"invoice_code": order.invoice_code}))
    assert shown == NOT_FOUND
    assert not desk.paypal.calls()
