"""The deposit checkout: a temporary order becomes an order whose deposit comes by bank wire."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from uuid import UUID

from django.db import IntegrityError
from django.utils.translation import gettext_noop

from apps.accounts.selectors import Buyer
from apps.accounts.services.addresses import check_shipping
from apps.accounts.shipping import Shipping
from apps.common.db.transactions import one_transaction
from apps.common.errors import Invalid
from apps.common.money import usd
from apps.orders.errors import KeyUsed, OrderExists
from apps.orders.models import Order
from apps.orders.services.place import place_order
from apps.orders.services.request import KEY_LIFETIME, claim_temporary_order
from apps.payments import mail
from apps.payments.models import Payment
from apps.payments.rules import check_wire
from apps.payments.selectors import deposit_of
from apps.payments.services.attempts import close_deposit_attempts
from apps.payments.services.moves import announce_wire

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
