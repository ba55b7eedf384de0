"""An order's money followed to the entries that make it: payments, PayPal's fees, what went back,
wallet, write-off.
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db.models import Prefetch
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _, pgettext_lazy

from apps.common.money import ZERO
from apps.common.staff import page_of
from apps.common.texts import phrase, read
from apps.orders.models import Order
from apps.payments.models import Payment, Refund, WalletEntry, WireMove, WireRefund
from apps.payments.services.refunds import movable, refundable
from apps.payments.states import BROUGHT_MONEY, PaymentState

TONES = {
    PaymentState.ANNOUNCED: "info",
    PaymentState.CAPTURED: "ok",
    PaymentState.HELD: "bad",
    PaymentState.FAILED: "bad",
    PaymentState.REVERSED: "bad",
    PaymentState.REFUSED: "warn",
    PaymentState.UNKNOWN: "warn",
    PaymentState.PENDING: "warn",
    PaymentState.PARTIALLY_REFUNDED: "warn",
}
METHODS = {
    Payment.Method.WIRE: pgettext_lazy("way", "wire"),
    Payment.Method.PAYPAL: "PayPal",
    Payment.Method.WALLET: pgettext_lazy("way", "wallet credit"),
}


@dataclass(frozen=True)
class Entry:
    """A line of an order's money, in US dollars: `counts` says whether the order's sums have it."""

    label: str
    amount: Decimal
    second: str = ""
    tag: str = ""
    tone: str = ""
    url: str = ""
    counts: bool = True
    payment: Payment | None = None
    may: Collection[str] = ()  # be done with the payment, by the names of the pages
    limit: Decimal = ZERO  # of what it brought, how much may still be refunded


def received_rows(order: Order) -> Iterator[Entry]:
    """Yield what brought money and what of it went back: together the order's money received. Five
    statements.
    """
    moves = Prefetch("moves_away", WireMove.objects.select_related("target"))
    wire_refunds = Prefetch("wire_refunds", WireRefund.objects.select_related("transfer"))
    payments = order.payments.select_related("moved_in__source", "proof")
    for payment in payments.prefetch_related("refunds", wire_refunds, moves):
        if payment.state not in BROUGHT_MONEY:
            continue
        is_paypal = payment.method == Payment.Method.PAYPAL
        gross, rest = payment.share if is_paypal else payment.received, movable(payment)
        move, fee = getattr(payment, "moved_in", None), payment.fee
        fee_text = origin = ""
        if fee:
            fee_text = phrase(
                "and %(fee)s fee, %(charged)s charged", fee=fee, charged=payment.charged
            )
        if move:
            origin = phrase("moved from %(order)s", order=move.source.invoice_code)
        limit = refundable(payment) if is_paypal else rest
        pages = {
            "move": payment.method == Payment.Method.WIRE and payment.kept,
            "refund": is_paypal and limit,
            "refund_wire": rest,
        }
        yield _entry(
            payment,
            gross,
            second=(payment.depositor, fee_text, read(payment.reason), origin),
            may=[page for page, is_possible in pages.items() if is_possible],
            limit=limit,
        )
        yield from _went_away(payment)
        if gross != payment.received:
            completed = [
                one for one in payment.refunds.all() if one.state == Refund.State.COMPLETED
            ]
            refunded = sum((one.amount for one in completed), ZERO)
            text = phrase("%(amount)s with its fee", amount=refunded) if completed else ""
            yield Entry(_("Refunded to PayPal"), payment.received - gross, second=text)


def _went_away(payment: Payment) -> Iterator[Entry]:
    """Yield what of a wire went to other orders, to the wallet or back to the bank."""
    for move in payment.moves_away.all():
        url = page_of(move.target)
        label = phrase("Moved to %(order)s", order=move.target.invoice_code)
        yield Entry(label, -move.amount, second=move.reason, url=url)
    for refund in payment.wire_refunds.all():
        day = f"{timezone.localtime(refund.at):%m-%d}"
        label = phrase("Refunded to the wallet, %(day)s", day=day)
        state = ""
        if not refund.entry_id:
            label = phrase("Refunded by bank, %(day)s", day=day)
            state = refund.transfer.state_words
        yield Entry(
            label,
            -refund.amount,
            second=", ".join(filter(None, [state, refund.reason])),
        )


def _entry(payment: Payment, amount: Decimal, *, second: Iterable[str], **fields: Any) -> Entry:
    """Return the line of a payment."""
    method = METHODS[Payment.Method(payment.method)]
    day = timezone.localtime(payment.settled_at or payment.created_at)
    return Entry(
        phrase(
            "%(kind)s, %(method)s %(day)s",
            kind=payment.get_kind_display(),
            method=method,
            day=f"{day:%m-%d}",
        ),
        amount,
        second=", ".join(filter(None, second)),
        tag=payment.get_state_display(),
        tone=TONES.get(PaymentState(payment.state), ""),
        url=page_of(payment),
        payment=payment,
        **fields,
    )


def given_back_rows(order: Order) -> Iterator[Entry]:
    """Yield what went to the wallet, below zero: together what the order gave back. One
    statement.
    """
    for entry in order.wallet_entries.exclude(
        kind__in=(WalletEntry.Kind.USE, WalletEntry.Kind.REFUND)
    ):
        yield Entry(
            phrase("To the wallet, %(day)s", day=f"{timezone.localtime(entry.at):%m-%d}"),
            -entry.amount,
            second=", ".join(filter(None, [entry.get_kind_display(), read(entry.note)])),
            tag=_("Credited"),
            tone="ok",
            url=ledger_of(entry.company_id),
        )


def open_rows(order: Order) -> Iterator[Entry]:
    """Yield the payments of the code that are in no sum: announced, under way, failed, or of money
    held apart.
    """
    for payment in Payment.objects.filter(invoice_code=order.invoice_code).select_related("proof"):
        if payment.state in BROUGHT_MONEY and payment.order_id is not None:
            continue
        is_announced = payment.state == PaymentState.ANNOUNCED
        yield _entry(
            payment,
            payment.charged,
            second=(payment.depositor, read(payment.reason)),
            counts=False,
            may=["confirm"] if is_announced else (),
        )


def ledger_of(company_id: int) -> str:
    """Return the address of a company's ledger."""
    return reverse("admin:payments_walletentry_company", args=[company_id])
