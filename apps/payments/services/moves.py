"""The one writer of a payment's state and history, and what decisions of staff about money are
checked for.
"""

from datetime import datetime
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from apps.accounts.models import User
from apps.accounts.selectors import Buyer
from apps.common.errors import WrongStatus
from apps.common.money import ZERO, dollars, usd
from apps.common.texts import Text, in_english, phrase, stored
from apps.orders.errors import StaffRefusal
from apps.orders.models import Order
from apps.orders.selectors.orders import get_order_for_staff
from apps.payments.models import Payment, PaymentEvent
from apps.payments.selectors import get_payment
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
        raise WrongStatus(state=phrase("no longer %(state)s", state=current.label))
    record_remark(payment, source=source, note=note, actor=actor, now=now, before=current or "")


def record_remark(
    payment: Payment,
    *,
    source: str,
    note: str | Text,
    actor: User | None,
    now: datetime,
    before: str | None = None,
) -> None:
    """Write into the history of a locked payment what changes nothing of its state, or the move
    from the state that it had `before`.
    """
    PaymentEvent.objects.create(
        payment=payment,
        from_state=payment.state if before is None else before,
        to_state=payment.state,
        source=source,
        actor=actor,
        note=fitted(note, MAX_NOTE),
        at=now,
    )


MAX_REASON = 200


def one_line(reason: str) -> str:
    """Return a reason on one line, cut."""
    return " ".join(reason.split())[:MAX_REASON]


def check_amount(amount: Decimal, *, limit: Decimal, seen: Decimal | None = None) -> None:
    """Check US dollars: whole cents, at most the limit, which of money that leaves is what staff
    have `seen`. A second press would do it once more.

    Raises:
        StaffRefusal: another limit than the one seen, or a wrong amount.
    """
    if seen not in (None, limit):
        raise StaffRefusal(
            _("Only %(limit)s is left now, not %(seen)s."),
            limit=dollars(limit),
            seen=dollars(seen or ZERO),
        )
    if not ZERO < amount <= limit or usd(amount) != amount:
        raise StaffRefusal(
            _("The amount is wrong."),
            errors={"amount": [phrase("More than 0.00, at most %(limit)s.", limit=dollars(limit))]},
        )


def lock_payment(payment_id: int, *also: int) -> tuple[Order, Payment]:
    """Return a payment of an order and that order, locked in turn: orders (`also` others), then the
    payment.

    Raises:
        NotFound: there is no such payment or order.
    """
    own = get_payment(payment_id=payment_id).order_id
    assert own is not None
    orders = {pk: get_order_for_staff(order_id=pk, lock=True) for pk in sorted({own, *also})}
    payment = Payment.objects.select_for_update().get(pk=payment_id)
    payment.order = orders[own]
    return orders[own], payment
