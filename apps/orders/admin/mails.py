"""The prepared mails to the buyer of an order that stands still: shown, changed where wanted, sent
once.
"""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.common.mail import Mail
from apps.common.staff import run_action, run_action_on_all
from apps.common.texts import Text
from apps.orders import mail
from apps.orders.admin.base import page_below
from apps.orders.admin.forms import BuyerMailForm
from apps.orders.errors import AlreadyMailed, NotLate, StaffRefusal
from apps.orders.models import Order
from apps.orders.services.conversation import (
    LATE,
    REMINDER,
    mail_late_shipment,
    mails_sent,
    remind_buyer,
    reminder_obstacle,
)
from apps.orders.status import OrderStatus


@admin.action(description=gettext_lazy("Mail the buyer that it ships late"), permissions=["change"])
def mail_late_selected(_: object, request: HttpRequest, queryset: QuerySet) -> None:
    """Send the prepared mail for each late shipment whose buyer has none yet."""
    run_action_on_all(
        request,
        queryset,
        Text("Late-shipment mail sent"),
        lambda order, **by: mail_late_shipment(order_id=order.pk, seen=0, only_late=True, **by),
        skips=(AlreadyMailed, NotLate),
    )


def late(request: HttpRequest, order: Order) -> HttpResponse | None:
    """Show the mail that the order ships late, and send it as it was changed."""
    if order.status != OrderStatus.PAID:
        raise StaffRefusal(_("only a paid order waits for its shipment."))
    return _mail(
        request,
        order,
        mail.late_shipment(order, now=timezone.now()),
        LATE,
        mail_late_shipment,
        here=_("Late-shipment mail"),
        done=Text("Late-shipment mail sent"),
    )


def remind(request: HttpRequest, order: Order) -> HttpResponse | None:
    """Show the reminder of the balance, and send it as it was changed."""
    if obstacle := reminder_obstacle(order):
        raise StaffRefusal(obstacle)
    return _mail(
        request,
        order,
        mail.reminder(order),
        REMINDER,
        lambda seen, **fields: remind_buyer(**fields),
        here=_("Reminder"),
        done=Text("Reminder sent"),
    )


def _mail(
    request: HttpRequest,
    order: Order,
    prepared: Mail,
    kind: str,
    service: Any,
    *,
    here: str,
    done: Text,
) -> HttpResponse | None:
    sent = list(mails_sent(order, kind))
    form = BuyerMailForm(
        request.POST or None, initial={"text": prepared.context["text"], "seen": len(sent)}
    )
    if form.is_valid() and run_action(
        request, order, done, service, form=form, order_id=order.pk, **form.cleaned_data
    ):
        return None
    if form.is_bound:  # once told of the mail that was quicker, what is sent next is meant
        form.data = {**request.POST.dict(), "seen": len(sent)}
    return page_below(
        request,
        "staff/buyer_mail.html",
        order,
        here=here,
        form=form,
        prepared=prepared,
        sent=sent,
    )
