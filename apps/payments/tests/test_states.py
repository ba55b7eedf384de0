"""A payment's life: its moves, its one writer, and what the database itself refuses
(design/paypal.md, B2).
"""

from datetime import UTC, datetime
from decimal import Decimal
from uuid import uuid4

import pytest
from django.db import IntegrityError, transaction

from apps.accounts.selectors import Buyer
from apps.common.errors import WrongStatus
from apps.orders.tests.factories import make_sales
from apps.payments.models import Payment
from apps.payments.services.moves import move_payment, record_remark
from apps.payments.states import (
    BROUGHT_MONEY,
    FIRST,
    MOVES,
    PAYPAL_STATES,
    WIRE_STATES,
    PaymentState,
    check_move,
)

S = PaymentState
NOW = datetime.now(UTC)
# Written out once more, so that a move that comes or goes is a decision.
LIFE = {
    "announced": "captured refused",
    "created": "approved failed expired pending captured held reversed",
    "approved": "executing failed expired pending captured held reversed",
    "executing": "unknown created failed expired pending captured held reversed",
    "unknown": "created failed expired pending captured held reversed",
    "pending": "captured held failed reversed",
    "captured": "partially_refunded refunded reversed",
    "partially_refunded": "partially_refunded refunded reversed",
    "held": "captured refunded reversed",
    "failed": "pending captured held reversed",
    "expired": "pending captured held reversed",
    "reversed": "refunded",
    "refunded": "",
    "refused": "",
}
ALLOWED = {(S(before), S(after)) for before, targets in LIFE.items() for after in targets.split()}


def make_payment(buyer: Buyer, state: PaymentState, **fields: object) -> Payment:
    """Return a stored payment of 90.00 in a state, without a history."""
    method = Payment.Method.WIRE if state in (S.ANNOUNCED, S.REFUSED) else Payment.Method.PAYPAL
    whose = {"company_id": buyer.company_id, "user_id": buyer.id}
    what = {"method": method, "kind": Payment.Kind.DEPOSIT, "state": state, "created_at": NOW}
    known = {"invoice_code": f"MHW-{uuid4().hex[:8]}", "base": Decimal(90), "amount": Decimal(90)}
    return Payment.objects.create(**{**whose, **what, **known, **fields})


def test_the_mapping_has_every_state_and_these_moves_alone() -> None:
    assert set(MOVES) == set(S)
    assert {(before, after) for before in MOVES for after in MOVES[before]} == ALLOWED
    assert {S.CREATED, S.CAPTURED} == FIRST


def test_every_state_is_reached_from_a_first_one() -> None:
    reached, fresh = set[PaymentState](), {S.ANNOUNCED, *FIRST}
    while fresh:
        reached |= fresh
        fresh = {after for before in fresh for after in MOVES[before]} - reached
    assert reached == set(S)


@pytest.mark.parametrize("before", S)
def test_the_moves_from_a_state(buyer: Buyer, before: PaymentState) -> None:
    for after in S:
        payment = make_payment(buyer, before)
        if (before, after) not in ALLOWED:
            with pytest.raises(WrongStatus):
                move_payment(payment, after, source="admin", now=NOW, reason="because")
            assert not payment.events.exists()
            assert (payment.state, payment.reason) == (before, "")
            assert stored(payment) == (before, "")
            continue
        move_payment(
            payment, after, source="webhook", note="As PayPal says", now=NOW, reason="because"
        )
        assert stored(payment) == (payment.state, payment.reason) == (after, "because")
        event = payment.events.get()
        assert (event.from_state, event.to_state) == (before, after)
        assert (event.source, event.note, event.at) == ("webhook", "As PayPal says", NOW)


def stored(payment: Payment) -> tuple[str, str]:
    row = Payment.objects.get(pk=payment.pk)
    return row.state, row.reason


def test_where_a_new_payment_begins() -> None:
    for state in S:
        if state in FIRST:
            check_move(None, state)
        else:
            with pytest.raises(WrongStatus):
                check_move(None, state)


def test_a_state_that_somebody_else_moved_meanwhile_is_not_moved_again(buyer: Buyer) -> None:
    payment = make_payment(buyer, S.UNKNOWN)
    move_payment(Payment.objects.get(), S.CAPTURED, source="webhook", now=NOW)
    with pytest.raises(WrongStatus):
        move_payment(payment, S.FAILED, source="reconciler", now=NOW, reason="nothing taken")
    stored = Payment.objects.get()
    assert (stored.state, stored.reason, stored.events.count()) == (S.CAPTURED, "", 1)


def test_a_move_is_the_answer_that_was_missing(buyer: Buyer) -> None:
    silent = make_payment(buyer, S.UNKNOWN, alarm="PayPal gives no definite answer")
    failed = make_payment(buyer, S.CAPTURED, alarm="A refund of $5.00 failed")
    move_payment(silent, S.FAILED, source="reconciler", now=NOW)
    move_payment(failed, S.REVERSED, source="webhook", now=NOW)
    assert [row.alarm for row in Payment.objects.order_by("pk")] == ["", "A refund of $5.00 failed"]


def test_a_remark_moves_nothing(buyer: Buyer) -> None:
    payment, sales = make_payment(buyer, S.REVERSED), make_sales()
    record_remark(payment, source="admin", note="x" * 600, actor=sales, now=NOW)
    event = payment.events.get()
    assert (event.from_state, event.to_state, event.actor) == (S.REVERSED, S.REVERSED, sales)
    assert len(event.note) == 500


def test_the_database_knows_the_states_of_a_method(buyer: Buyer) -> None:
    known = {"T/T": WIRE_STATES, "PAYPAL": PAYPAL_STATES, "WALLET": (S.CAPTURED,), "CASH": ()}
    for method, states in known.items():
        for state in set(S) - set(states):
            with (
                pytest.raises(IntegrityError, match="payment_state_of_method"),
                transaction.atomic(),
            ):
                make_payment(buyer, state, method=method)


def test_the_database_knows_what_brings_money(buyer: Buyer) -> None:
    for state in S:
        if state in BROUGHT_MONEY:
            assert make_payment(buyer, state, received=Decimal("0.01")).pk
            continue
        with pytest.raises(IntegrityError, match="payment_received_state"), transaction.atomic():
            make_payment(buyer, state, received=Decimal("0.01"))
