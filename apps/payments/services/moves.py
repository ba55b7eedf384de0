"""The one writer of a payment's state, and of its history."""

from datetime import datetime
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from apps.accounts.models import User
from apps.accounts.selectors import Buyer
from apps.common.errors import WrongStatus
from apps.common.texts import Text, in_english, stored
from apps.orders.models import Order
from apps.payments.models import Payment, PaymentEvent
from apps.payments.states import PaymentState, check_move

MAX_NOTE = 500
SILENCE = gettext_noop("PayPal gives no definite answer")


def fitted(text: str | Text, longest: int) -> str:
    """Return what a column of so many characters keeps of a text: its key and values, or where
    these are too long the English sentence, cut.
    """
    kept = stored(text)
    if len(kept) <= longest:
        return kept
    with in_english():
        return str(text)[:longest]


def announce_wire(
    order: Order, *, buyer: Buyer, kind: str, amount: Decimal, depositor: str, now: datetime
) -> Payment:
    """Store a wire that a buyer says is on its way, for an order's deposit or balance (US dollars),
    and return it.
    """
    return Payment.objects.create(
        invoice_code=order.invoice_code,
        order=order,
        company_id=buyer.company_id,
        user_id=buyer.id,
        method=Payment.Method.WIRE,
        kind=kind,
        state=PaymentState.ANNOUNCED,
        base=amount,
        amount=amount,
        depositor=depositor.strip(),
        created_at=now,
    )


def move_payment(
    payment: Payment,
    target: PaymentState,
    *,
    source: str,
    note: str | Text = "",
    actor: User | None = None,
    now: datetime,
    **fields: Any,
) -> None:
    """Move a locked payment to a state, or store a new one in it, with its event; `fields` are
    further columns.

    Raises:
        WrongStatus: a payment's life has no such move, or the stored row is in another state by
            now.
    """
    current = PaymentState(payment.state) if payment.pk else None
    check_move(current, target)
    if payment.alarm == SILENCE:
        fields["alarm"] = ""  # the move is the answer that was missing
    for name, value in {**fields, "state": target}.items():
        setattr(payment, name, value)
    if current is None:
        payment.save(force_insert=True)
    elif not Payment.objects.filter(pk=payment.pk, state=current).update(state=target, **fields):
        raise WrongStatus(
            errors={"state": [_("not %(state)s any more") % {"state": current.label}]}
        )
    _record(payment, previous=current, source=source, note=note, actor=actor, now=now)


def record_remark(
    payment: Payment, *, source: str, note: str | Text, actor: User, now: datetime
) -> None:
    """Write into the history of a locked payment what changes nothing of its state."""
    _record(
        payment,
        previous=PaymentState(payment.state),
        source=source,
        note=note,
        actor=actor,
        now=now,
    )


def _record(
    payment: Payment,
    *,
    previous: PaymentState | None,
    source: str,
    note: str | Text,
    actor: User | None,
    now: datetime,
) -> None:
    PaymentEvent.objects.create(
        payment=payment,
        from_state=previous or "",
        to_state=payment.state,
        source=source,
        actor=actor,
        note=fitted(note, MAX_NOTE),
        at=now,
    )
