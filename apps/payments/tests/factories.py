"""Makers of orders with their payments for tests, through the services that buyers and staff use;
and what an account leaves unexplained.
"""

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from apps.accounts.models import User
from apps.accounts.selectors import Buyer
from apps.common.money import ZERO
from apps.common.types import Json
from apps.orders.models import Order, TemporaryOrder
from apps.orders.services.moves import start_preparing
from apps.orders.status import OrderStatus
from apps.orders.tests.factories import (
    SHIPPING_FEE,
    Lines,
    confirm,
    make_draft,
    make_sales,
    make_shipping,
    ship_body,
)
from apps.payments.account import lines_of_orders
from apps.payments.models import Payment, WalletEntry
from apps.payments.selectors import deposit_of
from apps.payments.services.cancel import cancel_order
from apps.payments.services.deposit import WireCheckout, checkout_deposit_by_wire
from apps.payments.services.wallet import correct_wallet
from apps.payments.services.wire import announce_balance_wire, book_wire, confirm_wire
from apps.payments.states import PaymentState


def wire_form(draft: TemporaryOrder, **fields: Any) -> WireCheckout:
    """Return the form of a wire checkout with the quoted amount."""
    form = {
        "invoice_code": draft.invoice_code,
        "shipping": make_shipping(),
        "export_declared": True,
        "depositor": "Glow Trading",
        "amount": deposit_of(draft),
    }
    return WireCheckout(**{**form, **fields})


def wire_body(buyer: Buyer, draft: TemporaryOrder, **fields: Any) -> Json:
    """Return what the deposit screen sends."""
    head = {"uuid": str(buyer.uuid), "email": buyer.email, "invoice_code": draft.invoice_code}
    terms = {"type": "ORDER", "payment_type": "T/T", "export_report": 1}
    typed = {"ship_memo": "Before noon,\r\nplease", "payer_id": " Glow Trading "}
    return {**head, **terms, **typed, "amount": float(draft.total), **ship_body(), **fields}


def make_wire_order(buyer: Buyer, lines: Lines | None = None, **fields: Any) -> Order:
    """Return a received order of a buyer; its deposit wire is announced."""
    now = datetime.now(UTC)
    draft = make_draft(buyer, lines, now=now)
    return checkout_deposit_by_wire(buyer=buyer, form=wire_form(draft, **fields), now=now)


def announced(order: Order) -> Payment:
    """Return the one wire of an order that waits for its money."""
    return Payment.objects.get(order=order, state=PaymentState.ANNOUNCED)


def arrive(
    order: Order, amount: Decimal | None = None, *, actor: User | None = None, **fields: Any
) -> Payment:
    """Confirm the announced wire of an order: what was announced, unless told otherwise."""
    payment = announced(order)
    received = payment.amount if amount is None else amount
    actor = actor or make_sales()
    return confirm_wire(
        payment_id=payment.pk, received=received, actor=actor, now=datetime.now(UTC), **fields
    )


def book(
    order: Order, amount: str | Decimal = SHIPPING_FEE, *, depositor: str = "Glow Trading"
) -> Payment:
    """Book a wire of an order that nobody announced."""
    actor, now = make_sales(), datetime.now(UTC)
    return book_wire(
        order_id=order.pk, amount=Decimal(amount), depositor=depositor, actor=actor, now=now
    )


def make_confirmed_order(
    buyer: Buyer, lines: Lines | None = None, *, deposit: bool = True, **fields: Any
) -> Order:
    """Return a confirmed order with a balance due: the shipping fee, and the products unless their
    deposit came.
    """
    order = make_wire_order(buyer, lines, **fields)
    if deposit:
        arrive(order)
    start_preparing(order_id=order.pk, actor=make_sales(), now=datetime.now(UTC))
    confirm(order)
    return Order.objects.get(pk=order.pk)


def make_announced_balance(buyer: Buyer, lines: Lines | None = None) -> Order:
    """Return a confirmed order whose balance wire is announced."""
    order = make_confirmed_order(buyer, lines)
    now = datetime.now(UTC)
    announce_balance_wire(
        buyer=buyer, invoice_code=order.invoice_code, depositor="Glow Trading", now=now
    )
    assert OrderStatus(order.status) is OrderStatus.CONFIRMED
    return Order.objects.get(pk=order.pk)


def cancel(order: Order, *, by_terms: bool = False, reason: str = "Sold out") -> Order:
    """Cancel an order as staff do: by the seller's fault, unless told otherwise."""
    actor, now = make_sales(), datetime.now(UTC)
    cancel_order(order_id=order.pk, by_terms=by_terms, reason=reason, actor=actor, now=now)
    return Order.objects.get(pk=order.pk)


def correct(company_id: int, amount: str, *, seen: str = "0.00") -> WalletEntry:
    """Correct a company's wallet by an amount of US dollars."""
    actor, now, reason = make_sales(), datetime.now(UTC), "Goodwill"
    given = {"amount": Decimal(amount), "seen": Decimal(seen)}
    return correct_wallet(company_id=company_id, reason=reason, actor=actor, now=now, **given)


def open_by_columns(order: Order) -> Decimal:
    """Return what an order's part of the account comes to: what it asks for, less what it keeps. US
    dollars.
    """
    if order.status == OrderStatus.CANCELLED:
        return ZERO
    is_priced = OrderStatus(order.status).is_priced
    due = order.real_total + order.shipping_fee - order.written_off if is_priced else order.deposit
    return Decimal(due - order.received + order.credited)


def unexplained(company_id: int) -> dict[str, Decimal]:
    """Return by invoice code what the account does not explain, in US dollars; nothing if it
    explains all.
    """
    found = {}
    orders = {order.invoice_code: order for order in Order.objects.filter(company_id=company_id)}
    for code, lines in lines_of_orders(company_id=company_id).items():
        total = sum((line.amount for line in lines), ZERO)
        if total != (expected := open_by_columns(orders[code])):
            found[code] = expected - total
    return found
