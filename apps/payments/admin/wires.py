"""Wires by hand: announced ones confirmed or refused, others booked."""

from decimal import Decimal
from typing import Any

from django.contrib import messages
from django.db.models import Q
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone

from apps.common.staff import run_action, staff_of, staff_page
from apps.orders.admin.base import order_or_404, page_of, trail
from apps.orders.models import Order
from apps.orders.selectors import due_of
from apps.orders.status import OrderStatus
from apps.payments.admin.forms import BookWireForm, ConfirmWireForm, RefuseForm, show_now
from apps.payments.admin.second import surplus_question
from apps.payments.admin.split import is_split, split_parts, split_rows
from apps.payments.bank.claims import open_claims
from apps.payments.models import Payment
from apps.payments.selectors import all_announced_wires, announced_wires, kind_of, open_amount
from apps.payments.services.receive import WirePart, receive_wire
from apps.payments.services.wire import book_wire, confirm_wire, refuse_wire
from apps.payments.states import PaymentState

OTHERS = 30
BOOKED = (
    "Booked, it is never edited; an order that is paid by it moves on, and its buyer gets a mail."
)


def announced(request: HttpRequest, order_id: int) -> HttpResponse:
    """Open the announced wire of an order."""
    order = order_or_404(order_id)
    wire = announced_wires(order).last()
    if wire is None:
        messages.warning(request, f"{order}: no wire is announced.")
        return HttpResponseRedirect(page_of(order))
    return HttpResponseRedirect(reverse("admin:payments_payment_confirm", args=[wire.pk]))


def confirm(request: HttpRequest, pk: int) -> HttpResponse:
    """Confirm what arrived of an announced wire: for its order alone, or split over orders of
    the company.
    """
    wire = _wire(pk)
    if request.method != "POST" and wire.state != PaymentState.ANNOUNCED:
        messages.warning(
            request, f"{wire}: {wire.get_state_display()}, nothing is left to confirm."
        )
        return HttpResponseRedirect(page_of(wire.order))
    form = _confirm_form(request, wire)
    question = None
    if request.method == "POST" and form.is_valid():
        parts, fault = _parts(request, wire, form.cleaned_data["received"])
        if fault:
            messages.error(request, f"{wire.order}: {fault}")
        elif (question := surplus_question(request, parts)) is None and _confirm(
            request, wire, form, parts
        ):
            return HttpResponseRedirect(_desk_after(wire))
    order = order_or_404(wire.order_id)
    return _form(
        request,
        order,
        form,
        "staff/wire.html",
        here="Confirm a wire",
        verb="Confirm this wire",
        figure="id_received",
        lead=f"{_lead(wire)}{_due_by_now(order, wire)} {BOOKED}",
        question=question,
        company=order.company,
        split=split_rows(request, open_claims(orders=Q(company_id=order.company_id))[:OTHERS]),
        splitting=is_split(request),
        proof=wire.proof,
    )


def _parts(request: HttpRequest, wire: Payment, received: Decimal) -> tuple[list[WirePart], str]:
    if is_split(request):
        return split_parts(request)
    order = order_or_404(wire.order_id)
    return [WirePart(order.pk, wire.pk, open_amount(order, wire.kind, wire), received)], ""


def _confirm(
    request: HttpRequest, wire: Payment, form: ConfirmWireForm, parts: list[WirePart]
) -> bool:
    received, reason = (
        form.cleaned_data["received"],
        form.cleaned_data.get("write_off_reason", ""),
    )
    actor, now = staff_of(request), timezone.now()
    order = order_or_404(wire.order_id)
    if not is_split(request):
        done = f"Wire of {received:,.2f} confirmed"

        def service() -> object:
            return confirm_wire(
                payment_id=wire.pk,
                received=received,
                write_off_reason=reason,
                actor=actor,
                now=now,
            )

        return run_action(request, order, done, service, form=form, page=page_of(order))
    done = f"Wire of {received:,.2f} split over {len(parts)} order{'s' if len(parts) > 1 else ''}"

    def split() -> object:
        return receive_wire(
            parts=parts, arrived=received, depositor=wire.depositor, actor=actor, now=now
        )

    others = Order.objects.filter(pk__in=[part.order_id for part in parts]).exclude(pk=order.pk)
    return run_action(request, order, done, split, form=form, page=page_of(order), also=others)


def refuse(request: HttpRequest, pk: int) -> HttpResponse:
    """Refuse an announced wire and tell the buyer why."""
    wire = _wire(pk)
    form = RefuseForm(request.POST or None)
    actor = staff_of(request)

    def service() -> None:
        refuse_wire(payment_id=pk, actor=actor, now=timezone.now(), **form.cleaned_data)

    sent = request.method == "POST" and form.is_valid()
    if sent and run_action(
        request, order_or_404(wire.order_id), "Wire refused", service, form=form
    ):
        return HttpResponseRedirect(reverse("admin:payments_payment_desk"))
    return _form(
        request,
        order_or_404(wire.order_id),
        form,
        here="Refuse a wire",
        verb="Refuse this wire and mail the buyer",
        lead=f"{_lead(wire)} Refused, it is gone from the desk, and the buyer may pay again.",
        tone="danger",
    )


def book(request: HttpRequest, order_id: int) -> HttpResponse:
    """Book a wire that nobody announced."""
    order = order_or_404(order_id)
    form = BookWireForm(
        request.POST or None, initial={"amount": due_of(order) or None, "seen": order.received}
    )
    actor = staff_of(request)
    question = None

    def service() -> None:
        book_wire(order_id=order_id, actor=actor, now=timezone.now(), **form.cleaned_data)

    if request.method == "POST" and form.is_valid():
        amount = form.cleaned_data["amount"]
        question = surplus_question(
            request, [WirePart(order.pk, None, open_amount(order, kind_of(order)), amount)]
        )
        if question is None and run_action(
            request, order, f"Wire of {amount:,.2f} booked", service, form=form
        ):
            return HttpResponseRedirect(page_of(order))
        if question is None:
            order = order_or_404(order_id)
            show_now(form, seen=order.received)
    is_priced = OrderStatus(order.status).is_priced
    due = f"Balance due: {due_of(order):,.2f} USD." if is_priced else "For the deposit."
    return _form(
        request,
        order,
        form,
        "staff/wire.html",
        here="Book a wire",
        verb="Book this wire",
        figure="id_amount",
        lead=f"{due} {BOOKED}",
        question=question,
    )


def _wire(pk: int) -> Payment:
    wires = Payment.objects.select_related("order__company", "order__user", "proof")
    return get_object_or_404(wires, pk=pk, method=Payment.Method.WIRE, order__isnull=False)


def _form(
    request: HttpRequest,
    order: Order,
    form: Any,
    template: str = "staff/form.html",
    *,
    here: str,
    verb: str,
    lead: str,
    **context: Any,
) -> HttpResponse:
    return staff_page(
        request,
        template,
        title=f"{here}: {order.invoice_code}",
        subtitle=f"{OrderStatus(order.status).label} · {order.company.name}",
        trail=trail(order),
        here=here,
        form=form,
        verb=verb,
        lead=lead,
        back=page_of(order),
        **context,
    )


def _desk_after(wire: Payment) -> str:
    """Return the address of the desk, which names the wire that is next: the oldest of the later
    ones.
    """
    desk, waiting = reverse("admin:payments_payment_desk"), all_announced_wires()
    later = Q(created_at__gt=wire.created_at) | Q(created_at=wire.created_at, pk__gt=wire.pk)
    following = waiting.filter(later).first() or waiting.first()
    return f"{desk}?next={following.pk}" if following else desk


def _lead(wire: Payment) -> str:
    day = timezone.localtime(wire.created_at)
    kind = wire.get_kind_display().lower()
    return (
        f"{wire.depositor} announced {wire.amount:,.2f} USD for the {kind} on {day:%Y-%m-%d %H:%M}."
    )


def _due_by_now(order: Order, wire: Payment) -> str:
    asked = open_amount(order, wire.kind, wire)
    return f" By now {asked:,.2f} USD are due." if asked != wire.amount else ""


def _confirm_form(request: HttpRequest, wire: Payment) -> ConfirmWireForm:
    form = ConfirmWireForm(request.POST or None, initial={"received": wire.amount})
    if wire.kind == Payment.Kind.DEPOSIT:  # what is missing of it is part of the balance
        del form.fields["write_off_reason"]
    return form
