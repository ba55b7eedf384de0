"""The deposit checkout by bank wire, which makes the order at once, and the links to PayPal: an
attempt with its keys and its hold first, then the call (design/paypal.md, B3.1).
"""

from dataclasses import asdict, dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID, uuid4

from django.conf import settings
from django.db import IntegrityError
from django.utils.translation import gettext_noop

from apps.accounts.selectors import Buyer
from apps.accounts.services.addresses import check_shipping
from apps.accounts.shipping import Shipping
from apps.common.db.transactions import one_transaction
from apps.common.errors import Invalid, ProviderSilent, ProviderUnavailable
from apps.common.money import ZERO, usd
from apps.common.seller import seller
from apps.orders.errors import Expired, KeyUsed, OrderExists
from apps.orders.models import Order
from apps.orders.selectors.orders import get_order, get_temporary_order, is_ordered
from apps.orders.services.place import hold_stock, place_order
from apps.orders.services.request import KEY_LIFETIME, claim_temporary_order, record_paypal_request
from apps.payments import mail, rules
from apps.payments.errors import PaymentPending, PaymentRefused, WireOnly
from apps.payments.gateway import is_away, provider_of
from apps.payments.models import Payment
from apps.payments.rules import check_wire
from apps.payments.selectors import check_balance, deposit_of, with_fee
from apps.payments.services.moves import (
    BALANCE,
    DEPOSIT,
    MAX_REASON,
    announce_wire,
    check_links_left,
    check_nothing_unsettled,
    close_attempt,
    close_deposit_attempts,
    close_open_attempts,
    lock_attempt,
    move_payment,
)
from apps.payments.states import CHARGED, PaymentState

ANOTHER_AMOUNT = "Not the quoted amount."


@dataclass(frozen=True, kw_only=True)
class Checkout:
    """The form of a deposit checkout; `amount` (US dollars) is compared with the quote, never
    trusted.
    """

    invoice_code: str
    shipping: Shipping
    export_declared: bool
    amount: Decimal
    ship_memo: str = ""
    po_number: str = ""


@dataclass(frozen=True, kw_only=True)
class WireCheckout(Checkout):
    """The form of a deposit checkout by wire."""

    depositor: str
    idempotency_key: UUID | None = None
    request_hash: str = ""


def checkout_deposit_by_wire(*, buyer: Buyer, form: WireCheckout, now: datetime) -> Order:
    """Turn the buyer's temporary order into a received order awaiting a bank wire (api.md, Deposit
    checkout); nothing is awaited where no deposit is due.

    A repeat with the same key and body within 24 hours gets the first answer. Eight statements,
    whatever the lines.

    Raises:
        DepositorRequired, DeclarationRequired: the wire terms (section 5, Checkout).
        Invalid: a ship field is missing, a text is one that invoices cannot print, or the amount is
            not the quoted one.
        NotFound, OrderExists, Expired, OutOfStock: from the orders and catalog apps.
        PaymentPending: a PayPal payment of this list is under way.
        KeyUsed: the key came before with another body.
    """
    if form.amount:
        check_wire(depositor=form.depositor, export_declared=form.export_declared)
    printed = {"payer_id": form.depositor, "po_number": form.po_number}
    check_shipping(buyer=buyer, shipping=form.shipping, printed=printed)
    try:
        return _checkout(buyer=buyer, form=form, now=now)
    except (OrderExists, IntegrityError) as error:
        key = form.idempotency_key
        if key is None:
            raise
        with_key = Order.objects.filter(user_id=buyer.id, idempotency_key=key)
        if isinstance(error, OrderExists):
            first = with_key.filter(placed_at__gt=now - KEY_LIFETIME).first()
            if first is None:
                raise
            if first.request_hash != form.request_hash:
                raise KeyUsed from error
            return first
        # The key belongs to the order of another temporary order; its sweep has not cleared it.
        if not with_key.filter(placed_at__lte=now - KEY_LIFETIME).update(idempotency_key=None):
            raise KeyUsed from error
        return _checkout(buyer=buyer, form=form, now=now)


@one_transaction
def _checkout(*, buyer: Buyer, form: WireCheckout, now: datetime) -> Order:
    draft = claim_temporary_order(buyer=buyer, invoice_code=form.invoice_code, now=now)
    close_deposit_attempts(draft, reason=gettext_noop("paid by wire"), now=now)
    deposit = deposit_of(draft)
    if usd(form.amount) != deposit:
        raise Invalid(amount=ANOTHER_AMOUNT)
    order = place_order(
        draft=draft,
        buyer=buyer,
        shipping=form.shipping,
        export_declared=form.export_declared,
        payment_type=Payment.Method.WIRE,
        ship_memo=form.ship_memo,
        po_number=form.po_number,
        deposit=deposit,
        wire_announced=deposit > 0,
        idempotency_key=form.idempotency_key,
        request_hash=form.request_hash,
        now=now,
    )
    if deposit:
        announce_wire(
            order,
            buyer=buyer,
            kind=Payment.Kind.DEPOSIT,
            amount=deposit,
            depositor=form.depositor,
            now=now,
        )
    mail.queue_order_received(order, buyer=buyer, depositor=form.depositor.strip())
    return order


BUYER = "buyer"


def link_deposit(*, buyer: Buyer, form: Checkout, now: datetime) -> str:
    """Return where the buyer pays the deposit of a temporary order (api.md, Deposit checkout).

    Its pieces are held for an hour; an older link of the same list is good no more.

    Raises:
        Invalid: a ship field is missing, a text is one that invoices cannot print, or the amount is
            not the quoted one.
        NotFound, OrderExists, Expired, OutOfStock: from the orders and catalog apps.
        PaymentPending: a payment of this list is under way.
        WireOnly: PayPal is off.
        TooManyLinks: too many were not paid.
        PaymentRefused: an amount that PayPal does not take.
        ProviderUnavailable: PayPal gave no link, or is silent; nothing is held.
    """
    printed = {"po_number": form.po_number}
    check_shipping(buyer=buyer, shipping=form.shipping, printed=printed)
    code = form.invoice_code

    @one_transaction
    def attempt() -> Payment:
        if is_ordered(buyer=buyer, invoice_code=code):
            raise OrderExists
        draft = get_temporary_order(buyer=buyer, invoice_code=code, lock=True)
        if draft.ordered_at is not None:
            raise OrderExists
        if draft.expires_at <= now:
            raise Expired
        _supersede(code, DEPOSIT, now=now)
        check_links_left(company_id=buyer.company_id, now=now)
        base = deposit_of(draft)
        if usd(form.amount) != with_fee(base).get("paypal_total", base):
            raise Invalid(amount=ANOTHER_AMOUNT)
        hold_stock(draft, buyer=buyer, until=now + rules.HOLD_LASTS, now=now)
        record_paypal_request(draft, now=now)
        checkout = {
            "shipping": asdict(form.shipping),
            "export_declared": form.export_declared,
            "ship_memo": form.ship_memo,
            "po_number": form.po_number,
        }
        return _create(buyer=buyer, code=code, kind=DEPOSIT, base=base, now=now, checkout=checkout)

    return _ask(attempt(), now=now)


def link_balance(*, buyer: Buyer, invoice_code: str, now: datetime) -> str:
    """Return where the buyer pays the balance of a confirmed order (api.md, POST /order/paypal).

    Raises:
        NotFound: unknown, or another company's.
        WrongStatus, PaymentPending: see `check_balance`.
        WireOnly: PayPal is off.
        PaymentRefused: an amount that PayPal does not take.
        ProviderUnavailable: PayPal gave no link, or is silent.
    """
    code = invoice_code

    @one_transaction
    def attempt() -> Payment:
        order = get_order(buyer=buyer, invoice_code=code, lock=True)
        due = check_balance(order)
        _supersede(code, BALANCE, now=now)
        return _create(buyer=buyer, code=code, kind=BALANCE, base=due, now=now, order=order)

    return _ask(attempt(), now=now)


def _supersede(code: str, kind: Payment.Kind, *, now: datetime) -> None:
    """End an older link; refuse another one while PayPal is off, or money of it is under way."""
    if not seller().paypal_on:
        raise WireOnly
    check_nothing_unsettled(invoice_code=code)
    held_payments = Payment.objects.filter(invoice_code=code, kind=kind, state=PaymentState.HELD)
    if held_payments.exists():  # another link would charge the buyer a second time
        raise PaymentPending
    close_open_attempts(invoice_code=code, kind=kind, reason="superseded", source=BUYER, now=now)


def _create(
    *,
    buyer: Buyer,
    code: str,
    kind: Payment.Kind,
    base: Decimal,
    now: datetime,
    order: Order | None = None,
    checkout: dict[str, Any] | None = None,
) -> Payment:
    if is_away():
        raise ProviderSilent
    fee = rules.paypal_fee(base=base, rate=seller().paypal_fee_rate)
    if base <= ZERO or base + fee > rules.MAX_PAYPAL_TOTAL:
        raise PaymentRefused
    # A payment that came and went leaves its invoice number used: the next one is counted on.
    used = Payment.objects.filter(
        invoice_code=code, kind=kind, method=Payment.Method.PAYPAL, state__in=CHARGED
    ).count()
    hold_ends, link_ends = now + rules.HOLD_LASTS, now + rules.LINK_LASTS
    payment = Payment(
        invoice_code=code,
        order=order,
        company_id=buyer.company_id,
        user_id=buyer.id,
        method=Payment.Method.PAYPAL,
        kind=kind,
        base=base,
        fee=fee,
        amount=base + fee,
        created_at=now,
        provider=settings.PAYPAL_API,
        invoice_number=f"{code}-{'D' if kind == DEPOSIT else 'B'}{used or ''}",
        create_key=uuid4(),
        execute_key=uuid4(),
        checkout=checkout,
        hold_expires_at=hold_ends,
        link_expires_at=link_ends,
        next_check_at=rules.next_look(
            created_at=now, hold_ends=hold_ends, link_ends=link_ends, now=now
        ),
    )
    move_payment(payment, PaymentState.CREATED, source=BUYER, now=now)
    return payment


def _ask(payment: Payment, *, now: datetime) -> str:
    """Ask the provider for the link, outside any transaction, and keep what it says."""
    place = f"{payment.invoice_code}/{int(payment.kind == DEPOSIT)}"
    link = provider_of(payment).create_link(
        payment,
        return_url=f"{settings.SITE_URL}/checkout/success/{place}?amount={payment.amount:.2f}",
        cancel_url=f"{settings.SITE_URL}/checkout/failure/{place}",
    )

    @one_transaction
    def is_stored() -> bool:
        locked = lock_attempt(payment.pk)
        row, is_open = locked.payment, locked.payment.state == PaymentState.CREATED
        row.debug_id = link.debug_id
        row.paypal_payment_id, row.paypal_token = link.payment_id or None, link.token
        # A browser is sent only to where payments are approved.
        address = urlsplit(link.url)
        is_allowed = f"{address.scheme}://{address.netloc}" in settings.PAYPAL_APPROVAL_ORIGINS
        row.approval_url = link.url if is_open and is_allowed else ""
        row.save(update_fields=["debug_id", "paypal_payment_id", "paypal_token", "approval_url"])
        if is_open and not row.approval_url:
            why = f"no link: {link.reason or 'of another place'}"[:MAX_REASON]
            close_attempt(locked, PaymentState.FAILED, reason=why, source=BUYER, now=now)
        return bool(row.approval_url)

    if not is_stored():
        raise ProviderUnavailable
    return link.url
