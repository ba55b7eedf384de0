"""The prepared mails to the buyer of an order that stands still: shown, changed where wanted, sent
once.
"""

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.common.mail import Mail
from apps.common.staff import run_action, run_action_on_all
from apps.common.texts import Text
from apps.orders import mail
from apps.orders.admin.base import order_or_404, page_below, page_of
from apps.orders.admin.forms import BuyerMailForm
from apps.orders.errors import AlreadyMailed, NotLate
from apps.orders.models import Order, OrderEvent
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


def late(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the mail that the order ships late, and send it as it was changed."""
    order, now = order_or_404(pk), timezone.now()
    if order.status != OrderStatus.PAID:
        text = _("%(order)s: only a paid order waits for its shipment.")
        messages.warning(request, text % {"order": order})
        return redirect(page_of(order))
    prepared, sent = mail.late_shipment(order, now=now), list(mails_sent(order, LATE))
    return _mail(
        request,
        order,
        prepared,
        sent,
        mail_late_shipment,
        here=_("Late-shipment mail"),
        done=Text("Late-shipment mail sent"),
    )


def remind(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the reminder of the balance, and send it as it was changed."""
    order = order_or_404(pk)
    if obstacle := reminder_obstacle(order):
        messages.warning(request, f"{order}: {obstacle}")
        return redirect(page_of(order))
    prepared, sent = mail.reminder(order), list(mails_sent(order, REMINDER))
    return _mail(
        request,
        order,
        prepared,
        sent,
        lambda seen, **fields: remind_buyer(**fields),
        here=_("Reminder"),
        done=Text("Reminder sent"),
    )


def _mail(
    request: HttpRequest,
    order: Order,
    prepared: Mail,
    sent: list[OrderEvent],
    service: Any,
    *,
    here: str,
    done: Text,
) -> HttpResponse:
    form = BuyerMailForm(
        request.POST or None, initial={"text": prepared.context["text"], "seen": len(sent)}
    )
    if form.is_valid() and run_action(
        request, order, done, service, form=form, order_id=order.pk, **form.cleaned_data
    ):
        return redirect(page_of(order))
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
