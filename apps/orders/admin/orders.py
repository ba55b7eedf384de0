"""The orders' list, of millions too, and one order's page; every step is a POST that calls the
service of the same name.
"""

from collections.abc import Iterator
from datetime import datetime
from typing import Any, ClassVar

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import Count, F, Q, QuerySet, Sum
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext as _, gettext_lazy, pgettext, pgettext_lazy

from apps.accounts.models import Company, User
from apps.common.errors import WrongStatus
from apps.common.ids import id_in
from apps.common.lists import any_of
from apps.common.names import name_condition
from apps.common.staff import Context, StaffAdmin, humanize, overdue, page_of, run_action_on_all
from apps.common.staff_lists import (
    PhoneRow,
    SortedWhileCounted,
    column,
    figure_text,
    tag,
    two_lines,
)
from apps.common.tables.download import MOST_ROWS, Cell, Rows, table_file
from apps.common.texts import Text
from apps.common.types import Label
from apps.orders.admin import filters
from apps.orders.admin.base import order_or_404, show_order
from apps.orders.admin.filters import PAYMENT_WORDS, is_history
from apps.orders.admin.page import TONES, next_step, signs
from apps.orders.admin.steps import mail_late_selected
from apps.orders.mail import ask_for_address_text
from apps.orders.models import FormerTracking, Order, OrderLine
from apps.orders.selectors.orders import COST, OPEN_MONEY, due_of
from apps.orders.selectors.progress import PAYMENT
from apps.orders.services.moves import start_preparing
from apps.orders.status import OPEN, OrderStatus


def order_rows(orders: QuerySet[Order]) -> Iterator[tuple[Cell, ...]]:
    """Yield the headings, then a row for each order."""
    yield (
        _("Invoice"),
        pgettext("customer", "Company"),
        _("E-mail"),
        _("Country"),
        _("Status"),
        _("Payment"),
        _("Placed"),
        _("Lines"),
        _("Pieces"),
        _("Total $"),
        _("Received $"),
        pgettext("order", "Balance $"),
        _("PO number"),
    )
    rows: Any = orders.select_related("company", "user", "ship_country")
    for order in rows[:MOST_ROWS].iterator(chunk_size=2000):
        yield (
            order.invoice_code,
            order.company.name,
            order.user.email,
            str(order.ship_country or ""),
            order.state.staff_label,
            str(PAYMENT_WORDS.get(order.payment_word, "")),
            f"{timezone.localtime(order.placed_at):%Y-%m-%d}",
            order.count,
            order.pieces,
            order.real_total + order.shipping_fee,
            order.received,
            due_of(order),
            order.po_number,
        )


class OrderList(SortedWhileCounted):
    """Open orders in the order that was asked for; history by its index, the newest first."""

    def get_ordering(self, request: HttpRequest, queryset: QuerySet) -> list[Any]:
        """Return what the list is sorted by."""
        return ["-pk"] if is_history(request.GET) else super().get_ordering(request, queryset)


def sums_of(listed: OrderList, *, now: datetime) -> dict[str, Any] | None:
    """Return what all orders of a list cost and still have to bring in US dollars, and how many of
    them are late.

    Nothing for a list that is too long to be counted. One statement.
    """
    if listed.paginator.is_capped or not listed.result_count:
        return None
    orders = Order.objects.filter(pk__in=listed.queryset.order_by().values("pk")).order_by()
    return orders.aggregate(
        count=Count("pk"),
        total=Sum(COST),
        balance=Sum(OPEN_MONEY, filter=Q(status__gte=OrderStatus.CONFIRMED)),
        late=Count("pk", filter=Q(status__in=OPEN, due_at__lte=now)),
    )


# By whether the list is filtered, and whether it shows history.
SUBTITLES = {
    (False, False): gettext_lazy("%(number)s open, the most overdue first"),
    (False, True): gettext_lazy("%(number)s open, the newest first"),
    (True, False): gettext_lazy("%(number)s listed, the most overdue first"),
    (True, True): gettext_lazy("%(number)s listed, the newest first"),
}


@admin.register(Order)
class OrderAdmin(StaffAdmin):
    """Orders. No form changes one: status, money and stock move only through the services behind
    the buttons.
    """

    list_title = gettext_lazy("Orders")
    words = (gettext_lazy("order"), gettext_lazy("orders"))
    list_display = (
        "order_code",
        "country",
        "status_tag",
        "in_step",
        "line_count",
        "total_usd",
        "balance_usd",
        "sign_tags",
        "next_action",
    )
    phone_row = PhoneRow(right="in_step", next="next_action", third="sign_tags")
    list_filter = (
        filters.StatusFilter,
        filters.PromiseFilter,
        filters.WaitsForFilter,
        filters.PaymentFilter,
        filters.SignFilter,
        filters.PackingFilter,
        filters.ProposalFilter,
        filters.CountryFilter,
        filters.OrderedFilter,
        filters.SoldFilter,
    )
    list_select_related = ("company", "ship_country")
    search_fields = ("invoice_code",)
    search_help_text = gettext_lazy("Invoice, company, e-mail, SKU, depositor, PO number, tracking")
    add_allowed = False
    ordering = (F("due_at").asc(nulls_last=True),)
    export_permission = "orders.view_order"
    actions = ("prepare_selected", mail_late_selected, "export_selected")
    default_chip: ClassVar[dict[str, Label] | None] = {
        "name": gettext_lazy("Open orders"),
        "query": "status=all",
    }

    country = column("ship_country", gettext_lazy("Country"), ordering="ship_country__content")
    line_count = column("count", gettext_lazy("Lines"))

    def about_list(self, request: HttpRequest, listed: Any) -> Context:
        capped = "+" if listed.paginator.is_capped else ""
        is_filtered = bool(listed.get_filters_params() or listed.query)
        text = SUBTITLES[is_filtered, is_history(request.GET)]
        number = f"{listed.result_count:,}{capped}"
        return {
            "subtitle": text % {"number": number},
            "sums": sums_of(listed, now=timezone.now()),
        }

    def get_queryset(self, request: HttpRequest) -> QuerySet:
        """Return the orders with how their payment stands."""
        orders: QuerySet = super().get_queryset(request).annotate(payment_word=PAYMENT)
        return orders

    def export_rows(self, request: HttpRequest, queryset: QuerySet) -> Rows:
        return order_rows(queryset)

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[OrderList]:
        return OrderList

    def get_sortable_by(self, request: HttpRequest) -> tuple[str, ...]:
        """Return the columns to sort by: none of the history's, which would be read
        whole for it.
        """
        return () if is_history(request.GET) else self.list_display

    def find(self, queryset: QuerySet, term: str) -> QuerySet:
        """Find by invoice code, company, e-mail, SKU, depositor, PO, former or tracking number."""
        people = User.objects.filter(email__startswith=term)
        return any_of(
            queryset,
            Q(invoice_code__startswith=term.upper()),
            Q(tracking_number__startswith=term) & ~Q(tracking_number=""),  # as it is indexed
            Q(po_number__startswith=term) & ~Q(po_number=""),
            Q(former_number__istartswith=term) & ~Q(former_number=""),
            Q(company__in=Company.objects.filter(name_condition(term, "name"))),
            Q(
                company__in=people.values("company"), user__in=people
            ),  # by who ordered there is no index
            Q(pk__in=OrderLine.objects.filter(product__sku=term.upper()).values("order")),
            Q(pk__in=Order.objects.filter(payments__depositor__icontains=term).values("pk")),
            Q(pk__in=FormerTracking.objects.filter(tracking_number=term).values("order")),
        )

    @admin.display(description=gettext_lazy("Order"), ordering="id")
    def order_code(self, order: Order) -> str:
        parts = [order.company.name, order.po_number and f"PO {order.po_number}"]
        if order.former_number:
            parts.append(f"{_('Formerly')} {order.former_number}")
        return two_lines(order.invoice_code, " · ".join(filter(None, parts)))

    @admin.display(description=gettext_lazy("Status"), ordering="status")
    def status_tag(self, order: Order) -> str:
        status = order.state
        return tag(status.staff_label, TONES[status])

    @admin.display(description=gettext_lazy("In step"), ordering="due_at")
    def in_step(self, order: Order) -> str:
        if order.due_at is None:
            return "–"
        now = timezone.now()
        age, late = (
            humanize(now - order.status_at),
            overdue(due_at=order.due_at, now=now, short=True),
        )
        return format_html('{}<span class="late-line">{}</span>', age, late) if late else age

    @admin.display(description=gettext_lazy("Total $"), ordering="total")
    def total_usd(self, order: Order) -> str:
        return figure_text(order.real_total + order.shipping_fee)

    @admin.display(description=pgettext_lazy("order", "Balance $"))
    def balance_usd(self, order: Any) -> str:
        word = PAYMENT_WORDS.get(order.payment_word, "")
        line = format_html('<span class="second">{}</span>', word.lower()) if word else ""
        if order.status < OrderStatus.CONFIRMED:
            return format_html("–{}", line)
        due = due_of(order)
        tone = "strong" if due else "none"
        return format_html('<span class="{}">{}</span>{}', tone, f"{due:,.2f}", line)

    @admin.display(description=gettext_lazy("Signs"))
    def sign_tags(self, order: Order) -> str:
        page = page_of(order)
        linked = (_("Message"), _("Shipping request"))  # leads to where it is answered
        tags = [
            format_html('<a class="tag {}" href="{}#messages">{}</a>', tone, page, text)
            if text in linked
            else tag(text, tone)
            for text, tone in signs(order)
        ]
        return format_html(
            '<span class="tags">{}</span>', format_html_join("", "{}", ((one,) for one in tags))
        )

    @admin.display(description=gettext_lazy("Next"))
    def next_action(self, order: Order) -> str:
        step = next_step(order)
        if step is None:
            return ""
        url = page_of(order) if step.is_post else step.url
        return format_html('<a href="{}">{}</a>', url, step.verb)

    @admin.action(description=gettext_lazy("Start preparing"), permissions=["change"])
    def prepare_selected(self, request: HttpRequest, queryset: QuerySet) -> None:
        run_action_on_all(
            request,
            queryset,
            Text("Preparing started"),
            lambda order, **by: start_preparing(order_id=order.pk, **by),
            skips=(WrongStatus,),
        )

    @admin.action(description=gettext_lazy("Export as a spreadsheet"), permissions=["view"])
    def export_selected(self, request: HttpRequest, queryset: QuerySet) -> HttpResponse:
        return table_file(order_rows(queryset), name=self.many, format_="xlsx")

    def change_view(self, request: HttpRequest, object_id: str, *args: Any) -> HttpResponse:
        """Show an order. There is nothing to save here."""
        if request.method != "GET":
            return HttpResponseNotAllowed(["GET"])
        if not self.has_view_permission(request):
            raise PermissionDenied
        order = order_or_404(id_in(object_id))
        return show_order(
            request,
            order,
            ask_for_address_text(order) if request.GET.get("ask") == "address" else "",
        )
