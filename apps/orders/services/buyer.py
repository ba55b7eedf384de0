"""What a buyer may still do to an order: address, message, shipping request. Each is checked under
the lock.
"""

from datetime import datetime
from uuid import UUID

from apps.accounts.models import User
from apps.accounts.selectors import Buyer
from apps.accounts.shipping import (
    Shipping,
    missing_ship_fields,
    refuse_unprintable_shipping,
)
from apps.common.db.transactions import one_transaction
from apps.common.errors import Invalid, WrongStatus
from apps.common.printed import refuse_unprintable
from apps.common.texts import Text
from apps.orders import mail
from apps.orders.errors import KeyUsed, MessageRequired
from apps.orders.models import Order, OrderEvent
from apps.orders.selectors.orders import address_text, get_order
from apps.orders.services.history import record
from apps.orders.status import Allowed, OrderStatus, allowed

# Of each kind of message: where its newest text is stored, what of an order allows it, and what the
# mail to sales says.
MESSAGES = {
    OrderEvent.Kind.MESSAGE: (
        "customer_memo",
        "message",
        Text("Message"),
        Text("%(company)s has sent a message."),
    ),
    OrderEvent.Kind.SHIP_MEMO: (
        "ship_memo",
        "edit_ship_memo",
        Text("Request for shipping"),
        Text("%(company)s has sent a request for shipping."),
    ),
}


def _allowed(order: Order) -> Allowed:
    return allowed(
        status=OrderStatus(order.status),
        packing_status=order.packing_status,
        balance_due=False,
        payment_pending=False,
    )


@one_transaction
def edit_address(*, buyer: Buyer, invoice_code: str, shipping: Shipping, now: datetime) -> Order:
    """Change an order's shipping address while it is at status 1 or 2 (section 4); sales get a
    mail.

    Raises:
        Invalid: a ship field is missing, or is one that invoices cannot print.
        NotFound: unknown, or another company's.
        WrongStatus: it is further on.
    """
    if missing := missing_ship_fields(shipping):
        raise Invalid(errors=missing)
    order = get_order(buyer=buyer, invoice_code=invoice_code, lock=True)
    if not _allowed(order).edit_address:
        raise WrongStatus
    refuse_unprintable_shipping(shipping, kept=Shipping.of(order))
    before = address_text(order)
    for column, value in shipping.columns().items():
        setattr(order, column, value)
    order.address_changed = True
    order.save(update_fields=[*shipping.columns(), "address_changed"])
    note = Text("Before: %(address)s", address=before)
    record(order, OrderEvent.Kind.ADDRESS, note, actor=buyer, now=now)
    mail.queue_buyers_text(
        order,
        Text("Shipping address changed"),
        company=buyer.company,
        deed=Text("%(company)s has changed the shipping address."),
        text=address_text(order),
    )
    return order


@one_transaction
def set_po_number(*, buyer: Buyer, invoice_code: str, po_number: str, now: datetime) -> Order:
    """Set the buyer's own number of an order, or take it away, until the order is cancelled.

    Papers made from then on carry it; what was issued before stays as it is.

    Raises:
        Invalid: invoices cannot print it.
        NotFound: unknown, or another company's.
        WrongStatus: it is cancelled.
    """
    order = get_order(buyer=buyer, invoice_code=invoice_code, lock=True)
    if not _allowed(order).edit_po_number:
        raise WrongStatus
    if order.po_number == po_number:
        return order
    refuse_unprintable({"po_number": po_number})
    numbers = {"number": po_number or Text("none"), "before": order.po_number or Text("none")}
    order.po_number = po_number
    order.save(update_fields=["po_number"])
    note = Text("%(number)s, before: %(before)s", **numbers)
    record(order, OrderEvent.Kind.PO_NUMBER, note, actor=buyer, now=now)
    return order


@one_transaction
def leave_message(
    *,
    buyer: Buyer,
    invoice_code: str,
    kind: OrderEvent.Kind,
    text: str,
    now: datetime,
    idempotency_key: UUID | None = None,
) -> Order:
    """Keep a buyer's message at status 1 to 4, or shipping request at 1 to 3 (sections 4 and 5);
    sales get a mail.

    A repeat under the same key leaves nothing more, whenever it comes.

    Raises:
        KeyUsed: the key came before with another text.
        MessageRequired: it is empty.
        NotFound: unknown, or another company's.
        WrongStatus: the order is too far on for this kind, or cancelled.
    """
    if not text.strip():
        raise MessageRequired
    _column, permission, subject, deed = MESSAGES[kind]
    order = get_order(buyer=buyer, invoice_code=invoice_code, lock=True)
    key = str(idempotency_key or "")
    before = OrderEvent.objects.filter(order=order, key=key).first() if key else None
    if before and (before.kind, before.note) != (kind, text):
        raise KeyUsed
    if before:
        return order
    if not getattr(_allowed(order), permission):
        raise WrongStatus
    keep_message(order, kind, text=text, actor=buyer, now=now, key=key)
    mail.queue_buyers_text(order, subject, company=buyer.company, deed=deed, text=text)
    return order


def keep_message(
    order: Order,
    kind: OrderEvent.Kind,
    *,
    text: str,
    actor: User | Buyer,
    now: datetime,
    key: str = "",
) -> None:
    """Write a buyer's message on a locked order and into its history; sales have not read it. The
    caller mails it.
    """
    column, unread = MESSAGES[kind][0], f"{kind}_unread"
    setattr(order, column, text)
    setattr(order, unread, True)
    order.save(update_fields=[column, unread])
    record(order, kind, text, actor=actor, key=key, now=now)


@one_transaction
def read_answer(*, buyer: Buyer, invoice_code: str, message_id: int, now: datetime) -> None:
    """Keep that somebody of the company sees staff's newest answer on an order; the first to see it
    counts.

    Of another message nothing is kept: what came meanwhile was not seen with it.

    Raises:
        NotFound: unknown, or another company's.
    """
    order = get_order(buyer=buyer, invoice_code=invoice_code, lock=True)
    newest = (
        OrderEvent.objects.filter(order=order, kind=OrderEvent.Kind.MEMO)
        .order_by("-at", "-id")
        .first()
    )
    if newest is None or newest.pk != message_id:
        return
    if order.answer_read_at is None or order.answer_read_at < newest.at:
        order.answer_read_at = now
        order.save(update_fields=["answer_read_at"])
