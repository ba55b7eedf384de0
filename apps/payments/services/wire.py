"""Bank wires: announced by buyers, with the proof of payment that they attach (the bank's slip);
confirmed, booked or refused by staff.
"""

from datetime import datetime
from decimal import Decimal

from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext as _, gettext_noop

from apps.accounts.models import User
from apps.accounts.selectors import Buyer
from apps.common.db.transactions import one_transaction
from apps.common.errors import Invalid, WrongStatus
from apps.common.mail import queue
from apps.common.money import ZERO, dollars
from apps.common.permissions import needs
from apps.common.printed import refuse_unprintable
from apps.common.seller import seller
from apps.common.texts import Text, phrase
from apps.orders.errors import StaffRefusal
from apps.orders.models import BuyerFile, Order, OrderEvent
from apps.orders.selectors.orders import due_of, get_order, get_order_for_staff
from apps.orders.services.documents import drop_file, stored_file
from apps.orders.services.moves import record, set_payment_flags
from apps.orders.status import OrderStatus
from apps.payments import mail
from apps.payments.errors import BalanceDeclarationRequired, BalanceDepositorRequired
from apps.payments.models import Payment
from apps.payments.rules import may_write_off
from apps.payments.selectors import announced_wire, announced_wires, check_balance, kind_of
from apps.payments.services.deposit import ANOTHER_AMOUNT
from apps.payments.services.moves import (
    ADMIN,
    MAX_REASON,
    announce_wire,
    check_amount,
    close_open_attempts,
    is_unsettled,
    lock_payment,
    move_payment,
    one_line,
    refresh_payment_flags,
)
from apps.payments.services.wallet import record_received
from apps.payments.states import PaymentState

MAX_AMOUNT = Decimal("9999999999.99")
MAX_DEPOSITOR = 120


@one_transaction
def announce_balance_wire(
    *,
    buyer: Buyer,
    invoice_code: str,
    depositor: str,
    seen: Decimal | None = None,
    now: datetime,
) -> Payment:
    """Announce a bank wire for the balance of a confirmed order; staff confirm it (api.md, POST
    /order/tt). `seen` is what the buyer was shown as due, in US dollars: a correction may have
    changed it since.

    Raises:
        NotFound: unknown, or another company's.
        WrongStatus: not confirmed, or nothing due.
        PaymentPending: a balance payment is under way.
        BalanceDeclarationRequired, BalanceDepositorRequired: the popup's wire terms.
        Invalid: invoices cannot print the depositor's name, or another amount is due than the one
            seen.
    """
    order = get_order(buyer=buyer, invoice_code=invoice_code, lock=True)
    due = check_balance(order)
    if not order.export_declared:
        raise BalanceDeclarationRequired(sales_email=seller().sales_email)
    if not depositor.strip():
        raise BalanceDepositorRequired
    refuse_unprintable({"depositor_name": depositor})
    if seen not in (None, due):
        raise Invalid(amount=ANOTHER_AMOUNT)
    close_open_attempts(
        invoice_code=order.invoice_code,
        kind=Payment.Kind.BALANCE,
        reason=gettext_noop("paid by wire"),
        source="buyer",
        now=now,
    )
    payment = announce_wire(
        order, buyer=buyer, kind=Payment.Kind.BALANCE, amount=due, depositor=depositor, now=now
    )
    set_payment_flags(order=order, wire_announced=True, payment_pending=True)
    mail.queue_wire_announced(order, payment, company=buyer.company)
    return payment


def _announced(payment_id: int) -> tuple[Order, Payment]:
    """Return a payment and its order, locked.

    Raises:
        NotFound: there is none.
        StaffRefusal: it does not wait for its money (any more).
    """
    order, payment = lock_payment(payment_id)
    if payment.state != PaymentState.ANNOUNCED:
        raise StaffRefusal(
            _("This payment is no longer an announced wire: %(state)s."),
            state=payment.get_state_display(),
        )
    return order, payment


@needs("payments.change_payment")
@one_transaction
def confirm_wire(
    *, payment_id: int, received: Decimal, write_off_reason: str = "", actor: User, now: datetime
) -> Payment:
    """Record what arrived (US dollars) for an announced wire, deposit or balance (design/admin.md,
    Payment desk).

    Less than announced leaves the rest due, unless a reason lets a small rest of a balance go. More
    than the order costs goes to the wallet.

    Raises:
        NotFound: there is no such payment.
        StaffRefusal: not an announced wire any more, a wrong amount, or a rest that cannot be
            written off.
    """
    check_amount(received, limit=MAX_AMOUNT)
    reason = write_off_reason.strip()
    order, payment = _announced(payment_id)
    written_off = write_off(order, payment.kind, received=received, reason=reason)
    move_payment(
        payment,
        PaymentState.CAPTURED,
        source=ADMIN,
        note=reason,
        actor=actor,
        now=now,
        received=received,
        reason=reason[:MAX_REASON],
    )
    refresh_payment_flags(order)
    _receive(order, payment, written_off=written_off, actor=actor, now=now)
    return payment


def write_off(order: Order, kind: str, *, received: Decimal, reason: str) -> Decimal:
    """Return the rest of a locked order's balance that is let go, in US dollars: none without a
    reason.

    Raises:
        StaffRefusal: a deposit, or more than a small rest.
    """
    if not reason:
        return ZERO
    missing = due_of(order) - received
    if kind != Payment.Kind.BALANCE or not may_write_off(missing=missing):
        text = phrase("%(amount)s would be missing.", amount=dollars(missing))
        raise StaffRefusal(
            _("Only a small rest of a balance can be written off."),
            errors={"write_off_reason": [text]},
        )
    return missing


def _receive(
    order: Order, payment: Payment, *, written_off: Decimal, actor: User, now: datetime
) -> None:
    figures = {
        "kind": Text(payment.kind.capitalize()),
        "amount": dollars(payment.received),
        "depositor": payment.depositor,
    }
    note = Text("%(kind)s wire of %(amount)s from %(depositor)s", **figures)
    if written_off:
        note = Text(
            "%(kind)s wire of %(amount)s from %(depositor)s, %(rest)s written off: %(reason)s",
            **figures,
            rest=dollars(written_off),
            reason=Text(payment.reason),
        )
    record_received(order, payment, note=note, written_off=written_off, actor=actor, now=now)


@needs("payments.change_payment")
@one_transaction
def book_wire(
    *,
    order_id: int,
    amount: Decimal,
    depositor: str,
    write_off_reason: str = "",
    seen: Decimal | None = None,
    actor: User,
    now: datetime,
) -> Payment:
    """Book a wire (US dollars) that nobody announced: a deposit before status 3, the balance from
    then on.

    A paid order takes one only where a balance is due again, because a wire of it was moved away.

    A reason lets a small rest of a balance go, as in `confirm_wire`. `seen` is what the page showed
    as received.

    Raises:
        NotFound: there is no such order.
        WrongStatus: it is paid, shipped or cancelled.
        StaffRefusal: a wrong amount, a rest that cannot be written off, a wire of this kind
            that is announced and has to be confirmed, PayPal at work (B3.12), or another sum
            received than the one seen.
    """
    check_amount(amount, limit=MAX_AMOUNT)
    depositor = depositor.strip()[:MAX_DEPOSITOR]
    order = get_order_for_staff(order_id=order_id, lock=True)
    if not takes_wires(order):
        raise WrongStatus(status=order.state.staff_label)
    if is_unsettled(order.invoice_code):
        raise StaffRefusal(
            _("A PayPal payment of this order is under way. Wait until it is settled.")
        )
    if seen not in (None, order.received):
        raise StaffRefusal(
            _("The order has now received %(received)s, not %(seen)s."),
            received=dollars(order.received),
            seen=dollars(seen or ZERO),
        )
    kind, reason = kind_of(order), write_off_reason.strip()
    if wire := announced_wires(order).filter(kind=kind).first():
        raise StaffRefusal(
            _("A wire of %(amount)s is announced for it. Confirm that one with what arrived."),
            amount=dollars(wire.amount),
        )
    written_off = write_off(order, kind, received=amount, reason=reason)
    payment = capture_wire(
        order,
        kind,
        amount,
        depositor=depositor,
        reason=reason,
        note=Text("Booked"),
        actor=actor,
        now=now,
    )
    _receive(order, payment, written_off=written_off, actor=actor, now=now)
    return payment


def is_settled(order: Order) -> bool:
    """Return whether an order is paid and asks for nothing: money that arrives for it goes to the
    wallet.
    """
    return order.status >= OrderStatus.PAID and not due_of(order)


def capture_wire(
    order: Order,
    kind: str,
    amount: Decimal,
    *,
    depositor: str = "",
    reason: str = "",
    source: str = ADMIN,
    note: Text,
    actor: User,
    now: datetime,
) -> Payment:
    """Store a wire of a locked order that arrived without being announced, in US dollars."""
    payment = Payment(
        invoice_code=order.invoice_code,
        order=order,
        company_id=order.company_id,
        user_id=order.user_id,
        method=Payment.Method.WIRE,
        kind=kind,
        base=amount,
        amount=amount,
        received=amount,
        reason=reason[:MAX_REASON],
        depositor=depositor,
        created_at=now,
    )
    move_payment(payment, PaymentState.CAPTURED, source=source, note=note, actor=actor, now=now)
    return payment


def takes_wires(order: Order) -> bool:
    """Return whether a wire can be booked on an order."""
    return OrderStatus.RECEIVED <= order.status <= OrderStatus.CONFIRMED or bool(due_of(order))


def close_wire(
    payment: Payment, *, reason: str, source: str = ADMIN, actor: User | None, now: datetime
) -> None:
    """Refuse a locked, announced wire, without a mail."""
    move_payment(
        payment,
        PaymentState.REFUSED,
        source=source,
        note=reason,
        actor=actor,
        now=now,
        reason=reason[:MAX_REASON],
    )


@needs("payments.change_payment")
@one_transaction
def refuse_wire(*, payment_id: int, reason: str, actor: User, now: datetime) -> Payment:
    """Refuse an announced wire; the buyer gets a mail with the reason, and may pay again.

    Raises:
        NotFound: there is no such payment.
        StaffRefusal: not an announced wire any more.
    """
    reason = one_line(reason)
    order, payment = _announced(payment_id)
    close_wire(payment, reason=reason, actor=actor, now=now)
    refresh_payment_flags(order)
    queue([mail.wire_refused(order, payment)])
    return payment


def attach_proof(*, buyer: Buyer, invoice_code: str, file: UploadedFile, now: datetime) -> None:
    """Keep a proof of the order's announced wire, in place of the one before; staff see it beside
    the wire.

    Raises:
        NotFound: unknown, or another company's.
        WrongStatus: no wire of it is announced.
        WrongKind, UnsafeFile, Unavailable: see `stored_file`.
    """
    order = get_order(buyer=buyer, invoice_code=invoice_code)
    _awaited(order)
    with stored_file(
        order_id=order.pk, kind=BuyerFile.Kind.PROOF, file=file, buyer=buyer, now=now
    ) as stored:
        _replace(buyer=buyer, invoice_code=invoice_code, stored=stored, now=now)


def remove_proof(*, buyer: Buyer, invoice_code: str, now: datetime) -> None:
    """Take the proof of the order's announced wire away; nothing happens where there is none.

    Raises:
        NotFound: unknown, or another company's.
        WrongStatus: no wire of it is announced.
    """
    _replace(buyer=buyer, invoice_code=invoice_code, stored=None, now=now)


@one_transaction
def _replace(*, buyer: Buyer, invoice_code: str, stored: BuyerFile | None, now: datetime) -> None:
    order = get_order(buyer=buyer, invoice_code=invoice_code, lock=True)
    wire = _awaited(order)
    before = wire.proof
    if stored is not None:
        stored.pk = None  # a repeat stores it once more
        stored.save(force_insert=True)
        note = Text("Proof of payment: %(name)s", name=stored.given_name)
        record(order, OrderEvent.Kind.DOCUMENT, note, actor=buyer, now=now)
    Payment.objects.filter(pk=wire.pk).update(proof=stored)
    if before is not None:
        note = Text("Proof of payment removed: %(name)s", name=before.given_name)
        record(order, OrderEvent.Kind.DOCUMENT, note, actor=buyer, now=now)
        drop_file(before)


def _awaited(order: Order) -> Payment:
    wire = announced_wire(order)
    if wire is None:
        raise WrongStatus
    return wire
