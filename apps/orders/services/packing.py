"""Staff pack an order: boxes and what is in them, what the packing list says beside, complete or
not; the list as a file. They ship it, and correct its tracking number, carrier and day.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.utils.translation import gettext as _, gettext_lazy

from apps.accounts.models import User
from apps.catalog.models import Product, Stock
from apps.catalog.services import stock
from apps.common.db.transactions import one_transaction
from apps.common.errors import NotFound, WrongStatus
from apps.common.mail import queue
from apps.common.money import dollars
from apps.common.storage.files import PDF
from apps.common.texts import Text, in_english, joined, phrase
from apps.orders import mail, rules
from apps.orders.carriers import Carrier, carrier_name, number_fault, tracking_link
from apps.orders.documents import render
from apps.orders.documents.content import Content
from apps.orders.documents.customs import packing_list
from apps.orders.errors import StaffRefusal
from apps.orders.models import FormerTracking, Order, OrderEvent, PackingBox, PackingItem
from apps.orders.rules import Box, LineToPack, kilograms
from apps.orders.selectors.orders import due_of, seller_date
from apps.orders.selectors.packing import FIGURES, lines_to_pack, packing_differences
from apps.orders.services.lines import allocated_pieces
from apps.orders.services.moves import (
    PARCEL,
    changes_order,
    locked_order,
    move_order,
    record,
    save_changed,
)
from apps.orders.status import OrderStatus, check_move, check_packable

NOT_COMPLETE = gettext_lazy("Packing is not complete.")
MAX_COUNT = 9_999
MAX_PIECES = 1_000_000
MAX_CONTENTS = 5_000
MAX_LENGTHS = {"remarks": 500, "notify": 500, "terms": 200}


@dataclass(frozen=True)
class PackingListDetails:
    """What the packing list says beside its boxes. An empty notify party is the consignee."""

    remarks: str = ""
    notify: str = ""
    terms: str = ""
    build_date: date | None = None


@changes_order
def save_packing(
    *,
    order_id: int,
    version: int,
    boxes: Sequence[Box],
    details: PackingListDetails,
    actor: User,
    now: datetime,
) -> Order:
    """Keep the packing as it is so far; one that was complete is being edited again (readings,
    `packing_status`).

    Raises:
        NotFound: there is no such order.
        StaleOrder: somebody changed it since the page was opened.
        WrongStatus: it is not being prepared yet, shipped or cancelled.
    """
    order = locked_order(order_id, version=version)
    check_packable(order.state)
    _write(order, boxes, details, lines_to_pack(order_id=order.pk))
    _set_state(order, Order.Packing.EDITED, note=_figures(boxes), actor=actor, now=now)
    return order


@changes_order
def complete_packing(
    *,
    order_id: int,
    version: int,
    boxes: Sequence[Box],
    details: PackingListDetails,
    weight_is_right: bool = False,
    actor: User,
    now: datetime,
) -> Order:
    """Keep the packing and say that it is complete: the buyer sees the packing list, the order can
    ship.

    `weight_is_right` says that a measured weight far from the products' was looked at; the history
    keeps it.

    Raises:
        NotFound, StaleOrder, WrongStatus: as `save_packing`.
        StaffRefusal: a piece is missing or too many, a box is empty, not weighed or not measured,
            more is packed than lies on the shelf, the build date is missing, or the weight is
            unusual and nobody said that it is right.
    """
    order = locked_order(order_id, version=version)
    check_packable(order.state)
    lines = lines_to_pack(order_id=order.pk)
    skus = _write(order, boxes, details, lines)
    faults = rules.completion_faults(boxes=boxes, lines=lines, skus=skus)
    faults += beyond_the_shelf(lines)
    if details.build_date is None:
        faults.append(_("The build date is missing."))
    if faults:
        text = phrase("Packing is not complete: %(fault)s", fault=faults[0])
        raise StaffRefusal(text, errors={"packing": faults})
    note = Text("Complete: %(figures)s", figures=_figures(boxes))
    products = rules.products_g(packed=rules.packed_pieces(boxes), lines=lines)
    percent = rules.percent_above(measured=rules.measured_g(boxes), products=products)
    if percent is not None and rules.is_unusual(percent):
        far = {"weight": rules.weight_text(percent), "kg": f"{kilograms(products)}"}
        if not weight_is_right:
            text = _(
                "The measured weight is %(weight)s the products' %(kg)s kg. "
                "Weigh again, or tick “Right as it is”."
            )
            raise StaffRefusal(text % far, field="weight")
        note = Text(
            "Complete: %(figures)s; %(weight)s the products' %(kg)s kg, said to be right as it is",
            figures=_figures(boxes),
            **far,
        )
    _set_state(
        order,
        Order.Packing.COMPLETE,
        note=note,
        actor=actor,
        now=now,
        measured_g=rules.measured_g(boxes),
    )
    return order


def beyond_the_shelf(lines: Sequence[LineToPack]) -> list[str]:
    """Return of which products more is to be sent than lies on the shelf, a sentence each."""
    stocks = Stock.objects.filter(product_id__in=[line.product_id for line in lines])
    shelf = dict(stocks.values_list("product_id", "on_hand"))
    return [
        phrase(
            "%(sku)s: %(pieces)s pieces, and %(shelf)s on the shelf.",
            sku=line.sku,
            pieces=f"{line.pieces:,}",
            shelf=f"{shelf[line.product_id]:,}",
        )
        for line in lines
        if line.pieces > shelf[line.product_id]
    ]


@changes_order
def reopen_packing(*, order_id: int, version: int, actor: User, now: datetime) -> Order:
    """Let a complete packing be edited again: the buyer's packing list is gone until it is complete
    once more.

    Raises:
        NotFound, StaleOrder, WrongStatus: as `save_packing`.
        StaffRefusal: it is not complete.
    """
    order = locked_order(order_id, version=version)
    check_packable(order.state)
    check_packed(order)
    _set_state(order, Order.Packing.EDITED, note=Text("Opened again"), actor=actor, now=now)
    return order


def reopen_if_it_differs(order: Order, *, actor: User, now: datetime) -> None:
    """Let a complete packing of a locked order be edited again where its lines are not what was
    packed any more.
    """
    if order.packing_status != Order.Packing.COMPLETE:
        return
    if faults := packing_differences(order):
        note = Text("Opened again, the lines have changed: %(lines)s", lines=joined(" ", faults))
        _set_state(order, Order.Packing.EDITED, note=note, actor=actor, now=now)


@in_english()
def packing_list_pdf(*, order_id: int, now: datetime) -> bytes:
    """Return the packing list of a packed order as a PDF file, made from the packing as it is now.
    Never inside a transaction.

    Raises:
        NotFound: there is no such order, or its packing is not complete (any more).
    """

    @one_transaction
    def content() -> Content:
        order = locked_order(order_id)  # nobody changes the packing while it is read
        if order.packing_status != Order.Packing.COMPLETE:
            raise NotFound
        return packing_list(order)

    return render(content(), content_type=PDF.content_type, issued_at=now)


def packing_list_title(order: Order) -> str:
    """Return the name under which the packing list's file is downloaded."""
    return f"Packing_List_{order.invoice_code}.{PDF.extension}"


def check_packed(order: Order) -> None:
    """Raise StaffRefusal unless an order is packed completely."""
    if order.packing_status != Order.Packing.COMPLETE:
        raise StaffRefusal(str(NOT_COMPLETE))


def _set_state(
    order: Order,
    state: Order.Packing,
    *,
    note: Text,
    actor: User,
    now: datetime,
    measured_g: int | None = None,
) -> None:
    """Write the state, the weight that holds while the packing is complete, and the history's
    entry.
    """
    order.packing_status, order.measured_weight_g = state, measured_g
    texts = [f"packing_{name}" for name in MAX_LENGTHS]
    save_changed(order, "packing_status", "measured_weight_g", "packing_build_date", *texts)
    record(order, OrderEvent.Kind.PACKING, note, actor=actor, now=now)


def _write(
    order: Order, boxes: Sequence[Box], details: PackingListDetails, lines: Sequence[LineToPack]
) -> dict[int, str]:
    """Replace the stored boxes, and the texts unsaved; return the packed products' SKUs by id."""
    skus = {line.product_id: line.sku for line in lines}
    others = {item.product_id for box in boxes for item in box.contents} - skus.keys()
    skus |= Product.objects.filter(pk__in=others).values_list("pk", "sku")
    order.boxes.all().delete()
    rows = PackingBox.objects.bulk_create(
        PackingBox(order=order, number=number, **{name: getattr(box, name) for name in FIGURES})
        for number, box in enumerate(boxes, 1)
    )
    pieces: Counter[tuple[PackingBox, int]] = Counter()  # two rows of a product in a box are one
    for row, box in zip(rows, boxes, strict=True):
        for item in box.contents:
            pieces[row, item.product_id] += item.quantity
    PackingItem.objects.bulk_create(
        PackingItem(box=row, product_id=product_id, quantity=quantity)
        for (row, product_id), quantity in pieces.items()
    )
    order.packing_build_date = details.build_date
    for name in MAX_LENGTHS:
        text = getattr(details, name).replace("\r\n", "\n").strip()
        setattr(order, f"packing_{name}", text)
    return skus


def _figures(boxes: Sequence[Box]) -> Text:
    figures: dict[str, object] = {
        "pieces": f"{rules.packed_pieces(boxes).total():,}",
        "kg": f"{kilograms(rules.measured_g(boxes))}",
    }
    count = rules.count_boxes(boxes)
    if count == 1:
        return Text("1 box, %(pieces)s pieces, %(kg)s kg", **figures)
    return Text("%(count)s boxes, %(pieces)s pieces, %(kg)s kg", count=count, **figures)


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
        shipment = ", ".join(filter(None, [self.tracking_number, carrier_name(self.carrier)]))
        if self.expected_on is None:
            return Text("%(parcel)s", parcel=shipment)
        return Text("%(parcel)s, expected %(day)s", parcel=shipment, day=str(self.expected_on))


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
    check_move(order.state, OrderStatus.SHIPPED)
    if due := due_of(order):
        raise StaffRefusal(
            _("A balance of %(amount)s is due again: it ships once that is paid."),
            amount=dollars(due),
        )
    check_packed(order)
    quantities = allocated_pieces(order.lines.all())
    stock.ship(quantities=quantities, invoice_code=order.invoice_code, actor=actor, now=now)
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
    requested = Parcel(tracking_number, shipping_url, carrier, expected_on)
    order = locked_order(order_id)
    parcel = _checked(requested, shipped_at=order.status_at)
    if order.status != OrderStatus.SHIPPED:
        raise WrongStatus(status=order.state.staff_label)
    if order.tracking_number != seen:
        raise StaffRefusal(
            _("The tracking number is now %(number)s, not %(seen)s."),
            number=order.tracking_number,
            seen=seen,
        )
    was = Parcel(**{name: getattr(order, name) for name in PARCEL})
    if was == parcel:
        raise StaffRefusal(_("This is the number that the order has."), field="tracking_number")
    FormerTracking.objects.create(order=order, **vars(was), actor=actor, note=reason, at=now)
    _give(order, parcel)
    save_changed(order, *PARCEL)
    note = Text("%(was)s → %(now)s: %(reason)s", was=was.text, now=parcel.text, reason=reason)
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
    number, carrier = parcel.tracking_number, parcel.carrier
    if fault := number_fault(carrier, number):
        raise StaffRefusal(
            _("The tracking number is not the carrier's."), errors={"tracking_number": [fault]}
        )
    address = tracking_link(carrier, number) or parcel.shipping_url
    if not address and carrier != Carrier.OTHER:
        raise StaffRefusal(_("The carrier's tracking address is needed."), field="shipping_url")
    day, first = parcel.expected_on, seller_date(shipped_at)
    if day is not None and not first <= day <= first + LONGEST_WAY:
        text = phrase(
            "Enter a day from %(first)s to %(last)s.",
            first=str(first),
            last=str(first + LONGEST_WAY),
        )
        raise StaffRefusal(_("It cannot be expected on that day."), errors={"expected_on": [text]})
    return Parcel(number, address, carrier, day)
