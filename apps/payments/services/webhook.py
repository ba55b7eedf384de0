"""Events of PayPal: verified and kept at once, looked into afterwards; the payment decides, not its
event (B3.9).
"""

import json
import logging
from collections.abc import Mapping
from datetime import datetime

from django.db.models import Q, QuerySet

from apps.common import security
from apps.common.db.transactions import one_transaction
from apps.common.errors import Invalid, TooLarge
from apps.common.nudge import nudge
from apps.common.types import Json
from apps.payments.errors import VerifierUnavailable
from apps.payments.gateway import PROVIDERS, is_away, provider_called, provider_now
from apps.payments.models import Payment, WebhookEvent
from apps.payments.paypal import SIGNATURE
from apps.payments.provider import Outcome, Verdict
from apps.payments.services.reconcile import WEBHOOK, check_attempt

logger = logging.getLogger("portal.payments")

SWEEP = "payments"
MAX_BODY = 64 * 1024
MAX_ID = 80
MAX_HEADER = 2_000


def receive_event(*, headers: Mapping[str, str], raw: bytes, now: datetime) -> bool:
    """Keep a verified event, once; return whether it is new. Its body is kept as it came.

    Raises:
        TooLarge: over 64 KB.
        Invalid: a header is missing, no event, or PayPal did not sign it.
        VerifierUnavailable: PayPal does not say whether it did, or cannot be asked.
    """
    if len(raw) > MAX_BODY:
        raise TooLarge
    event = _read(raw)
    if (
        any(not 0 < len(headers.get(name, "")) <= MAX_HEADER for name in SIGNATURE.values())
        or event is None
    ):
        raise Invalid
    if is_away():
        raise VerifierUnavailable
    match provider_now().verify_webhook(headers, raw):
        case Verdict.UNKNOWN:
            raise VerifierUnavailable
        case Verdict.FORGED:
            security.log_event("webhook_forged")
            raise Invalid
    return _keep(event, raw, now=now)


def _read(raw: bytes) -> Json | None:
    """Return an event with an id and a type; None for anything else."""
    try:
        event = json.loads(raw.decode())
    except (ValueError, RecursionError):
        return None
    if not isinstance(event, dict):
        return None
    texts = [event.get("id"), event.get("event_type")]
    is_event = all(
        isinstance(text, str) and 0 < len(text) <= MAX_ID and text.isprintable() for text in texts
    )
    return event if is_event and b"\\u0000" not in raw else None


@one_transaction
def _keep(event: Json, raw: bytes, *, now: datetime) -> bool:
    _, is_new = WebhookEvent.objects.get_or_create(
        event_id=event["id"],
        defaults={"event_type": event["event_type"], "body": raw.decode(), "verified_at": now},
    )
    if is_new:
        nudge(SWEEP)
    return is_new


def waiting_events() -> QuerySet[WebhookEvent]:
    """Return the events that nobody has looked into, oldest first."""
    return WebhookEvent.objects.filter(processed_at__isnull=True).order_by("pk")


def look_into_event(*, event_id: int, now: datetime) -> bool:
    """Ask PayPal about the payment of an event and settle it; return whether PayPal answered."""
    row = WebhookEvent.objects.get(pk=event_id)
    payment = _payment_of(json.loads(row.body))
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


def _payment_of(event: Json) -> Payment | None:
    """Return the attempt that an event is about, by the payment's or the sale's id."""
    for name in PROVIDERS:
        subject = provider_called(name).subject_of(event)
        known = Q(pk__in=[])
        if subject.payment_id:
            known |= Q(paypal_payment_id=subject.payment_id)
        if subject.sale_id:
            known |= Q(sale_id=subject.sale_id)
        if found := Payment.objects.filter(known, provider=name).first():
            return found
    return None
