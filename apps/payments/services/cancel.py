"""An order ends before it ships: staff cancel it, or its buyer takes it back."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.utils.translation import gettext as _, gettext_noop

from apps.accounts.models import User
from apps.accounts.selectors import Buyer
from apps.common.db.transactions import one_transaction
from apps.common.errors import WrongStatus
from apps.common.mail import queue
from apps.common.money import ZERO
from apps.common.permissions import needs
from apps.common.texts import Text
from apps.orders.errors import StaffRefusal
from apps.orders.mail import queue_buyers_text
from apps.orders.models import Order, OrderEvent
from apps.orders.selectors.orders import get_order, get_order_for_staff
from apps.orders.services.conversation import keep_message
from apps.orders.services.lines import allocated_pieces, release_stock
from apps.orders.services.moves import move_order, set_payment_flags
from apps.orders.services.proposals import withdraw_all
from apps.orders.services.wishes import end_wishes
from apps.orders.status import OrderStatus, check_move
from apps.payments import mail
from apps.payments.errors import PaymentUnderWay
from apps.payments.models import Payment, WalletEntry
from apps.payments.rules import wallet_credit
from apps.payments.selectors import announced_wires
from apps.payments.services.moves import ADMIN, close_open_attempts, is_unsettled
from apps.payments.services.wallet import credit
from apps.payments.services.wire import close_wire
from apps.payments.states import PaymentState


@dataclass(frozen=True)
class CancellationFigures:
    """What cancelling an order would do: US dollars, and pieces of stock."""

    received: Decimal
    kept: Decimal
    credited_by_terms: Decimal
    credited_in_full: Decimal
    pieces_given_back: int


def cancellation_figures(*, order: Order) -> CancellationFigures:
    """Return what cancelling an order would credit, keep and give back (readings, Money).

    `received` is what the portal still has of the order's money; `kept` is what stays when the
    terms apply.
    """
    received = order.received - order.credited
    by_terms = wallet_credit(received=received, by_terms=True)
    return CancellationFigures(
        received=received,
        kept=received - by_terms,
        credited_by_terms=by_terms,
        credited_in_full=wallet_credit(received=received, by_terms=False),
        pieces_given_back=sum(allocated_pieces(order.lines.all()).values()),
    )


@needs("payments.change_payment")
@one_transaction
def cancel_order(
    *,
    order_id: int,
    by_terms: bool,
    reason: str,
    letter: str = "",
    seen: tuple[Decimal, Decimal] | None = None,
    actor: User,
    now: datetime,
) -> Order:
    """Cancel an order that has not shipped (readings, Order life): wallet entry, stock, wishes,
    wires, status, mail.

    The mail begins with `letter`, or with the usual words. `seen` are the credits that the page
    showed, in US dollars: by the terms, and in full.

    Raises:
        NotFound: there is no such order.
        WrongStatus: it is shipped or cancelled.
        StaffRefusal: a PayPal payment under way, or other figures than those seen.
    """
    reason = reason.strip()
    order = get_order_for_staff(order_id=order_id, lock=True)
    check_move(order.state, OrderStatus.CANCELLED)
    if is_unsettled(order.invoice_code):
        raise StaffRefusal(
            _("A PayPal payment of this order is under way. Wait until it is settled.")
        )
    figures = cancellation_figures(order=order)
    if seen not in (None, (figures.credited_by_terms, figures.credited_in_full)):
        raise StaffRefusal(
            _("A figure has changed meanwhile. Check the new ones before you cancel.")
        )
    credited = figures.credited_by_terms if by_terms else figures.credited_in_full
    reason_of_wires = gettext_noop("The order was cancelled.")
    give_back(order, reason=reason_of_wires, source=ADMIN, actor=actor, now=now)
    if credited > ZERO:
        credit(
            order=order,
            kind=WalletEntry.Kind.CANCELLATION,
            amount=credited,
            note=reason[:300],
            actor=actor,
            now=now,
        )
    move_order(order=order, target=OrderStatus.CANCELLED, actor=actor, note=reason, now=now)
    queue([mail.cancelled(order, credited=credited, text=letter.strip())])
    return order


def give_back(order: Order, *, reason: str, source: str, actor: User, now: datetime) -> None:
    """Give back what a locked order that ends holds: proposals, wishes, stock, announced wires and
    links to PayPal.
    """
    withdraw_all(order=order, actor=actor, now=now)
    end_wishes(order, now=now)
    release_stock(order)
    for payment in announced_wires(order).select_for_update().order_by("pk"):
        close_wire(payment, reason=reason, source=source, actor=actor, now=now)
    for kind in Payment.Kind:
        close_open_attempts(
            invoice_code=order.invoice_code,
            kind=kind,
            reason="order_cancelled",
            state=PaymentState.FAILED,
            source=source,
            now=now,
        )
    set_payment_flags(order=order, wire_announced=False, payment_pending=False)


WITHDRAWN, REOPENED = "Withdrawn by the buyer.", "Withdrawn by the buyer to change it."
REQUEST_TEXT = "Please cancel this order."


@one_transaction
def withdraw_order(*, buyer: Buyer, invoice_code: str, to_change: bool, now: datetime) -> bool:
    """Cancel an order at Received for its buyer: its pieces are free again, an announced wire is
    closed, sales and who ordered get a mail.

    Returns False where money was received for it: then it is a message that asks sales to cancel
    it. `to_change` says why in its history; what the buyer puts back into the basket is read of
    the cancelled order. A repeat changes nothing.

    Raises:
        NotFound: unknown, or another company's.
        WrongStatus: staff prepare it already, or have cancelled it.
        PaymentUnderWay: PayPal may take the money for it.
    """
    order = get_order(buyer=buyer, invoice_code=invoice_code, lock=True)
    if order.cancel_reason in (WITHDRAWN, REOPENED):
        return True
    if order.status != OrderStatus.RECEIVED:
        raise WrongStatus
    if is_unsettled(invoice_code):
        raise PaymentUnderWay
    if order.received:
        if not order.events.filter(key="cancel").exists():
            kind = OrderEvent.Kind.MESSAGE
            keep_message(order, kind, text=REQUEST_TEXT, actor=buyer, now=now, key="cancel")
            deed = Text("%(company)s asks to cancel an order.")
            subject, company = Text("Request to cancel"), buyer.company
            queue_buyers_text(order, subject, company=company, deed=deed, text=REQUEST_TEXT)
        return False
    actor, reason = User.objects.get(pk=buyer.id), REOPENED if to_change else WITHDRAWN
    give_back(order, reason=reason, source="buyer", actor=actor, now=now)
    move_order(order=order, target=OrderStatus.CANCELLED, actor=actor, note=reason, now=now)
    queue([mail.cancelled(order, credited=ZERO)])
    queue_buyers_text(
        order,
        Text("Order withdrawn"),
        company=buyer.company,
        deed=Text("%(company)s has withdrawn an order to change it.")
        if to_change
        else Text("%(company)s has withdrawn an order."),
        text="",
    )
    return True
