"""The conversation on an order as staff see it: what was said, and what was done in between."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.urls import reverse

from apps.accounts.models import User
from apps.common.notes import MAX_TEXT
from apps.orders.models import Order, OrderEvent
from apps.orders.selectors.conversation import BUYERS_WORDS

Kind = OrderEvent.Kind
DEEDS = (Kind.STATUS, Kind.ADDRESS, Kind.TRACKING, Kind.PACKING)
SIDES = {**dict.fromkeys(BUYERS_WORDS, "buyer"), Kind.MEMO: "seller", Kind.NOTE: "internal"}
MOST_SHOWN = 60


@dataclass(frozen=True)
class Said:
    """One entry of a conversation: who said it when, and on which order where it stands among others."""

    side: str
    name: str
    at: datetime
    text: str
    label: str = ""
    waits: bool = False
    code: str = ""
    url: str = ""


@dataclass(frozen=True)
class Thread:
    """A conversation as a page shows it, the oldest first, and to whom an answer goes."""

    said: Sequence[Said]
    reader: User
    counts: dict[str, int]
    waits: bool
    max_text: int = MAX_TEXT


def thread_of(order: Order, events: Sequence[OrderEvent]) -> Thread:
    """Return the conversation of an order from its history. No statement."""
    closed = max((place for place, event in enumerate(events) if event.kind in (Kind.MEMO, Kind.READ)), default=-1)
    unread = {Kind.MESSAGE: order.message_unread, Kind.SHIP_MEMO: order.ship_memo_unread}
    said, reader = [], order.user
    for place, event in enumerate(events):
        waits = unread.get(Kind(event.kind), False) and place > closed
        side = SIDES.get(Kind(event.kind), "deed")
        if (side == "deed" and event.kind not in DEEDS) or (side != "deed" and not event.note):
            continue
        if side == "buyer" and event.actor and event.actor.is_active and event.actor.company_id == order.company_id:
            reader = event.actor
        said.append(_said(event, side, waits=waits))
    counts = {side: sum(one.side == side for one in said) for side in ("buyer", "seller", "internal")}
    return Thread(said[-MOST_SHOWN:], reader, counts, any(one.waits for one in said))


def said_of(event: OrderEvent) -> Said:
    """Return what was said on an order, with the order's page: for a conversation over several."""
    url = reverse("admin:orders_order_change", args=[event.order_id])
    return replace(_said(event, SIDES[Kind(event.kind)], waits=False), code=event.order.invoice_code, url=url)


def _said(event: OrderEvent, side: str, *, waits: bool) -> Said:
    name = event.actor.manager if event.actor else ""
    if side == "deed":
        what = event.get_to_status_display() if event.to_status is not None else event.get_kind_display()
        return Said(side, name, event.at, what)
    label = "Shipping request" if event.kind == Kind.SHIP_MEMO else ""
    return Said(side, name, event.at, event.note, label, waits)
