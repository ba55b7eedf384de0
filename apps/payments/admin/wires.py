"""Wires by hand: announced ones confirmed or refused, others booked, whole or split."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any

from django import forms
from django.contrib import messages
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import gettext as _

from apps.common.money import ZERO, read_usd
from apps.common.staff import Context, decide, page_of, run_action, show_now, staff_page, trail_to
from apps.common.staff_lists import moment_text
from apps.common.texts import Text, phrase
from apps.orders.admin.base import order_or_404
from apps.orders.models import Order
from apps.orders.selectors.orders import due_of
from apps.payments.admin.forms import DESK, BookWireForm, ConfirmWireForm, ReasonForm
from apps.payments.bank.matching import Claim, open_claims
from apps.payments.bank.statements import book_by_hand
from apps.payments.models import Payment
from apps.payments.rules import WRITE_OFF_LIMIT
from apps.payments.selectors import (
    all_announced_wires,
    announced_wires,
    kind_of,
    open_amount,
    surplus_of,
)
from apps.payments.services.receive import WirePart
from apps.payments.services.wire import refuse_wire
from apps.payments.states import PaymentState

OTHERS = 30


@dataclass(frozen=True)
class Question:
    """What is asked of money far above what is due, and the sum that the answer agrees to."""

    text: str
    agreed: Decimal


def split_rows(request: HttpRequest, company_id: int) -> list[tuple[Claim, str]]:
    """Return the claims over which a company's wire can be split, each with what was typed for it:
    input that was refused stays.
    """
    claims = open_claims(orders=Q(company_id=company_id))[:OTHERS]
    return [(claim, request.POST.get(f"part:{claim.token}", "")) for claim in claims]


def split_parts(request: HttpRequest) -> tuple[list[WirePart], str]:
    """Return the parts typed into a split, or what is wrong with them; an order that gets nothing
    is left out.
    """
    parts = []
    for name, value in request.POST.items():
        text = str(value).strip()
        if not name.startswith("part:") or not text:
            continue
        try:
            order_id, payment_id, due = name.removeprefix("part:").split(":")
            amount = read_usd(text)
            if amount <= ZERO:
                raise ValueError(text)
            parts.append(WirePart(int(order_id), int(payment_id) or None, Decimal(due), amount))
        except (ValueError, InvalidOperation):
            return [], phrase("“%(text)s” is not an amount.", text=text[:20])
    return parts, "" if parts else _("enter what each order gets.")


def surplus_question(request: HttpRequest, parts: Iterable[WirePart]) -> Question | None:
    """Return the question that money far above what orders ask for raises; none once its very sum
    was agreed to.
    """
    orders = Order.objects.select_related("company").in_bulk([part.order_id for part in parts])
    sentences, total = [], ZERO
    for part in parts:
        order = orders.get(part.order_id)
        surplus = surplus_of(order, amount=part.amount) if order else ZERO
        if order is None or surplus <= WRITE_OFF_LIMIT:
            continue
        total += surplus
        if order.state.is_priced:
            text = phrase(
                "%(amount)s USD go to the wallet of %(company)s",
                amount=surplus,
                company=order.company.name,
            )
        else:
            text = phrase(
                "%(amount)s USD stay with %(order)s until it is confirmed",
                amount=surplus,
                order=order,
            )
        sentences.append(text)
    if not sentences or request.POST.get("agreed") == str(total):
        return None
    return Question(
        phrase(
            "This is far more than is due. Is it right that %(what)s?", what="; ".join(sentences)
        ),
        total,
    )


def announced(request: HttpRequest, pk: int) -> HttpResponse:
    """Open the announced wire of an order."""
    order = order_or_404(pk)
    wire = announced_wires(order).last()
    if wire is None:
        messages.warning(request, phrase("%(order)s: no wire is announced.", order=order))
        return redirect(page_of(order))
    return redirect("admin:payments_payment_confirm", wire.pk)


def confirm(request: HttpRequest, pk: int) -> HttpResponse:
    """Confirm what arrived of an announced wire: for its order alone, or split over orders of
    the company.
    """
    wire = _wire(pk)
    order = order_or_404(wire.order_id)
    if request.method != "POST" and wire.state != PaymentState.ANNOUNCED:
        state = wire.get_state_display()
        messages.warning(
            request,
            phrase("%(wire)s: %(state)s, nothing is left to confirm.", wire=wire, state=state),
        )
        return redirect(page_of(order))
    initial = {"received": wire.amount, "value_date": timezone.localdate()}
    form = ConfirmWireForm(request.POST or None, initial=initial)
    if wire.kind == Payment.Kind.DEPOSIT:  # what is missing of it is part of the balance
        del form.fields["write_off_reason"]
    waiting = all_announced_wires().exclude(pk=pk)
    later = Q(created_at__gt=wire.created_at) | Q(created_at=wire.created_at, pk__gt=pk)
    following = waiting.filter(later).first() or waiting.first()
    return _receive(
        request,
        order,
        form,
        wire=wire,
        then=f"{DESK}?next={following.pk}" if following else str(DESK),
        is_linked=True,
        split=split_rows(request, order.company_id),
        splitting=_is_split(request),
    )


def book(request: HttpRequest, pk: int) -> HttpResponse:
    """Book a wire that nobody announced."""
    order = order_or_404(pk)
    initial = {
        "amount": due_of(order) or None,
        "seen": order.received,
        "value_date": timezone.localdate(),
    }
    form = BookWireForm(request.POST or None, initial=initial)
    return _receive(request, order, form, then=page_of(order))


def _is_split(request: HttpRequest) -> bool:
    return any(
        name.startswith("part:") and str(value).strip() for name, value in request.POST.items()
    )


def _parts(
    request: HttpRequest, order: Order, fields: dict[str, Any], wire: Payment | None
) -> tuple[list[WirePart], str]:
    """Return the orders that get what arrived, or what is wrong with them."""
    if wire is None:
        due = open_amount(order, kind_of(order))
        return [WirePart(order.pk, None, due, fields["amount"], seen=fields["seen"])], ""
    if _is_split(request):
        return split_parts(request)
    due, received = open_amount(order, wire.kind, wire), fields["received"]
    rest = due - received if fields.get("write_off_reason") else ZERO
    return [WirePart(order.pk, wire.pk, due, received, rest)], ""


def _receive(
    request: HttpRequest,
    order: Order,
    form: forms.Form,
    *,
    wire: Payment | None = None,
    then: str,
    is_linked: bool = False,
    **context: Any,
) -> HttpResponse:
    """Book what arrived (POST), or show the form with what is due of the order."""
    question = None
    if form.is_valid():
        fields = form.cleaned_data
        parts, fault = _parts(request, order, fields, wire)
        arrived = fields["received" if wire else "amount"]
        ids = {part.order_id for part in parts}
        count = len(ids)
        history = Text(
            "Wire of %(amount)s split over %(count)s orders", amount=arrived, count=count
        )
        if wire is None:
            history = Text("Wire of %(amount)s booked", amount=arrived)
        elif ids == {order.pk}:
            history = Text("Wire of %(amount)s confirmed", amount=arrived)
        elif count == 1:
            history = Text("Wire of %(amount)s split over 1 order", amount=arrived)
        if fault:
            messages.error(request, f"{order}: {fault}")
        elif (question := surplus_question(request, parts)) is None and run_action(
            request,
            order,
            history,
            book_by_hand,
            form=form,
            is_linked=is_linked,
            also=Order.objects.filter(pk__in=ids - {order.pk}),
            parts=parts,
            arrived=arrived,
            depositor=wire.depositor if wire else fields["depositor"],
            value_date=fields["value_date"],
            reference=fields["reference"],
            write_off_reason=fields.get("write_off_reason", ""),
        ):
            return redirect(then)
        order = order_or_404(order.pk)
        if wire is None and question is None:
            show_now(form, seen=order.received)
    due = open_amount(order, wire.kind if wire else kind_of(order), wire)
    here, verb = (
        (_("Confirm a wire"), _("Confirm this wire"))
        if wire
        else (_("Book a wire"), _("Book this wire"))
    )
    return staff_page(
        request,
        "staff/decide.html",
        **_frame(order, wire),
        here=here,
        title=f"{here}: {order.invoice_code}",
        form=form,
        verb=verb,
        figure="id_received" if wire else "id_amount",
        effects_title=_("This order"),
        effects=[
            *_announcement(wire),
            (_("Received so far"), order.received),
            (_("Balance due") if order.state.is_priced else _("Due"), due),
            (
                _("Mail"),
                phrase("to %(address)s, once it is paid in full", address=order.user.email),
            ),
        ],
        lead=_("A booking cannot be edited. The order moves on once it is paid in full."),
        question=question,
        **context,
    )


def refuse(request: HttpRequest, pk: int) -> HttpResponse:
    """Refuse an announced wire and tell the buyer why."""
    wire = _wire(pk)
    order, here = order_or_404(wire.order_id), _("Refuse a wire")
    return decide(
        request,
        order,
        ReasonForm(request.POST or None),
        Text("Wire refused"),
        refuse_wire,
        payment_id=pk,
        then=DESK,
        page=lambda: {
            **_frame(order, wire),
            "here": here,
            "title": f"{here}: {order.invoice_code}",
            "verb": _("Refuse and mail the buyer"),
            "tone": "danger",
            "effects": [
                *_announcement(wire),
                (_("Payment desk"), _("lists it no more")),
                (_("Buyer"), _("may pay again")),
                (_("Mail"), phrase("to %(address)s, with the reason", address=order.user.email)),
            ],
        },
    )


def _wire(pk: int) -> Payment:
    wires = Payment.objects.select_related("order__company", "order__user", "proof")
    return get_object_or_404(wires, pk=pk, method=Payment.Method.WIRE, order__isnull=False)


def _frame(order: Order, wire: Payment | None) -> Context:
    return {
        "subtitle": f"{order.state.staff_label} · {order.company.name}",
        "trail": trail_to(order),
        "company": order.company,
        "proof": wire and wire.proof,
    }


def _announcement(wire: Payment | None) -> list[tuple[object, ...]]:
    """Return what the buyer announced, as rows."""
    if wire is None:
        return []
    label = phrase(
        "%(kind)s announced %(at)s", kind=wire.get_kind_display(), at=moment_text(wire.created_at)
    )
    return [
        (label, wire.amount),
        (_("Depositor"), wire.depositor),
    ]
