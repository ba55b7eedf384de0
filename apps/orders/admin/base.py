"""What the pages of one order share: the order itself, its address, the way back."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone

from apps.common.errors import PortalError
from apps.common.staff import StaffAdmin
from apps.orders.admin.page import TONES, order_page
from apps.orders.models import Order
from apps.orders.selectors import get_order_for_staff
from apps.orders.status import OrderStatus


class OrderPages(StaffAdmin):
    """Pages of one order."""

    def order_of(self, pk: int) -> Order:
        """Return the order of a page.

        Raises:
            Http404: there is none.
        """
        try:
            return get_order_for_staff(order_id=pk)
        except PortalError as error:
            raise Http404 from error

    def show(
        self, request: HttpRequest, order: Order, prepared: str = "", *, is_note: bool = False
    ) -> HttpResponse:
        """Return an order's own page, with a text to its buyer, or a note, that is begun."""
        page = order_page(order, now=timezone.now())
        return self.page(
            request,
            "staff/order.html",
            title=order.invoice_code,
            trail=self.trail(),
            prepared=prepared,
            is_note=is_note,
            **page,
        )

    def back(self, order: Order) -> str:
        """Return the address of an order's page."""
        return reverse("admin:orders_order_change", args=[order.pk])

    def order_page(
        self,
        request: HttpRequest,
        template: str,
        order: Order,
        *,
        here: str,
        title: str = "",
        status: int = 200,
        **context: Any,
    ) -> HttpResponse:
        """Return a page of an order in its frame: title, status and company, the way back; `here`
        names the page.
        """
        state = OrderStatus(order.status)
        frame = {
            "title": title or f"{here}: {order.invoice_code}",
            "subtitle": "" if title else f"{state.label} · {order.company.name}",
            "trail": self.trail(order),
            "here": here,
            "order": order,
            "status_label": state.label,
            "status_tone": TONES[state],
            "back": self.back(order),
        }
        return self.page(request, template, status=status, **frame, **context)

    def trail(self, order: Order | None = None) -> list[tuple[str, str]]:
        """Return the way to a page of an order, or to the order's own page."""
        way = [("Orders", reverse("admin:orders_order_changelist"))]
        return [*way, (order.invoice_code, self.back(order))] if order else way
