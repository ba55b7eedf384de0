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
from apps.payments.admin.access import data_of, nothing_of, wire_with_rest
from apps.payments.admin.forms import MoveForm, MoveToForm
from apps.payments.admin.wires import surplus_question
from apps.payments.selectors import surplus_of
from apps.payments.services.move_wire import MoveFigures, move_figures, move_wire
from apps.payments.services.wire import takes_wires


def move(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask where a wire belongs (GET), show what moving it does, and move it (POST)."""
    wire, limit = wire_with_rest(pk)
    if back := nothing_of(request, wire, limit, to="move"):
        return back
    data = data_of(request, "to")
    if data is not None:  # all of it unless told otherwise
        data = {"to": data["to"], "amount": data.get("amount") or str(limit)}
    find = MoveToForm(data)
    target = _target(find, limit, own=wire.order_id) if find.is_valid() else None
    question, source = None, order_or_404(wire.order_id)
    form = MoveForm(request.POST or None)
    if request.method == "POST" and target is not None and form.is_valid():
        fields = form.cleaned_data
        part = move_figures(payment=wire, to=target, amount=fields["amount"]).part
        part = replace(part, asked=fields["asked"])

        def service() -> object:
            return move_wire(
                payment_id=pk,
                part=part,
                seen=fields["seen"],
                reason=fields["reason"],
                actor=staff_of(request),
                now=timezone.now(),
            )

        done = f"{part.amount:,.2f} of a wire moved from {source} to {target}"
        question = surplus_question(request, [part])
        if question is None and run_action(
            request, target, done, service, form=form, also=[source]
        ):
            return HttpResponseRedirect(page_of(target))
    wire, limit = wire_with_rest(pk)
    order, context = order_or_404(wire.order_id), dict[str, Any]()
    if target is not None:
        target, amount = order_or_404(target.pk), find.cleaned_data["amount"]
        figures = move_figures(payment=wire, to=target, amount=amount)
        initial = {
            "to": target.invoice_code,
            "amount": amount,
            "seen": limit,
            "asked": figures.part.asked,
            "reason": request.POST.get("reason", ""),
        }
        context = {
            "target": target,
            "figures": figures,
            "form": MoveForm(initial=initial),
            "effects": _effects(order, target, figures),
        }
    booked = timezone.localtime(wire.settled_at or wire.created_at)
    return staff_page(
        request,
        "staff/move.html",
        title=f"Move a wire of {order.invoice_code}",
        subtitle=f"{wire.depositor}, {wire.received:,.2f} USD, booked {booked:%Y-%m-%d}",
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


def _target(find: MoveToForm, limit: Decimal, *, own: int | None) -> Order | None:
    """Return the order that a wire shall go to; at fault, the form says why there is none."""
    target = Order.objects.filter(invoice_code=find.cleaned_data["to"].strip().upper()).first()
    if target is None:
        find.add_error("to", "There is no such order.")
    elif target.pk == own:
        find.add_error("to", "It is booked on this order.")
    elif not takes_wires(target):
        find.add_error("to", f"Nothing is due on it: {OrderStatus(target.status).label}.")
    if not ZERO < find.cleaned_data["amount"] <= limit:
        find.add_error("amount", f"More than 0.00, at most {limit:,.2f}.")
    return None if find.errors else target


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
        rows.append(("Mail", "", f"to {order.user.email}"))
    received, amount, asked = target.received, figures.part.amount, figures.part.asked
    rows.append((f"{target}, received", f"{received:,.2f}", f"{received + amount:,.2f}"))
    rows.append((f"{target}, due", f"{asked:,.2f}", f"{max(ZERO, asked - amount):,.2f}"))
    if (surplus := surplus_of(target, amount=amount)) and OrderStatus(target.status).is_priced:
        rows.append((f"Wallet of {target.company}", "", f"+ {surplus:,.2f}"))
    if figures.part.payment_id:
        rows.append(("Its announced wire", "", "confirmed by it"))
    return [*rows, ("History", "", "1 entry each, you, now")]
