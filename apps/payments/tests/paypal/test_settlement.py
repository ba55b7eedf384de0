"""Answers that are lost or late, and browsers that never come back (design/paypal.md, tests 11 to
19).
"""

from typing import Any

import pytest
from post_office.models import Email

from apps.catalog.models import StockHold
from apps.catalog.tests.factories import make_product
from apps.common.tests.kills import Killed
from apps.orders.errors import StaffRefusal
from apps.orders.models import Order
from apps.orders.tests.factories import make_draft, stock_of
from apps.payments.gateway import provider_of
from apps.payments.models import Payment
from apps.payments.provider import Outcome
from apps.payments.services import confirm
from apps.payments.tests.factories import book, cancel
from apps.payments.tests.paypal.support import (
    BALANCE,
    DEPOSIT,
    PENDING,
    REFUSED,
    Desk,
    S,
    audit,
    journey_of,
    minutes,
    money,
    outcome,
)

LOST = ["timeout_after", "500_after", "reset_after", "drip", "malformed_json", "empty_200"]
UNDONE = [
    *("timeout_before", "500_before", "reset_before", "html_400", "html_502", "redirect_302"),
    *("503", "429"),
]
# What an answer means is read before the kind of payment is looked at: a balance needs one of each.
UNANSWERED = [
    *((kind, DEPOSIT) for kind in (*LOST, *UNDONE)),
    ("reset_after", BALANCE),
    ("500_before", BALANCE),
]


# 11 to 14: no definite answer


@pytest.mark.parametrize(("kind", "call"), UNANSWERED)
def test_an_answer_that_never_came(desk: Desk, kind: str, call: str) -> None:
    journey = journey_of(desk, call)
    payer = journey.approve()
    desk.paypal.fault(kind, "execute")
    assert journey.come_back(payer).json() == {"success": 0}
    assert (journey.payment.state, journey.payment.received) == (S.UNKNOWN, 0)
    assert Order.objects.filter(status__in=(1, 4)).count() == 0
    assert journey.come_back(payer).json() == {"success": 0}
    if call == DEPOSIT:
        assert outcome(desk.api.send("DELETE", f"/api/temp-order/{journey.code}")) == PENDING
        info = desk.api.get(f"/api/temp-order-info/stock/{journey.code}").json()["result"][
            "temp_order"
        ]
        assert info["payment_pending"] is True
    else:
        assert journey.order.payment_pending is True
    desk.wait(minutes(0.3))
    assert (journey.payment.state, len(desk.captures())) == (S.CAPTURED, 1)
    keys = {call.request_id for call in desk.paypal.calls("execute")}
    assert (len(keys), desk.executions()) == (1, 1 if kind in LOST else 2)
    status = 1 if call == DEPOSIT else 4
    shown = journey.come_back(payer).json()
    assert shown == {"success": 1, "invoice_code": journey.code, "status_id": status}
    assert (journey.order.status, journey.order.payment_pending) == (status, False)
    assert audit() == ""


def test_what_is_refused_while_the_answer_is_unknown(desk: Desk) -> None:
    journey = desk.balance()
    desk.paypal.fault("reset_after", "execute")
    journey.pay()
    order = journey.order
    assert desk.post(BALANCE, {"invoice_code": journey.code}) == PENDING
    wire = {"invoice_code": journey.code, "depositor_name": "Glow"}
    assert desk.post("/api/order/tt", wire) == PENDING
    assert desk.post("/api/order/wallet", {"invoice_code": journey.code}) == PENDING
    with pytest.raises(StaffRefusal):
        cancel(order, by_terms=True)
    with pytest.raises(StaffRefusal, match="under way"):
        book(order)
    assert journey.give_up().json() == {"success": 1}
    assert journey.payment.state == S.UNKNOWN


def test_another_link_and_a_wire_are_refused_while_the_deposit_is_unknown(desk: Desk) -> None:
    draft = make_draft(desk.buyer)
    desk.paypal.fault("reset_after", "execute")
    desk.link_deposit(draft).pay()
    assert desk.post(DEPOSIT, desk.body(draft)) == PENDING
    assert desk.post_wire(draft) == PENDING
    desk.wait(minutes(1))
    assert audit() == ""


def test_paypal_gone_for_an_hour(desk: Desk) -> None:
    journey = desk.deposit()
    payer = journey.approve()
    desk.paypal.fault("503", "any", calls=None)
    journey.come_back(payer)
    for pause in (0.3, 0.6, 1.1, 2.1, 5.1, 10.1, 61):
        desk.wait(minutes(pause))
        assert journey.payment.state == S.UNKNOWN
    assert journey.payment.alarm
    assert Email.objects.filter(subject=f"PayPal payment: {journey.code}").count() == 1
    desk.paypal.faults.clear()
    desk.wait(minutes(61))
    assert (journey.payment.state, journey.payment.alarm) == (S.CAPTURED, "")
    assert len(desk.captures()) == 1


def test_not_repeated_for_an_order_that_cannot_be_paid_any_more(desk: Desk) -> None:
    journey = desk.balance()
    payer = journey.approve()
    desk.paypal.fault("reset_before", "execute")
    journey.come_back(payer)
    Order.objects.filter(invoice_code=journey.code).update(shipping_fee=money("60.00"))
    for pause in (0.3, 1, 12):
        desk.wait(minutes(pause))
    assert (journey.payment.state, len(desk.captures())) == (S.FAILED, 0)
    assert journey.order.payment_pending is False


def test_expired_at_paypal(desk: Desk) -> None:
    journey = desk.deposit()
    desk.paypal.fault("expired", "execute")
    assert outcome(journey.pay()) == REFUSED
    assert (journey.payment.state, StockHold.objects.count()) == (S.EXPIRED, 0)


# 15 to 18: who settles


def test_killed_between_execution_and_settlement(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    journey = desk.deposit()
    payer = journey.approve()

    def die(**_: Any) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(confirm, "settle", die)
        with pytest.raises(Killed):
            journey.come_back(payer)
    assert journey.payment.state == S.EXECUTING
    assert journey.come_back(payer).json() == {"success": 0}
    desk.wait(minutes(1))
    assert journey.payment.state == S.EXECUTING, "somebody may still be waiting"
    desk.wait(minutes(0.6))
    assert journey.payment.state == S.CAPTURED
    assert (journey.order.status, desk.executions()) == (1, 1)
    assert audit() == ""


def test_no_lock_while_paypal_hangs(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    journey = desk.balance()
    payer = journey.approve()
    provider = provider_of(journey.payment)
    execute = provider.execute
    states = []

    def meanwhile(payment: Payment) -> Any:
        evidence = execute(payment)
        from concurrent.futures import ThreadPoolExecutor

        from django.db import connection

        def update() -> int:
            try:
                return Order.objects.filter(invoice_code=journey.code).update(memo="meanwhile")
            finally:
                connection.close()

        with ThreadPoolExecutor(1) as pool:
            states.append(pool.submit(update).result(timeout=10))
        return evidence

    monkeypatch.setattr(provider, "execute", meanwhile)
    desk.paypal.fault("timeout_before", "execute")
    assert journey.come_back(payer).json() == {"success": 0}
    assert states == [1]


@pytest.mark.parametrize("call", [DEPOSIT, BALANCE])
def test_captured_already(desk: Desk, call: str) -> None:
    """PayPal answers "already done" to our execution: what it holds decides."""
    journey = journey_of(desk, call)
    payer = journey.approve()
    payment = journey.payment
    payment.payer_id, payment.execute_key = payer, "0b6c9d52-8d0e-4a55-9b1e-0d6a4f3f7a11"
    assert provider_of(payment).execute(payment).outcome is Outcome.CAPTURED
    assert journey.come_back(payer).json()["success"] == 1
    assert (journey.payment.state, len(desk.captures())) == (S.CAPTURED, 1)
    assert audit() == ""


def test_a_webhook_before_the_answer(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    journey = desk.deposit()
    payer = journey.approve()
    provider = provider_of(journey.payment)
    execute = provider.execute

    def slowly(payment: Payment) -> Any:
        evidence = execute(payment)
        event = desk.paypal.events()[-1]
        assert desk.deliver(event).json() == {"success": 1}
        desk.wait(minutes(0))
        assert journey.payment.state == S.CAPTURED
        return evidence

    monkeypatch.setattr(provider, "execute", slowly)
    assert journey.come_back(payer).json()["success"] == 1
    assert (Order.objects.count(), journey.order.received) == (1, 90)
    assert journey.payment.events.filter(to_state="captured").count() == 1
    assert audit() == ""


# 19: the browser that never comes back


@pytest.mark.parametrize("call", [DEPOSIT, BALANCE])
def test_closed_after_pay(desk: Desk, call: str) -> None:
    journey = journey_of(desk, call)
    journey.approve()
    assert desk.wait(minutes(1)) == 0
    desk.wait(minutes(1.1))
    assert journey.payment.state == S.CAPTURED
    assert journey.order.status == (1 if call == DEPOSIT else 4)
    assert audit() == ""


@pytest.mark.parametrize("call", [DEPOSIT, BALANCE])
def test_closed_before_pay(desk: Desk, call: str) -> None:
    journey = journey_of(desk, call)
    for _ in range(7):
        desk.wait(minutes(10))
    assert journey.payment.state == S.CREATED
    assert not StockHold.objects.exists()
    for _ in range(12):
        desk.wait(minutes(10))
    assert (journey.payment.state, journey.payment.reason) == (S.EXPIRED, "expired")
    assert len(desk.paypal.calls("get")) <= 5
    assert audit() == ""


def test_the_asker_died_before_the_link_came(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    from apps.payments.services import deposit

    def die(*_: Any, **__: Any) -> None:
        raise Killed

    product = make_product(on_hand=20)
    draft = make_draft(desk.buyer, [(product, 20)])
    with monkeypatch.context() as patch:
        patch.setattr(deposit, "lock_attempt", die)
        with pytest.raises(Killed):
            desk.link_deposit(draft)
    desk.wait(minutes(2.1))
    assert (Payment.objects.get().state, stock_of(product)) == (S.FAILED, (20, 0, 0))
