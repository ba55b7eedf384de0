"""The one writer of a payment's state and history, what decisions of staff about money are checked
for, and what every step of a PayPal attempt shares: its locks, its hold and its alarm
(design/paypal.md, B).
"""

import logging
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import cached_property
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext as _, gettext_noop

from apps.accounts.models import User
from apps.accounts.selectors import Buyer, buyer_of
from apps.catalog.services import holds
from apps.common.db.transactions import one_transaction
from apps.common.errors import NotFound, WrongStatus
from apps.common.money import ZERO, dollars, usd
from apps.common.permissions import needs
from apps.common.texts import Text, in_english, phrase, stored, text_of
from apps.orders.errors import StaffRefusal
from apps.orders.models import Order, TemporaryOrder
from apps.orders.selectors.orders import get_order_for_staff, number_of
from apps.orders.services.moves import set_payment_flags
from apps.payments import mail, rules
from apps.payments.errors import PaymentPending, TooManyLinks
from apps.payments.models import Payment, PaymentEvent
from apps.payments.selectors import announced_wires, get_payment
from apps.payments.states import DECIDED, LIVE, OPEN, UNSETTLED, PaymentState, check_move

logger = logging.getLogger("portal.payments")

ADMIN = "admin"
DEPOSIT, BALANCE = Payment.Kind.DEPOSIT, Payment.Kind.BALANCE
MAX_NOTE, MAX_REASON = 500, 200
SILENCE = gettext_noop("PayPal gives no definite answer")


def fitted(text: str | Text, longest: int) -> str:
    """Return what a column of so many characters keeps of a text: its key and values, or where
    these are too long the English sentence, cut.
    """
    stored_text = stored(text)
    if len(stored_text) <= longest:
        return stored_text
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
    further columns. What is decided is noted with when and by whom, and asked about no more.

    Raises:
        WrongStatus: a payment's life has no such move, or the stored row is in another state by
            now.
    """
    current = PaymentState(payment.state) if payment.pk else None
    check_move(current, target)
    if target in DECIDED:
        fields = {"settled_at": now, "settled_by": actor, "next_check_at": None, **fields}
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


def lock_orders(ids: Iterable[int]) -> dict[int, Order]:
    """Return orders by their keys, locked one after another in the same turn everywhere.

    Raises:
        NotFound: there is no such order.
    """
    return {pk: get_order_for_staff(order_id=pk, lock=True) for pk in sorted({*ids})}


def lock_payment(payment_id: int, *also: int) -> tuple[Order, Payment]:
    """Return a payment of an order and that order, locked in turn: orders (`also` others), then the
    payment.

    Raises:
        NotFound: there is no such payment or order.
    """
    own = get_payment(payment_id=payment_id).order_id
    assert own is not None
    orders = lock_orders([own, *also])
    payment = Payment.objects.select_for_update().get(pk=payment_id)
    payment.order = orders[own]
    return orders[own], payment


@dataclass
class Locked:
    """An attempt with what it pays: a temporary order until there is an order. All are locked."""

    payment: Payment
    draft: TemporaryOrder | None
    order: Order | None

    @cached_property
    def buyer(self) -> Buyer:
        """Return who pays, whether or not he may come in by now."""
        return buyer_of(self.payment.user)


def lock_attempt(payment_id: int) -> Locked:
    """Lock an attempt in the order of reliability-and-security.md, section 2: temporary order,
    order, payment.
    """
    payment = Payment.objects.get(pk=payment_id)
    draft = None
    if payment.kind == DEPOSIT:
        drafts = TemporaryOrder.objects.select_for_update().filter(
            pk=number_of(payment.invoice_code)
        )
        draft = next((row for row in drafts if row.invoice_code == payment.invoice_code), None)
    orders = Order.objects.select_for_update(of=("self",)).select_related("user", "company")
    order = orders.filter(invoice_code=payment.invoice_code).first()
    locked = (
        Payment.objects.select_for_update(of=("self",))
        .select_related("user", "company")
        .get(pk=payment_id)
    )
    return Locked(payment=locked, draft=draft, order=order)


def close_attempt(
    locked: Locked,
    state: PaymentState,
    *,
    reason: str,
    source: str,
    now: datetime,
) -> None:
    """End a locked attempt that took nothing, FAILED or EXPIRED; what was held for it is free
    again.
    """
    move_payment(
        locked.payment, state, source=source, note=reason, now=now, reason=reason[:MAX_REASON]
    )
    if locked.payment.kind == DEPOSIT and locked.payment.order_id is None:
        holds.release(invoice_code=locked.payment.invoice_code)
    refresh_payment_flags(locked.order)


def close_open_attempts(
    *,
    invoice_code: str,
    kind: Payment.Kind,
    reason: str,
    state: PaymentState = PaymentState.EXPIRED,
    source: str,
    now: datetime,
) -> None:
    """End the attempts of a locked order or temporary order whose buyers have not returned; holds
    stay as they are.
    """
    for payment in (
        _paypal(invoice_code, kind).select_for_update().filter(state__in=OPEN).order_by("pk")
    ):
        move_payment(payment, state, source=source, note=reason, now=now, reason=reason)


def check_links_left(*, company_id: int, now: datetime) -> None:
    """Raise TooManyLinks for a company that goes on holding pieces by links and pays none of them.

    A link that PayPal did not give held nothing, and one of a request that was paid in the end is
    no matter.
    """
    paid = Order.objects.filter(invoice_code=OuterRef("invoice_code"))
    links = Payment.objects.filter(
        ~Exists(paid),
        company_id=company_id,
        kind=DEPOSIT,
        paypal_payment_id__isnull=False,
        created_at__gt=now - rules.UNPAID_LINKS_COUNT_FOR,
    )
    if links.count() >= rules.MOST_UNPAID_LINKS:
        raise TooManyLinks


def check_nothing_unsettled(*, invoice_code: str) -> None:
    """Raise PaymentPending while an attempt for a code may take money or has it under review
    (B3.12).
    """
    if is_unsettled(invoice_code):
        raise PaymentPending


def is_unsettled(invoice_code: str) -> bool:
    """Return whether an attempt for a code may take money, or has it under review."""
    attempts = Payment.objects.filter(invoice_code=invoice_code, method=Payment.Method.PAYPAL)
    return attempts.filter(state__in=UNSETTLED).exists()


def has_live_sibling(payment: Payment) -> bool:
    """Return whether another attempt of the same kind may take, or has taken, its money."""
    attempts = _paypal(payment.invoice_code, Payment.Kind(payment.kind))
    return attempts.filter(state__in=LIVE).exclude(pk=payment.pk).exists()


def _paypal(invoice_code: str, kind: Payment.Kind) -> QuerySet[Payment]:
    return Payment.objects.filter(
        invoice_code=invoice_code, kind=kind, method=Payment.Method.PAYPAL
    )


def forget_checkouts(*, invoice_code: str) -> None:
    """Forget the checkout forms, with their addresses, of a locked list that is an order now, or
    gone.
    """
    _paypal(invoice_code, DEPOSIT).filter(checkout__isnull=False).update(checkout=None)


def refresh_payment_flags(order: Order | None) -> None:
    """Note on a locked order, where there is one, which of its payments are under way: announced
    wires, PayPal that is not settled.
    """
    if order is None:
        return
    kinds = set(announced_wires(order).values_list("kind", flat=True))
    pending = BALANCE in kinds or is_unsettled(order.invoice_code)
    set_payment_flags(order=order, wire_announced=bool(kinds), payment_pending=pending)


def raise_alarm(payment: Payment, text: Text) -> None:
    """Note on a locked attempt what staff must look at, and queue the mail that tells them; a known
    alarm is kept.
    """
    alarm = fitted(text, MAX_REASON)
    with in_english():
        logger.error("payment %s: %s", payment.uuid, text)
    if payment.alarm == alarm:
        return
    payment.alarm = alarm
    payment.save(update_fields=["alarm"])
    mail.queue_alarm(payment, text=text)


def close_deposit_attempts(draft: TemporaryOrder, *, reason: str, now: datetime) -> None:
    """End the links to PayPal of a locked temporary order that its buyer deletes or pays otherwise,
    and their hold.

    Raises:
        PaymentPending: one of them may have taken the money.
    """
    if draft.paypal_at is None:
        return
    check_nothing_unsettled(invoice_code=draft.invoice_code)
    close_open_attempts(
        invoice_code=draft.invoice_code, kind=DEPOSIT, reason=reason, source="buyer", now=now
    )
    forget_checkouts(invoice_code=draft.invoice_code)
    holds.release(invoice_code=draft.invoice_code)


@needs("payments.change_payment")
@one_transaction
def close_alarm(*, payment_id: int, reason: str, actor: User, now: datetime) -> Payment:
    """Close the alarm of a PayPal payment with what was done about it; its state stays what it is.

    Raises:
        NotFound: there is no such payment.
        StaffRefusal: no alarm (any more).
    """
    reason = one_line(reason)
    if not Payment.objects.filter(pk=payment_id, method=Payment.Method.PAYPAL).exists():
        raise NotFound
    payment = lock_attempt(payment_id).payment
    if not payment.alarm:
        raise StaffRefusal(_("Somebody has attended to it already."))
    note = Text("%(alarm)s. Attended to: %(reason)s", alarm=text_of(payment.alarm), reason=reason)
    record_remark(payment, source=ADMIN, note=note, actor=actor, now=now)
    payment.alarm = ""
    payment.save(update_fields=["alarm"])
    return payment
