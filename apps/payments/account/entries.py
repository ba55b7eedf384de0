"""The lines of one order in its company's account, from the rows that keep its money. Pure.

A charge is above zero: what the company owes by it. What arrives, or is not asked for any more, is
below. The credit of the wallet is no part of the account: what goes there leaves it as a charge,
what is used of it arrives as a receipt.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal
from typing import NamedTuple

from apps.common.money import ZERO
from apps.orders.models import IssuedDocument
from apps.orders.status import OrderStatus
from apps.payments.models import Payment, WalletEntry
from apps.payments.rules import order_part

RECEIPTS = {
    Payment.Method.WIRE: "Payment received, bank wire",
    Payment.Method.PAYPAL: "Payment received, PayPal",
    Payment.Method.WALLET: "Payment from the wallet",
}
CREDITS: dict[str, str] = {
    WalletEntry.Kind.CANCELLATION: "Cancelled order, credited to the wallet",
    WalletEntry.Kind.OVERPAYMENT: "Overpayment, credited to the wallet",
    WalletEntry.Kind.CORRECTION: "Overpayment, credited to the wallet",
}
REFUNDED = {True: "Refund of a wire, to the wallet", False: "Refund of a wire, by bank"}
CONFIRMED = "Order confirmed, goods and shipping"
NOT_SUPPLIED = "Adjustment, goods not supplied"
PROFORMA, RECEIPT = IssuedDocument.Kind.PROFORMA, IssuedDocument.Kind.RECEIPT


class Line(NamedTuple):
    """A line of the account: US dollars, above zero what is owed by it; `paper` is the kind of
    document behind it.
    """

    at: datetime
    text: str
    amount: Decimal
    paper: str = ""


@dataclass
class Paid:
    """A payment that brought money: `received` is what its order still has of it, before any of it
    was moved away.

    `returns` are the moments at which some of it went back, each with what was sent back; None is
    all.
    """

    method: str
    at: datetime
    brought: Decimal
    received: Decimal
    returns: list[tuple[datetime, Decimal | None]] = field(default_factory=list)


@dataclass
class OrderMoney:
    """What an order keeps of its money, with the moments of its steps. Amounts are US dollars."""

    status: OrderStatus
    placed_at: datetime
    deposit: Decimal
    priced: Decimal
    written_off: Decimal
    confirmed_at: datetime | None = None
    paid_at: datetime | None = None
    cancelled_at: datetime | None = None
    written_off_at: datetime | None = None
    payments: list[Paid] = field(default_factory=list)
    moved: list[tuple[datetime, Decimal]] = field(default_factory=list)
    refunded: list[tuple[datetime, bool, Decimal]] = field(default_factory=list)
    credits: list[tuple[datetime, str, Decimal]] = field(default_factory=list)


def order_lines(order: OrderMoney) -> list[Line]:
    """Return the lines of an order, the oldest first. They add up to what the order asks for less
    what it keeps.
    """
    lines = [Line(order.placed_at, "Deposit invoiced", order.deposit, PROFORMA)]
    if order.confirmed_at is not None:
        more = order.priced - order.deposit
        text = CONFIRMED if more > ZERO else NOT_SUPPLIED
        lines.append(Line(order.confirmed_at, text, more, PROFORMA))
    for paid in order.payments:
        lines.append(Line(paid.at, RECEIPTS[Payment.Method(paid.method)], -paid.brought, RECEIPT))
    returned = [step for payment in order.payments for step in _returned(payment)]
    lines += [Line(at, "Refund to PayPal", amount) for at, amount in returned]
    lines += _moved_lines(order)
    # What went back once the order was paid, or is no more, is not asked for again; what was let go
    # of a balance when it came stands beside it.
    never = datetime.max.replace(tzinfo=UTC)
    cancelled_at, paid_at = order.cancelled_at or never, order.paid_at or never
    refunds = [*returned, *((at, amount) for at, _, amount in order.refunded)]
    waived = [(at, amount) for at, amount in refunds if at >= min(cancelled_at, paid_at)]
    lines += [Line(at, "Refund, waived", -amount) for at, amount in waived]
    let_go = sum((amount for at, amount in waived if at < cancelled_at), ZERO)
    written_off_at = order.written_off_at or order.paid_at or order.placed_at
    lines.append(Line(written_off_at, "Written off", let_go - order.written_off))
    lines += _end_lines(order, sum((line.amount for line in lines), ZERO))
    return sorted((line for line in lines if line.amount), key=lambda line: line.at)


def _moved_lines(order: OrderMoney) -> list[Line]:
    """Return the lines of what went to other orders, back by bank, or to the wallet."""
    return [
        *(Line(at, "Wire moved to another order", amount) for at, amount in order.moved),
        *(Line(at, REFUNDED[to_wallet], amount) for at, to_wallet, amount in order.refunded),
        *(Line(at, CREDITS[kind], amount) for at, kind, amount in order.credits),
    ]


def _end_lines(order: OrderMoney, balance: Decimal) -> list[Line]:
    """Return the lines of a cancellation: nothing is asked for any more but what it keeps."""
    at = order.cancelled_at
    if at is None:
        return []
    asked = order.deposit if order.confirmed_at is None else order.priced
    asked -= order.written_off
    return [Line(at, "Order cancelled", -asked), Line(at, "Cancellation fee", asked - balance)]


def transfer_lines(
    amount: Decimal,
    *,
    of_wallet: bool,
    owed_at: datetime,
    sent_at: datetime | None,
    reference: str,
) -> list[Line]:
    """Return the lines of money that goes back by bank: owed from its first day, until it is sent.
    Together they come to nothing.
    """
    owed, sent = (
        ("Wallet credit, owed to you", "Wallet credit, sent by bank")
        if of_wallet
        else ("Refund owed to you", "Refund, sent by bank")
    )
    lines = [Line(owed_at, owed, -amount)]
    if sent_at is not None:
        text = ", ".join(filter(None, [sent, reference]))
        lines.append(Line(max(owed_at, sent_at), text, amount))
    return lines


def _returned(paid: Paid) -> Iterator[tuple[datetime, Decimal]]:
    """Yield what the order gave back of a payment at each moment; together it is all that it gave
    back.
    """
    left, sent = paid.brought - paid.received, ZERO
    for place, (at, amount) in enumerate(paid.returns, 1):
        before = order_part(base=paid.brought, refunded=sent)
        sent = paid.brought if amount is None else sent + amount
        part = min(left, before - order_part(base=paid.brought, refunded=sent))
        part = left if place == len(paid.returns) else part
        left -= part
        yield at, part
