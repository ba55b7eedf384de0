"""One bank transfer over one or several orders, and money that an order had received before it
moved in; and what of a booked wire leaves its order: moved to the right one by a counter-entry,
back to the company's wallet, or owed by bank until staff have sent it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum

from django.utils import timezone
from django.utils.translation import gettext as _, gettext_noop

from apps.accounts.models import User
from apps.common.db.transactions import one_transaction
from apps.common.errors import row_or_404
from apps.common.mail import queue
from apps.common.money import ZERO, dollars, usd
from apps.common.permissions import needs
from apps.common.texts import Text, phrase
from apps.orders.errors import StaffRefusal
from apps.orders.models import IssuedDocument, Order, OrderEvent
from apps.orders.rules import balance_due
from apps.orders.selectors.orders import due_of, get_order_for_staff
from apps.orders.services.documents import withdraw_document
from apps.orders.services.moves import record, record_money_gone
from apps.orders.status import OrderStatus
from apps.payments import mail
from apps.payments.models import (
    BankTransfer,
    Payment,
    PaymentEvent,
    WalletEntry,
    WireMove,
    WireRefund,
)
from apps.payments.selectors import announced_wires, get_payment, kind_of, open_amount
from apps.payments.services.moves import (
    ADMIN,
    check_amount,
    lock_orders,
    lock_payment,
    one_line,
    record_remark,
)
from apps.payments.services.wire import book_wire, capture_wire, confirm_wire
from apps.payments.states import PaymentState

WRITE_OFF_REASON = gettext_noop("Bank charges")


@dataclass(frozen=True)
class WirePart:
    """What an order gets of a transfer, in US dollars; `asked` is what it asked for when staff
    looked, `seen` what it had received, where that is known.
    """

    order_id: int
    payment_id: int | None
    asked: Decimal
    amount: Decimal
    written_off: Decimal = ZERO
    seen: Decimal | None = None


@needs("payments.change_payment")
@one_transaction
def receive_wire(
    *,
    parts: Sequence[WirePart],
    arrived: Decimal,
    depositor: str,
    write_off_reason: str = WRITE_OFF_REASON,
    actor: User,
    now: datetime,
) -> list[Payment]:
    """Book a transfer (US dollars) over its orders, all or nothing (design/admin.md, Payment desk).

    Raises:
        NotFound: an order or a payment does not exist.
        WrongStatus: an order is paid, shipped or cancelled.
        StaffRefusal: the parts are not what arrived, an order is named twice or asks for another
            amount by now, or see `confirm_wire` and `book_wire`.
    """
    total = sum((part.amount for part in parts), ZERO)
    if not parts or total != arrived:
        parts_text = phrase("The parts add up to %(parts)s.", parts=dollars(total))
        raise StaffRefusal(
            _("The parts add up to %(parts)s, but %(arrived)s arrived."),
            errors={"received": [parts_text]},
            parts=dollars(total),
            arrived=dollars(arrived),
        )
    if len({(part.order_id, part.payment_id) for part in parts}) != len(parts):
        raise StaffRefusal(_("An order is named twice."))
    orders = lock_orders(part.order_id for part in parts)
    for part in parts:
        order = orders[part.order_id]
        wire = get_payment(payment_id=part.payment_id) if part.payment_id else None
        due = open_amount(order, wire.kind if wire else kind_of(order), wire)
        if due != part.asked or (wire is not None and wire.order_id != order.pk):
            raise StaffRefusal(
                _("%(asked)s is due on %(order)s now, not %(seen)s."),
                order=str(order),
                asked=dollars(due),
                seen=dollars(part.asked),
            )
    payments = []
    for part in parts:
        reason = write_off_reason if part.written_off else ""
        if part.payment_id is None:
            payment = book_wire(
                order_id=part.order_id,
                amount=part.amount,
                depositor=depositor,
                write_off_reason=reason,
                seen=part.seen,
                actor=actor,
                now=now,
            )
        else:
            payment = confirm_wire(
                payment_id=part.payment_id,
                received=part.amount,
                write_off_reason=reason,
                actor=actor,
                now=now,
            )
        payments.append(payment)
    return payments


MOVED_IN = "moved_in"  # the one source of events that may be deleted again


@needs("payments.change_payment")
def move_money_in(*, order: Order, amount: Decimal, kind: str, at: datetime, actor: User) -> None:
    """Book US dollars that an order which moves in had received, in the caller's transaction.
    Nobody is told, and no credit of the bank stands behind it.
    """
    note = Text("Moved in: %(number)s", number=order.former_number)
    capture_wire(order, kind, amount, source=MOVED_IN, note=note, actor=actor, now=at)
    record(order, OrderEvent.Kind.PAYMENT, note, actor=actor, now=at)
    order.received += amount
    if kind == Payment.Kind.DEPOSIT:
        order.deposit_received += amount
    order.save(update_fields=["received", "deposit_received"])


@needs("payments.change_payment")
def take_money_out(*, order: Order, actor: User) -> None:
    """Delete the payments that moved in with an order."""
    PaymentEvent.objects.filter(payment__order=order, source=MOVED_IN).delete()
    Payment.objects.filter(order=order).delete()


def movable(payment: Payment) -> Decimal:
    """Return the US dollars of a payment that can be moved to another order: none unless it is a
    booked wire.

    What went to the company's wallet already cannot be moved.
    """
    order = payment.order
    if (
        payment.method != Payment.Method.WIRE
        or payment.state != PaymentState.CAPTURED
        or order is None
    ):
        return ZERO
    if order.status == OrderStatus.CANCELLED:  # its money went to the wallet
        return ZERO
    return max(ZERO, min(payment.kept, usd(order.received - order.credited)))


def part_for(to: Order, amount: Decimal) -> WirePart:
    """Return what an order gets of a wire that is moved to it, with what it asks for now."""
    kind = kind_of(to)
    wire = announced_wires(to).filter(kind=kind).first()
    return WirePart(to.pk, wire.pk if wire else None, open_amount(to, kind, wire), amount)


def due_without(order: Order, amount: Decimal) -> Decimal:
    """Return the balance that is due once US dollars of what an order received are gone."""
    if not order.state.is_priced:
        return ZERO
    return balance_due(
        real_total=order.real_total,
        shipping_fee=order.shipping_fee,
        received=order.received - amount - order.credited + order.written_off,
    )


def was_told_paid(order: Order) -> bool:
    """Return whether an order's buyer was told that it is paid."""
    return order.status in (OrderStatus.PAID, OrderStatus.SHIPPED)


@needs("payments.change_payment")
@one_transaction
def move_wire(
    *, payment_id: int, part: WirePart, seen: Decimal, reason: str, actor: User, now: datetime
) -> Payment:
    """Move US dollars of a booked wire to another order; return the payment that they become there.

    The order that had them owes them again, whatever its status: a paid one keeps the status, does
    not ship until it is paid once more, its receipt is withdrawn and its buyer told. `part` is what
    the other order gets and asked for, `seen` what could be moved, when staff looked.

    Raises:
        NotFound: there is no such payment or order.
        WrongStatus: the other order takes no money.
        StaffRefusal: not a booked wire, more than there is, another figure than those seen,
            the same order, or what `receive_wire` refuses of the other order.
    """
    reason = one_line(reason)
    order, source = lock_payment(payment_id, part.order_id)
    if order.pk == part.order_id:
        raise StaffRefusal(_("It is booked on this order."), field="to")
    check_amount(part.amount, limit=movable(source), seen=seen)
    is_told = was_told_paid(order)
    other = get_order_for_staff(order_id=part.order_id)
    said = {"amount": dollars(part.amount), "order": other, "reason": reason}
    note = Text(
        "%(amount)s of the wire from %(depositor)s moved to %(order)s: %(reason)s",
        depositor=source.depositor,
        **said,
    )
    record_money_gone(
        order=order,
        amount=part.amount,
        is_deposit=source.kind == Payment.Kind.DEPOSIT,
        is_owed=True,
        actor=actor,
        note=note.stored(),
        now=now,
    )
    note = Text("%(amount)s moved to %(order)s: %(reason)s", **said)
    record_remark(source, source=ADMIN, note=note, actor=actor, now=now)
    (target,) = receive_wire(
        parts=[part], arrived=part.amount, depositor=source.depositor, actor=actor, now=now
    )
    WireMove.objects.create(
        source=source, target=target, amount=part.amount, reason=reason, actor=actor, at=now
    )
    note = Text("Booked on %(order)s before: %(reason)s", order=order, reason=reason)
    record_remark(target, source=ADMIN, note=note, actor=actor, now=now)
    if is_told:
        withdraw_document(order=order, kind=IssuedDocument.Kind.RECEIPT, now=now)
        queue([mail.wire_moved(order, amount=part.amount)])
    return target


class Way(StrEnum):
    """Where a refund goes."""

    WALLET = "wallet"
    BANK = "bank"


@needs("payments.change_payment")
@one_transaction
def refund_wire(
    *,
    payment_id: int,
    amount: Decimal,
    way: Way,
    reason: str,
    seen: Decimal,
    actor: User,
    now: datetime,
) -> WireRefund:
    """Refund US dollars of a booked wire; the order keeps its status, the buyer gets a mail with
    the reason.

    Of a paid order it is not asked for again, of any other it is due again, as after a refund to
    PayPal. By bank it is owed until staff have sent it: the portal moves no money. `seen` is the
    most that the page showed.

    Raises:
        NotFound: there is no such payment of an order.
        StaffRefusal: not a booked wire, more than is left of it, or another limit than the one
            seen.
    """
    reason = one_line(reason)
    order, payment = lock_payment(payment_id)
    check_amount(amount, limit=movable(payment), seen=seen)
    said = {"amount": dollars(amount), "reason": reason}
    of_payer = {**said, "depositor": payment.depositor}
    note = Text(
        "%(amount)s of the wire from %(depositor)s refunded by bank: %(reason)s", **of_payer
    )
    remark = Text("%(amount)s refunded by bank: %(reason)s", **said)
    if way is Way.WALLET:
        note = Text(
            "%(amount)s of the wire from %(depositor)s refunded to the wallet: %(reason)s",
            **of_payer,
        )
        remark = Text("%(amount)s refunded to the wallet: %(reason)s", **said)
    is_deposit = payment.kind == Payment.Kind.DEPOSIT
    record_money_gone(
        order=order,
        amount=amount,
        is_deposit=is_deposit,
        actor=actor,
        note=note.stored(),
        now=now,
    )
    entry = None
    if way is Way.WALLET:
        entry = WalletEntry.objects.create(
            company_id=order.company_id,
            order=order,
            kind=WalletEntry.Kind.REFUND,
            amount=amount,
            note=reason,
            actor=actor,
            at=now,
        )
    refund = WireRefund.objects.create(
        payment=payment, entry=entry, amount=amount, reason=reason, actor=actor, at=now
    )
    if entry is None:
        BankTransfer.objects.create(
            refund=refund,
            company_id=order.company_id,
            payee=payment.depositor,
            amount=amount,
            owed_at=now,
        )
    record_remark(payment, source=ADMIN, note=remark, actor=actor, now=now)
    due, to_wallet = due_of(order), entry is not None
    queue([mail.wire_refunded(order, amount=amount, due=due, to_wallet=to_wallet, reason=reason)])
    return refund


MAX_REFERENCE = 80


@needs("payments.change_payment")
@one_transaction
def record_transfer_sent(
    *, transfer_id: int, sent_on: date, reference: str, actor: User, now: datetime
) -> BankTransfer:
    """Note that the bank has sent a transfer: it is owed no more, and its buyer gets a mail with
    the bank's reference.

    Raises:
        NotFound: there is no such transfer.
        StaffRefusal: it was sent before, or a day on which it cannot have been sent.
    """
    transfer = row_or_404(
        BankTransfer.objects.select_for_update(of=("self",))
        .select_related("company", "refund__payment__order__user", "sent_by")
        .filter(pk=transfer_id)
    )
    if transfer.sent_on is not None:
        raise StaffRefusal(
            _("It is marked as sent already: %(state)s."), state=transfer.state_words
        )
    reference = " ".join(reference.split())[:MAX_REFERENCE]
    first, today = timezone.localdate(transfer.owed_at), timezone.localdate(now)
    if not first <= sent_on <= today:
        text = phrase("From %(day)s, when it was owed, to today.", day=str(first))
        raise StaffRefusal(_("The day is wrong."), errors={"sent_on": [text]})
    transfer.sent_on, transfer.reference, transfer.sent_by = sent_on, reference, actor
    transfer.save(update_fields=["sent_on", "reference", "sent_by"])
    mail.queue_transfer_sent(transfer)
    return transfer
