"""Staff ship an order, and correct its tracking number, carrier and day afterwards."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.catalog.services import stock
from apps.common.errors import WrongStatus
from apps.common.mail import queue
from apps.common.money import dollars
from apps.common.texts import Text
from apps.orders import mail
from apps.orders.carriers import Carrier, carrier_name, number_fault, tracking_link
from apps.orders.errors import StaffRefusal
from apps.orders.models import FormerTracking, Order, OrderEvent
from apps.orders.selectors.orders import due_of, seller_date
from apps.orders.services.lines import allocated_pieces
from apps.orders.services.moves import (
    PARCEL,
    changes_order,
    locked_order,
    move_order,
    record,
    save_changed,
)
from apps.orders.services.packing import check_packed
from apps.orders.status import OrderStatus, check_move

MAX_LETTER = 4000
LONGEST_WAY = timedelta(days=180)


@dataclass(frozen=True)
class Parcel:
    """What is known of a parcel: its number, where its carrier shows it, and when it is
    expected.
    """

    tracking_number: str
    shipping_url: str = ""
    carrier: str = ""
    expected_on: date | None = None

    @property
    def text(self) -> Text:
        """Return it as the history tells it: `4719283056, DHL Express, expected 2026-11-25`."""
        named = ", ".join(filter(None, [self.tracking_number, carrier_name(self.carrier)]))
        if self.expected_on is None:
            return Text("%(parcel)s", parcel=named)
        return Text("%(parcel)s, expected %(day)s", parcel=named, day=str(self.expected_on))


@changes_order
def ship_order(
    *,
    order_id: int,
    tracking_number: str,
    shipping_url: str = "",
    carrier: str = "",
    expected_on: date | None = None,
    actor: User,
    now: datetime,
) -> Order:
    """Move a paid order to Shipment Completed and take its pieces off the shelf (readings, Order
    life).

    The link of a known carrier is made here; where no carrier is named, `shipping_url` is its
    address.

    Raises:
        NotFound: there is none.
        WrongStatus: it is not paid.
        StaffRefusal: a balance is due again, packing is not complete, the tracking number is not
            the carrier's, its address is missing, or the day is none after shipping.
        StockBelowZero: the shelf holds fewer pieces than the order needs.
    """
    parcel = _checked(Parcel(tracking_number, shipping_url, carrier, expected_on), shipped_at=now)
    order = locked_order(order_id)
    check_move(OrderStatus(order.status), OrderStatus.SHIPPED)
    if due := due_of(order):
        text = _("A balance of %(amount)s is due again: it ships once that is paid.")
        raise StaffRefusal(text % {"amount": dollars(due)})
    check_packed(order)
    wanted = allocated_pieces(order.lines.all())
    stock.ship(wanted=wanted, invoice_code=order.invoice_code, actor=actor, now=now)
    order.lines.update(allocated=0)
    _give(order, parcel)
    move_order(order=order, target=OrderStatus.SHIPPED, actor=actor, note=parcel.text, now=now)
    queue([mail.shipped(order)])
    return order


@changes_order
def correct_tracking(
    *,
    order_id: int,
    tracking_number: str,
    shipping_url: str = "",
    carrier: str = "",
    expected_on: date | None = None,
    reason: str,
    seen: str,
    letter: str | None,
    actor: User,
    now: datetime,
) -> Order:
    """Give a shipped order another tracking number, carrier or day; what was is kept, status, stock
    and money stay.

    `seen` is the number that the page showed. The buyer gets a mail that begins with `letter`;
    None: no mail.

    Raises:
        NotFound: there is none.
        WrongStatus: it has not shipped.
        StaffRefusal: nothing differs, another number by now, or what `ship_order` refuses of a
            parcel.
    """
    reason = " ".join(reason.split())
    given = Parcel(tracking_number, shipping_url, carrier, expected_on)
    order = locked_order(order_id)
    parcel = _checked(given, shipped_at=order.status_at)
    if order.status != OrderStatus.SHIPPED:
        raise WrongStatus(errors={"status": [OrderStatus(order.status).staff_label]})
    if order.tracking_number != seen:
        text = _("The tracking number is now %(number)s, not %(seen)s.")
        raise StaffRefusal(text % {"number": order.tracking_number, "seen": seen})
    was = Parcel(**{name: getattr(order, name) for name in PARCEL})
    if was == parcel:
        text = _("This is the number that the order has.")
        raise StaffRefusal(text, errors={"tracking_number": [text]})
    FormerTracking.objects.create(order=order, **vars(was), actor=actor, note=reason, at=now)
    _give(order, parcel)
    save_changed(order, *PARCEL)
    texts = {"was": was.text, "now": parcel.text, "reason": reason}
    note = Text("%(was)s → %(now)s: %(reason)s", **texts)
    record(order, OrderEvent.Kind.TRACKING, note, actor=actor, now=now)
    if letter is not None:
        queue([mail.tracking_corrected(order, was=was.tracking_number, text=letter[:MAX_LETTER])])
    return order


def _give(order: Order, parcel: Parcel) -> None:
    for name in PARCEL:
        setattr(order, name, getattr(parcel, name))


def _checked(parcel: Parcel, *, shipped_at: datetime) -> Parcel:
    """Return a parcel as it is kept, with the link of a known carrier.

    Raises:
        StaffRefusal: its number is not its carrier's, its address is missing, or the day is none
            after shipping.
    """
    number, carrier = parcel.tracking_number.strip(), parcel.carrier
    if fault := number_fault(carrier, number):
        raise StaffRefusal(
            _("The tracking number is not the carrier's."), errors={"tracking_number": [fault]}
        )
    address = tracking_link(carrier, number) or parcel.shipping_url.strip()
    if not address and carrier != Carrier.OTHER:
        text = _("The carrier's tracking address is needed.")
        raise StaffRefusal(text, errors={"shipping_url": [text]})
    day, first = parcel.expected_on, seller_date(shipped_at)
    if day is not None and not first <= day <= first + LONGEST_WAY:
        days = {"first": first, "last": first + LONGEST_WAY}
        text = _("Enter a day from %(first)s to %(last)s.") % days
        raise StaffRefusal(_("It cannot be expected on that day."), errors={"expected_on": [text]})
    return Parcel(number, address, carrier, day)
