"""What the bodies of PayPal's answers mean, in either API: money, states, refunds, payers
(design/paypal.md, A1, F).
"""

from decimal import Decimal
from typing import Any

import pytest

from apps.payments.paypal import PayPalPayments
from apps.payments.paypal_orders import PayPalOrders
from apps.payments.provider import Evidence, Outcome, RefundOutcome

TAKEN = ("completed", "partially_refunded", "refunded")
SALE_STATES: dict[str | None, Outcome] = {
    **dict.fromkeys(TAKEN, Outcome.CAPTURED),
    "pending": Outcome.PENDING,
    "denied": Outcome.DENIED,
    "reversed": Outcome.REVERSED,
    **dict.fromkeys(("of tomorrow", None), Outcome.UNKNOWN),
}
CAPTURE_STATES: dict[str | None, Outcome] = {
    **dict.fromkeys(map(str.upper, TAKEN), Outcome.CAPTURED),
    **dict.fromkeys(("DECLINED", "DENIED", "FAILED"), Outcome.DENIED),
    "PENDING": Outcome.PENDING,
    "REVERSED": Outcome.REVERSED,
    **dict.fromkeys(("OF_TOMORROW", None), Outcome.UNKNOWN),
}
REFUND_STATES: dict[str | None, RefundOutcome] = {
    "completed": RefundOutcome.COMPLETED,
    "pending": RefundOutcome.PENDING,
    **dict.fromkeys(("failed", "cancelled"), RefundOutcome.FAILED),
    **dict.fromkeys(("of tomorrow", None), RefundOutcome.UNKNOWN),
}


def payment(sale: Any = None, *, refund: Any = None, **changes: Any) -> Evidence:
    """Return what a payment of the first API says."""
    related = [{"sale": sale}] if sale is not None else []
    related += [{"refund": refund}] if refund else []
    ours = {"custom": "attempt", "invoice_number": "MHW-1-D", "related_resources": related}
    body = {"id": "PAYID-1", "state": "approved" if sale else "created", "transactions": [ours]}
    return PayPalPayments().evidence_of({**body, **changes}, debug_id="D")


def sale(**changes: Any) -> dict[str, Any]:
    amount = {"total": "93.15", "currency": "USD"}
    return {"id": "SALE-1", "state": "completed", "amount": amount, **changes}


def order(capture: Any = None, *, refunds: Any = None, **changes: Any) -> Evidence:
    """Return what an order of the second API says."""
    payments = {"captures": [capture] if capture else [], "refunds": refunds or []}
    ours = {"custom_id": "attempt", "invoice_id": "MHW-1-D", "payments": payments}
    body = {"id": "ORDER-1", "status": "COMPLETED", "purchase_units": [ours]}
    return PayPalOrders().evidence_of({**body, **changes}, debug_id="D")


def capture(**changes: Any) -> dict[str, Any]:
    amount = {"value": "93.15", "currency_code": "USD"}
    return {"id": "CAP-1", "status": "COMPLETED", "amount": amount, **changes}


SALE = payment(sale(reason_code="ECHECK"), payer={"payer_info": {"payer_id": "PAYER1"}})
CAPTURE = order(capture(status_details={"reason": "ECHECK"}), payer={"payer_id": "PAYER1"})


@pytest.mark.parametrize(
    ("evidence", "payment_id", "sale_id"),
    [(SALE, "PAYID-1", "SALE-1"), (CAPTURE, "ORDER-1", "CAP-1")],
)
def test_what_each_api_says_of_money_taken(
    evidence: Evidence, payment_id: str, sale_id: str
) -> None:
    assert evidence == Evidence(
        Outcome.CAPTURED,
        payment_id=payment_id,
        attempt="attempt",
        invoice_number="MHW-1-D",
        payer_id="PAYER1",
        sale_id=sale_id,
        sale_state="completed",
        amount=Decimal("93.15"),
        currency="USD",
        reason="ECHECK",
        debug_id="D",
    )


def test_what_a_state_means() -> None:
    assert {state: payment(sale(state=state)).outcome for state in SALE_STATES} == SALE_STATES
    shown = {state: order(capture(status=state)).outcome for state in CAPTURE_STATES}
    assert shown == CAPTURE_STATES


@pytest.mark.parametrize(
    ("state", "payer", "outcome"),
    [
        ("created", None, Outcome.WAITING),
        ("created", {"status": "VERIFIED"}, Outcome.WAITING),
        ("created", {"payer_info": {"payer_id": "PAYER1"}}, Outcome.APPROVED),
        ("approved", {"payer_info": {"payer_id": "PAYER1"}}, Outcome.UNKNOWN),
        ("failed", None, Outcome.FAILED),
        ("in_progress", None, Outcome.UNKNOWN),
        (None, None, Outcome.UNKNOWN),
    ],
)
def test_a_payment_without_a_sale(state: str | None, payer: Any, outcome: Outcome) -> None:
    assert payment(state=state, payer=payer).outcome is outcome


@pytest.mark.parametrize(
    ("status", "outcome"),
    [
        ("CREATED", Outcome.WAITING),
        ("SAVED", Outcome.WAITING),
        ("PAYER_ACTION_REQUIRED", Outcome.WAITING),
        ("APPROVED", Outcome.APPROVED),
        ("VOIDED", Outcome.FAILED),
        ("COMPLETED", Outcome.UNKNOWN),
        (None, Outcome.UNKNOWN),
    ],
)
def test_an_order_without_a_capture(status: str | None, outcome: Outcome) -> None:
    assert order(status=status).outcome is outcome


@pytest.mark.parametrize(
    ("sold", "changes"),
    [
        (sale(), {"state": "created"}),
        (sale(), {"state": "failed"}),
        (sale(), {"id": ""}),
        (sale(id=""), {}),
    ],
)
def test_a_sale_counts_only_in_an_approved_payment_and_with_a_number(
    sold: Any, changes: dict[str, Any]
) -> None:
    assert payment(sold, **changes).outcome is Outcome.UNKNOWN


@pytest.mark.parametrize(
    ("value", "amount"),
    [
        ("93.15", "93.15"),
        ("-93.15", "93.15"),
        (93.15, "93.15"),
        ("93.150", "93.15"),
        ("NaN", None),
        ("Infinity", None),
        ("93,15", None),
        ("", None),
        (None, None),
        ({}, None),
    ],
)
def test_amounts_as_they_are_written(value: Any, amount: str | None) -> None:
    expected = None if amount is None else Decimal(amount)
    assert payment(sale(amount={"total": value, "currency": "USD"})).amount == expected
    assert order(capture(amount={"value": value, "currency_code": "USD"})).amount == expected


@pytest.mark.parametrize("amount", [None, "93.15", [], {}])
def test_what_is_no_amount_has_no_currency(amount: Any) -> None:
    for evidence in (payment(sale(amount=amount)), order(capture(amount=amount))):
        assert (evidence.amount, evidence.currency) == (None, "")


def test_refunds() -> None:
    for state, outcome in REFUND_STATES.items():
        number, upper_state = "MHW-1-D-R7", state and state.upper()
        values = {"id": "R-1", "state": state, "amount": {"total": "-5.00"}}
        [first] = payment(sale(), refund={**values, "invoice_number": number}).refunds
        upper = {"id": "R-1", "status": upper_state, "amount": {"value": "5.00"}}
        upper["invoice_id"] = number
        [second] = order(capture(), refunds=[upper]).refunds
        for refund in (first, second):
            assert (refund.outcome, refund.refund_id) == (outcome, "R-1")
            assert refund.amount == Decimal("5.00")
            assert refund.invoice_number == "MHW-1-D-R7"
            assert refund.reason == ("" if state == "completed" else state or "")


def test_a_capture_counts_only_with_a_number() -> None:
    assert order(capture(id="")).outcome is Outcome.UNKNOWN


def test_a_refund_without_a_number_says_nothing() -> None:
    [refund] = payment(sale(), refund={"state": "completed", "amount": {"total": "5.00"}}).refunds
    assert (refund.outcome, refund.refund_id) == (RefundOutcome.UNKNOWN, "")


@pytest.mark.parametrize(
    "body", [{}, {"id": "X", "transactions": "none"}, {"id": "X", "payer": "me"}]
)
def test_a_body_of_another_shape_is_no_answer(body: dict[str, Any]) -> None:
    for api in (PayPalPayments(), PayPalOrders()):
        assert api.evidence_of(body, debug_id="").outcome is Outcome.UNKNOWN
