"""Staff pages of orders' history and documents: read-only."""

from django.contrib import admin
from django.urls import reverse
from django.utils.html import format_html

from apps.common.staff import RecordAdmin
from apps.orders.models import OrderDocument, OrderEvent


def order_link(order_id: int, code: str) -> str:
    """Return a link to an order's page."""
    return format_html('<a href="{}">{}</a>', reverse("admin:orders_order_change", args=[order_id]), code)


@admin.register(OrderEvent)
class OrderEventAdmin(RecordAdmin):
    """What happened to which order, who did it, when and why."""

    list_title = "Order history"
    list_display = ("at", "order_code", "kind", "step", "note", "who")
    list_filter = ("kind", "at")
    list_select_related = ("order__company", "actor")
    search_fields = ("=order__invoice_code", "order__company__name", "actor__email")
    search_help_text = "Invoice code, company or e-mail"
    ordering = ("-id",)

    @admin.display(description="Order")
    def order_code(self, event: OrderEvent) -> str:
        return order_link(event.order_id, event.order.invoice_code)

    @admin.display(description="Step")
    def step(self, event: OrderEvent) -> str:
        return event.get_to_status_display() if event.to_status is not None else ""

    @admin.display(description="Who")
    def who(self, event: OrderEvent) -> str:
        return event.actor.manager if event.actor else "the portal"


@admin.register(OrderDocument)
class OrderDocumentAdmin(RecordAdmin):
    """The files that buyers can open; each is added and removed on its order's page."""

    list_display = ("title", "order_code", "company", "uploaded_at", "who")
    list_filter = ("uploaded_at",)
    list_select_related = ("order__company", "uploaded_by")
    search_fields = ("title", "=order__invoice_code", "order__company__name")
    search_help_text = "Title, invoice code or company"
    ordering = ("-id",)

    @admin.display(description="Order")
    def order_code(self, document: OrderDocument) -> str:
        return order_link(document.order_id, document.order.invoice_code)

    @admin.display(description="Company")
    def company(self, document: OrderDocument) -> str:
        return document.order.company.name

    @admin.display(description="Who")
    def who(self, document: OrderDocument) -> str:
        return document.uploaded_by.manager if document.uploaded_by else "the portal"
