"""An order's parcel: shipping it with its tracking number, and correcting the number afterwards."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _

from apps.common.staff import overdue, run_action
from apps.common.texts import Text
from apps.orders.admin.base import page_below
from apps.orders.admin.forms import ShipForm, TrackingForm
from apps.orders.errors import StaffRefusal
from apps.orders.mail import shipped, tracking_corrected_text
from apps.orders.models import Order, OrderEvent
from apps.orders.selectors.orders import due_of
from apps.orders.services.ship import correct_tracking, ship_order
from apps.orders.status import OrderStatus


def ship(request: HttpRequest, order: Order) -> HttpResponse | None:
    """Ship the order with its tracking number."""
    form = ShipForm(request.POST or None)
    if form.is_valid() and run_action(
        request,
        order,
        Text("Shipped"),
        ship_order,
        form=form,
        order_id=order.pk,
        **form.cleaned_data,
    ):
        return None
    leaving = [pieces for pieces in order.lines.values_list("allocated", flat=True) if pieces]
    return page_below(
        request,
        "staff/ship.html",
        order,
        title=_("Ship %(order)s") % {"order": order},
        here=_("Ship"),
        form=form,
        late=overdue(due_at=order.due_at, now=timezone.now(), short=True),
        shipped_label=OrderStatus.SHIPPED.staff_label,
        pieces=sum(leaving),
        products=len(leaving),
        boxes=sum(order.boxes.values_list("count", flat=True)),
        kg=f"{(order.measured_weight_g or 0) / 1000:,.1f}",
        due=due_of(order),
        letter=shipped(order),
        bar=True,
    )


def tracking(request: HttpRequest, order: Order) -> HttpResponse | None:
    """Correct the tracking number, carrier or day of a shipped order; what was is kept."""
    if order.status != OrderStatus.SHIPPED:
        raise StaffRefusal(_("only a shipped order has a tracking number."))
    form = TrackingForm(request.POST or None, initial=_as_it_is(order))
    if form.is_valid():
        fields = dict(form.cleaned_data)
        is_sent, letter = fields.pop("send"), fields.pop("letter")
        done = Text("Tracking number corrected to %(number)s", number=fields["tracking_number"])
        fields |= {"order_id": order.pk, "letter": letter if is_sent else None}
        if run_action(request, order, done, correct_tracking, form=form, **fields):
            return None
        order.refresh_from_db()
    if form.is_bound:  # once told of the number of now, what is sent next is meant
        form.data = {**request.POST.dict(), "seen": order.tracking_number}
    return page_below(
        request,
        "staff/tracking.html",
        order,
        title=_("Correct the tracking number"),
        here=_("Tracking number"),
        form=form,
        numbers=_numbers(order),
        bar=True,
    )


def _as_it_is(order: Order) -> dict[str, Any]:
    return {
        "tracking_number": order.tracking_number,
        "shipping_url": order.shipping_url,
        "carrier": order.carrier,
        "expected_on": order.expected_on,
        "letter": tracking_corrected_text(order),
        "seen": order.tracking_number,
    }


def _numbers(order: Order) -> list[dict[str, Any]]:
    """Return the numbers that an order has had, the present one first: since when, by whom, why no
    more.
    """
    shipped = order.events.select_related("actor").get(
        kind=OrderEvent.Kind.STATUS, to_status=OrderStatus.SHIPPED
    )
    given: Any = shipped
    rows = []
    for former in order.former_trackings.select_related("actor"):
        rows.append({"number": former.tracking_number, "given": given, "why": former.note})
        given = former
    return [{"number": order.tracking_number, "given": given, "why": ""}, *reversed(rows)]
