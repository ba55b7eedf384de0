"""Staff pages of orders' history and documents: read-only."""

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy, pgettext_lazy

from apps.accounts.models import Company, User
from apps.common.lists import any_of
from apps.common.names import named
from apps.common.staff import RecordAdmin
from apps.common.staff_lists import PhoneRow, by, column, titled
from apps.orders.models import OrderDocument, OrderEvent
from apps.orders.status import OrderStatus


def order_link(order_id: int, code: str) -> str:
    """Return a link to an order's page."""
    return format_html(
        '<a href="{}">{}</a>', reverse("admin:orders_order_change", args=[order_id]), code
    )


@admin.register(OrderEvent)
class OrderEventAdmin(RecordAdmin):
    """What happened to which order, who did it, when and why."""

    list_title = gettext_lazy("Order history")
    words = (gettext_lazy("entry"), gettext_lazy("entries"))
    list_display = ("order_code", "written_at", "deed", "step", "text", "who")
    phone_row = PhoneRow(under="deed", right="written_at", next="who", third="text")
    list_filter = (("kind", titled(gettext_lazy("kind"))), ("at", titled(gettext_lazy("day"))))
    list_select_related = ("order__company", "actor")
    search_fields = ("order__invoice_code",)  # that there is a search; below is what it finds
    search_help_text = gettext_lazy("Invoice code, company or e-mail")
    ordering = ("-id",)
    fields = readonly_fields = list_display

    written_at = column("at", gettext_lazy("At"))
    deed = column("get_kind_display", gettext_lazy("Kind"), ordering="kind")
    text = column("text", pgettext_lazy("history", "Note"), ordering=None)
    who = by("actor", gettext_lazy("Who"))

    def find(self, queryset: QuerySet, term: str) -> QuerySet:
        """Find by invoice code, company, or the e-mail address of who did it."""
        return any_of(
            queryset,
            Q(order__invoice_code=term.upper()),
            Q(order__company__in=Company.objects.filter(named(term, "name"))),
            Q(actor__in=User.objects.filter(email__icontains=term)),
        )

    @admin.display(description=gettext_lazy("Order"))
    def order_code(self, event: OrderEvent) -> str:
        return order_link(event.order_id, event.order.invoice_code)

    @admin.display(description=gettext_lazy("Step"))
    def step(self, event: OrderEvent) -> str:
        return OrderStatus(event.to_status).staff_label if event.to_status is not None else ""


@admin.register(OrderDocument)
class OrderDocumentAdmin(RecordAdmin):
    """The files that buyers can open; each is added and removed on its order's page."""

    list_title = gettext_lazy("Order documents")
    words = (gettext_lazy("document"), gettext_lazy("documents"))
    list_display = ("name", "order_code", "company", "added_at", "who")
    phone_row = PhoneRow(under="company", right="order_code", next="added_at")
    list_filter = (("uploaded_at", titled(gettext_lazy("day"))),)
    list_select_related = ("order__company", "uploaded_by")
    search_fields = ("title", "=order__invoice_code", "order__company__name")
    search_help_text = gettext_lazy("Title, invoice code or company")
    ordering = ("-id",)
    fields = readonly_fields = list_display

    name = column("title", gettext_lazy("Title"))
    added_at = column("uploaded_at", gettext_lazy("Uploaded at"))
    company = column("order__company__name", pgettext_lazy("customer", "Company"), ordering=None)
    who = by("uploaded_by", gettext_lazy("Who"))

    @admin.display(description=gettext_lazy("Order"))
    def order_code(self, document: OrderDocument) -> str:
        return order_link(document.order_id, document.order.invoice_code)
