"""Money of a booked wire that goes back to the buyer: to the company's wallet at once, or by the
bank it came from.
"""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from enum import StrEnum

from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.common.db.transactions import one_transaction
from apps.common.mail import queue
from apps.common.money import ZERO, dollars
from apps.common.permissions import needs
from apps.common.texts import Text
from apps.orders.selectors import due_of
from apps.orders.services import record_money_returned
from apps.orders.status import OrderStatus
from apps.payments import mail
from apps.payments.models import BankTransfer, Payment, WalletEntry, WireRefund
from apps.payments.selectors import wallet_balance
from apps.payments.services.attempts import ADMIN
from apps.payments.services.checks import check_amount, lock_payment, reason_of
from apps.payments.services.move_wire import movable
from apps.payments.services.moves import record_remark


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
    is_priced, is_paid = OrderStatus(order.status).is_priced, order.status >= OrderStatus.PAID
    owed = (
        order.real_total
        + order.shipping_fee
        - order.received
        + order.credited
        + amount
        - order.written_off
    )
    return RefundFigures(
        received=(order.received, order.received - amount),
        due=(due, max(ZERO, owed) if is_priced and not is_paid else due),
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
        StaffRefusal: no reason, not a booked wire, more than is left of it, or another limit than
            the one seen.
    """
    reason = reason_of(reason, missing=_("Enter a reason; the buyer reads it."))
    order, payment = lock_payment(payment_id)
    other = _("%(limit)s can be refunded by now, not %(seen)s.")
    check_amount(amount, limit=movable(payment), seen=seen, other=other)
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
    record_money_returned(
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
