"""Reads what the orders of a company keep of their money, for the lines of its account. Seven
statements.
"""

from collections.abc import Iterable
from decimal import Decimal

from django.db.models import F, Q

from apps.common.days import midnight
from apps.orders.models import Order, OrderEvent
from apps.orders.status import OrderStatus
from apps.payments.account.entries import Line, OrderMoney, Paid, transfer_lines
from apps.payments.models import (
    BankTransfer,
    Payment,
    PaymentEvent,
    Refund,
    WalletEntry,
    WireMove,
    WireRefund,
)
from apps.payments.states import PaymentState

S = PaymentState
WENT_BACK = (S.PARTIALLY_REFUNDED, S.REFUNDED, S.REVERSED)
STEPS = (OrderStatus.CONFIRMED, OrderStatus.PAID)
WRITTEN_OFF = "written off"


def orders_of(*, company_id: int) -> dict[str, OrderMoney]:
    """Return the orders of a company by their codes, the oldest first, each with all that its
    account lines need.
    """
    found: dict[int, OrderMoney] = {}
    codes: dict[int, str] = {}
    for order in Order.objects.filter(company_id=company_id).order_by("id"):
        codes[order.pk] = order.invoice_code
        found[order.pk] = OrderMoney(
            status=OrderStatus(order.status),
            placed_at=order.placed_at,
            deposit=order.deposit,
            priced=order.real_total + order.shipping_fee,
            written_off=order.written_off,
            cancelled_at=order.cancelled_at,
        )
    _read_steps(found, company_id)
    _read_payments(found, company_id)
    moves = WireMove.objects.filter(source__company_id=company_id).order_by("at", "id")
    for order_id, at, amount in moves.values_list("source__order_id", "at", "amount"):
        found[order_id].moved.append((at, amount))
    refunds = WireRefund.objects.filter(payment__company_id=company_id).order_by("at", "id")
    for order_id, at, entry_id, amount in refunds.values_list(
        "payment__order_id", "at", "entry_id", "amount"
    ):
        found[order_id].refunded.append((at, entry_id is not None, amount))
    entries = WalletEntry.objects.filter(company_id=company_id, order__isnull=False)
    entries = entries.exclude(kind__in=(WalletEntry.Kind.USE, WalletEntry.Kind.REFUND)).order_by(
        "at", "id"
    )
    for order_id, at, kind, amount in entries.values_list("order_id", "at", "kind", "amount"):
        found[order_id].credits.append((at, kind, amount))
    return {codes[pk]: order for pk, order in found.items()}


def transfers_of(*, company_id: int) -> list[tuple[str, list[Line]]]:
    """Return the lines of what goes back to a company by bank, each with its invoice code, empty
    for credit of the wallet. One statement.
    """
    transfers = BankTransfer.objects.filter(company_id=company_id)
    return [
        (
            one.about if one.refund_id else "",
            transfer_lines(
                one.amount,
                of_wallet=one.entry_id is not None,
                owed_at=one.owed_at,
                sent_at=midnight(one.sent_on) if one.sent_on else None,
                reference=one.reference,
            ),
        )
        for one in transfers.select_related("refund__payment")
    ]


def _read_steps(found: dict[int, OrderMoney], company_id: int) -> None:
    let_go = Q(kind=OrderEvent.Kind.PAYMENT, note__contains=WRITTEN_OFF)
    events = OrderEvent.objects.filter(
        Q(kind=OrderEvent.Kind.STATUS, to_status__in=STEPS) | let_go, order__company_id=company_id
    ).order_by("id")
    for order_id, to_status, at in events.values_list("order_id", "to_status", "at"):
        order = found[order_id]
        if to_status == OrderStatus.CONFIRMED:
            order.confirmed_at = at
        elif to_status == OrderStatus.PAID:
            order.paid_at = at
        else:
            order.written_off_at = at


def _read_payments(found: dict[int, OrderMoney], company_id: int) -> None:
    """Read the payments that brought money: when it came, and each moment at which some of it went
    back.
    """
    events = PaymentEvent.objects.filter(
        payment__company_id=company_id, payment__order__isnull=False
    )
    came = (
        events.filter(to_state=S.CAPTURED).exclude(from_state=S.CAPTURED).select_related("payment")
    )
    paid: dict[int, Paid] = {}
    for event in came.order_by("at", "id"):
        payment = event.payment
        brought = payment.share if payment.method == Payment.Method.PAYPAL else payment.received
        paid[payment.pk] = Paid(payment.method, event.at, brought, payment.received)
        # It has its order
        found[payment.order_id].payments.append(paid[payment.pk])  # type: ignore[index]
    if not any(one.brought != one.received for one in paid.values()):
        return
    refunds = _refunds(paid)
    went_back = events.filter(to_state__in=WENT_BACK, payment_id__in=refunds.keys() | paid.keys())
    went_back = went_back.exclude(from_state=F("to_state"), source="admin").order_by("at", "id")
    for payment_id, to_state, at in went_back.values_list("payment_id", "to_state", "at"):
        sent = refunds.get(payment_id, [])
        amount = None if to_state == S.REVERSED or not sent else sent.pop(0)
        paid[payment_id].returns.append((at, amount))


def _refunds(paid: Iterable[int]) -> dict[int, list[Decimal]]:
    """Return what was sent back of payments, in the order in which it was asked for."""
    sent: dict[int, list[Decimal]] = {}
    done = Refund.objects.filter(payment_id__in=paid, state=Refund.State.COMPLETED).order_by("id")
    for payment_id, amount in done.values_list("payment_id", "amount"):
        sent.setdefault(payment_id, []).append(amount)
    return sent
