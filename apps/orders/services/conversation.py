"""What a buyer may still say and change on an order, each checked under the lock, and what staff
write: answers, notes, and mails to a buyer whose order stands still.
"""

from datetime import datetime
from hashlib import sha256
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone

from apps.accounts.models import User
from apps.accounts.selectors import Buyer
from apps.accounts.shipping import (
    Shipping,
    missing_ship_fields,
    refuse_unprintable_shipping,
)
from apps.common.db.transactions import one_transaction
from apps.common.errors import Invalid, WrongStatus
from apps.common.mail import Mail, queue
from apps.common.notes import checked_text
from apps.common.permissions import needs
from apps.common.printed import refuse_unprintable
from apps.common.texts import Text, gettext as _, phrase
from apps.orders import mail
from apps.orders.errors import (
    AlreadyMailed,
    AlreadyStated,
    KeyUsed,
    MessageRequired,
    NotLate,
    StaffRefusal,
)
from apps.orders.models import Order, OrderEvent
from apps.orders.selectors.conversation import reader_of
from apps.orders.selectors.orders import address_text, due_of, get_order
from apps.orders.services.moves import changes_order, locked_order, record, save_changed
from apps.orders.status import OrderStatus, allowed

Kind = OrderEvent.Kind
UNREAD_COLUMNS = ("message_unread", "ship_memo_unread", "address_changed")


@changes_order
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


@changes_order
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


@changes_order
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


def _key_once(order: Order, kind: Kind, *, text: str, actor: User, opened: str) -> str:
    """Return the key of what is said on a locked order, from one opened page once; empty where no
    page is named.
    """
    if not opened:
        return ""
    key = sha256("\0".join((kind, str(actor.pk), opened, text)).encode()).hexdigest()[:40]
    if order.events.filter(key=key).exists():
        if kind == Kind.NOTE:
            raise AlreadyStated(_("This note has already been saved, and was not saved again."))
        raise AlreadyStated(_("This answer has already been sent, and was not sent again."))
    return key


@needs("orders.view_order")
def note_seen_as_buyer(*, order: Order, actor: User, now: datetime) -> OrderEvent:
    """Note that somebody of the staff sees an order as the buyer does, once a day for each; return
    the note.
    """
    key = f"seen:{actor.pk}:{timezone.localdate(now)}"
    event, _ = OrderEvent.objects.get_or_create(
        order=order, key=key, defaults={"kind": Kind.SEEN, "actor": actor, "at": now}
    )
    return event


# Of each kind of message: where its newest text is stored, what of an order allows it, and what the
# mail to sales says.
MESSAGES = {
    Kind.MESSAGE: (
        "customer_memo",
        "message",
        Text("Message"),
        Text("%(company)s has sent a message."),
    ),
    Kind.SHIP_MEMO: (
        "ship_memo",
        "edit_ship_memo",
        Text("Request for shipping"),
        Text("%(company)s has sent a request for shipping."),
    ),
}


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
    if not allowed(order).edit_address:
        raise WrongStatus
    refuse_unprintable_shipping(shipping, former=Shipping.of(order))
    before = address_text(order)
    for column, value in shipping.columns().items():
        setattr(order, column, value)
    order.address_changed = True
    order.save(update_fields=[*shipping.columns(), "address_changed"])
    note = Text("Before: %(address)s", address=before)
    record(order, Kind.ADDRESS, note, actor=buyer, now=now)
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
    if not allowed(order).edit_po_number:
        raise WrongStatus
    if order.po_number == po_number:
        return order
    refuse_unprintable({"po_number": po_number})
    note = Text(
        "%(number)s, before: %(before)s",
        number=po_number or Text("none"),
        before=order.po_number or Text("none"),
    )
    order.po_number = po_number
    order.save(update_fields=["po_number"])
    record(order, Kind.PO_NUMBER, note, actor=buyer, now=now)
    return order


@one_transaction
def leave_message(
    *,
    buyer: Buyer,
    invoice_code: str,
    kind: Kind,
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
    if not text:
        raise MessageRequired
    _column, permission, subject, deed = MESSAGES[kind]
    order = get_order(buyer=buyer, invoice_code=invoice_code, lock=True)
    key = str(idempotency_key or "")
    before = order.events.filter(key=key).first() if key else None
    if before and (before.kind, before.note) != (kind, text):
        raise KeyUsed
    if before:
        return order
    if not getattr(allowed(order), permission):
        raise WrongStatus
    keep_message(order, kind, text=text, actor=buyer, now=now, key=key)
    mail.queue_buyers_text(order, subject, company=buyer.company, deed=deed, text=text)
    return order


def keep_message(
    order: Order,
    kind: Kind,
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
    newest = order.events.filter(kind=Kind.MEMO).order_by("-at", "-id").first()
    if newest is None or newest.pk != message_id:
        return
    if order.answer_read_at is None or order.answer_read_at < newest.at:
        order.answer_read_at = now
        order.save(update_fields=["answer_read_at"])


LATE, REMINDER = "late", "reminder"


def mails_sent(order: Order, kind: str) -> QuerySet[OrderEvent]:
    """Return the mails of a kind that staff have sent for an order, the newest first."""
    mails = order.events.filter(kind=Kind.MAIL, key__startswith=f"{kind}:")
    return mails.select_related("actor").order_by("-id")


@changes_order
def mail_late_shipment(
    *, order_id: int, seen: int, text: str = "", only_late: bool = False, actor: User, now: datetime
) -> Order:
    """Mail the buyer of a paid order that it ships late (section 1; readings, Order life); empty:
    the prepared text.

    `seen` is how many such mails the page knew of: another one since is a refusal, not a second
    mail.

    Raises:
        NotFound: there is no such order.
        StaffRefusal: it does not wait for its shipment.
        NotLate: it is in time, and `only_late` was asked for.
        AlreadyMailed: the buyer was mailed meanwhile.
    """
    order = locked_order(order_id)
    if order.status != OrderStatus.PAID:
        raise StaffRefusal(
            _("%(status)s: only a paid order waits for its shipment."),
            status=order.state.staff_label,
        )
    if only_late and (order.due_at is None or order.due_at > now):
        moment = f"{timezone.localtime(order.due_at):%Y-%m-%d %H:%M}"
        raise NotLate(_("In time until %(moment)s."), moment=moment)
    mails = list(mails_sent(order, LATE))
    if len(mails) != seen:
        raise AlreadyMailed(_mailed_already(mails))
    prepared = mail.late_shipment(order, text=text, now=now)
    note = Text("Late-shipment mail to %(to)s: %(text)s", **_mail_values(prepared))
    # The key is unique for an order: the database itself refuses the same mail a second time.
    record(order, Kind.MAIL, note, actor=actor, key=f"{LATE}:{len(mails) + 1}", now=now)
    queue([prepared])
    return order


@changes_order
def remind_buyer(*, order_id: int, text: str = "", actor: User, now: datetime) -> Order:
    """Remind the buyer of a confirmed order of its balance, at most once a day (seller's); empty:
    the prepared text.

    Raises:
        NotFound: there is no such order.
        StaffRefusal: nothing is due, or a payment is under way.
        AlreadyMailed: the buyer was reminded today.
    """
    order = locked_order(order_id)
    if obstacle := reminder_obstacle(order):
        raise StaffRefusal(obstacle)
    key = f"{REMINDER}:{timezone.localtime(now):%Y-%m-%d}"
    if today := list(mails_sent(order, REMINDER).filter(key=key)):
        raise AlreadyMailed(_mailed_already(today, once_a_day=True))
    prepared = mail.reminder(order, text=text)
    note = Text("Reminder to %(to)s: %(text)s", **_mail_values(prepared))
    record(order, Kind.MAIL, note, actor=actor, key=key, now=now)
    queue([prepared])
    return order


def reminder_obstacle(order: Order) -> str:
    """Return why the buyer of an order cannot be reminded of its balance; empty if nothing stands
    against it.
    """
    if order.status != OrderStatus.CONFIRMED or not due_of(order):
        return _("No balance is due.")
    if order.wire_announced:
        return _("The buyer has announced a wire.")
    return _("A payment is under way.") if order.payment_pending else ""


def _mail_values(prepared: Mail) -> dict[str, object]:
    return {"to": prepared.to, "text": prepared.context["text"]}


def _mailed_already(mails: list[OrderEvent], *, once_a_day: bool = False) -> str:
    if not mails:
        return _("No such mail was sent; look at the order again.")
    text = phrase(
        "%(who)s has mailed the buyer already, at %(moment)s.",
        who=mails[0].actor.manager if mails[0].actor else _("Somebody"),
        moment=f"{timezone.localtime(mails[0].at):%Y-%m-%d %H:%M}",
    )
    return f"{text} {_('Once a day is enough.')}" if once_a_day else text
