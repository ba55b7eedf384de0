"""The conversation on an order as staff see it: what was said, and what was done in between."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.common.notes import MAX_TEXT
from apps.orders.models import Order, OrderEvent
from apps.orders.selectors.conversation import BUYERS_WORDS, messages_to_answer, reader_of

Kind = OrderEvent.Kind
DEEDS = (Kind.ADDRESS, Kind.TRACKING, Kind.PACKING)  # the steps stand above the page
SIDES = {**dict.fromkeys(BUYERS_WORDS, "buyer"), Kind.MEMO: "seller", Kind.NOTE: "internal"}
MOST_SHOWN = 60


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
    code: str = ""
    url: str = ""
    is_read: bool = False
    read_at: datetime | None = None
    key: int = 0


@dataclass(frozen=True)
class Thread:
    """A conversation as a page shows it, the oldest first, and to whom an answer goes."""

    said: Sequence[ThreadEntry]
    reader: User
    counts: Mapping[str, int]
    waits: bool
    max_text: int = MAX_TEXT


def thread_of(order: Order, events: Sequence[OrderEvent]) -> Thread:
    """Return the conversation of an order from its history. Two statements."""
    shown = [event for event in events if _is_shown(event)]
    waiting, read_at = set(messages_to_answer().filter(order=order)), order.answer_read_at
    read = [
        event for event in shown if read_at and side_of(event) == "seller" and event.at <= read_at
    ]
    said = [
        _said(
            event,
            waits=event in waiting,
            is_read=event in read,
            read_at=read_at if event in read[-1:] else None,  # known of the newest alone
        )
        for event in shown
    ]
    counts = Counter(one.side for one in said)
    waits = any(one.waits for one in said)
    return Thread(said[-MOST_SHOWN:], reader_of(order), counts, waits)


def side_of(event: OrderEvent) -> str:
    """Return who speaks: the buyer, the seller to him, staff to each other; or that something was
    done.
    """
    return SIDES.get(Kind(event.kind), "deed")


def _is_shown(event: OrderEvent) -> bool:
    return event.kind in DEEDS if side_of(event) == "deed" else bool(event.note)


def entry_of(event: OrderEvent) -> ThreadEntry:
    """Return what was said on an order, with the order's page: for a conversation over several."""
    url = reverse("admin:orders_order_change", args=[event.order_id])
    return _said(event, code=event.order.invoice_code, url=url)


def _said(event: OrderEvent, **more: Any) -> ThreadEntry:
    side, name = side_of(event), event.actor.manager if event.actor else ""
    if side == "deed":
        return ThreadEntry(side, name, event.at, event.get_kind_display())
    label = _("Shipping request") if event.kind == Kind.SHIP_MEMO else ""
    return ThreadEntry(side, name, event.at, event.text, label, key=event.pk, **more)
