"""Cancelling an order: both ways with all their figures, and what will happen."""

from django.contrib import messages
from django.db.models import Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import pgettext

from apps.common.staff import run_action, staff_page
from apps.common.texts import Text, phrase
from apps.orders.admin.base import order_or_404, page_of, trail
from apps.orders.admin.page import TONES
from apps.orders.status import OrderStatus
from apps.payments.admin.forms import CancelForm
from apps.payments.admin.trace import given_back_rows, received_rows
from apps.payments.mail import cancelled_text
from apps.payments.models import Payment
from apps.payments.selectors import announced_wires, wallet_balance
from apps.payments.services.cancel import cancel_order, cancellation_figures
from apps.payments.states import REFUNDABLE


def cancel(request: HttpRequest, pk: int) -> HttpResponse:
    """Cancel an order: both ways with their figures, and what will happen."""
    order = order_or_404(pk)
    if not OrderStatus.RECEIVED <= order.status <= OrderStatus.PAID:
        messages.warning(request, phrase("%(order)s: it can no longer be cancelled.", order=order))
        return redirect(page_of(order))
    form = CancelForm(request.POST or None, initial={"letter": cancelled_text(order)})
    if form.is_valid():
        fields = form.cleaned_data
        reason = Text(fields["kind"])
        done = Text("Cancelled, our fault (%(reason)s)", reason=reason)
        if fields["by_terms"]:
            done = Text("Cancelled, by the terms (%(reason)s)", reason=reason)
        if run_action(
            request,
            order,
            done,
            cancel_order,
            order_id=pk,
            by_terms=fields["by_terms"],
            reason=fields["words"],
            letter=fields["letter"],
            seen=(fields["seen_terms"], fields["seen_full"]),
        ):
            return redirect(page_of(order))
        order = order_or_404(pk)
    status, figures = order.state, cancellation_figures(order=order)
    wallet = wallet_balance(company_id=order.company_id)
    return staff_page(
        request,
        "staff/cancel.html",
        title=phrase("Cancel %(order)s?", order=order.invoice_code),
        here=pgettext("order", "Cancel"),
        trail=trail(order),
        order=order,
        status_label=status.staff_label,
        tone=TONES[status],
        paypal=order.payments.filter(method=Payment.Method.PAYPAL, state__in=REFUNDABLE),
        form=form,
        figures=figures,
        money=[*received_rows(order), *given_back_rows(order)],
        wallet=wallet,
        wallet_by_terms=wallet + figures.credited_by_terms,
        wallet_in_full=wallet + figures.credited_in_full,
        wires=announced_wires(order),
        documents=order.documents.count(),
        products=order.lines.filter(allocated__gt=0).values("sku").distinct().count(),
        boxes=order.boxes.aggregate(sum=Sum("count"))["sum"] or 0,
        as_of=timezone.localtime(),
        back=page_of(order),
    )
