"""Staff pages of orders' history and documents: read-only."""

from django.contrib import admin
from django.db.models import QuerySet
from django.urls import reverse
from django.utils.html import format_html

from apps.common.staff import RecordAdmin
from apps.common.staff_lists import PhoneRow
from apps.orders.admin.search import events_found
from apps.orders.models import OrderDocument, OrderEvent


def order_link(order_id: int, code: str) -> str:
    """Return a link to an order's page."""
    return format_html(
        '<a href="{}">{}</a>', reverse("admin:orders_order_change", args=[order_id]), code
    )


@admin.register(OrderEvent)
class OrderEventAdmin(RecordAdmin):
    """What happened to which order, who did it, when and why."""

    list_title = "Order history"
    words = ("entry", "entries")
    list_display = ("order_code", "at", "kind", "step", "note", "who")
    phone_row = PhoneRow(under="kind", right="at", next="who", third="note")
    list_filter = ("kind", "at")
    list_select_related = ("order__company", "actor")
    search_fields = (
        "order__invoice_code",
    )  # that there is a search; `events_found` says what it finds
    search_help_text = "Invoice code, company or e-mail"
    ordering = ("-id",)

    def find(self, queryset: QuerySet, term: str) -> QuerySet:
        """Find by invoice code, company, or the e-mail address of who did it."""
        return events_found(queryset, term)

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

    list_title = "Order documents"
    words = ("document", "documents")
    list_display = ("title", "order_code", "company", "uploaded_at", "who")
    phone_row = PhoneRow(under="company", right="order_code", next="uploaded_at")
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
