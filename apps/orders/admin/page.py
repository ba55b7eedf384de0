"""What one order's page shows: its five steps, the one next step, its lines, its money, and the
conversation: what was said, and what was done in between.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _, gettext_lazy, pgettext

from apps.accounts.selectors import PostalAddress, postal_address
from apps.catalog.rules import PriceRule
from apps.common.notes import MAX_TEXT
from apps.common.staff import Context, overdue
from apps.common.staff_lists import who as named
from apps.common.texts import phrase
from apps.common.types import Label
from apps.orders.models import Order, OrderEvent, OrderLine
from apps.orders.rules import count_boxes, kilograms, line_total, measured_g, packed_pieces
from apps.orders.selectors.conversation import (
    BUYERS_WORDS,
    messages_to_answer,
    open_proposals,
    reader_of,
)
from apps.orders.selectors.orders import due_of
from apps.orders.selectors.packing import boxes_of, packing_differences
from apps.orders.services.packing import NOT_COMPLETE
from apps.orders.status import LIVE, OrderStatus, is_packable

S = OrderStatus
TONES = {
    S.CANCELLED: "",
    S.RECEIVED: "accent",
    S.PREPARING: "info",
    S.CONFIRMED: "warn",
    S.PAID: "ok",
    S.SHIPPED: "ok",
}
PACKING: dict[int, tuple[Label, str]] = {
    Order.Packing.NONE: (gettext_lazy("Not packed yet"), ""),
    Order.Packing.EDITED: (gettext_lazy("Being edited"), "warn"),
    Order.Packing.COMPLETE: (gettext_lazy("Complete"), "ok"),
}
HISTORY_SHOWN = 3
RULES: dict[str, Label] = {
    PriceRule.PROMOTION: gettext_lazy("promotion"),
    PriceRule.ITEM: gettext_lazy("group price"),
    PriceRule.PERCENT: gettext_lazy("group's percentage"),
}
Kind = OrderEvent.Kind
DEEDS = (Kind.ADDRESS, Kind.TRACKING, Kind.PACKING)  # the steps stand above the page
SIDES = {**dict.fromkeys(BUYERS_WORDS, "buyer"), Kind.MEMO: "seller", Kind.NOTE: "internal"}
MOST_SHOWN = 60


@dataclass(frozen=True)
class NextStep:
    """The one thing to do next with an order: a page to open, or a POST."""

    label: str
    verb: str
    url: str
    is_post: bool = False
    hint: str = ""
    permission: str = "orders.change_order"


def next_step(order: Order) -> NextStep | None:
    """Return an order's next step, if staff have one to take (readings, Order life)."""
    of_payments = "payments.change_payment"
    match order.state:
        case S.RECEIVED:
            return _step(order, _("Start preparing"), _("Prepare"), "prepare", is_post=True)
        case S.PREPARING:
            return _next_of_preparing(order)
        case S.CONFIRMED if order.wire_announced:
            label = _("Confirm the announced wire")
            return _step(order, label, _("Confirm wire"), "announced", permission=of_payments)
        case S.CONFIRMED:
            hint = _("Waiting for the buyer's payment")
            if order.payment_pending:
                hint = _("A PayPal payment is under way")
            return _step(order, _("Remind the buyer"), _("Buyer pays"), "remind", hint=hint)
        case S.PAID if due_of(order):
            hint, verb = _("A balance is due again: a wire was moved away"), _("Buyer pays")
            return _step(order, _("Book a wire"), verb, "book", hint=hint, permission=of_payments)
        case S.PAID if order.packing_status != Order.Packing.COMPLETE:
            hint = str(NOT_COMPLETE)
            return _step(order, _("Open the packing sheet"), _("Pack"), "packing", hint=hint)
        case S.PAID:
            return _step(order, _("Ship this order"), _("Ship"), "ship")
    return None


def _next_of_preparing(order: Order) -> NextStep:
    """Return what comes next before an order is confirmed: decide the lines, weigh, set the fee."""
    verb = pgettext("order", "Confirm")
    if order.packing_status == Order.Packing.COMPLETE:
        hint = phrase(
            "Packed and weighed: %(kg)s kg", kg=f"{kilograms(order.measured_weight_g or 0)}"
        )
        return _step(order, _("Set the fee and confirm"), verb, "confirm", hint=hint)
    draft = getattr(order, "confirmation_draft", None)
    if draft is None:
        return _step(order, _("Open the confirmation sheet"), verb, "confirm")
    saved = f"{timezone.localtime(draft.saved_at):%m-%d %H:%M}"
    hint = phrase("Sheet saved by %(who)s, %(when)s", who=draft.saved_by.manager, when=saved)
    return _step(order, _("Pack and weigh"), _("Pack"), "packing", hint=hint)


def _step(order: Order, label: str, verb: str, page: str, **more: Any) -> NextStep:
    return NextStep(label, verb, reverse(f"admin:orders_order_{page}", args=[order.pk]), **more)


def who(event: OrderEvent, order: Order) -> str:
    """Return who did something: a member of staff or of the company by name, else the portal."""
    is_placed = event.from_status is None and event.kind == OrderEvent.Kind.STATUS
    return named(event.actor or (order.user if is_placed else None))


def deed(event: OrderEvent) -> str:
    """Return what an entry of the history is about: a status that was reached, else its kind."""
    if event.to_status is not None:
        return S(event.to_status).staff_label
    return event.get_kind_display()


def life(order: Order, events: Sequence[OrderEvent], now: datetime) -> list[Context]:
    """Return the five steps with who took them and when; the next one with when it is due."""
    reached = {event.to_status: event for event in events if event.kind == OrderEvent.Kind.STATUS}
    steps = []
    for status in LIVE:
        event = reached.get(status)
        step: Context = {
            "label": status.staff_label,
            "done": event is not None,
            "now": status == order.status,
            "passed": event is not None and status < order.status,
        }
        if event is not None:
            step |= {"at": event.at, "who": who(event, order)}
        elif order.due_at and status == order.status + 1:
            step |= {"due": order.due_at, "late": overdue(due_at=order.due_at, now=now)}
        steps.append(step)
    return steps


@dataclass
class LineRow:
    """A product of an order: pieces ordered, confirmed, and what that comes to."""

    sku: str
    name: str
    price: Decimal
    rule: str = ""
    comment: str = ""
    ordered: int = 0
    confirmed: int = 0
    is_free: bool = False

    @property
    def price_from(self) -> Label:
        """Return what gave the price, where it is not the wholesale price and known."""
        return RULES.get(self.rule, "")

    @property
    def total(self) -> Decimal:
        """Return the confirmed pieces' price."""
        return line_total(price=self.price, quantity=self.confirmed)

    def add(self, line: OrderLine) -> None:
        """Count in a line of this product and price."""
        is_free = not line.is_confirmed and not line.price
        self.ordered += line.quantity if line.is_ordered else 0
        self.confirmed += line.quantity if line.is_confirmed or is_free else 0
        reason = line.get_reason_display() if line.reason and not is_free else ""
        self.comment = ". ".join(filter(None, [self.comment, reason, line.comment]))
        self.is_free |= is_free

    @property
    def is_short(self) -> bool:
        """Return whether fewer pieces are confirmed than were ordered."""
        return not self.is_free and self.confirmed < self.ordered

    @property
    def tag(self) -> str:
        """Return what became of the pieces, once staff have confirmed the order."""
        if not self.is_short:
            return _("Free offer") if self.is_free else pgettext("line", "Confirmed")
        if not self.confirmed:
            return _("Not Confirmed")
        return phrase(
            "%(confirmed)s of %(ordered)s", confirmed=self.confirmed, ordered=self.ordered
        )


def line_rows(lines: Iterable[OrderLine]) -> list[LineRow]:
    """Return the lines with the confirmed and the other part of a SKU put together again.

    A line starts as confirmed (readings, Order life); until staff confirm the order, their pages
    do not say so.
    """
    rows: dict[tuple[str, Decimal, bool], LineRow] = {}
    for line in lines:
        key = (line.sku, line.price, line.is_ordered)
        row = LineRow(line.sku, line.product.eng_name, line.price, line.price_rule or "")
        rows.setdefault(key, row).add(line)
    return list(rows.values())


def money_of(order: Order) -> Context:
    """Return the money of an order that is no column of it, in US dollars, and its weights, in
    kilograms (readings, Money).
    """
    measured_g = order.measured_weight_g
    return {
        "is_priced": order.state.is_priced,
        "not_confirmed": order.real_total - order.total,
        "weight": kilograms(order.weight_g),
        "measured": None if measured_g is None else kilograms(measured_g),
        "total": order.real_total + order.shipping_fee,
        "paid": order.received - order.deposit_received,
        "due": due_of(order),
    }


def signs(order: Order) -> list[tuple[str, str]]:
    """Return an order's signs: text and tone."""
    states = [
        (order.message_unread, _("Message"), "bad"),
        (order.ship_memo_unread, _("Shipping request"), "info"),
        (order.address_changed, _("Address changed"), "warn"),
        (order.wire_announced, _("Wire announced"), "info"),
        (is_unpaid(order), _("Unpaid, no wire announced"), "warn"),
        (order.is_back_order, _("Back-order"), ""),
    ]
    return [(text, tone) for is_on, text, tone in states if is_on]


def is_unpaid(order: Order) -> bool:
    """Return whether a received order waits for a deposit that is not on its way (`UNPAID`)."""
    is_paid = order.received or order.wire_announced or order.payment_pending
    return order.status == S.RECEIVED and order.deposit > 0 and not is_paid


def order_page(order: Order, *, now: datetime) -> Context:
    """Return everything that an order's page shows.

    Statements: lines, events, documents, the buyer's files; two for its boxes, one for the numbers
    that a shipped one had before or the proposals of another.
    """
    events = list(order.events.select_related("actor"))
    was_confirmed = any(event.to_status == S.CONFIRMED for event in events)
    may_confirm = order.status == S.PREPARING
    packing_label, packing_tone = PACKING[order.packing_status]
    is_begun = order.packing_status != Order.Packing.NONE
    is_complete = order.packing_status == Order.Packing.COMPLETE and order.status < S.SHIPPED
    boxes = boxes_of(order_id=order.pk) if is_begun else []
    lines = line_rows(order.lines.select_related("product"))
    return {
        "order": order,
        "status_label": order.state.staff_label,
        "status_tone": TONES[order.state],
        "life": life(order, events, now),
        "next": next_step(order),
        "late": overdue(due_at=order.due_at, now=now),
        "lines": lines,
        "was_confirmed": was_confirmed,
        "decided": order.state >= S.CONFIRMED,
        "pieces": {
            "ordered": sum(row.ordered for row in lines),
            "confirmed": sum(row.confirmed for row in lines if row.ordered),
            "added": sum(row.confirmed for row in lines if not (row.ordered or row.is_free)),
            "free": sum(row.confirmed for row in lines if row.is_free),
        },
        "money": money_of(order),
        "signs": signs(order),
        "thread": thread_of(order, events),
        "unread": order.message_unread or order.ship_memo_unread or order.address_changed,
        "documents": order.documents.all(),
        "buyer_files": order.buyer_files.all(),
        "history": [
            {"event": event, "who": who(event, order), "deed": deed(event)}
            for event in reversed(events)
        ][:HISTORY_SHOWN],
        "history_count": len(events),
        "former_trackings": order.former_trackings.all() if order.status == S.SHIPPED else (),
        "waits_for_shipment": order.status == S.PAID,
        "may_correct": order.status == S.CONFIRMED and not order.payment_pending,
        "may_confirm": may_confirm,
        "waiting": open_proposals(order).count() if may_confirm else 0,
        "is_open": S.RECEIVED <= order.status <= S.PAID,
        "is_cancelled": order.status == S.CANCELLED,
        "packing_differences": packing_differences(order) if is_complete else [],
        "packing_label": packing_label,
        "packing_tone": packing_tone,
        "is_packed": is_begun,
        "boxes": count_boxes(boxes),
        "packed": packed_pieces(boxes).total(),
        "kg": kilograms(measured_g(boxes)),
        "has_packing_sheet": is_begun or is_packable(order.state),
        "address": address_line(postal_address(order, prefix="ship_")),
    }


def address_line(address: PostalAddress) -> str:
    """Return an address in one line."""
    names = ("address1", "address2", "city", "state", "zipcode", "country")
    return ", ".join(filter(None, (getattr(address, name) for name in names)))


@dataclass(frozen=True)
class ThreadEntry:
    """One entry of a conversation: who said it when, and on which order where it stands among
    others.
    """

    side: str
    name: str
    at: datetime
    text: str
    label: str = ""
    waits: bool = False
    order: Order | None = None
    is_read: bool = False
    read_at: datetime | None = None
    key: int = 0


def thread_of(order: Order, events: Sequence[OrderEvent]) -> Context:
    """Return the conversation of an order from its history, the oldest first, and to whom an answer
    goes. Two statements.
    """
    listed = [
        event
        for event in events
        if (event.kind in DEEDS if side_of(event) == "deed" else event.note)
    ]
    waiting, read_at = set(messages_to_answer().filter(order=order)), order.answer_read_at
    read_by_buyer = [
        event for event in listed if read_at and side_of(event) == "seller" and event.at <= read_at
    ]
    entries = [
        entry_of(
            event,
            waits=event in waiting,
            is_read=event in read_by_buyer,
            read_at=read_at if event in read_by_buyer[-1:] else None,  # known of the newest alone
        )
        for event in listed
    ]
    return {
        "said": entries[-MOST_SHOWN:],
        "reader": reader_of(order),
        "counts": Counter(one.side for one in entries),
        "waits": any(one.waits for one in entries),
        "max_text": MAX_TEXT,
    }


def side_of(event: OrderEvent) -> str:
    """Return who speaks: the buyer, the seller to him, staff to each other; or that something was
    done.
    """
    return SIDES.get(Kind(event.kind), "deed")


def entry_of(event: OrderEvent, **more: Any) -> ThreadEntry:
    """Return what was said on an order; `order` for a conversation over several."""
    side, name = side_of(event), event.actor.manager if event.actor else ""
    if side == "deed":
        return ThreadEntry(side, name, event.at, event.get_kind_display())
    label = _("Shipping request") if event.kind == Kind.SHIP_MEMO else ""
    return ThreadEntry(side, name, event.at, event.text, label, key=event.pk, **more)
