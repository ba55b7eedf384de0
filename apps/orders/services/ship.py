"""Staff ship an order, and correct its tracking number afterwards."""

from datetime import datetime

from django.core.exceptions import ValidationError
from django.core.validators import URLValidator

from apps.accounts.models import User
from apps.catalog.services import stock
from apps.common.db.transactions import one_transaction
from apps.common.errors import WrongStatus
from apps.common.money import dollars
from apps.common.permissions import needs
from apps.orders import mail
from apps.orders.errors import StaffRefusal
from apps.orders.models import FormerTracking, Order, OrderEvent
from apps.orders.selectors import due_of, get_order_for_staff
from apps.orders.services.allocation import allocated_pieces
from apps.orders.services.moves import move_order
from apps.orders.services.packing import check_packed
from apps.orders.status import OrderStatus, check_move

MAX_TRACKING_NUMBER = 80
MAX_LETTER = 4000
is_web_address = URLValidator(schemes=["http", "https"])


@needs("orders.change_order")
@one_transaction
def ship_order(*, order_id: int, tracking_number: str, shipping_url: str, actor: User, now: datetime) -> Order:
    """Move a paid order to Shipment Completed and take its pieces off the shelf (readings, Order life).

    Raises:
        NotFound: there is none.
        WrongStatus: it is not paid.
        StaffRefusal: a balance is due again, packing is not complete, or tracking number or the carrier's address is
            missing or malformed.
        StockBelowZero: the shelf holds fewer pieces than the order needs.
    """
    tracking_number, shipping_url = tracking_number.strip(), shipping_url.strip()
    _check_tracking(tracking_number, shipping_url)
    order = get_order_for_staff(order_id=order_id, lock=True)
    check_move(OrderStatus(order.status), OrderStatus.SHIPPED)
    if due := due_of(order):
        raise StaffRefusal(f"A balance of {dollars(due)} is due again: it ships once that is paid.")
    check_packed(order)
    wanted = allocated_pieces(order)
    stock.ship(wanted=wanted, invoice_code=order.invoice_code, actor=actor, now=now)
    order.lines.update(allocated=0)
    order.tracking_number, order.shipping_url = tracking_number, shipping_url
    move_order(order=order, target=OrderStatus.SHIPPED, actor=actor, note=tracking_number, now=now)
    mail.queue_shipped(order)
    return order


@needs("orders.change_order")
@one_transaction
def correct_tracking(
    *,
    order_id: int,
    tracking_number: str,
    shipping_url: str,
    reason: str,
    seen: str,
    letter: str | None,
    actor: User,
    now: datetime,
) -> Order:
    """Give a shipped order another tracking number; the old one is kept, status, stock and money stay.

    `seen` is the number that the page showed. The buyer gets a mail that begins with `letter`; None: no mail.

    Raises:
        NotFound: there is none.
        WrongStatus: it has not shipped.
        StaffRefusal: no reason, nothing differs, another number by now, or what `ship_order` refuses of a number.
    """
    tracking_number, shipping_url = tracking_number.strip(), shipping_url.strip()
    reason = " ".join(reason.split())
    _check_tracking(tracking_number, shipping_url)
    if not reason:
        raise StaffRefusal("A reason is needed.", errors={"reason": ["Enter a reason, for the history."]})
    order = get_order_for_staff(order_id=order_id, lock=True)
    if order.status != OrderStatus.SHIPPED:
        raise WrongStatus(errors={"status": [OrderStatus(order.status).label]})
    if order.tracking_number != seen:
        raise StaffRefusal(f"The tracking number is {order.tracking_number} by now, not {seen}.")
    was = FormerTracking(order=order, tracking_number=order.tracking_number, shipping_url=order.shipping_url)
    if (was.tracking_number, was.shipping_url) == (tracking_number, shipping_url):
        text = "This is the number that the order has."
        raise StaffRefusal(text, errors={"tracking_number": [text]})
    was.actor, was.note, was.at = actor, reason, now
    was.save()
    order.tracking_number, order.shipping_url = tracking_number, shipping_url
    order.version += 1
    order.save(update_fields=["tracking_number", "shipping_url", "version"])
    note = f"{was.tracking_number} → {tracking_number}: {reason}"
    OrderEvent.objects.create(order=order, kind=OrderEvent.Kind.TRACKING, actor=actor, note=note, at=now)
    if letter is not None:
        mail.queue_tracking_corrected(order, was=was.tracking_number, text=letter[:MAX_LETTER])
    return order


def _check_tracking(tracking_number: str, shipping_url: str) -> None:
    if not tracking_number or len(tracking_number) > MAX_TRACKING_NUMBER or not tracking_number.isprintable():
        raise StaffRefusal("A tracking number is needed.", errors={"tracking_number": ["Enter the carrier's number."]})
    try:
        is_web_address(shipping_url)
    except ValidationError as error:
        text = "Enter the carrier's tracking address, beginning with http:// or https://."
        raise StaffRefusal("The carrier's tracking address is needed.", errors={"shipping_url": [text]}) from error
