"""What the pages of one order share: the order itself, its address, the way back."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils import timezone

from apps.common.errors import NotFound, PortalError
from apps.common.staff import Context, View, list_of, page_of, refusal_text, staff_page, trail_to
from apps.orders.admin.page import TONES, order_page
from apps.orders.models import Order
from apps.orders.selectors.orders import get_order_for_staff


def order_or_404(order_id: int | None) -> Order:
    """Return an order; Http404 if there is none."""
    try:
        return get_order_for_staff(order_id=order_id or 0)
    except PortalError as error:
        raise Http404 from error


def of_order(view: Callable[..., HttpResponseBase | None]) -> View:
    """Return the view of a page below an order, which is given the order. What returns nothing
    leads back to the order's page; so does a refusal, with why.
    """

    @wraps(view)
    def page(request: HttpRequest, pk: int, **places: int) -> HttpResponseBase:
        order = order_or_404(pk)
        try:
            answer = view(request, order, **places)
        except NotFound as error:
            raise Http404 from error
        except PortalError as error:
            messages.warning(request, f"{order}: {refusal_text(error)}")
            answer = None
        return answer or redirect(page_of(order))

    return page


def show_order(
    request: HttpRequest, order: Order, prepared: str = "", *, is_note: bool = False
) -> TemplateResponse:
    """Return an order's own page, with a text to its buyer, or a note, that is begun."""
    return staff_page(
        request,
        "staff/order.html",
        title=order.invoice_code,
        trail=[list_of(Order)],
        prepared=prepared,
        is_note=is_note,
        **order_page(order, now=timezone.now()),
    )


def page_below(
    request: HttpRequest,
    template: str,
    order: Order,
    *,
    here: str,
    title: str = "",
    **context: Any,
) -> TemplateResponse:
    """Return a page of an order in its frame: title, status and company, the way back; `here`
    names the page.
    """
    state = order.state
    frame: Context = {
        "title": title or f"{here}: {order.invoice_code}",
        "subtitle": "" if title else f"{state.staff_label} · {order.company.name}",
        "trail": trail_to(order),
        "here": here,
        "order": order,
        "status_label": state.staff_label,
        "status_tone": TONES[state],
    }
    return staff_page(request, template, **frame, **context)
