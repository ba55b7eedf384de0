"""Periodic work on payments. Safe to repeat; `portal/ops/sweeps.py` says when each runs."""

import logging
from collections.abc import Callable, Iterable
from datetime import datetime

from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_noop

from apps.catalog.services.holds import expired_holds
from apps.common.days import (
    business_days_between,
    business_days_earlier,
    business_days_later,
)
from apps.common.db.transactions import one_transaction
from apps.common.mail import queue
from apps.common.money import dollars
from apps.common.seller import seller
from apps.common.texts import Text
from apps.orders.models import OrderEvent
from apps.orders.services.lines import release_stock
from apps.orders.services.moves import record
from apps.orders.status import OrderStatus
from apps.payments import mail
from apps.payments.gateway import has_account
from apps.payments.models import BankCredit, BankStatement, Payment, Refund, WebhookEvent
from apps.payments.services.moves import lock_payment, refresh_payment_flags
from apps.payments.services.reconcile import (
    check_attempt,
    is_due,
    look_into_event,
    release_expired_hold,
)
from apps.payments.services.refunds import OPEN_REFUNDS, send_refund
from apps.payments.services.wire import close_wire
from apps.payments.states import PaymentState

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
    events = WebhookEvent.objects.filter(processed_at__isnull=True).order_by("pk")
    for event_id in list(events.values_list("pk", flat=True)[:BATCH]):
        if not look_into_event(event_id=event_id, now=now):
            break  # PayPal does not answer: the others can wait as well
        handled += 1
    attempts = Payment.objects.filter(is_due(now), method=Payment.Method.PAYPAL)
    keys = attempts.order_by("next_check_at", "pk").values_list("pk", flat=True)[:BATCH]
    handled += _each(keys, lambda pk: check_attempt(payment_id=pk, now=now))
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
    since = business_days_earlier(now, _days_until(0, days))
    late = Payment.objects.filter(UNPROVED, created_at__lte=since).order_by("pk")
    keys = late.values_list("pk", flat=True)[:WIRES_AT_ONCE]
    return _each(keys, lambda pk: follow_wire(payment_id=pk, days=days, now=now))


def _each(keys: Iterable[int], work: Callable[[int], object]) -> int:
    count = 0
    for key in list(keys):
        try:
            work(key)
        except Exception:
            logger.exception("payment work on %d failed", key)
        else:
            count += 1
    return count


REMINDERS = 2
NOTICE = 2  # business days from the last reminder to the end, at least
LAPSED = gettext_noop("No money came for it in time.")
# With a proof, or a message that nobody has read, staff judge a wire.
UNPROVED = Q(method=Payment.Method.WIRE, state=PaymentState.ANNOUNCED, proof=None) & Q(
    order__message_unread=False
)


@one_transaction
def follow_wire(*, payment_id: int, days: int, now: datetime) -> bool:
    """Remind the buyer of an announced wire that has not come: after half of its business days,
    and two before the last. After the last, let it end. Return whether something was due.

    An order that waits for its deposit at Received then gives its pieces back and stays unpaid, as
    after a denied payment. Nothing ends while money that has come could be it.
    """
    order, payment = lock_payment(payment_id)
    if not Payment.objects.filter(UNPROVED, pk=payment_id).exists():
        return False
    passed = business_days_between(payment.created_at, now)
    amount = {"amount": dollars(payment.amount)}
    rested = business_days_between(payment.reminded_at, now) if payment.reminded_at else NOTICE
    if payment.reminders < REMINDERS:
        if passed < _days_until(payment.reminders, days) or not rested:
            return False
        payment.reminders, payment.reminded_at = payment.reminders + 1, now
        payment.save(update_fields=["reminders", "reminded_at"])
        reminders = NOTICE + REMINDERS - payment.reminders
        until = max(
            business_days_later(payment.created_at, days), business_days_later(now, reminders)
        )
        note = Text("Asked for the announced wire of %(amount)s", **amount)
        record(order, OrderEvent.Kind.MAIL, note, now=now)
        queue([mail.wire_awaited(order, payment, until=until)])
        return True
    if passed < days or rested < NOTICE or _may_have_come(payment, days=days):
        return False
    close_wire(payment, reason=LAPSED, source="portal", actor=None, now=now)
    if order.status == OrderStatus.RECEIVED and not order.received:
        release_stock(order)
    refresh_payment_flags(order)
    note = Text("The announced wire of %(amount)s has lapsed", **amount)
    record(order, OrderEvent.Kind.MAIL, note, now=now)
    queue(mail.wire_lapsed(order, payment))
    return True


def _days_until(reminder: int, days: int) -> int:
    return max(1, days // 2 if reminder == 0 else days - NOTICE)


def _may_have_come(payment: Payment, *, days: int) -> bool:
    """Return whether the bank may have the money: a credit since then is open, or the newest
    statement is older than the wire's last day.
    """
    announced_on = timezone.localtime(payment.created_at).date()
    came = BankCredit.objects.filter(
        booked_at=None, sent_back_at=None, value_date__gte=announced_on
    )
    in_work = Q(statements__put_away_at=None)
    if came.filter(in_work | Q(amount=payment.amount)).exists():
        return True
    statements = BankStatement.objects.order_by("-imported_at")
    newest = statements.values_list("imported_at", flat=True).first()
    return newest is not None and newest < business_days_later(payment.created_at, days)
