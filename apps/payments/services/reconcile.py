"""Asking PayPal about attempts without an end: the reconciler, and the events that PayPal sends,
kept at once and looked into afterwards (B3.7 to B3.9).
"""

import json
import logging
from collections.abc import Mapping
from datetime import datetime

from django.db.models import F, Q
from django.utils.translation import gettext_noop

from apps.catalog.services import holds
from apps.common.db.transactions import one_transaction
from apps.common.errors import Invalid, TooLarge
from apps.common.logs import log_event
from apps.common.nudge import nudge
from apps.common.texts import Text
from apps.common.types import Json
from apps.payments import rules
from apps.payments.errors import VerifierUnavailable
from apps.payments.gateway import PROVIDERS, is_away, provider_called, provider_of
from apps.payments.models import Payment, WebhookEvent
from apps.payments.paypal import SIGNATURE, verify_webhook
from apps.payments.provider import Evidence, Outcome, Verdict
from apps.payments.services.confirm import execute_attempt, obstacle_to
from apps.payments.services.moves import (
    DEPOSIT,
    SILENCE,
    close_attempt,
    lock_attempt,
    move_payment,
    raise_alarm,
)
from apps.payments.services.settle import settle
from apps.payments.states import OPEN, PaymentState

RECONCILER, WEBHOOK = "reconciler", "webhook"
EVIDENCE_OF_MONEY = (Outcome.CAPTURED, Outcome.PENDING, Outcome.DENIED, Outcome.REVERSED)
NOTHING = (Outcome.FAILED, Outcome.GONE)


def is_due(now: datetime) -> Q:
    """Return which rows' `next_check_at` has come, or is so far away that it was set while the
    clock was ahead.
    """
    return Q(next_check_at__lte=now) | Q(next_check_at__gt=now + rules.LONGEST_PAUSE)


def check_attempt(*, payment_id: int, source: str = RECONCILER, now: datetime) -> Evidence | None:
    """Ask PayPal about an attempt and take the step that its state and the answer call for.

    Of several callers one does it; the others get None. Asked outside any transaction.
    """
    payment = Payment.objects.get(pk=payment_id)
    if not payment.paypal_payment_id:  # whoever asked for its link died before the answer
        _close(
            payment_id,
            state=PaymentState.FAILED,
            reason=gettext_noop("no link: no answer"),
            now=now,
        )
        return None
    if source == RECONCILER:
        mine = Payment.objects.filter(
            pk=payment_id, state=payment.state, next_check_at=payment.next_check_at
        )
        if not mine.update(next_check_at=now + rules.EXECUTION_LASTS, checks=F("checks") + 1):
            return None
        payment.refresh_from_db()
        if payment.state == PaymentState.EXECUTING:
            payment = _give_up_waiting(payment_id=payment_id, now=now)
    evidence = provider_of(payment).fetch(payment)
    if evidence.outcome in EVIDENCE_OF_MONEY:
        settle(payment_id=payment_id, evidence=evidence, source=source, now=now)
    elif payment.state in OPEN:
        _look_after_link(payment, evidence, source=source, now=now)
    elif payment.state == PaymentState.UNKNOWN and source == RECONCILER:
        _pursue(payment, evidence, now=now)
    elif payment.state == PaymentState.PENDING and source == RECONCILER:
        _ask_again(payment_id, now=now)
    return evidence


def _look_after_link(payment: Payment, evidence: Evidence, *, source: str, now: datetime) -> None:
    """Finish an attempt that the buyer approved without coming back, or end one whose link has
    ended.
    """
    hold_lasts = payment.hold_expires_at is not None and now < payment.hold_expires_at
    is_approved = evidence.outcome is Outcome.APPROVED and rules.is_payer(evidence.payer_id)
    if is_approved and hold_lasts:
        execute_attempt(payment_id=payment.pk, payer_id=evidence.payer_id, source=source, now=now)
    elif payment.link_expires_at is None or now >= payment.link_expires_at:
        _close(payment.pk, state=PaymentState.EXPIRED, reason=gettext_noop("expired"), now=now)
    elif source == RECONCILER:
        _ask_again(payment.pk, now=now)


def _pursue(payment: Payment, evidence: Evidence, *, now: datetime) -> None:
    """Bring an attempt whose execution had no definite answer to an end; silence never is one."""
    is_made = evidence.outcome in (Outcome.WAITING, Outcome.APPROVED)
    if is_made and _may_repeat(payment_id=payment.pk, now=now):
        # The same key: PayPal takes the money once, whichever of the calls arrived.
        evidence = provider_of(payment).execute(payment)
        if evidence.outcome is not Outcome.UNKNOWN:
            settle(payment_id=payment.pk, evidence=evidence, source=RECONCILER, now=now)
            return
    says_no = (is_made or evidence.outcome in NOTHING) and evidence.outcome is not Outcome.UNKNOWN
    _count(payment_id=payment.pk, says_no=says_no, now=now)


@one_transaction
def _give_up_waiting(*, payment_id: int, now: datetime) -> Payment:
    """Turn an execution that nobody waits for any more into an unknown one."""
    payment = lock_attempt(payment_id).payment
    if payment.state == PaymentState.EXECUTING:
        move_payment(
            payment,
            PaymentState.UNKNOWN,
            source=RECONCILER,
            note=gettext_noop("no answer in time"),
            now=now,
            checks=0,
        )
    return payment


@one_transaction
def _may_repeat(*, payment_id: int, now: datetime) -> bool:
    """Return whether the order of an unknown attempt can still take its money."""
    locked = lock_attempt(payment_id)
    payment = locked.payment
    if payment.state != PaymentState.UNKNOWN:
        return False
    if payment.kind != DEPOSIT and locked.order is not None:
        locked.order.payment_pending = False  # it is this very attempt that is pending
    return not obstacle_to(locked, now=now)


@one_transaction
def _count(*, payment_id: int, says_no: bool, now: datetime) -> None:
    """Count a check without a result: twice "nothing taken", long after the execution, is the end
    of the attempt.
    """
    locked = lock_attempt(payment_id)
    payment = locked.payment
    if payment.state != PaymentState.UNKNOWN:
        return
    since = now - (payment.executing_since or now)
    payment.refusals = payment.refusals + 1 if says_no else 0
    payment.next_check_at = rules.next_check(checks=payment.checks, asked_at=now)
    payment.save(update_fields=["refusals", "next_check_at"])
    if payment.refusals >= rules.REFUSALS_NEEDED and since >= rules.SURELY_OVER:
        close_attempt(
            locked,
            PaymentState.FAILED,
            reason=gettext_noop("nothing taken"),
            source=RECONCILER,
            now=now,
        )
    elif since >= rules.ALARM_AFTER:
        raise_alarm(payment, Text(SILENCE))


@one_transaction
def _ask_again(payment_id: int, *, now: datetime) -> None:
    """Note when PayPal is asked again about money under review, or about a link."""
    payment = lock_attempt(payment_id).payment
    if payment.state == PaymentState.PENDING:
        payment.next_check_at = rules.next_check(checks=payment.checks, asked_at=now)
    elif payment.state in OPEN and payment.hold_expires_at and payment.link_expires_at:
        payment.next_check_at = rules.next_look(
            created_at=payment.created_at,
            hold_ends=payment.hold_expires_at,
            link_ends=payment.link_expires_at,
            now=now,
        )
    payment.save(update_fields=["next_check_at"])


@one_transaction
def _close(payment_id: int, *, state: PaymentState, reason: str, now: datetime) -> None:
    locked = lock_attempt(payment_id)
    if locked.payment.state in OPEN:
        close_attempt(locked, state, reason=reason, source=RECONCILER, now=now)


@one_transaction
def release_expired_hold(*, invoice_code: str, now: datetime) -> bool:
    """Give back a hold that has run out; the link lives on, and allocates again if it is used."""
    deposits = Q(invoice_code=invoice_code, kind=DEPOSIT, method=Payment.Method.PAYPAL)
    newest = Payment.objects.filter(deposits).order_by("-pk").first()
    if newest is not None:
        lock_attempt(newest.pk)
    return holds.release(invoice_code=invoice_code, expired_at=now)


logger = logging.getLogger("portal.payments")

SWEEP = "payments"
MAX_BODY = 64 * 1024
MAX_ID = 80
MAX_HEADER = 2_000


def receive_event(*, headers: Mapping[str, str], event: Json, raw: bytes, now: datetime) -> bool:
    """Keep a verified event, once; return whether it is new. Its body is kept as it came, `raw`.

    Raises:
        TooLarge: over 64 KB.
        Invalid: a header is missing, no event, or PayPal did not sign it.
        VerifierUnavailable: PayPal does not say whether it did, or cannot be asked.
    """
    if len(raw) > MAX_BODY:
        raise TooLarge
    is_event = all(
        isinstance(text, str) and 0 < len(text) <= MAX_ID and text.isprintable()
        for text in (event.get("id"), event.get("event_type"))
    )
    signed = [headers.get(name, "") for name in SIGNATURE.values()]
    if not is_event or b"\\u0000" in raw or not all(0 < len(one) <= MAX_HEADER for one in signed):
        raise Invalid
    if is_away():
        raise VerifierUnavailable
    match verify_webhook(headers, raw):
        case Verdict.UNKNOWN:
            raise VerifierUnavailable
        case Verdict.FORGED:
            log_event("webhook_forged")
            raise Invalid
    about = {"event_type": event["event_type"], "body": raw.decode(), "verified_at": now}

    @one_transaction
    def is_new() -> bool:
        _, is_created = WebhookEvent.objects.get_or_create(event_id=event["id"], defaults=about)
        if is_created:
            nudge(SWEEP)
        return is_created

    return is_new()


def look_into_event(*, event_id: int, now: datetime) -> bool:
    """Ask PayPal about the payment of an event and settle it; return whether PayPal answered."""
    row = WebhookEvent.objects.get(pk=event_id)
    event, payment = json.loads(row.body), None
    for name in PROVIDERS:  # by the payment's or the sale's id
        payment_id, sale_id = provider_called(name).subject_of(event)
        ids = Q(paypal_payment_id=payment_id) | Q(sale_id=sale_id)
        payment = payment or Payment.objects.filter(ids, provider=name).first()
    if payment is None:
        row.note = "no payment of ours"
        logger.warning("event %s of PayPal: %s", row.event_id, row.note)
    else:
        evidence = check_attempt(payment_id=payment.pk, source=WEBHOOK, now=now)
        if evidence is not None and evidence.outcome is Outcome.UNKNOWN:
            return False
        row.note = str(payment.uuid)
    row.processed_at = now
    row.save(update_fields=["processed_at", "note"])
    return True
