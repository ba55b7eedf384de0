"""Staff write to a buyer whose order stands still: it ships late, or its balance is not paid."""

from datetime import datetime

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.common.db.transactions import one_transaction
from apps.common.mail import Mail, queue
from apps.common.permissions import needs
from apps.common.texts import Text
from apps.orders import mail
from apps.orders.errors import AlreadyMailed, NotLate, StaffRefusal
from apps.orders.models import Order, OrderEvent
from apps.orders.selectors.orders import due_of
from apps.orders.services.history import locked_order, record
from apps.orders.status import OrderStatus

LATE, REMINDER = "late", "reminder"


def mails_sent(order: Order, kind: str) -> QuerySet[OrderEvent]:
    """Return the mails of a kind that staff have sent for an order, the newest first."""
    sent = OrderEvent.objects.filter(
        order=order, kind=OrderEvent.Kind.MAIL, key__startswith=f"{kind}:"
    )
    return sent.select_related("actor").order_by("-id")


@needs("orders.change_order")
@one_transaction
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
        text = _("%(status)s: only a paid order waits for its shipment.")
        raise StaffRefusal(text % {"status": OrderStatus(order.status).staff_label})
    if only_late and (order.due_at is None or order.due_at > now):
        moment = f"{timezone.localtime(order.due_at):%Y-%m-%d %H:%M}"
        raise NotLate(_("In time until %(moment)s.") % {"moment": moment})
    sent = list(mails_sent(order, LATE))
    if len(sent) != seen:
        raise AlreadyMailed(_sent(sent))
    prepared = mail.late_shipment(order, text=_plain(text), now=now)
    note = Text("Late-shipment mail to %(to)s: %(text)s", **_said(prepared))
    _send(order, prepared, key=f"{LATE}:{len(sent) + 1}", note=note, actor=actor, now=now)
    return order


@needs("orders.change_order")
@one_transaction
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
        raise AlreadyMailed(_sent(today, once_a_day=True))
    prepared = mail.reminder(order, text=_plain(text))
    note = Text("Reminder to %(to)s: %(text)s", **_said(prepared))
    _send(order, prepared, key=key, note=note, actor=actor, now=now)
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


def _said(prepared: Mail) -> dict[str, object]:
    return {"to": prepared.to, "text": prepared.context["text"]}


def _send(
    order: Order, prepared: Mail, *, key: str, note: Text, actor: User, now: datetime
) -> None:
    # The key is unique for an order: the database itself refuses the same mail a second time.
    record(order, OrderEvent.Kind.MAIL, note, actor=actor, key=key, now=now)
    queue([prepared])


def _plain(text: str) -> str:
    return text.replace("\r\n", "\n").strip()


def _sent(sent: list[OrderEvent], *, once_a_day: bool = False) -> str:
    if not sent:
        return _("No such mail was sent; look at the order again.")
    text = _("%(who)s has mailed the buyer already, at %(moment)s.")
    if once_a_day:
        text = _("%(who)s has mailed the buyer already, at %(moment)s. Once a day is enough.")
    who = sent[0].actor.manager if sent[0].actor else _("Somebody")
    return text % {"who": who, "moment": f"{timezone.localtime(sent[0].at):%Y-%m-%d %H:%M}"}
