"""The staff page of orders' history: read-only."""

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
from apps.orders.models import OrderEvent
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
