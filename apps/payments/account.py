"""A company's account over days of the seller, from the rows that keep the money of its orders.

A charge is above zero: what the company owes by it. What arrives, or is not asked for any more, is
below. The credit of the wallet is no part of the account: what goes there leaves it as a charge,
what is used of it arrives as a receipt.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import NamedTuple

from django.db.models import F, Q

from apps.accounts.selectors import Buyer
from apps.common.days import midnight
from apps.common.errors import Invalid
from apps.common.money import ZERO
from apps.common.tables.download import Cell
from apps.common.types import Json
from apps.orders.models import IssuedDocument, Order, OrderEvent
from apps.orders.selectors.orders import seller_date
from apps.orders.selectors.papers import issued_papers
from apps.orders.status import OrderStatus
from apps.payments.models import (
    BankTransfer,
    Payment,
    PaymentEvent,
    Refund,
    WalletEntry,
    WireMove,
    WireRefund,
)
from apps.payments.rules import order_part
from apps.payments.states import PaymentState

S = PaymentState
WENT_BACK = (S.PARTIALLY_REFUNDED, S.REFUNDED, S.REVERSED)
STEPS = (OrderStatus.CONFIRMED, OrderStatus.PAID)
WRITTEN_OFF = "written off"
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
NEVER = datetime.max.replace(tzinfo=UTC)


class Line(NamedTuple):
    """A line of the account: US dollars, above zero what is owed by it; `paper` is the kind of
    document behind it.
    """

    at: datetime
    text: str
    amount: Decimal
    paper: str = ""


@dataclass
class OrderAccount:
    """An order, the moments of its steps, its lines, and when how much went back to its buyer in
    US dollars.
    """

    order: Order
    confirmed_at: datetime | None = None
    paid_at: datetime | None = None
    written_off_at: datetime | None = None
    lines: list[Line] = field(default_factory=list)
    refunds: list[tuple[datetime, Decimal]] = field(default_factory=list)

    def open(self) -> None:
        """Write what the order asks for."""
        order = self.order
        self.lines = [Line(order.placed_at, "Deposit invoiced", order.deposit, PROFORMA)]
        if self.confirmed_at is not None:
            goods, fee = order.real_total - order.deposit, order.shipping_fee
            parts = [(CONFIRMED, goods + fee)]
            if goods + fee <= ZERO:
                parts = [(NOT_SUPPLIED, goods), ("Shipping fee", fee)]
            self.lines += [Line(self.confirmed_at, *part, PROFORMA) for part in parts]

    def give_back(self, at: datetime, text: str, amount: Decimal) -> None:
        """Write a refund."""
        self.lines.append(Line(at, text, amount))
        self.refunds.append((at, amount))

    def close(self) -> list[Line]:
        """Return all lines, the oldest first, with what is not asked for any more. They add up to
        what the order asks for less what it keeps.
        """
        order, lines = self.order, self.lines
        # What went back once the order was paid, or is no more, is not asked for again; what was
        # let go of a balance when it came stands beside it.
        cancelled_at = order.cancelled_at or NEVER
        ended_at = min(cancelled_at, self.paid_at or NEVER)
        waived = [(at, amount) for at, amount in self.refunds if at >= ended_at]
        lines += [Line(at, "Refund, waived", -amount) for at, amount in waived]
        let_go = sum((amount for at, amount in waived if at < cancelled_at), ZERO)
        at = self.written_off_at or self.paid_at or order.placed_at
        lines.append(Line(at, "Written off", let_go - order.written_off))
        if order.cancelled_at is not None:
            due = order.real_total + order.shipping_fee if self.confirmed_at else order.deposit
            due -= order.written_off
            fee = due - sum((line.amount for line in lines), ZERO)
            lines.append(Line(order.cancelled_at, "Order cancelled", -due))
            lines.append(Line(order.cancelled_at, "Cancellation fee", fee))
        return sorted((line for line in lines if line.amount), key=lambda line: line.at)


def lines_of_orders(*, company_id: int) -> dict[str, list[Line]]:
    """Return the lines of a company's orders by their codes, the oldest order first. Eight
    statements at most.
    """
    orders = Order.objects.filter(company_id=company_id).order_by("id")
    accounts = {order.pk: OrderAccount(order) for order in orders}
    let_go = Q(kind=OrderEvent.Kind.PAYMENT, note__contains=WRITTEN_OFF)
    events = OrderEvent.objects.filter(
        Q(kind=OrderEvent.Kind.STATUS, to_status__in=STEPS) | let_go, order__company_id=company_id
    ).order_by("id")
    for order_id, to_status, at in events.values_list("order_id", "to_status", "at"):
        if to_status == OrderStatus.CONFIRMED:
            accounts[order_id].confirmed_at = at
        elif to_status == OrderStatus.PAID:
            accounts[order_id].paid_at = at
        else:
            accounts[order_id].written_off_at = at
    for account in accounts.values():
        account.open()
    _add_payments(accounts, company_id)
    moves = WireMove.objects.filter(source__company_id=company_id)
    for order_id, at, amount in moves.values_list("source__order_id", "at", "amount"):
        accounts[order_id].lines.append(Line(at, "Wire moved to another order", amount))
    refunds = WireRefund.objects.filter(payment__company_id=company_id)
    for order_id, at, entry_id, amount in refunds.values_list(
        "payment__order_id", "at", "entry_id", "amount"
    ):
        accounts[order_id].give_back(at, REFUNDED[entry_id is not None], amount)
    entries = WalletEntry.objects.filter(company_id=company_id, order__isnull=False)
    entries = entries.filter(kind__in=CREDITS)
    for order_id, at, kind, amount in entries.values_list("order_id", "at", "kind", "amount"):
        accounts[order_id].lines.append(Line(at, CREDITS[kind], amount))
    return {account.order.invoice_code: account.close() for account in accounts.values()}


def _brought(payment: Payment) -> Decimal:
    """Return what a payment brought its order, before any of it went back."""
    return payment.share if payment.method == Payment.Method.PAYPAL else payment.received


def _add_payments(accounts: dict[int, OrderAccount], company_id: int) -> None:
    """Write the payments that brought money: when it came, and each moment at which some of it
    went back.
    """
    events = PaymentEvent.objects.filter(
        payment__company_id=company_id, payment__order__isnull=False
    )
    came = events.filter(to_state=S.CAPTURED).exclude(from_state=S.CAPTURED)
    paid: dict[int, tuple[OrderAccount, Payment]] = {}
    for event in came.select_related("payment"):
        payment = event.payment
        account = accounts[payment.order_id]  # type: ignore[index]  # it has its order
        paid[payment.pk] = account, payment
        text = RECEIPTS[Payment.Method(payment.method)]
        account.lines.append(Line(event.at, text, -_brought(payment), RECEIPT))
    if all(_brought(payment) == payment.received for _, payment in paid.values()):
        return
    refunds: defaultdict[int, list[Decimal]] = defaultdict(list)
    completed = Refund.objects.filter(payment_id__in=paid, state=Refund.State.COMPLETED).order_by(
        "id"
    )
    for payment_id, amount in completed.values_list("payment_id", "amount"):
        refunds[payment_id].append(amount)
    went_back = events.filter(to_state__in=WENT_BACK, payment_id__in=paid)
    went_back = went_back.exclude(from_state=F("to_state"), source="admin")
    steps: defaultdict[int, list[tuple[datetime, Decimal | None]]] = defaultdict(list)
    for payment_id, to_state, at in went_back.values_list("payment_id", "to_state", "at"):
        is_all = to_state == S.REVERSED or not refunds[payment_id]
        steps[payment_id].append((at, None if is_all else refunds[payment_id].pop(0)))
    for payment_id, (account, payment) in paid.items():
        for at, amount in _returned(payment, steps[payment_id]):
            account.give_back(at, "Refund to PayPal", amount)


def _returned(
    payment: Payment, steps: list[tuple[datetime, Decimal | None]]
) -> Iterator[tuple[datetime, Decimal]]:
    """Yield what the order gave back of a payment at each moment, of which is known what was sent
    back: None is all. Together it is all that it gave back.
    """
    arrived, refunded = _brought(payment), ZERO
    remaining = arrived - payment.received
    for place, (at, amount) in enumerate(steps, 1):
        before = order_part(base=arrived, refunded=refunded)
        refunded = arrived if amount is None else refunded + amount
        part = min(remaining, before - order_part(base=arrived, refunded=refunded))
        part = remaining if place == len(steps) else part
        remaining -= part
        yield at, part


def lines_of_transfers(*, company_id: int) -> Iterator[tuple[str, Line]]:
    """Yield the lines of what goes back to a company by bank, each with its invoice code, empty for
    credit of the wallet: owed from its first day, until it is sent. Together they come to nothing.
    One statement.
    """
    transfers = BankTransfer.objects.filter(company_id=company_id)
    for one in transfers.select_related("refund__payment"):
        code = one.about if one.refund_id else ""
        of_wallet = one.entry_id is not None
        text_owed = "Wallet credit, owed to you" if of_wallet else "Refund owed to you"
        yield code, Line(one.owed_at, text_owed, -one.amount)
        if one.sent_on is not None:
            text_sent = "Wallet credit, sent by bank" if of_wallet else "Refund, sent by bank"
            text = ", ".join(filter(None, [text_sent, one.reference]))
            yield code, Line(max(one.owed_at, midnight(one.sent_on)), text, one.amount)


HEADINGS = ("Date", "Description", "Order", "Charge $", "Payment or credit $", "Balance $")
WRONG_DAYS = "The first day is after the last."


class StatementLine(NamedTuple):
    """A line of a statement: US dollars, `charge` above zero or `credit` below it, and what is owed
    after it.

    `paper` is the kind of document behind it, or empty; so is `invoice_code` where it is of no
    order.
    """

    on: date
    text: str
    invoice_code: str
    charge: Decimal
    credit: Decimal
    balance: Decimal
    paper: str


@dataclass(frozen=True)
class Statement:
    """A statement of account; both days are included. Amounts are US dollars, above zero what the
    company owes.
    """

    since: date
    until: date
    opening: Decimal
    charges: Decimal
    credits: Decimal
    closing: Decimal
    lines: list[StatementLine]


def statement_of(*, buyer: Buyer, since: date, until: date) -> Statement:
    """Return the statement of the buyer's company. Eight statements of the database at most,
    whatever the days.

    Raises:
        Invalid: the first day is after the last.
    """
    if since > until:
        raise Invalid(since=WRONG_DAYS)
    lines_by_order = lines_of_orders(company_id=buyer.company_id)
    places = {code: place for place, code in enumerate(lines_by_order)}
    everything = [
        *((code, line) for code, lines in lines_by_order.items() for line in lines),
        *lines_of_transfers(company_id=buyer.company_id),
    ]
    everything.sort(key=lambda pair: (pair[1].at, places.get(pair[0], len(lines_by_order))))
    opening = balance = charges = credits_ = ZERO
    listed: list[StatementLine] = []
    for code, line in everything:
        on = seller_date(line.at)
        if on > until:
            break
        balance += line.amount
        if on < since:
            opening = balance
            continue
        charge, credit = max(ZERO, line.amount), min(ZERO, line.amount)
        charges, credits_ = charges + charge, credits_ + credit
        listed.append(StatementLine(on, line.text, code, charge, credit, balance, line.paper))
    return Statement(since, until, opening, charges, credits_, balance, listed)


def as_json(statement: Statement, *, buyer: Buyer, now: datetime) -> Json:
    """Return a statement as the call answers it, each line with the document that it opens, where
    there is one.

    One statement of the database.
    """
    codes = {line.invoice_code for line in statement.lines if line.paper}
    papers = issued_papers(buyer=buyer, codes=codes, now=now)
    lines = [
        {
            **line._asdict(),
            "paper": papers.get((line.invoice_code, line.paper)) if line.paper else None,
        }
        for line in statement.lines
    ]
    return {**vars(statement), "lines": lines}


def as_rows(statement: Statement) -> Iterator[tuple[Cell, ...]]:
    """Yield a statement as rows of a table, the headings first; a side of a line without an amount
    is empty.
    """
    yield HEADINGS
    yield (str(statement.since), "Opening balance", "", "", "", statement.opening)
    for line in statement.lines:
        yield (
            str(line.on),
            line.text,
            line.invoice_code,
            line.charge or "",
            line.credit or "",
            line.balance,
        )
    yield (
        str(statement.until),
        "Closing balance",
        "",
        statement.charges,
        statement.credits,
        statement.closing,
    )
