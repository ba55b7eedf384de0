"""The prepared mails to the buyer of an order that stands still: shown, changed where wanted, sent
once.
"""

from functools import partial
from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import URLPattern
from django.utils import timezone

from apps.common.mail import Mail
from apps.common.staff import run_action, run_action_on_all, staff_of
from apps.orders import mail
from apps.orders.admin.base import OrderPages
from apps.orders.admin.forms import BuyerMailForm
from apps.orders.errors import AlreadyMailed, NotLate
from apps.orders.models import Order, OrderEvent
from apps.orders.services.buyer_mails import (
    LATE,
    REMINDER,
    mail_late_shipment,
    mails_sent,
    remind_buyer,
    reminder_obstacle,
)
from apps.orders.status import OrderStatus


class MailPages(OrderPages):
    """The pages of the mails, and the action that sends many of them as they are prepared."""

    def mail_urls(self) -> list[URLPattern]:
        page = partial(self.address, permission="orders.change_order")
        return [
            page("<int:pk>/late/", self.late, name="late"),
            page("<int:pk>/remind/", self.remind, name="remind"),
        ]

    @admin.action(description="Mail the buyer that it ships late", permissions=["change"])
    def mail_late_selected(self, request: HttpRequest, queryset: QuerySet) -> None:
        """Send the prepared mail for each late shipment whose buyer has none yet."""

        def service(order: Order) -> None:
            mail_late_shipment(
                order_id=order.pk,
                seen=0,
                only_late=True,
                actor=staff_of(request),
                now=timezone.now(),
            )

        run_action_on_all(
            request, queryset, "Late-shipment mail sent", service, skips=(AlreadyMailed, NotLate)
        )

    def late(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show the mail that the order ships late, and send it as it was changed."""
        order, now = self.order_of(pk), timezone.now()
        if order.status != OrderStatus.PAID:
            messages.warning(request, f"{order}: only a paid order waits for its shipment.")
            return HttpResponseRedirect(self.back(order))
        prepared, sent = mail.late_shipment(order, now=now), list(mails_sent(order, LATE))

        def service(fields: dict[str, Any]) -> object:
            return mail_late_shipment(order_id=pk, actor=staff_of(request), now=now, **fields)

        return self._mail(request, order, prepared, sent, service, here="Late-shipment mail")

    def remind(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show the reminder of the balance, and send it as it was changed."""
        order, now = self.order_of(pk), timezone.now()
        if obstacle := reminder_obstacle(order):
            messages.warning(request, f"{order}: {obstacle}")
            return HttpResponseRedirect(self.back(order))
        prepared, sent = mail.reminder(order), list(mails_sent(order, REMINDER))

        def service(fields: dict[str, Any]) -> object:
            return remind_buyer(order_id=pk, text=fields["text"], actor=staff_of(request), now=now)

        return self._mail(request, order, prepared, sent, service, here="Reminder")

    def _mail(
        self,
        request: HttpRequest,
        order: Order,
        prepared: Mail,
        sent: list[OrderEvent],
        service: Any,
        *,
        here: str,
    ) -> HttpResponse:
        form = BuyerMailForm(
            request.POST or None, initial={"text": prepared.context["text"], "seen": len(sent)}
        )
        if (
            request.method == "POST"
            and form.is_valid()
            and run_action(
                request, order, f"{here} sent", lambda: service(form.cleaned_data), form=form
            )
        ):
            return HttpResponseRedirect(self.back(order))
        if form.is_bound:  # once told of the mail that was quicker, what is sent next is meant
            form.data = {**request.POST.dict(), "seen": len(sent)}
        return self.order_page(
            request,
            "staff/buyer_mail.html",
            order,
            here=here,
            form=form,
            prepared=prepared,
            sent=sent,
        )
