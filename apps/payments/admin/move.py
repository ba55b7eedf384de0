"""Moving a booked wire to the order that it belongs to: first where to and what will happen, then
the deed.
"""

from dataclasses import replace
from decimal import Decimal
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils import timezone

from apps.common.money import ZERO
from apps.common.staff import run_action, staff_of, staff_page
from apps.orders.admin.base import order_or_404, page_of, trail
from apps.orders.models import Order
from apps.orders.status import OrderStatus
from apps.payments.admin.access import nothing_of, typed, wire_or_404, wire_with_rest
from apps.payments.admin.forms import MoveForm, MoveToForm
from apps.payments.admin.second import Question, surplus_question
from apps.payments.models import Payment
from apps.payments.selectors import surplus_of
from apps.payments.services.move_wire import MoveFigures, movable, move_figures, move_wire
from apps.payments.services.receive import WirePart
from apps.payments.services.wire import takes_wires


def move(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask where a wire belongs (GET), show what moving it does, and move it (POST)."""
    wire, limit = wire_with_rest(pk)
    if back := nothing_of(request, wire, limit, to="move"):
        return back
    find = MoveToForm(_asked_for(request, limit))
    target = _target(wire, find, limit) if find.is_valid() else None
    question = None
    if request.method == "POST" and target is not None:
        form = MoveForm(request.POST)
        part = _part(wire, target, form) if form.is_valid() else None
        question = surplus_question(request, [part]) if part else None
        if part and question is None and _move(request, wire, target, form, part):
            return HttpResponseRedirect(page_of(target))
        wire = wire_or_404(pk)
    return _move_page(request, wire, find, target, question)


def _move(
    request: HttpRequest, wire: Payment, target: Order, form: MoveForm, part: WirePart
) -> bool:
    actor, fields = staff_of(request), form.cleaned_data
    source = wire.order
    assert source is not None

    def service() -> object:
        return move_wire(
            payment_id=wire.pk,
            part=part,
            seen=fields["seen"],
            reason=fields["reason"],
            actor=actor,
            now=timezone.now(),
        )

    done = f"{part.amount:,.2f} of a wire moved from {source} to {target}"
    return run_action(request, target, done, service, form=form, also=[source])


def _move_page(
    request: HttpRequest,
    wire: Payment,
    find: MoveToForm,
    target: Order | None,
    question: Question | None,
) -> HttpResponse:
    order, limit = order_or_404(wire.order_id), movable(wire)
    context: dict[str, Any] = {}
    if target is not None:
        target = order_or_404(target.pk)
        amount = find.cleaned_data["amount"]
        figures = move_figures(payment=wire, to=target, amount=amount)
        form = MoveForm(
            initial={
                "to": target.invoice_code,
                "amount": amount,
                "seen": limit,
                "asked": figures.part.asked,
                "reason": request.POST.get("reason", ""),
            }
        )
        context = {
            "target": target,
            "figures": figures,
            "form": form,
            "effects": _effects(order, target, figures),
        }
    return staff_page(
        request,
        "staff/move.html",
        title=f"Move a wire of {order.invoice_code}",
        subtitle=f"{wire.depositor}, {wire.received:,.2f} USD, booked {_day(wire)}",
        trail=trail(order),
        here="Move a wire",
        order=order,
        find=find,
        limit=limit,
        question=question,
        back=page_of(order),
        bar=target is not None,
        **context,
    )


def _asked_for(request: HttpRequest, limit: Decimal) -> dict[str, str] | None:
    """Return where to and how much, as typed; all of it unless told otherwise, nothing before an
    order is named.
    """
    data = typed(request, "to")
    return data if data is None else {"to": data["to"], "amount": data.get("amount") or str(limit)}


def _target(wire: Payment, find: MoveToForm, limit: Decimal) -> Order | None:
    """Return the order that a wire shall go to; at fault, the form says why there is none."""
    target = Order.objects.filter(invoice_code=find.cleaned_data["to"].strip().upper()).first()
    if target is None:
        find.add_error("to", "There is no such order.")
    elif target.pk == wire.order_id:
        find.add_error("to", "It is booked on this order.")
    elif not takes_wires(target):
        find.add_error("to", f"It asks for no money: {OrderStatus(target.status).label}.")
    if not Decimal(0) < find.cleaned_data["amount"] <= limit:
        find.add_error("amount", f"More than 0.00, at most {limit:,.2f}.")
    return None if find.errors else target


def _part(wire: Payment, target: Order, form: MoveForm) -> WirePart:
    fields = form.cleaned_data
    found = move_figures(payment=wire, to=target, amount=fields["amount"]).part
    return replace(found, asked=fields["asked"])


def _effects(order: Order, target: Order, figures: MoveFigures) -> list[tuple[str, str, str]]:
    """Return what will happen to both orders: what, how it is now, how it will be."""
    status = OrderStatus(order.status)
    rows = [
        (f"{order}, received", f"{figures.received[0]:,.2f}", f"{figures.received[1]:,.2f}"),
        (f"{order}, status", "", f"{status.label}, stays"),
    ]
    if status.is_priced:
        rows.append((f"{order}, balance due", f"{figures.due[0]:,.2f}", f"{figures.due[1]:,.2f}"))
    if figures.told:
        rows.append(("Its receipt", "", "withdrawn, kept for staff"))
        rows.append(("Its buyer", "", f"gets a mail, {order.user.email}"))
    received, amount, asked = target.received, figures.part.amount, figures.part.asked
    rows.append((f"{target}, received", f"{received:,.2f}", f"{received + amount:,.2f}"))
    rows.append((f"{target} asks for", f"{asked:,.2f}", f"{max(ZERO, asked - amount):,.2f}"))
    if (surplus := surplus_of(target, amount=amount)) and OrderStatus(target.status).is_priced:
        rows.append((f"Wallet of {target.company}", "", f"+ {surplus:,.2f}"))
    if figures.part.payment_id:
        rows.append(("Its announced wire", "", "confirmed by it"))
    return [*rows, ("History", "", "1 entry each, you, now")]


def _day(wire: Payment) -> str:
    return f"{timezone.localtime(wire.settled_at or wire.created_at):%Y-%m-%d}"
