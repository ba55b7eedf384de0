"""Reads of payments: what a deposit or a balance costs, and what is under way."""

from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from django.db.models import Count, Max, Q, QuerySet, Sum
from django.utils import timezone

from apps.accounts.models import Company, User
from apps.accounts.selectors import Buyer, address_book
from apps.accounts.shipping import ship_fields
from apps.catalog.selectors import products_by_sku
from apps.catalog.services.holds import held_pieces
from apps.common.errors import WrongStatus, row_or_404
from apps.common.money import ZERO, usd
from apps.common.names import bare_name
from apps.common.seller import seller
from apps.common.types import Json
from apps.orders.models import Order, TemporaryOrder
from apps.orders.proposal_rules import deadline_text
from apps.orders.rules import deposit_due, kilograms, line_total, overpayment
from apps.orders.selectors.orders import (
    due_of,
    entries,
    get_open_temporary_order,
    get_order,
    seller_date,
)
from apps.orders.selectors.papers import file_link
from apps.orders.status import OrderStatus
from apps.payments import rules
from apps.payments.errors import PaymentPending
from apps.payments.models import BankTransfer, Payment, Refund, WalletEntry
from apps.payments.states import LIVE, PaymentState

EXCEPTION_AFTER = timedelta(minutes=10)


def deposit_of(draft: TemporaryOrder) -> Decimal:
    """Return the deposit of a temporary order in US dollars."""
    return deposit_due(goods=draft.total, rate=draft.deposit_rate)


def names_paypal() -> bool:
    """Return whether staff meet PayPal at all: it is on, or there are payments from when it was.
    One statement while it is off.
    """
    return seller().paypal_on or Payment.objects.filter(method=Payment.Method.PAYPAL).exists()


def with_fee(base: Decimal) -> Json:
    """Return what PayPal adds to an amount, and both together, in US dollars; nothing where it is
    off, or nothing is due.
    """
    if not seller().paypal_on or not base:
        return {}
    fee = rules.paypal_fee(base=base, rate=seller().paypal_fee_rate)
    return {"paypal_fee": fee, "paypal_total": base + fee}


def announced_wires(order: Order) -> QuerySet[Payment]:
    """Return an order's wires that wait for their money."""
    return Payment.objects.filter(order=order, state=PaymentState.ANNOUNCED)


def announced_wire(order: Order) -> Payment | None:
    """Return the last wire of an order that waits for its money, with its proof."""
    return announced_wires(order).select_related("proof").order_by("-id").first()


def wire_under_way(*, buyer: Buyer, invoice_code: str, now: datetime) -> Json | None:
    """Return the announced wire of an order with its proof, or None where none is announced. Two
    statements.

    Raises:
        NotFound: unknown, or another company's.
    """
    order = get_order(buyer=buyer, invoice_code=invoice_code)
    wire = announced_wire(order)
    if wire is None:
        return None
    proof = wire.proof
    return {
        "kind": wire.kind,
        "amount": wire.amount,
        "depositor": wire.depositor,
        "on": seller_date(wire.created_at),
        "proof": proof
        and {
            "name": proof.given_name,
            "url": file_link(
                buyer=buyer,
                invoice_code=invoice_code,
                storage_name=proof.storage_name,
                now=now,
            ),
            "on": seller_date(proof.uploaded_at),
            "seen_on": seller_date(proof.seen_at) if proof.seen_at else None,
        },
    }


def all_announced_wires() -> QuerySet[Payment]:
    """Return the wires of all orders that wait for their money, oldest first."""
    wires = Payment.objects.filter(
        method=Payment.Method.WIRE, state=PaymentState.ANNOUNCED, order__isnull=False
    )
    return wires.select_related("order", "company", "proof")


def transfers_to_send() -> QuerySet[BankTransfer]:
    """Return what is to be sent by bank, the oldest first."""
    transfers = BankTransfer.objects.filter(sent_on=None)
    return transfers.select_related("company", "refund__payment")


def get_payment(*, payment_id: int) -> Payment:
    """Return a payment of an order, for staff.

    Raises:
        NotFound: there is none.
    """
    return row_or_404(Payment.objects.filter(pk=payment_id, order__isnull=False))


def deposit_quote(*, buyer: Buyer, invoice_code: str, now: datetime) -> Json:
    """Return a temporary order with its quote and what can be promised now (api.md, GET
    /temp-order-info/stock).

    Raises:
        NotFound: unknown, or somebody else's.
        OrderExists: it is an order already.
        Expired: it is older than 7 days.
    """
    draft = get_open_temporary_order(buyer=buyer, invoice_code=invoice_code, now=now)
    deposit = deposit_of(draft)
    products = products_by_sku(buyer=buyer, skus=[line["sku"] for line in draft.lines], now=now)
    held_by_sku = held_pieces(invoice_code=draft.invoice_code) if draft.paypal_at else {}
    lines = []
    for line in draft.lines:
        # A product that the buyer does not see any more has nothing left. `expect_qty` counts in
        # what is held for this list's own payment, as `qty` does what is held for the company's
        # wishes (readings, Catalogue, stock, quantities).
        product, box = products.get(line["sku"]), line["box_qty"]
        price = Decimal(line["price"])
        lines.append(
            {
                "sku": line["sku"],
                "eng_name": product.eng_name if product else line["sku"],
                "image": product.image if product else "",
                "usd_price": Decimal(line["usrp"]),
                "usd_supply": price,
                "count": line["count"],
                "order_price": line_total(price=price, quantity=line["count"]),
                "weight": line["weight_g"],
                "minimum": product.minimum if product else box,
                "qty": product.qty if product else 0,
                "expect_qty": product.qty + held_by_sku.get(line["product_id"], 0)
                if product
                else 0,
                "moq": product.moq if product else box,
                "step": product.step if product else box,
            }
        )
    is_paid_now = Payment.objects.filter(
        invoice_code=draft.invoice_code, method=Payment.Method.PAYPAL, state__in=LIVE
    )
    return {
        "temp_order": {
            "invoice_code": draft.invoice_code,
            "total": draft.total,
            "count": draft.count,
            **ship_fields(draft),
            "weight": draft.weight_g,
            "weight_kg": kilograms(draft.weight_g),
            "deposit": deposit,
            **with_fee(deposit),
            "payment_pending": draft.paypal_at is not None and is_paid_now.exists(),
            "expires_at": draft.expires_at,
            "prices_until": deadline_text(draft.expires_at),
        },
        "temp_order_details": lines,
        "country": entries(None),
        "state": entries(draft.ship_country_id) if draft.ship_country_id else [],
    }


def check_balance(order: Order) -> Decimal:
    """Return the balance that an order's buyer may pay now, in US dollars (api.md, Balance
    checkout).

    Raises:
        WrongStatus: not confirmed, or nothing due.
        PaymentPending: a balance payment is under way.
    """
    due = due_of(order)
    if order.status != OrderStatus.CONFIRMED or not due:
        raise WrongStatus
    if order.payment_pending or order.wire_announced:
        raise PaymentPending
    return due


def kind_of(order: Order) -> Payment.Kind:
    """Return what an order's next wire is for: the balance of a priced order, else the deposit."""
    return Payment.Kind.BALANCE if order.state.is_priced else Payment.Kind.DEPOSIT


def open_amount(order: Order, kind: str, wire: Payment | None = None) -> Decimal:
    """Return what an order asks for as its deposit or its balance, in US dollars.

    The balance asks for what is due, whatever was announced; a deposit for what was announced, else
    what is missing.
    """
    if kind == Payment.Kind.BALANCE:
        return due_of(order)
    missing: Decimal = order.deposit - order.deposit_received
    return wire.amount if wire is not None else max(ZERO, missing)


def surplus_of(order: Order, *, amount: Decimal) -> Decimal:
    """Return what of an amount (US dollars) is beyond what an order asks for, with what it has
    received already.

    Of a priced order it goes to the wallet, as `credit_overpayment` will have it; of any other it
    stays with the order.
    """
    if order.state.is_priced:
        received = order.received - order.credited + amount
        return overpayment(
            real_total=order.real_total, shipping_fee=order.shipping_fee, received=received
        )
    surplus: Decimal = order.deposit_received + amount - order.deposit
    return max(ZERO, surplus)


def balance_quote(*, buyer: Buyer, invoice_code: str) -> Json:
    """Return a confirmed order with what is due of it (api.md, POST /order/checkout/).

    Raises:
        NotFound: unknown, or another company's.
        WrongStatus, PaymentPending: see `check_balance`.
    """
    order = get_order(buyer=buyer, invoice_code=invoice_code)
    due = check_balance(order)
    return {
        "invoice_code": order.invoice_code,
        "type": order.type,
        "export_report": int(order.export_declared),
        "country": address_book.name(order.ship_country_id),
        "state": address_book.name(order.ship_state_id),
        **ship_fields(order),
        "total": order.total,
        "real_total": order.real_total,
        "shipping_fee": order.shipping_fee,
        "deposit": order.deposit,
        "amount": due,
        **with_fee(due),
        "status_id": order.status,
    }


def wallet_balance(*, company_id: int) -> Decimal:
    """Return a company's credit in US dollars: the sum of its ledger."""
    entries = WalletEntry.objects.filter(company_id=company_id)
    return usd(entries.aggregate(sum=Sum("amount", default=ZERO))["sum"])


def with_credit() -> QuerySet[Any, Any]:
    """Return the companies that have credit, the largest first, each with its entries and the last
    of them.
    """
    companies = Company.objects.filter(wallet_entries__isnull=False).values("pk", "name")
    companies = companies.annotate(
        balance=Sum("wallet_entries__amount"),
        entries=Count("wallet_entries"),
        last=Max("wallet_entries__at"),
    )
    return companies.exclude(balance=0).order_by("-balance", bare_name("name"))


def people_told_of_money(*, company_id: int) -> list[str]:
    """Return the addresses of a company's people who are told of its money, whether the company is
    open or closed.
    """
    people = User.objects.filter(
        company_id=company_id, is_active=True, approval=User.Approval.APPROVED
    )
    return list(people.order_by("pk").values_list("email", flat=True))


def wallet(*, buyer: Buyer) -> Json:
    """Return the company's credit with every entry that makes it, newest first (api.md, GET
    /wallet).
    """
    entries = WalletEntry.objects.filter(company_id=buyer.company_id).order_by("-at", "-pk")
    rows = list(entries.values_list("at", "kind", "amount", "order__invoice_code"))
    after = balance = usd(sum((amount for _, _, amount, _ in rows), ZERO))
    listed = []
    for at, kind, amount, code in rows:
        seller_time = timezone.localtime(at)  # its day is the one that order and statement name
        listed.append(
            {
                "at": seller_time,
                "kind": kind,
                "amount": amount,
                "after": after,
                "invoice_code": code or "",
            }
        )
        after -= amount
    return {"balance": balance, "entries": listed}


def exceptions(now: datetime) -> QuerySet[Payment]:
    """Return the PayPal payments that staff must look at, oldest first (design/paypal.md, B).

    Money held, an alarm that nobody has attended to, no definite outcome or an unfinished refund
    for 10 minutes.
    """
    late = now - EXCEPTION_AFTER
    unknown = Q(state__in=(PaymentState.EXECUTING, PaymentState.UNKNOWN), executing_since__lte=late)
    unsent = Refund.objects.filter(
        state__in=(Refund.State.QUEUED, Refund.State.PENDING), created_at__lte=late
    )
    waiting = (
        Q(state=PaymentState.HELD) | ~Q(alarm="") | unknown | Q(pk__in=unsent.values("payment_id"))
    )
    return Payment.objects.filter(waiting, method=Payment.Method.PAYPAL)
