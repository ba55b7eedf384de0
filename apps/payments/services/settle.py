"""The one function that moves money states, on a provider's evidence (design/paypal.md, B3.5 and
B3.11).
"""

from collections.abc import Callable
from datetime import datetime
from typing import Any
from uuid import uuid4

from django.db import transaction
from django.utils.translation import gettext_noop

from apps.accounts.selectors import Buyer
from apps.accounts.shipping import Shipping
from apps.catalog.errors import OutOfStock
from apps.catalog.services import holds
from apps.common.db.transactions import one_transaction
from apps.common.logs import log_event
from apps.common.money import dollars
from apps.common.nudge import nudge
from apps.common.texts import Text, joined
from apps.orders.selectors.orders import due_of
from apps.orders.services.lines import release_stock
from apps.orders.services.place import hold_stock, place_order
from apps.orders.services.request import claim_locked
from apps.orders.status import OrderStatus
from apps.payments import mail
from apps.payments.models import Payment, Refund
from apps.payments.provider import Evidence, Outcome
from apps.payments.rules import next_check
from apps.payments.services.moves import (
    DEPOSIT,
    MAX_REASON,
    Locked,
    close_attempt,
    fitted,
    forget_checkouts,
    has_live_sibling,
    lock_attempt,
    move_payment,
    raise_alarm,
    refresh_payment_flags,
)
from apps.payments.services.refunds import learn_refunds, take_back
from apps.payments.services.wallet import record_received
from apps.payments.states import CHARGED, IN_FLIGHT, UNSETTLED, PaymentState

SWEEP = "payments"
DENIED, DECLINED = gettext_noop("denied"), gettext_noop("declined")
NO_TAKER = gettext_noop("The order cannot take this money")
RETURNED_TEXT = gettext_noop("The order cannot take this money; it is being sent back")
TOOK_BACK = gettext_noop("PayPal took the payment back")


@one_transaction
def settle(*, payment_id: int, evidence: Evidence, source: str, now: datetime) -> Payment:
    """Move an attempt to what the evidence says of its money, once, however often and by whom it is
    brought.

    Deposit: the order is made. Balance: the order is paid. What an order cannot take is held and
    sent back.
    """
    locked = lock_attempt(payment_id)
    payment = locked.payment
    if evidence.debug_id:
        payment.debug_id = evidence.debug_id
        payment.save(update_fields=["debug_id"])
    STEPS[evidence.outcome](locked, evidence, source, now)
    return payment


def _captured(locked: Locked, evidence: Evidence, source: str, now: datetime) -> None:
    payment = locked.payment
    if payment.state in CHARGED:
        learn_refunds(locked, evidence.refunds, source=source, now=now)
        return
    if faults := mismatches(payment, evidence):
        log_event("payment_mismatch", payment=payment.uuid, fields=",".join(faults))
        _record_sale(payment, evidence)
        what = joined(", ", [Text(fault) for fault in faults])
        why = Text("Not as asked for: %(what)s", what=what)
        alarm = Text("Not as asked for: %(what)s; it is held", what=what)
        _hold_money(locked, why, alarm, source=source, now=now)
        return
    _record_sale(payment, evidence)
    if not _can_take(locked, now):
        _hold_money(
            locked, Text(NO_TAKER), Text(RETURNED_TEXT), source=source, now=now, send_back=True
        )
        return
    order = locked.order
    assert order is not None
    move_payment(
        payment,
        PaymentState.CAPTURED,
        source=source,
        note=evidence.reason,
        now=now,
        order=order,
        received=payment.base,
        reason="",
    )
    refresh_payment_flags(order)
    note = Text(
        "%(kind)s of %(amount)s by PayPal, fee %(fee)s",
        kind=Text(payment.kind.capitalize()),
        amount=dollars(payment.base),
        fee=dollars(payment.fee),
    )
    record_received(order, payment, note=note, actor=None, now=now)
    learn_refunds(locked, evidence.refunds, source=source, now=now)


def mismatches(payment: Payment, evidence: Evidence) -> list[str]:
    """Return what PayPal reports of a captured payment otherwise than we asked for it."""
    pairs = {
        gettext_noop("payment"): (evidence.payment_id, payment.paypal_payment_id),
        gettext_noop("attempt"): (evidence.attempt, str(payment.uuid)),
        gettext_noop("invoice number"): (evidence.invoice_number, payment.invoice_number),
        gettext_noop("amount"): (evidence.amount, payment.amount),
        gettext_noop("currency"): (evidence.currency, payment.currency),
    }
    return [name for name, (reported, ours) in pairs.items() if reported != ours]


def _record_sale(payment: Payment, evidence: Evidence) -> None:
    is_duplicate = Payment.objects.filter(sale_id=evidence.sale_id).exclude(pk=payment.pk).exists()
    payment.sale_id = None if is_duplicate else evidence.sale_id or payment.sale_id
    payment.sale_state = evidence.sale_state
    is_other = (
        evidence.amount not in (None, payment.amount) and evidence.currency == payment.currency
    )
    payment.taken = evidence.amount if is_other else None
    payment.save(update_fields=["sale_id", "sale_state", "taken"])


def _can_take(locked: Locked, now: datetime, *, under_review: bool = False) -> bool:
    """Return whether the order can have this money; a deposit's order is made here."""
    payment, order = locked.payment, locked.order
    if has_live_sibling(payment):
        return False
    if payment.kind == DEPOSIT:
        if payment.order_id is not None:
            return order is not None and order.state is not OrderStatus.CANCELLED
        return place_paid(locked, buyer=locked.buyer, under_review=under_review, now=now)
    if order is None or order.status != OrderStatus.CONFIRMED:
        return False
    # Executed while the order was watched, it settles what is due; as late money, only if that is
    # still the same.
    due = due_of(order)
    return bool(due >= payment.base if payment.state in UNSETTLED else due == payment.base)


def place_paid(locked: Locked, *, buyer: Buyer, under_review: bool = False, now: datetime) -> bool:
    """Make the order of a paid temporary order, with what is held for it or what is there; return
    whether it worked.
    """
    payment, draft = locked.payment, locked.draft
    if draft is None or draft.ordered_at is not None or payment.checkout is None:
        return False
    form = payment.checkout
    try:
        with transaction.atomic():
            hold_stock(draft, buyer=buyer, until=None, now=now)
            claim_locked(draft, now=now)
            order = place_order(
                draft=draft,
                buyer=buyer,
                shipping=Shipping(**form["shipping"]),
                export_declared=form["export_declared"],
                payment_type=Payment.Method.PAYPAL,
                ship_memo=form["ship_memo"],
                po_number=form.get("po_number", ""),  # an older release's form has none
                deposit=payment.base,
                held=True,
                now=now,
            )
    except OutOfStock:
        return False
    mail.queue_paypal_order_received(order, buyer=buyer, under_review=under_review)
    forget_checkouts(invoice_code=order.invoice_code)  # the order has it all
    payment.checkout = None
    locked.order = order
    return True


def _hold_money(
    locked: Locked,
    why: Text,
    alarm: Text,
    *,
    source: str,
    now: datetime,
    send_back: bool = False,
) -> None:
    """Keep money that the order cannot have apart from it, tell staff, and where asked send all of
    it back, once.
    """
    payment = locked.payment
    move_payment(
        payment,
        PaymentState.HELD,
        source=source,
        note=why,
        now=now,
        reason=fitted(why, MAX_REASON),
    )
    if payment.kind == DEPOSIT and payment.order_id is None and not has_live_sibling(payment):
        holds.release(invoice_code=payment.invoice_code)
    refresh_payment_flags(locked.order)
    if send_back and payment.sale_id and not payment.refunds.exists():
        Refund.objects.create(
            payment=payment,
            amount=payment.charged,
            reason=fitted(why, MAX_REASON),
            created_at=now,
            next_check_at=now,
        )
        nudge(SWEEP)
    raise_alarm(payment, alarm)


def _pending(locked: Locked, evidence: Evidence, source: str, now: datetime) -> None:
    """Executed, under review: a deposit's order is made and marked, a balance's waits. The sale is
    asked for again.
    """
    payment = locked.payment
    if payment.state in (*CHARGED, PaymentState.PENDING):
        return
    _record_sale(payment, evidence)
    fields: dict[str, Any] = {
        "reason": evidence.reason,
        "next_check_at": next_check(checks=0, asked_at=now),
        "checks": 0,
    }
    if not _can_take(locked, now, under_review=True):
        # Late money may still come: its capture decides.
        for name, value in fields.items():
            setattr(payment, name, value)
        payment.save(update_fields=list(fields))
        return
    move_payment(
        payment,
        PaymentState.PENDING,
        source=source,
        note=evidence.reason,
        now=now,
        order=locked.order,
        **fields,
    )
    refresh_payment_flags(locked.order)


def _denied(locked: Locked, evidence: Evidence, source: str, now: datetime) -> None:
    """The review ended without money: the order stays unpaid, its stock is free again, staff are
    told.
    """
    payment, order = locked.payment, locked.order
    if payment.state not in UNSETTLED:
        return
    _record_sale(payment, evidence)
    if payment.state in IN_FLIGHT:  # there was no review: a capture that was declined at once
        close_attempt(
            locked,
            PaymentState.FAILED,
            reason=evidence.reason or DECLINED,
            source=source,
            now=now,
        )
        return
    close_attempt(locked, PaymentState.FAILED, reason=DENIED, source=source, now=now)
    if payment.order_id is not None and order is not None and order.status == OrderStatus.RECEIVED:
        release_stock(order)
    raise_alarm(payment, Text("PayPal denied the payment after its review"))


def _reversed(locked: Locked, evidence: Evidence, source: str, now: datetime) -> None:
    """PayPal took the money back from us."""
    payment = locked.payment
    if payment.state in (PaymentState.REVERSED, PaymentState.REFUNDED):
        return
    _record_sale(payment, evidence)
    take_back(locked, payment.received, note=Text(TOOK_BACK), now=now)
    move_payment(
        payment,
        PaymentState.REVERSED,
        source=source,
        note=evidence.reason,
        now=now,
        next_check_at=None,
    )
    refresh_payment_flags(locked.order)
    raise_alarm(payment, Text(TOOK_BACK))


def _not_approved(locked: Locked, evidence: Evidence, source: str, now: datetime) -> None:
    """Not executed, because the buyer has not approved: the link can still be used, with a key of
    its own.
    """
    payment = locked.payment
    if payment.state not in IN_FLIGHT:
        return
    hold_ends = payment.hold_expires_at or now
    move_payment(
        payment,
        PaymentState.CREATED,
        source=source,
        note=evidence.reason,
        now=now,
        execute_key=uuid4(),
        payer_id="",
        executing_since=None,
        checks=0,
        refusals=0,
        next_check_at=min(next_check(checks=3, asked_at=now), payment.link_expires_at or now),
    )
    if payment.kind == DEPOSIT and locked.draft is not None:
        hold_stock(locked.draft, buyer=locked.buyer, until=hold_ends, now=now)
        holds.release(invoice_code=payment.invoice_code, expired_at=now)
    else:
        refresh_payment_flags(locked.order)


def _not_taken(locked: Locked, evidence: Evidence, source: str, now: datetime) -> None:
    """A definite answer that nothing was taken; some of them are for staff to look at."""
    if locked.payment.state not in IN_FLIGHT:
        return
    state, alarm = NOTHING_TAKEN[evidence.outcome]
    reason = evidence.reason or evidence.outcome.value
    close_attempt(locked, state, reason=reason, source=source, now=now)
    if alarm:
        raise_alarm(locked.payment, Text(alarm, reason=reason))


def _unknown(locked: Locked, evidence: Evidence, source: str, now: datetime) -> None:
    payment = locked.payment
    if payment.state == PaymentState.EXECUTING:
        again = next_check(checks=0, asked_at=now)
        move_payment(
            payment,
            PaymentState.UNKNOWN,
            source=source,
            note=evidence.reason,
            now=now,
            next_check_at=again,
            checks=0,
        )
        nudge(SWEEP)


NOTHING_TAKEN: dict[Outcome, tuple[PaymentState, str]] = {
    Outcome.DECLINED: (PaymentState.FAILED, ""),
    Outcome.REFUSED: (
        PaymentState.FAILED,
        gettext_noop("PayPal refused the request: %(reason)s"),
    ),
    Outcome.DUPLICATE: (
        PaymentState.FAILED,
        gettext_noop("PayPal knows a payment with this invoice number: %(reason)s"),
    ),
    Outcome.FAILED: (PaymentState.FAILED, ""),
    Outcome.GONE: (PaymentState.EXPIRED, ""),
}
STEPS: dict[Outcome, Callable[[Locked, Evidence, str, datetime], None]] = {
    **dict.fromkeys(NOTHING_TAKEN, _not_taken),
    Outcome.CAPTURED: _captured,
    Outcome.PENDING: _pending,
    Outcome.DENIED: _denied,
    Outcome.REVERSED: _reversed,
    Outcome.WAITING: _not_approved,
    Outcome.APPROVED: _unknown,
    Outcome.UNKNOWN: _unknown,
}
