"""What is done with what a provider reports of money: amounts, late money, refunds, times
(design/paypal.md, B3).
"""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest

from apps.accounts.selectors import Buyer
from apps.catalog.models import StockHold
from apps.common.texts import read
from apps.orders.errors import StaffRefusal
from apps.orders.models import Order
from apps.orders.tests.factories import make_draft, make_sales
from apps.payments.models import Payment, Refund
from apps.payments.provider import Evidence, Outcome, RefundOutcome, RefundResult
from apps.payments.services.confirm import execute_attempt
from apps.payments.services.held import book_held
from apps.payments.services.reconcile import check_attempt
from apps.payments.services.settle import settle
from apps.payments.states import PaymentState
from apps.payments.sweeps import reconcile
from apps.payments.tests.factories import cancel, make_confirmed_order
from apps.payments.tests.provider import (
    PAYER,
    Provider,
    captured,
    linked_balance,
    linked_deposit,
    provider,
)

__all__ = ["provider"]

# The journeys with PayPal run the same statements on each database.

S = PaymentState
NOW = datetime.now(UTC)
MINUTE = timedelta(minutes=1)


@pytest.fixture
def deposit(provider: Provider, buyer: Buyer) -> Payment:
    """Return the attempt of a deposit of 90.00, with a fee of 3.15."""
    return linked_deposit(buyer, make_draft(buyer, now=NOW), now=NOW)


@pytest.fixture
def balance(provider: Provider, buyer: Buyer) -> Payment:
    """Return the attempt of a confirmed order's balance of 50.00, with a fee of 1.75."""
    return linked_balance(buyer, make_confirmed_order(buyer), now=NOW)


def execute(
    payment: Payment, provider: Provider, evidence: Evidence, *, now: datetime = NOW
) -> Payment:
    """Let the buyer return; PayPal answers the execution with evidence."""
    provider.evidence = evidence
    return execute_attempt(payment_id=payment.pk, payer_id=PAYER, source="return", now=now)


def report(payment: Payment, evidence: Evidence, *, now: datetime = NOW) -> Payment:
    """Bring evidence to an attempt, as an event does."""
    return settle(payment_id=payment.pk, evidence=evidence, source="webhook", now=now)


def end(payment: Payment, state: PaymentState) -> None:
    Payment.objects.filter(pk=payment.pk).update(state=state)


def order_of(payment: Payment) -> Order:
    return Order.objects.get(invoice_code=payment.invoice_code)


# What was taken


def test_what_was_asked_for_is_received_without_the_fee(
    deposit: Payment, provider: Provider
) -> None:
    payment = execute(deposit, provider, captured(deposit))
    assert (payment.state, payment.received, payment.taken) == (S.CAPTURED, 90, None)
    assert payment.sale_state == "completed"
    assert (order_of(payment).received, order_of(payment).deposit_received) == (90, 90)
    assert (payment.settled_at, payment.next_check_at, payment.alarm) == (NOW, None, "")


@pytest.mark.parametrize(
    ("change", "note", "taken"),
    [
        ({"payment_id": "PAYID-OTHER"}, "payment", None),
        ({"attempt": "another"}, "attempt", None),
        ({"attempt": ""}, "attempt", None),
        ({"invoice_number": "MHW-OTHER-D"}, "invoice number", None),
        ({"amount": Decimal("93.14")}, "amount", "93.14"),
        ({"amount": Decimal("93.16")}, "amount", "93.16"),
        ({"amount": None}, "amount", None),
        ({"currency": "EUR"}, "currency", None),
        ({"currency": ""}, "currency", None),
        ({"currency": "KRW", "amount": Decimal("93150")}, "amount, currency", None),
    ],
)
def test_what_was_not_asked_for_is_held(
    deposit: Payment, provider: Provider, change: dict[str, Any], note: str, taken: str | None
) -> None:
    payment = execute(deposit, provider, captured(deposit, **change))
    assert (payment.state, payment.received) == (S.HELD, 0)
    assert read(payment.reason) == f"Not as asked for: {note}"
    assert payment.taken == (Decimal(taken) if taken else None), "known in dollars only"
    assert read(payment.alarm) == f"Not as asked for: {note}; it is held"
    assert not Order.objects.exists()
    assert not StockHold.objects.exists()
    assert not Refund.objects.exists(), "staff look first"


def test_a_sale_pays_one_attempt(deposit: Payment, balance: Payment, provider: Provider) -> None:
    first = execute(deposit, provider, captured(deposit, sale_id="SALE-1"))
    second = execute(balance, provider, captured(balance, sale_id="SALE-1"))
    assert (first.sale_id, second.sale_id) == ("SALE-1", None)


def test_more_of_the_same_evidence_changes_nothing(deposit: Payment, provider: Provider) -> None:
    execute(deposit, provider, captured(deposit))
    payment = report(
        deposit, captured(deposit, amount=Decimal("1.00"), sale_state="other"), now=NOW + MINUTE
    )
    assert (payment.state, payment.received, payment.taken) == (S.CAPTURED, 90, None)
    assert payment.settled_at == NOW
    assert order_of(payment).received == 90


# When late money is taken


@pytest.mark.parametrize(
    ("state", "fee", "outcome"),
    [
        (S.UNKNOWN, "50.00", S.CAPTURED),
        (S.UNKNOWN, "50.01", S.CAPTURED),  # taken while the order was watched: the rest stays due
        (S.UNKNOWN, "49.99", S.HELD),
        (S.PENDING, "50.01", S.CAPTURED),
        (S.PENDING, "49.99", S.HELD),
        (S.EXPIRED, "50.00", S.CAPTURED),
        (S.EXPIRED, "50.01", S.HELD),  # late, and the order asks for something else by now
        (S.EXPIRED, "49.99", S.HELD),
        (S.FAILED, "50.00", S.CAPTURED),
        (S.FAILED, "50.01", S.HELD),
        (S.CREATED, "50.01", S.HELD),
    ],
)
def test_a_balance_whose_due_changed(
    balance: Payment, state: PaymentState, fee: str, outcome: PaymentState
) -> None:
    end(balance, state)
    Order.objects.update(shipping_fee=Decimal(fee))
    payment = report(balance, captured(balance))
    order = order_of(payment)
    assert payment.state == outcome
    if outcome == S.HELD:
        assert (payment.received, order.received, order.status) == (0, 90, 3)
        assert order.payment_pending is False
        refund = Refund.objects.get()
        assert (refund.amount, refund.state) == (Decimal("51.75"), "queued")
        assert refund.next_check_at == NOW
        assert payment.alarm == "The order cannot take this money; it is being sent back"
    else:
        assert (payment.received, order.received) == (50, 140)
        assert order.status == (4 if fee == "50.00" else 3)


def test_a_second_attempts_money_is_sent_back(
    buyer: Buyer, balance: Payment, provider: Provider
) -> None:
    end(balance, S.EXPIRED)
    second = linked_balance(buyer, order_of(balance), now=NOW)
    execute(second, provider, Evidence(Outcome.UNKNOWN))
    payment = report(balance, captured(balance))
    assert (payment.state, Refund.objects.get().payment_id) == (S.HELD, payment.pk)
    assert report(second, captured(second)).state == S.CAPTURED


def test_late_money_of_a_cancelled_order_is_sent_back(deposit: Payment, provider: Provider) -> None:
    execute(deposit, provider, captured(deposit, outcome=Outcome.PENDING))
    report(deposit, captured(deposit, outcome=Outcome.DENIED))
    cancel(order_of(deposit))
    payment = report(deposit, captured(deposit))
    assert (payment.state, order_of(payment).received) == (S.HELD, 0)
    assert Refund.objects.get().amount == Decimal("93.15")


def test_late_review_of_money_the_order_cannot_take_is_waited_for(balance: Payment) -> None:
    end(balance, S.EXPIRED)
    Order.objects.update(shipping_fee=Decimal("60.00"))
    payment = report(balance, captured(balance, outcome=Outcome.PENDING, reason="ECHECK"))
    assert (payment.state, payment.reason) == (S.EXPIRED, "ECHECK")
    assert payment.next_check_at == NOW + MINUTE / 4
    assert not order_of(payment).payment_pending


# What nobody took


@pytest.mark.parametrize(
    ("outcome", "state", "alarm"),
    [
        (Outcome.DECLINED, S.FAILED, ""),
        (Outcome.FAILED, S.FAILED, ""),
        (Outcome.DENIED, S.FAILED, ""),
        (Outcome.GONE, S.EXPIRED, ""),
        (Outcome.REFUSED, S.FAILED, "PayPal refused the request: WHY"),
        (Outcome.DUPLICATE, S.FAILED, "PayPal knows a payment with this invoice number: WHY"),
        (Outcome.WAITING, S.CREATED, ""),
        (Outcome.APPROVED, S.UNKNOWN, ""),
        (Outcome.UNKNOWN, S.UNKNOWN, ""),
    ],
)
def test_an_answer_without_money(
    deposit: Payment, provider: Provider, outcome: Outcome, state: PaymentState, alarm: str
) -> None:
    payment = execute(deposit, provider, Evidence(outcome, reason="WHY"))
    assert (payment.state, payment.received, read(payment.alarm)) == (state, 0, alarm)
    if state in (S.FAILED, S.EXPIRED):
        assert (payment.reason, payment.next_check_at, payment.settled_at) == ("WHY", None, NOW)
    if outcome is Outcome.WAITING:
        assert (payment.payer_id, payment.executing_since) == ("", None)
        assert payment.execute_key != deposit.execute_key, "the old key stands for the refusal"
        assert payment.next_check_at == NOW + 2 * MINUTE


@pytest.mark.parametrize("state", [S.CREATED, S.PENDING, S.CAPTURED, S.HELD, S.FAILED, S.REFUNDED])
@pytest.mark.parametrize(
    "outcome", [Outcome.WAITING, Outcome.DECLINED, Outcome.GONE, Outcome.UNKNOWN]
)
def test_what_is_not_in_flight_is_not_ended_by_an_answer_without_money(
    deposit: Payment, state: PaymentState, outcome: Outcome
) -> None:
    end(deposit, state)
    assert report(deposit, Evidence(outcome)).state == state


def test_only_what_may_have_been_taken_is_denied(deposit: Payment) -> None:
    for state in (S.CREATED, S.EXPIRED, S.CAPTURED, S.HELD, S.REFUNDED):
        end(deposit, state)
        assert report(deposit, captured(deposit, outcome=Outcome.DENIED)).state == state


@pytest.mark.parametrize(
    ("since", "refusals", "state", "alarm"),
    [
        (9.9, 1, S.UNKNOWN, ""),
        (10, 0, S.UNKNOWN, ""),
        (10, 1, S.FAILED, ""),
        (29, 0, S.UNKNOWN, ""),
        (30, 0, S.UNKNOWN, "PayPal gives no definite answer"),
    ],
)
def test_when_silence_ends(
    deposit: Payment,
    provider: Provider,
    since: float,
    refusals: int,
    state: PaymentState,
    alarm: str,
) -> None:
    execute(deposit, provider, Evidence(Outcome.UNKNOWN))
    now = NOW + since * MINUTE
    Payment.objects.update(refusals=refusals, next_check_at=now)
    provider.evidence = Evidence(Outcome.GONE)
    check_attempt(payment_id=deposit.pk, now=now)
    payment = Payment.objects.get()
    assert (payment.state, read(payment.alarm)) == (state, alarm)


def test_no_answer_is_no_no(deposit: Payment, provider: Provider) -> None:
    execute(deposit, provider, Evidence(Outcome.UNKNOWN))
    Payment.objects.update(refusals=1, next_check_at=NOW + 20 * MINUTE)
    check_attempt(payment_id=deposit.pk, now=NOW + 20 * MINUTE)
    payment = Payment.objects.get()
    assert (payment.state, payment.refusals) == (S.UNKNOWN, 0)


# The link's times


def test_a_link_is_finished_for_the_buyer_while_its_hold_lasts(
    deposit: Payment, provider: Provider
) -> None:
    provider.evidence = replace(captured(deposit), outcome=Outcome.APPROVED)
    for minutes, state in ((60, S.CREATED), (59.9, S.UNKNOWN)):
        now = NOW + minutes * MINUTE
        Payment.objects.update(next_check_at=now)
        check_attempt(payment_id=deposit.pk, now=now)
        assert Payment.objects.get().state == state, minutes


def test_an_approval_without_a_payer_is_none(deposit: Payment, provider: Provider) -> None:
    provider.evidence = captured(deposit, outcome=Outcome.APPROVED, payer_id="")
    Payment.objects.update(next_check_at=NOW + MINUTE)
    check_attempt(payment_id=deposit.pk, now=NOW + MINUTE)
    assert Payment.objects.get().state == S.CREATED


def test_a_link_ends_after_three_hours(deposit: Payment, provider: Provider) -> None:
    provider.evidence = Evidence(Outcome.WAITING)
    assert deposit.next_check_at == NOW + 2 * MINUTE
    for minutes, state, again in ((179.9, S.CREATED, 180), (180, S.EXPIRED, None)):
        now = NOW + minutes * MINUTE
        Payment.objects.update(next_check_at=now)
        check_attempt(payment_id=deposit.pk, now=now)
        payment = Payment.objects.get()
        assert (payment.state, payment.next_check_at) == (state, again and NOW + again * MINUTE)


def test_an_execution_nobody_waits_for_is_asked_about_after_90_seconds(
    deposit: Payment, provider: Provider
) -> None:
    execute(deposit, provider, Evidence(Outcome.UNKNOWN))
    Payment.objects.update(state=S.EXECUTING, next_check_at=NOW + 1.5 * MINUTE)
    provider.evidence = captured(deposit)
    assert reconcile(NOW + 1.49 * MINUTE) == 0
    assert reconcile(NOW + 1.5 * MINUTE) == 1
    assert Payment.objects.get().state == S.CAPTURED


# Refunds as they are reported


def sent_back(amount: str, number: str = "R-1") -> RefundResult:
    return RefundResult(RefundOutcome.COMPLETED, refund_id=number, amount=Decimal(amount))


def test_refunds_that_the_portal_did_not_send_are_learned_once(
    deposit: Payment, provider: Provider
) -> None:
    execute(deposit, provider, captured(deposit))
    for _ in range(2):
        payment = report(
            deposit, captured(deposit, refunds=(sent_back("10.00"), sent_back("5.00", "R-2")))
        )
    shown = list(Refund.objects.values_list("refund_id", "amount", "state"))
    assert shown == [("R-1", 10, "completed"), ("R-2", 5, "completed")]
    assert (payment.state, payment.received) == (S.PARTIALLY_REFUNDED, 75)
    assert order_of(payment).received == 75


def test_a_refund_of_all_leaves_nothing(deposit: Payment, provider: Provider) -> None:
    execute(deposit, provider, captured(deposit))
    payment = report(deposit, captured(deposit, refunds=(sent_back("93.15"),)))
    assert (payment.state, payment.received, order_of(payment).received) == (S.REFUNDED, 0, 0)
    payment = report(
        deposit, captured(deposit, refunds=(sent_back("93.15"), sent_back("1.00", "R-2")))
    )
    assert (payment.state, payment.received) == (S.REFUNDED, 0)


def test_the_fee_goes_back_after_the_orders_share(deposit: Payment, provider: Provider) -> None:
    execute(deposit, provider, captured(deposit))
    payment = report(deposit, captured(deposit, refunds=(sent_back("90.00"),)))
    assert (payment.state, payment.received) == (S.PARTIALLY_REFUNDED, 0)


@pytest.mark.parametrize(
    ("change", "state"),
    [
        ({"outcome": RefundOutcome.PENDING}, "pending"),
        ({"outcome": RefundOutcome.FAILED, "reason": "WHY"}, "failed"),
        ({"outcome": RefundOutcome.UNKNOWN}, "queued"),
    ],
)
def test_only_a_completed_refund_takes_money_off_the_order(
    deposit: Payment, provider: Provider, change: dict[str, Any], state: str
) -> None:
    execute(deposit, provider, captured(deposit))
    payment = report(deposit, captured(deposit, refunds=(replace(sent_back("10.00"), **change),)))
    assert (Refund.objects.get().state, payment.state, payment.received) == (state, S.CAPTURED, 90)
    assert read(payment.alarm) == ("A refund of $10.00 failed: WHY" if state == "failed" else "")
    assert (Refund.objects.get().next_check_at is None) == (state == "failed")


@pytest.mark.parametrize("change", [{"refund_id": ""}, {"amount": None}, {"amount": Decimal(0)}])
def test_a_refund_without_a_number_or_an_amount_is_none(
    deposit: Payment, provider: Provider, change: dict[str, Any]
) -> None:
    execute(deposit, provider, captured(deposit))
    report(deposit, captured(deposit, refunds=(replace(sent_back("10.00"), **change),)))
    assert not Refund.objects.exists()


def test_part_of_held_money_leaves_it_held_and_of_reversed_money_reversed(
    deposit: Payment, provider: Provider
) -> None:
    evidence = captured(deposit, amount=Decimal("93.14"))
    payment = execute(deposit, provider, evidence)
    payment = report(deposit, replace(evidence, refunds=(sent_back("10.00"),)))
    assert (payment.state, payment.received) == (S.HELD, 0)
    end(deposit, S.REVERSED)
    payment = report(deposit, replace(evidence, refunds=(sent_back("10.00", "R-2"),)))
    assert (payment.state, payment.received) == (S.REVERSED, 0)
    payment = report(deposit, replace(evidence, refunds=(sent_back("73.14", "R-3"),)))
    assert payment.state == S.REFUNDED


# Money taken back


@pytest.mark.parametrize("state", [S.CREATED, S.UNKNOWN, S.EXPIRED, S.HELD])
def test_money_that_came_and_went_unseen_is_told_to_staff(
    deposit: Payment, state: PaymentState
) -> None:
    end(deposit, state)
    payment = report(deposit, captured(deposit, outcome=Outcome.REVERSED))
    assert (payment.state, payment.received, payment.next_check_at) == (S.REVERSED, 0, None)
    assert payment.alarm == "PayPal took the payment back"


def test_a_refunded_payment_is_not_taken_back(deposit: Payment) -> None:
    end(deposit, S.REFUNDED)
    payment = report(deposit, captured(deposit, outcome=Outcome.REVERSED))
    assert (payment.state, payment.alarm) == (S.REFUNDED, "")


# Held money, before it is booked


@pytest.mark.parametrize(
    "change",
    [
        {"outcome": Outcome.UNKNOWN},
        {"outcome": Outcome.PENDING},
        {"sale_id": "SALE-OTHER"},
        {"amount": Decimal("93.15")},
        {"amount": Decimal("93.13")},
        {"currency": "EUR"},
    ],
)
def test_held_money_is_booked_only_if_paypal_still_has_it(
    deposit: Payment, provider: Provider, change: dict[str, Any]
) -> None:
    evidence = captured(deposit, amount=Decimal("93.14"))
    execute(deposit, provider, evidence)
    sales = make_sales()
    provider.evidence = replace(evidence, **change)
    fields: dict[str, Any] = {"payment_id": deposit.pk, "asked": Decimal("90.00")}
    fields |= {"reason": "x", "actor": sales, "now": NOW}
    with pytest.raises(StaffRefusal, match="PayPal does not say that it has this money"):
        book_held(**fields)
    provider.evidence = evidence
    assert (book_held(**fields).state, order_of(deposit).received) == (S.CAPTURED, Decimal("89.99"))
