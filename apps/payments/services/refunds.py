"""Money sent back to a buyer: to the PayPal account (a row with its key first, then the call), of a
booked wire to the company's wallet, or by bank, where it is owed until staff have sent it
(design/paypal.md, B3.13).
"""

from collections.abc import Iterable
from datetime import date, datetime, timedelta
from decimal import Decimal
from enum import StrEnum

from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _, gettext_noop

from apps.accounts.models import User
from apps.common.db.transactions import one_transaction
from apps.common.errors import row_or_404
from apps.common.mail import queue
from apps.common.money import ZERO, dollars, usd
from apps.common.nudge import nudge
from apps.common.permissions import needs
from apps.common.texts import Text, phrase
from apps.orders.errors import StaffRefusal
from apps.orders.selectors.orders import due_of
from apps.orders.services.moves import record_money_gone
from apps.orders.status import OrderStatus
from apps.payments import mail
from apps.payments.gateway import has_account, provider_of
from apps.payments.models import BankTransfer, Payment, Refund, WalletEntry, WireRefund
from apps.payments.provider import RefundOutcome, RefundResult
from apps.payments.rules import next_check, order_part
from apps.payments.services.moves import (
    ADMIN,
    DEPOSIT,
    MAX_REASON,
    Locked,
    check_amount,
    lock_attempt,
    lock_payment,
    move_payment,
    one_line,
    raise_alarm,
    record_remark,
)
from apps.payments.states import PAID, REFUNDABLE, PaymentState

SWEEP = "payments"
CALL_LASTS = timedelta(minutes=2)
OPEN_REFUNDS = (Refund.State.QUEUED, Refund.State.PENDING)


def refundable(payment: Payment) -> Decimal:
    """Return the US dollars, fee included, that may still be sent back of a payment; none without
    an account at PayPal. What the company's wallet has got of its order stays there.
    """
    if payment.state not in REFUNDABLE or not payment.sale_id or not has_account():
        return ZERO
    # What is refunded is the order's before it is the fee's (`order_part`).
    there = in_wallet(payment)
    whole = payment.share - there if there else payment.charged
    return max(ZERO, usd(whole - _sum(payment, *OPEN_REFUNDS, Refund.State.COMPLETED)))


def in_wallet(payment: Payment) -> Decimal:
    """Return the US dollars of a payment that its order has passed on to the company's wallet."""
    order = payment.order
    if order is None or payment.state == PaymentState.HELD:
        return ZERO
    return max(ZERO, usd(payment.received - (order.received - order.credited)))


def _sum(payment: Payment, *states: Refund.State) -> Decimal:
    return usd(
        sum((refund.amount for refund in payment.refunds.all() if refund.state in states), ZERO)
    )


@needs("payments.change_payment")
def refund_payment(
    *,
    payment_id: int,
    amount: Decimal,
    reason: str,
    seen: Decimal | None = None,
    actor: User,
    now: datetime,
) -> Refund:
    """Send US dollars of a PayPal payment back, all or part, the fee included (design/admin.md,
    Payment desk).

    An answer that is lost is asked for again by the sweep, under the same key. `seen` is the most
    that the page showed.

    Raises:
        NotFound: there is no such payment.
        StaffRefusal: nothing to send back, more than there is, or another limit than the one
            seen.
    """

    @one_transaction
    def queue_refund() -> Refund:
        payment = lock_attempt(payment_id).payment
        check_amount(amount, limit=refundable(payment), seen=seen)
        refund = Refund.objects.create(
            payment=payment,
            amount=amount,
            reason=one_line(reason),
            actor=actor,
            created_at=now,
            next_check_at=now,
        )
        nudge(SWEEP)
        return refund

    refund = queue_refund()
    send_refund(refund_id=refund.pk, now=now)
    refund.refresh_from_db()
    return refund


def send_refund(*, refund_id: int, now: datetime) -> None:
    """Send a queued refund, or ask again what became of it, outside any transaction; one caller at
    a time.
    """
    refund = Refund.objects.select_related("payment").get(pk=refund_id)
    waiting = Refund.objects.filter(
        pk=refund_id, state__in=OPEN_REFUNDS, next_check_at=refund.next_check_at
    )
    if refund.next_check_at is None or not waiting.update(
        next_check_at=now + CALL_LASTS, checks=F("checks") + 1
    ):
        return
    provider = provider_of(refund.payment)
    has_id = refund.state == Refund.State.PENDING and refund.refund_id
    result = provider.fetch_refund(refund) if has_id else provider.refund(refund)

    @one_transaction
    def settle() -> None:
        locked = lock_attempt(refund.payment_id)
        row = Refund.objects.select_for_update().get(pk=refund_id)
        _move_refund(locked, row, result, source="reconciler", now=now)

    settle()


def _move_refund(
    locked: Locked, refund: Refund, result: RefundResult, *, source: str, now: datetime
) -> None:
    if refund.state not in OPEN_REFUNDS:
        return
    refund.refund_id = result.refund_id or refund.refund_id
    refund.debug_id = result.debug_id or refund.debug_id
    refund.next_check_at = next_check(checks=refund.checks, asked_at=now)
    match result.outcome:
        case RefundOutcome.COMPLETED:
            refund.state, refund.next_check_at = Refund.State.COMPLETED, None
        case RefundOutcome.PENDING:
            refund.state = Refund.State.PENDING
        case RefundOutcome.FAILED:
            refund.state, refund.next_check_at = Refund.State.FAILED, None
            refund.failure = result.reason[:MAX_REASON]
    refund.save(update_fields=["refund_id", "debug_id", "next_check_at", "state", "failure"])
    if refund.state == Refund.State.FAILED:
        failed = {"amount": dollars(refund.amount), "reason": refund.failure}
        raise_alarm(locked.payment, Text("A refund of %(amount)s failed: %(reason)s", **failed))
    if refund.state == Refund.State.COMPLETED:
        payment, actor = locked.payment, refund.actor
        refunded = _sum(payment, Refund.State.COMPLETED)
        whole, is_held = refunded >= payment.charged, payment.state == PaymentState.HELD
        if payment.state == PaymentState.REFUNDED or (payment.state not in PAID and not whole):
            return
        if not is_held:
            leaving = payment.received - order_part(base=payment.share, refunded=refunded)
            note = Text("%(amount)s sent back to PayPal", amount=dollars(refunded))
            take_back(locked, leaving, note=note, actor=actor, now=now)
        # Held money that staff themselves sent back needs nobody any more.
        settled = {"alarm": ""} if is_held and actor is not None else {}
        move_payment(
            payment,
            PaymentState.REFUNDED if whole else PaymentState.PARTIALLY_REFUNDED,
            source=source,
            note=Text("%(amount)s sent back", amount=dollars(refunded)),
            actor=actor,
            now=now,
            **settled,
        )


def learn_refunds(
    locked: Locked, results: Iterable[RefundResult], *, source: str, now: datetime
) -> None:
    """Take over what the provider knows of a locked payment's refunds, those made on its own pages
    included.
    """
    payment = locked.payment
    for result in results:
        if not result.refund_id or not result.amount:
            continue
        if (
            Refund.objects.filter(refund_id=result.refund_id)
            .exclude(state__in=OPEN_REFUNDS)
            .exists()
        ):
            continue
        refund = next(
            (row for row in payment.refunds.filter(state__in=OPEN_REFUNDS) if _is(row, result)),
            None,
        )
        if refund is None:
            refund = Refund.objects.create(
                payment=payment,
                amount=result.amount,
                reason=gettext_noop("Sent back on PayPal's own pages"),
                refund_id=result.refund_id,
                created_at=now,
                next_check_at=now,
            )
        _move_refund(locked, refund, result, source=source, now=now)


def _is(refund: Refund, result: RefundResult) -> bool:
    """Return whether the provider's refund is this row, whose answer may have been lost."""
    if refund.refund_id or result.invoice_number:
        return (
            result.refund_id == refund.refund_id or result.invoice_number == refund.invoice_number
        )
    return bool(refund.checks) and refund.amount == result.amount


def take_back(
    locked: Locked, amount: Decimal, *, note: Text, actor: User | None = None, now: datetime
) -> None:
    """Take US dollars that went back off a locked payment and its order, at most what the order
    still has.
    """
    payment, order = locked.payment, locked.order
    if order is None or payment.order_id is None or amount <= ZERO:
        return
    there = min(amount, order.received - order.credited)
    if there < amount:
        text = Text(
            "%(amount)s of it is in the company's wallet as well", amount=dollars(amount - there)
        )
        raise_alarm(payment, text)
    if there > ZERO:
        payment.received -= there
        payment.save(update_fields=["received"])
        is_deposit = payment.kind == DEPOSIT
        record_money_gone(
            order=order,
            amount=there,
            is_deposit=is_deposit,
            actor=actor,
            note=note.stored(),
            now=now,
        )


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
    values = {"amount": dollars(amount), "reason": reason}
    of_payer = {**values, "depositor": payment.depositor}
    note = Text(
        "%(amount)s of the wire from %(depositor)s refunded by bank: %(reason)s", **of_payer
    )
    remark = Text("%(amount)s refunded by bank: %(reason)s", **values)
    if way is Way.WALLET:
        note = Text(
            "%(amount)s of the wire from %(depositor)s refunded to the wallet: %(reason)s",
            **of_payer,
        )
        remark = Text("%(amount)s refunded to the wallet: %(reason)s", **values)
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
