"""Periodic work on payments. Safe to repeat; `portal/ops/sweeps.py` says when each runs."""

import logging
from collections.abc import Callable, Iterable
from datetime import datetime

from apps.catalog.services.holds import expired_holds
from apps.common.seller import seller
from apps.payments.gateway import has_account
from apps.payments.models import Refund
from apps.payments.services.lapse import follow_wire, overdue_wires
from apps.payments.services.reconcile import (
    check_attempt,
    due_attempts,
    is_due,
    look_into_event,
    release_expired_hold,
    waiting_events,
)
from apps.payments.services.refunds import OPEN_REFUNDS, send_refund

logger = logging.getLogger("portal.payments")

BATCH, WIRES_AT_ONCE = 200, 2_000


def reconcile(now: datetime) -> int:
    """Look into new events, ask about attempts without an end, send refunds; return how many were
    handled (B3.7).

    One that fails does not keep the others from their turn. Without an account at PayPal there is
    nobody to ask.
    """
    if not has_account():
        return 0
    handled = 0
    for event_id in list(waiting_events().values_list("pk", flat=True)[:BATCH]):
        if not look_into_event(event_id=event_id, now=now):
            break  # PayPal does not answer: the others can wait as well
        handled += 1
    attempts = due_attempts(now).values_list("pk", flat=True)[:BATCH]
    handled += _each(attempts, lambda pk: check_attempt(payment_id=pk, now=now))
    refunds = Refund.objects.filter(is_due(now), state__in=OPEN_REFUNDS).order_by("next_check_at")
    return handled + _each(
        refunds.values_list("pk", flat=True)[:BATCH], lambda pk: send_refund(refund_id=pk, now=now)
    )


def release_holds(now: datetime) -> int:
    """Give back the holds that have run out; return how many they were (B2)."""
    return sum(release_expired_hold(invoice_code=code, now=now) for code in expired_holds(now=now))


def follow_wires(now: datetime) -> int:
    """Ask for announced wires that have not come, and let those end whose time is over; return how
    many of these were looked at.
    """
    if (days := seller().wire_days) is None:
        return 0
    late = list(overdue_wires(days=days, now=now).values_list("pk", flat=True)[:WIRES_AT_ONCE])
    return _each(late, lambda pk: follow_wire(payment_id=pk, days=days, now=now))


def _each(keys: Iterable[int], work: Callable[[int], object]) -> int:
    done = 0
    for key in list(keys):
        try:
            work(key)
        except Exception:
            logger.exception("payment work on %d failed", key)
        else:
            done += 1
    return done
