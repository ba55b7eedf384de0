"""Money of a booked wire that leaves its order: moved to the right one by a counter-entry, back to
the company's wallet, or owed by bank until staff have sent it.
"""

from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum

from django.utils import timezone
from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.common.db.transactions import one_transaction
from apps.common.errors import row_or_404
from apps.common.mail import queue
from apps.common.money import ZERO, dollars, usd
from apps.common.permissions import needs
from apps.common.texts import Text, phrase
from apps.orders.errors import StaffRefusal
from apps.orders.models import IssuedDocument, Order
from apps.orders.rules import balance_due
from apps.orders.selectors.orders import due_of, get_order_for_staff
from apps.orders.services.documents import withdraw_document
from apps.orders.services.moves import record_money_gone
from apps.orders.status import OrderStatus
from apps.payments import mail
from apps.payments.models import BankTransfer, Payment, WalletEntry, WireMove, WireRefund
from apps.payments.selectors import announced_wires, kind_of, open_amount, wallet_balance
from apps.payments.services.attempts import ADMIN
from apps.payments.services.moves import check_amount, lock_payment, one_line, record_remark
from apps.payments.services.receive import WirePart, receive_wire
from apps.payments.states import PaymentState


@dataclass(frozen=True)
class MoveFigures:
    """What moving a wire would do, in US dollars: `part` is what the other order gets, and what it
    asks for now.
    """

    part: WirePart
    received: tuple[Decimal, Decimal]
    due: tuple[Decimal, Decimal]
    told: bool


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


def move_figures(*, payment: Payment, to: Order, amount: Decimal) -> MoveFigures:
    """Return what moving an amount of a wire to another order would do to the order that has it
    now.
    """
    order = payment.order
    assert order is not None
    kind = kind_of(to)
    wire = announced_wires(to).filter(kind=kind).first()
    return MoveFigures(
        part=WirePart(to.pk, wire.pk if wire else None, open_amount(to, kind, wire), amount),
        received=(order.received, order.received - amount),
        due=(due_of(order), _due_without(order, amount)),
        told=_was_told_paid(order),
    )


def _due_without(order: Order, amount: Decimal) -> Decimal:
    """Return the balance that is due once US dollars of what an order received are gone."""
    if not order.state.is_priced:
        return ZERO
    return balance_due(
        real_total=order.real_total,
        shipping_fee=order.shipping_fee,
        received=order.received - amount - order.credited + order.written_off,
    )


def _was_told_paid(order: Order) -> bool:
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
    was_told_paid = _was_told_paid(order)
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
    if was_told_paid:
        withdraw_document(order=order, kind=IssuedDocument.Kind.RECEIPT, now=now)
        queue([mail.wire_moved(order, amount=part.amount)])
    return target


class Way(StrEnum):
    """Where a refund goes."""

    WALLET = "wallet"
    BANK = "bank"


@dataclass(frozen=True)
class RefundFigures:
    """What a refund would do, in US dollars before and after; `is_asked_again` says whether the
    order owes it again.
    """

    received: tuple[Decimal, Decimal]
    due: tuple[Decimal, Decimal]
    wallet: tuple[Decimal, Decimal]
    is_asked_again: bool


def refund_figures(*, payment: Payment, amount: Decimal, way: Way) -> RefundFigures:
    """Return what refunding an amount of a wire would do to its order and to the
    company's wallet.
    """
    order = payment.order
    assert order is not None
    due, wallet = due_of(order), wallet_balance(company_id=order.company_id)
    is_paid = order.status >= OrderStatus.PAID
    return RefundFigures(
        received=(order.received, order.received - amount),
        due=(due, due if is_paid else _due_without(order, amount)),
        wallet=(wallet, wallet + amount if way is Way.WALLET else wallet),
        is_asked_again=not is_paid,
    )


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
