"""Moving a booked wire to the order that it belongs to: first where to and what will happen, then
the deed.
"""

from dataclasses import replace
from decimal import Decimal
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _

from apps.common.money import ZERO
from apps.common.staff import run_action, staff_page
from apps.common.texts import Text, phrase
from apps.orders.admin.base import order_or_404, page_of, trail
from apps.orders.models import Order
from apps.payments.admin.access import data_of, nothing_of, wire_with_rest
from apps.payments.admin.forms import MoveForm, MoveToForm
from apps.payments.admin.wires import surplus_question
from apps.payments.selectors import surplus_of
from apps.payments.services.wire import takes_wires
from apps.payments.services.wire_returns import MoveFigures, move_figures, move_wire


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
    if request.method == "POST" and target is not None and form.is_valid():
        fields = form.cleaned_data
        part = move_figures(payment=wire, to=target, amount=fields["amount"]).part
        part = replace(part, asked=fields["asked"])
        done = Text(
            "%(amount)s of a wire moved from %(source)s to %(target)s",
            amount=part.amount,
            source=source,
            target=target,
        )
        question = surplus_question(request, [part])
        if question is None and run_action(
            request,
            target,
            done,
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
        title=phrase("Move a wire of %(order)s", order=order.invoice_code),
        subtitle=phrase(
            "%(depositor)s, %(amount)s USD, booked %(day)s",
            depositor=wire.depositor,
            amount=wire.received,
            day=f"{booked:%Y-%m-%d}",
        ),
        trail=trail(order),
        here=_("Move a wire"),
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


def _effects(order: Order, target: Order, figures: MoveFigures) -> list[tuple[str, str, str]]:
    """Return what will happen to both orders: what, how it is now, how it will be."""
    status = order.state
    rows = [
        (phrase("%(order)s, received", order=order), figures.received[0], figures.received[1]),
        (
            phrase("%(order)s, status", order=order),
            phrase("%(status)s, stays", status=status.staff_label),
        ),
    ]
    if status.is_priced:
        label = phrase("%(order)s, balance due", order=order)
        rows.append((label, figures.due[0], figures.due[1]))
    if figures.told:
        rows.append((_("Its receipt"), _("withdrawn, kept for staff")))
        rows.append((_("Mail"), phrase("to %(address)s", address=order.user.email)))
    received, amount, asked = target.received, figures.part.amount, figures.part.asked
    label = phrase("%(order)s, received", order=target)
    rows.append((label, received, received + amount))
    label = phrase("%(order)s, due", order=target)
    rows.append((label, asked, max(ZERO, asked - amount)))
    if (surplus := surplus_of(target, amount=amount)) and target.state.is_priced:
        label = phrase("Wallet of %(company)s", company=target.company)
        rows.append((label, f"+ {surplus:,.2f}"))
    if figures.part.payment_id:
        rows.append((_("Its announced wire"), _("confirmed by it")))
    return rows
