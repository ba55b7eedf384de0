"""The buyer comes back from PayPal: checked, allocated, executed outside any transaction, settled
(B3.2 to B3.4).
"""

from dataclasses import dataclass
from datetime import datetime
from hmac import compare_digest

from django.db import transaction
from django.utils.translation import gettext_noop

from apps.accounts.selectors import Buyer
from apps.catalog.errors import OutOfStock
from apps.common.db.transactions import one_transaction
from apps.common.logs import log_event
from apps.orders.errors import OrderExists
from apps.orders.models import Order
from apps.orders.selectors.orders import due_of, get_order, is_ordered
from apps.orders.services.place import hold_stock
from apps.orders.status import OrderStatus
from apps.payments import rules
from apps.payments.errors import PaymentDeclined, PaymentRefused
from apps.payments.gateway import is_away, provider_of
from apps.payments.models import Payment
from apps.payments.selectors import deposit_of
from apps.payments.services.moves import (
    DEPOSIT,
    Locked,
    close_attempt,
    has_live_sibling,
    lock_attempt,
    move_payment,
    refresh_payment_flags,
)
from apps.payments.services.settle import settle
from apps.payments.states import IN_FLIGHT, OPEN, PAID, PaymentState

RETURN = "return"
CANCELLED, CHANGED, SUPERSEDED, OUT_OF_STOCK = (
    gettext_noop("order_cancelled"),
    gettext_noop("changed"),
    gettext_noop("superseded"),
    gettext_noop("out_of_stock"),
)
BY_BUYER = gettext_noop("cancelled")
OUR_REASONS = (CANCELLED, CHANGED, SUPERSEDED, OUT_OF_STOCK, BY_BUYER)


@dataclass(frozen=True)
class Return:
    """What the browser brings back; nothing of it is trusted. `payment_id` is empty where the API
    has none, `payer_id` where it got lost on the way.
    """

    invoice_code: str
    kind: Payment.Kind
    payment_type: str
    payment_id: str
    token: str
    payer_id: str
    amount: object


def confirm_return(*, buyer: Buyer, form: Return, now: datetime) -> int | None:
    """Confirm a payment that its buyer approved, and return the order's status; None while it is
    still being confirmed. A repeat answers as the first did and charges nothing (api.md).

    Raises:
        NotFound: unknown, or not the caller's.
        PaymentDeclined: PayPal did not take the money.
        PaymentRefused: not the data of an attempt; or ended, held.
        OutOfStock: the hold ran out and the pieces are gone; nothing was charged.
        OrderExists: the list became an order by another way; nothing was charged.
    """
    payment = find_attempt(buyer=buyer, form=form)
    if payment.state in OPEN:
        if is_away() or not provider_of(payment).sign_in():
            return None
        payer_id = form.payer_id or provider_of(payment).fetch(payment).payer_id
        if not rules.is_payer(payer_id):
            return None  # not approved, as far as anybody knows
        payment = execute_attempt(payment_id=payment.pk, payer_id=payer_id, source=RETURN, now=now)
        if payment.state == PaymentState.CREATED:
            raise PaymentRefused
    if payment.state in IN_FLIGHT:
        return None
    order = Order.objects.filter(invoice_code=payment.invoice_code).first()
    if payment.state in (*PAID, PaymentState.PENDING):
        return None if order is None else order.status
    if payment.reason == OUT_OF_STOCK:
        raise OutOfStock
    if payment.kind == DEPOSIT and payment.state != PaymentState.HELD and order is not None:
        raise OrderExists
    # PayPal would not take the money, rather than the portal or the buyer; an alarm is for staff.
    is_failed = payment.state == PaymentState.FAILED and not payment.alarm
    is_declined = is_failed and payment.reason not in OUR_REASONS
    raise PaymentDeclined if is_declined else PaymentRefused


def find_attempt(*, buyer: Buyer, form: Return) -> Payment:
    """Return the one attempt that all of a return's data are of.

    Raises:
        NotFound: the invoice code is unknown, or not the caller's.
        PaymentRefused: some of the data are not.
    """
    payment = _by_token(buyer, form.invoice_code, form.kind, form.token)
    # Where the token is the payment, the browser need not name it.
    stored_id = payment.paypal_payment_id or ""
    returned_id = form.payment_id or (
        payment.paypal_token if stored_id == payment.paypal_token else ""
    )
    if (
        payment.method != form.payment_type
        or payment.amount != rules.paypal_amount(form.amount)
        or not (form.payer_id == "" or rules.is_payer(form.payer_id))
        or not same(stored_id, returned_id)
    ):
        log_event("payment_mismatch", user=buyer.uuid, kind=form.kind)
        raise PaymentRefused
    return payment


def _by_token(buyer: Buyer, invoice_code: str, kind: Payment.Kind, token: str) -> Payment:
    """Return the buyer's attempt for a list or an order of the company, for a balance an order.

    Raises:
        NotFound: the invoice code is unknown, or not the caller's.
        PaymentRefused: no attempt of his has this token.
    """
    own = is_ordered if kind == DEPOSIT else get_order
    own(buyer=buyer, invoice_code=invoice_code)
    attempts = Payment.objects.filter(
        invoice_code=invoice_code, kind=kind, method=Payment.Method.PAYPAL, user_id=buyer.id
    )
    for attempt in attempts:
        if attempt.paypal_token and same(attempt.paypal_token, token):
            return attempt
    log_event("payment_mismatch", user=buyer.uuid, kind=kind)
    raise PaymentRefused


def same(ours: str, theirs: str) -> bool:
    """Compare without telling by the time taken where they differ."""
    return compare_digest(ours.encode(), theirs.encode())


def execute_attempt(*, payment_id: int, payer_id: str, source: str, now: datetime) -> Payment:
    """Allocate, execute and settle an approved attempt; one that is not open any more is left as it
    is.
    """
    payment, is_started = begin(payment_id=payment_id, payer_id=payer_id, source=source, now=now)
    if not is_started:
        return payment
    evidence = provider_of(payment).execute(payment)
    return settle(payment_id=payment.pk, evidence=evidence, source=source, now=now)


@one_transaction
def begin(*, payment_id: int, payer_id: str, source: str, now: datetime) -> tuple[Payment, bool]:
    """Turn an attempt's hold into a firm allocation and mark it as being executed; return whether
    that was done.
    """
    locked = lock_attempt(payment_id)
    payment = locked.payment
    if payment.state not in OPEN:
        return payment, False
    if obstacle := obstacle_to(locked, now=now):
        state = (
            PaymentState.FAILED if obstacle in (CANCELLED, OUT_OF_STOCK) else PaymentState.EXPIRED
        )
        close_attempt(locked, state, reason=obstacle, source=source, now=now)
        return payment, False
    if payment.state == PaymentState.CREATED:
        move_payment(payment, PaymentState.APPROVED, source=source, now=now, payer_id=payer_id)
    move_payment(
        payment,
        PaymentState.EXECUTING,
        source=source,
        now=now,
        executing_since=now,
        checks=0,
        refusals=0,
        next_check_at=now + rules.EXECUTION_LASTS,
    )
    refresh_payment_flags(locked.order)
    return payment, True


def obstacle_to(locked: Locked, *, now: datetime) -> str:
    """Return why a locked attempt must not be executed; nothing where it may, and its pieces are
    allocated then.
    """
    if locked.order is not None and locked.order.status == OrderStatus.CANCELLED:
        return CANCELLED
    if has_live_sibling(locked.payment):
        return SUPERSEDED
    payment, order, draft = locked.payment, locked.order, locked.draft
    if payment.kind != DEPOSIT:
        is_due = order is not None and order.status == OrderStatus.CONFIRMED
        if order is None or not is_due or due_of(order) != payment.base:
            return CHANGED
        return SUPERSEDED if order.payment_pending else ""
    if draft is None or draft.ordered_at is not None:
        return SUPERSEDED
    if deposit_of(draft) != payment.base:
        return CHANGED
    try:
        with transaction.atomic():
            hold_stock(draft, buyer=locked.buyer, until=None, now=now)
    except OutOfStock:
        return OUT_OF_STOCK
    return ""


@one_transaction
def cancel_link(
    *, buyer: Buyer, invoice_code: str, kind: Payment.Kind, token: str, now: datetime
) -> None:
    """End an attempt that its buyer cancelled at PayPal; one that is further on stays as it is
    (B3.10).

    Raises:
        NotFound: unknown, or not the caller's.
        PaymentRefused: no attempt of the buyer's has this token.
    """
    payment = _by_token(buyer, invoice_code, kind, token)
    locked = lock_attempt(payment.pk)
    if locked.payment.state == PaymentState.CREATED:
        close_attempt(locked, PaymentState.FAILED, reason=BY_BUYER, source=RETURN, now=now)
