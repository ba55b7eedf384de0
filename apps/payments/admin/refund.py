"""Wires that are refunded or moved, and orders that are cancelled: first how much and where, with
what will happen, then the deed.
"""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

from django.contrib import messages
from django.db.models import Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _, pgettext

from apps.common.money import ZERO
from apps.common.staff import Context, page_of, run_action, show_now, staff_page, trail_to
from apps.common.staff_lists import signed
from apps.common.texts import Text, phrase
from apps.orders.admin.base import order_or_404
from apps.orders.admin.page import TONES
from apps.orders.models import Order
from apps.orders.selectors.orders import due_of
from apps.orders.status import OrderStatus
from apps.payments.admin.forms import (
    CancelForm,
    MoveForm,
    MoveToForm,
    RefundWireForm,
    data_of,
    nothing_of,
    to_send,
    wire_with_rest,
)
from apps.payments.admin.trace import given_back_rows, received_rows
from apps.payments.admin.wires import surplus_question
from apps.payments.mail import cancelled_facts, cancelled_text, wire_refunded
from apps.payments.models import Payment
from apps.payments.selectors import announced_wires, surplus_of, wallet_balance
from apps.payments.services.cancel import cancel_order, cancellation_figures
from apps.payments.services.receive import WirePart, due_without, move_wire, part_for, was_told_paid
from apps.payments.services.refunds import Way, refund_wire as refund
from apps.payments.services.wire import takes_wires
from apps.payments.states import REFUNDABLE


def refund_wire(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask how much of a wire goes back and where (GET), show what that does, and refund it
    (POST).
    """
    wire, limit = wire_with_rest(pk)
    if back := nothing_of(request, wire, limit, _("%(wire)s: nothing of it is left to refund.")):
        return back
    form = RefundWireForm(refund_data(request, limit), initial={"amount": limit})
    if request.method == "POST" and form.is_valid():
        fields = form.cleaned_data
        assert wire.order is not None
        history = Text("%(amount)s of a wire refunded by bank", amount=fields["amount"])
        if fields["way"] is Way.WALLET:
            history = Text("%(amount)s of a wire refunded to the wallet", amount=fields["amount"])
        if run_action(request, wire.order, history, refund, form=form, payment_id=pk, **fields):
            return redirect(page_of(wire.order))
        wire, limit = wire_with_rest(pk)
        show_now(form, seen=limit)
    order = wire.order
    assert order is not None
    context: Context = {"effects": None}
    if amount := refund_amount(form, limit):
        status, is_to_wallet = order.state, form.cleaned_data["way"] is Way.WALLET
        due = due_of(order)
        is_waived = status >= OrderStatus.PAID
        due_then = due if is_waived else due_without(order, amount)
        deed = phrase("Refund %(amount)s by bank", amount=amount)
        way: tuple[object, ...] = (_("At the bank"), to_send())
        if is_to_wallet:
            deed = phrase("Refund %(amount)s to the wallet", amount=amount)
            wallet = wallet_balance(company_id=order.company_id)
            way = (_("Wallet of the company"), wallet, wallet + amount)
        context = {
            "deed": deed,
            "letter": wire_refunded(
                order,
                amount=amount,
                due=due_then,
                to_wallet=is_to_wallet,
                reason=form.cleaned_data["reason"],
            ),
            "effects": [
                (pgettext("amount", "Received"), order.received, order.received - amount),
                *([(_("Balance due"), due, due_then)] if status.is_priced else []),
                (_("Waived") if is_waived else _("Due again"), amount),
                way,
                (_("Status"), phrase("%(status)s, stays", status=status.staff_label)),
                (_("Mail"), phrase("to %(address)s", address=order.user.email)),
            ],
        }
    return refund_page(
        request,
        form,
        limit,
        title=phrase("Refund a wire of %(order)s", order=order.invoice_code),
        subtitle=f"{wire.depositor}, {wire.received:,.2f} USD",
        trail=trail_to(order),
        here=_("Refund a wire"),
        much=_("How much, and where"),
        most=phrase(
            "At most %(limit)s: what this wire brought, less what was moved and refunded before.",
            limit=limit,
        ),
        **context,
    )


def refund_data(request: HttpRequest, limit: Decimal) -> dict[str, str] | None:
    """Return the data of a form of money that goes back; what is only shown is shown by the limit
    of now.
    """
    data = data_of(request, "amount")
    return data if data is None or request.method == "POST" else {**data, "seen": str(limit)}


def refund_amount(form: Any, limit: Decimal) -> Decimal | None:
    """Return how much goes back by a form whose effects can be shown, in US dollars."""
    if not form.is_bound or not form.is_valid():
        return None
    amount: Decimal = form.cleaned_data["amount"]
    if amount > limit:
        form.add_error("amount", phrase("At most %(limit)s.", limit=limit))
        return None
    return amount


def refund_page(
    request: HttpRequest,
    form: Any,
    limit: Decimal,
    *,
    effects: Sequence[tuple[object, ...]] | None,
    **context: Any,
) -> HttpResponse:
    """Show a form of money that goes back, and its effects once they are known."""
    return staff_page(
        request,
        "staff/refund.html",
        form=form,
        limit=limit,
        effects=effects,
        is_shown=bool(effects),
        bar=bool(effects),
        **context,
    )


def move(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask where a wire belongs (GET), show what moving it does, and move it (POST)."""
    wire, limit = wire_with_rest(pk)
    if back := nothing_of(request, wire, limit, _("%(wire)s: nothing of it is left to move.")):
        return back
    data = data_of(request, "to")
    if data is not None:  # all of it unless told otherwise
        data = {"to": data["to"], "amount": data.get("amount") or str(limit)}
    find = MoveToForm(data)
    target = _target(find, limit, own=wire.order_id) if find.is_valid() else None
    question, source = None, order_or_404(wire.order_id)
    form = MoveForm(request.POST or None)
    if target is not None and form.is_valid():
        fields = form.cleaned_data
        part = replace(part_for(target, fields["amount"]), asked=fields["asked"])
        history = Text(
            "%(amount)s of a wire moved from %(source)s to %(target)s",
            amount=part.amount,
            source=source,
            target=target,
        )
        question = surplus_question(request, [part])
        if question is None and run_action(
            request,
            target,
            history,
            move_wire,
            form=form,
            also=[source],
            payment_id=pk,
            part=part,
            seen=fields["seen"],
            reason=fields["reason"],
        ):
            return redirect(page_of(target))
    wire, limit = wire_with_rest(pk)
    order, context = order_or_404(wire.order_id), Context()
    if target is not None:
        target, amount = order_or_404(target.pk), find.cleaned_data["amount"]
        part = part_for(target, amount)
        initial = {
            "to": target.invoice_code,
            "amount": amount,
            "seen": limit,
            "asked": part.asked,
            "reason": request.POST.get("reason", ""),
        }
        context = {
            "target": target,
            "amount": amount,
            "form": MoveForm(initial=initial),
            "effects": _effects(order, target, part),
        }
    booked = timezone.localtime(wire.settled_at or wire.created_at)
    return staff_page(
        request,
        "staff/move.html",
        title=phrase("Move a wire of %(order)s", order=order.invoice_code),
        subtitle=phrase(
            "%(depositor)s, %(amount)s USD, booked %(day)s",
            depositor=wire.depositor,
            amount=wire.received,
            day=f"{booked:%Y-%m-%d}",
        ),
        trail=trail_to(order),
        here=_("Move a wire"),
        order=order,
        find=find,
        limit=limit,
        question=question,
        bar=target is not None,
        **context,
    )


def _target(find: MoveToForm, limit: Decimal, *, own: int | None) -> Order | None:
    """Return the order that a wire shall go to; at fault, the form says why there is none."""
    target = Order.objects.filter(invoice_code=find.cleaned_data["to"].strip().upper()).first()
    if target is None:
        find.add_error("to", _("There is no such order."))
    elif target.pk == own:
        find.add_error("to", _("It is booked on this order."))
    elif not takes_wires(target):
        find.add_error(
            "to",
            phrase("Nothing is due on it: %(status)s.", status=target.state.staff_label),
        )
    if not ZERO < find.cleaned_data["amount"] <= limit:
        find.add_error("amount", phrase("More than 0.00, at most %(limit)s.", limit=limit))
    return None if find.errors else target


def _effects(order: Order, target: Order, part: WirePart) -> list[tuple[object, ...]]:
    """Return what will happen to both orders: what, how it is now, how it will be."""
    status, amount = order.state, part.amount
    rows: list[tuple[object, ...]] = [
        (phrase("%(order)s, received", order=order), order.received, order.received - amount),
        (
            phrase("%(order)s, status", order=order),
            phrase("%(status)s, stays", status=status.staff_label),
        ),
    ]
    if status.is_priced:
        label = phrase("%(order)s, balance due", order=order)
        rows.append((label, due_of(order), due_without(order, amount)))
    if was_told_paid(order):
        rows.append((_("Its receipt"), _("withdrawn, kept for staff")))
        rows.append((_("Mail"), phrase("to %(address)s", address=order.user.email)))
    received, due = target.received, part.asked
    label = phrase("%(order)s, received", order=target)
    rows.append((label, received, received + amount))
    label = phrase("%(order)s, due", order=target)
    rows.append((label, due, max(ZERO, due - amount)))
    if (surplus := surplus_of(target, amount=amount)) and target.state.is_priced:
        label = phrase("Wallet of %(company)s", company=target.company)
        rows.append((label, signed(surplus)))
    if part.payment_id:
        rows.append((_("Its announced wire"), _("confirmed by it")))
    return rows


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
        history = Text("Cancelled, our fault (%(reason)s)", reason=reason)
        if fields["by_terms"]:
            history = Text("Cancelled, by the terms (%(reason)s)", reason=reason)
        if run_action(
            request,
            order,
            history,
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
    credits = {"1": figures.credited_by_terms, "0": figures.credited_in_full}
    return staff_page(
        request,
        "staff/cancel.html",
        title=phrase("Cancel %(order)s?", order=order.invoice_code),
        here=pgettext("order", "Cancel"),
        trail=trail_to(order),
        order=order,
        status_label=status.staff_label,
        tone=TONES[status],
        paypal=order.payments.filter(method=Payment.Method.PAYPAL, state__in=REFUNDABLE),
        form=form,
        figures=figures,
        letters={
            choice: cancelled_facts(order, before=order.credited, credited=credited)
            for choice, credited in credits.items()
        },
        money=[*received_rows(order), *given_back_rows(order)],
        wallet=wallet,
        wallet_by_terms=wallet + figures.credited_by_terms,
        wallet_in_full=wallet + figures.credited_in_full,
        wires=announced_wires(order),
        documents=order.documents.count(),
        products=order.lines.filter(allocated__gt=0).values("sku").distinct().count(),
        boxes=order.boxes.aggregate(sum=Sum("count"))["sum"] or 0,
        as_of=timezone.localtime(),
    )
