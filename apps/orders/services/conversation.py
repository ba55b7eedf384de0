"""The conversation on an order as staff lead it: answers to the buyer, notes for colleagues, what
needs no answer.
"""

from datetime import datetime
from hashlib import sha256

from django.utils import timezone
from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.common.db.transactions import one_transaction
from apps.common.mail import queue
from apps.common.notes import checked_text
from apps.common.permissions import needs
from apps.orders import mail
from apps.orders.errors import AlreadySaid
from apps.orders.models import Order, OrderEvent
from apps.orders.selectors.conversation import reader_of
from apps.orders.services.history import locked_order, record, save_changed

Kind = OrderEvent.Kind
UNREAD_COLUMNS = ("message_unread", "ship_memo_unread", "address_changed")


@needs("orders.change_order")
@one_transaction
def answer_buyer(
    *, order_id: int, text: str, actor: User, now: datetime, opened: str = ""
) -> Order:
    """Answer on an order: `memo` shows it (readings, On the screens), a mail with a link goes to
    who wrote last.

    What the buyer wrote before counts as answered. `opened` names the opened page: of it, the same
    text is sent once.

    Raises:
        NotFound: there is no such order.
        TextRefused: the text is empty or too long.
        AlreadySaid: it was sent before.
    """
    text = checked_text(text)
    order = locked_order(order_id)
    key = _key_once(order, Kind.MEMO, text=text, actor=actor, opened=opened)
    order.memo = text
    save_changed(order, "memo", *_mark_read(order))
    record(order, Kind.MEMO, text, actor=actor, key=key, now=now)
    to = reader_of(order).email
    queue([mail.answer(order, to=to, name=actor.manager, text=text)])
    return order


@needs("orders.change_order")
@one_transaction
def keep_note(*, order_id: int, text: str, actor: User, now: datetime, opened: str = "") -> Order:
    """Keep a note for colleagues on an order; no call and no mail of a buyer ever has it.

    Raises:
        NotFound: there is no such order.
        TextRefused: the text is empty or too long.
        AlreadySaid: it was kept before, of the same opened page.
    """
    text = checked_text(text)
    order = locked_order(order_id)
    key = _key_once(order, Kind.NOTE, text=text, actor=actor, opened=opened)
    record(order, Kind.NOTE, text, actor=actor, key=key, now=now)
    return order


@needs("orders.change_order")
@one_transaction
def mark_read(*, order_id: int, actor: User, now: datetime) -> Order:
    """Let message, shipping request and address change of an order stand without an answer; nothing
    changes nothing.

    Raises:
        NotFound: there is no such order.
    """
    order = locked_order(order_id)
    if any(getattr(order, column) for column in UNREAD_COLUMNS):
        order.save(update_fields=_mark_read(order))
        record(order, Kind.READ, actor=actor, now=now)
    return order


def _mark_read(order: Order) -> tuple[str, ...]:
    """Mark what the buyer wrote as read, unsaved; return the columns to save."""
    for column in UNREAD_COLUMNS:
        setattr(order, column, False)
    return UNREAD_COLUMNS


def _key_once(order: Order, kind: OrderEvent.Kind, *, text: str, actor: User, opened: str) -> str:
    """Return the key of what is said on a locked order, from one opened page once; empty where no
    page is named.
    """
    if not opened:
        return ""
    key = sha256("\0".join((kind, str(actor.pk), opened, text)).encode()).hexdigest()[:40]
    if OrderEvent.objects.filter(order=order, key=key).exists():
        if kind == Kind.NOTE:
            raise AlreadySaid(_("This note has already been saved, and was not saved again."))
        raise AlreadySaid(_("This answer has already been sent, and was not sent again."))
    return key


@needs("orders.view_order")
def note_seen_as_buyer(*, order: Order, actor: User, now: datetime) -> OrderEvent:
    """Note that somebody of the staff sees an order as the buyer does, once a day for each; return
    the note.
    """
    key = f"seen:{actor.pk}:{timezone.localdate(now)}"
    event, _ = OrderEvent.objects.get_or_create(
        order=order, key=key, defaults={"kind": OrderEvent.Kind.SEEN, "actor": actor, "at": now}
    )
    return event
