"""What PayPal reports by itself: events and the end of reviews (design/paypal.md, tests
20 to 22).
"""

from datetime import UTC, datetime

import pytest
from post_office.models import Email

from apps.catalog.tests.factories import make_product
from apps.orders.models import Order
from apps.orders.services.moves import start_preparing
from apps.orders.tests.factories import make_sales, stock_of
from apps.payments.models import WebhookEvent
from apps.payments.tests.paypal.support import (
    BALANCE,
    DEPOSIT,
    INVALID,
    Desk,
    S,
    audit,
    journey_of,
    minutes,
    outcome,
)
from tools.paypal_simulator.records import Event

# 20, 21: webhooks


def test_events_that_come_often_and_late(desk: Desk) -> None:
    journey = desk.deposit()
    journey.pay()
    event = desk.paypal.events()[-1]
    for _ in range(5):
        assert desk.deliver(event).json() == {"success": 1}
    desk.wait(minutes(60 * 24))
    assert desk.deliver(event).json() == {"success": 1}
    desk.wait(minutes(1))
    row = WebhookEvent.objects.get()
    assert (row.body, row.processed_at is not None) == (event.body, True)
    assert (Order.objects.count(), journey.order.received) == (1, 90)
    assert journey.payment.events.count() == 4


def test_an_event_alone_finishes_a_lost_answer(desk: Desk) -> None:
    journey = desk.deposit()
    desk.paypal.fault("reset_after", "execute")
    journey.pay()
    desk.report(desk.paypal.events()[-1])
    assert (journey.payment.state, journey.payment.events.last().source) == (S.CAPTURED, "webhook")


@pytest.mark.parametrize("desk", ["v2"], indirect=True)
def test_an_approval_is_an_event_of_the_second_api(desk: Desk) -> None:
    journey = desk.deposit()
    journey.approve()
    approved = [event for event in desk.paypal.events() if event.type == "CHECKOUT.ORDER.APPROVED"]
    desk.report(approved[-1])
    assert (journey.payment.state, journey.order.status) == (S.CAPTURED, 1)


def paid_event(desk: Desk) -> Event:
    desk.deposit().pay()
    return desk.paypal.events()[-1]


def test_forged_events(desk: Desk) -> None:
    event = paid_event(desk)
    assert outcome(desk.deliver(event, bad=True)) == INVALID
    assert outcome(desk.deliver(event, webhook_id="WH-ANOTHER")) == INVALID
    message = desk.paypal.message(event.body.encode())
    shown = outcome(desk.hand_in(message.body.replace(b"93.15", b"93.16"), message.headers))
    assert shown == INVALID
    spaces = (b": ", b":") if b": " in message.body else (b":", b": ")
    assert outcome(desk.hand_in(message.body.replace(*spaces), message.headers)) == INVALID
    assert not WebhookEvent.objects.exists()


def test_events_without_headers_cost_no_call(desk: Desk) -> None:
    event = paid_event(desk)
    message = desk.paypal.message(event.body.encode())
    before = len(desk.paypal.calls())
    for name in message.headers:
        if name.upper().startswith("PAYPAL-") and "VERSION" not in name.upper():
            rest = {other: value for other, value in message.headers.items() if other != name}
            assert outcome(desk.hand_in(message.body, rest)) == INVALID
    bodies = [f'{{"id": {one}, "event_type": "x"}}' for one in ("5", '""', r'"a\u0000"')]
    for body in ("{}", *bodies):
        assert outcome(desk.hand_in(body.encode(), message.headers)) == INVALID
    shown = outcome(desk.hand_in(b'{"id": "' + b"x" * 65_536 + b'"}', message.headers))
    assert shown == (413, "too_large")
    assert len(desk.paypal.calls()) == before


def test_events_wait_for_the_verifier(desk: Desk) -> None:
    event = paid_event(desk)
    desk.paypal.fault("500_before", "verify")
    assert outcome(desk.deliver(event)) == (503, "provider_unavailable")
    assert not WebhookEvent.objects.exists()
    assert desk.deliver(event).status_code == 200


def test_an_event_in_other_letters_verifies(desk: Desk) -> None:
    paid_event(desk)
    body = (
        '{"id": "WH-ÄÖ 결제", "event_type": "PAYMENT.SALE.COMPLETED", "resource": {"note": "café"}}'
    ).encode()
    message = desk.paypal.message(body)
    assert desk.hand_in(message.body, message.headers).json() == {"success": 1}
    desk.wait(minutes(0))
    row = WebhookEvent.objects.get()
    assert (row.note, row.body.encode()) == ("no payment of ours", body)


def test_an_event_is_looked_into_when_paypal_answers_again(desk: Desk) -> None:
    event = paid_event(desk)
    desk.deliver(event)
    desk.paypal.fault("503", "get")
    desk.wait(minutes(0))
    assert WebhookEvent.objects.get().processed_at is None
    desk.wait(minutes(0.3))
    assert WebhookEvent.objects.get().processed_at is not None


# 22: under review


@pytest.mark.parametrize("call", [DEPOSIT, BALANCE])
def test_under_review_then_completed(desk: Desk, call: str) -> None:
    journey = journey_of(desk, call)
    payer = journey.approve()
    desk.paypal.fault("pending", "execute")
    status = 1 if call == DEPOSIT else 3
    answer = journey.come_back(payer)
    assert answer.json() == {"success": 1, "invoice_code": journey.code, "status_id": status}
    assert (journey.payment.state, journey.payment.reason.endswith("_REVIEW")) == (S.PENDING, True)
    order = journey.order
    assert (order.status, order.payment_pending) == (status, True)
    assert order.received == (0 if call == DEPOSIT else 90)
    details = desk.api.get(f"/api/details/{journey.code}").json()["order"]
    assert details["payment_pending"] is True
    assert details["message"] == ("Received" if status == 1 else "Confirmed")
    assert audit() == ""
    stale = desk.paypal.events()[-1]
    decision = desk.paypal.decide(desk.captures()[0].id, "completed")
    desk.report(decision)
    assert (journey.payment.state, journey.order.payment_pending) == (S.CAPTURED, False)
    assert journey.order.status == (1 if call == DEPOSIT else 4)
    desk.report(stale)
    assert journey.payment.state == S.CAPTURED
    assert audit() == ""


@pytest.mark.parametrize("call", [DEPOSIT, BALANCE])
def test_under_review_then_denied(desk: Desk, call: str) -> None:
    product = make_product(on_hand=20)
    journey = desk.deposit([(product, 20)]) if call == DEPOSIT else desk.balance([(product, 20)])
    desk.paypal.fault("pending", "execute")
    journey.pay()
    assert stock_of(product) == (20, 20, 0)
    desk.report(desk.paypal.decide(desk.captures()[0].id, "denied"))
    order = journey.order
    assert (journey.payment.state, journey.payment.reason) == (S.FAILED, "denied")
    assert (order.payment_pending, order.received) == (False, 0 if call == DEPOSIT else 90)
    assert stock_of(product) == (20, 0 if call == DEPOSIT else 20, 0)
    assert Email.objects.filter(subject=f"PayPal payment: {journey.code}").count() == 1
    assert audit() == ""
    if call == DEPOSIT:
        start_preparing(order_id=order.pk, actor=make_sales(), now=datetime.now(UTC))
        assert stock_of(product) == (20, 20, 0)
        assert audit() == ""
    else:
        assert desk.link_balance(order).pay().json()["status_id"] == 4


def test_a_review_is_asked_for_without_events(desk: Desk) -> None:
    journey = desk.deposit()
    desk.paypal.fault("pending", "execute")
    journey.pay()
    for _ in range(8):
        desk.wait(minutes(61))
    assert journey.payment.state == S.PENDING
    desk.paypal.decide(desk.captures()[0].id, "completed")
    desk.wait(minutes(61))
    assert journey.payment.state == S.CAPTURED
