"""The orders' list and one order's page; every step is a POST that calls the service of the same
name.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import F, QuerySet
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseNotAllowed,
    HttpResponseRedirect,
)
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.urls import URLPattern, reverse
from django.utils import timezone
from django.utils.html import format_html, format_html_join

from apps.common.errors import NotFound, StorageUnavailable, WrongStatus
from apps.common.staff import run_action, run_action_on_all, staff_of
from apps.common.staff_export import export_list
from apps.common.staff_lists import PhoneRow
from apps.common.storage.files import download
from apps.common.tables.download import table_file
from apps.orders.admin import filters
from apps.orders.admin.as_buyer import AsBuyerPages
from apps.orders.admin.commercial import CommercialPages
from apps.orders.admin.conversation import ConversationPages
from apps.orders.admin.export import FILE_NAME, order_rows
from apps.orders.admin.forms import DocumentForm
from apps.orders.admin.history import OrderList, is_history, is_of_words, listed_first, sums_of
from apps.orders.admin.mails import MailPages
from apps.orders.admin.packing import PackingPages
from apps.orders.admin.page import TONES, in_step, next_step, signs
from apps.orders.admin.search import orders_found
from apps.orders.admin.sheet import SheetPages
from apps.orders.admin.shipping import ShippingPages
from apps.orders.mail import ask_for_address_text
from apps.orders.models import BuyerFile, Order, OrderDocument, OrderEvent
from apps.orders.selectors import due_of, get_order_for_staff
from apps.orders.services.buyer_files import note_seen, open_buyer_file
from apps.orders.services.issued_documents import open_document
from apps.orders.services.prepare import start_preparing
from apps.orders.services.uploaded_documents import add_document, remove_document
from apps.orders.status import OrderStatus

CHANGE = "orders.change_order"

Kind = OrderEvent.Kind


@admin.register(Order)
class OrderAdmin(
    AsBuyerPages,
    ConversationPages,
    CommercialPages,
    SheetPages,
    MailPages,
    PackingPages,
    ShippingPages,
):
    """Orders. No form changes one: status, money and stock move only through the services behind
    the buttons.
    """

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
    list_display_links = ("order_code",)
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
    search_help_text = "Invoice, company, e-mail, SKU, depositor, PO number, tracking"
    ordering = (F("due_at").asc(nulls_last=True),)
    is_exported = True
    actions = ("prepare_selected", "mail_late_selected", "export_selected")
    default_chip: ClassVar[dict[str, str] | None] = {"name": "Open orders", "query": "status=all"}

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> Any:
        open_orders = filters.figures(request).open["all"]
        context = {
            "subtitle": f"{open_orders} open, {listed_first(request.GET)}",
            **(extra_context or {}),
        }
        answer = super().changelist_view(request, context)
        if listed := (getattr(answer, "context_data", None) or {}).get("cl"):
            answer.context_data["sums"] = sums_of(listed, now=timezone.now())
        return answer

    def get_queryset(self, request: HttpRequest) -> QuerySet:
        """Return the orders, for the list with how their payment stands."""
        orders = super().get_queryset(request)
        is_list = (
            request.resolver_match is not None
            and request.resolver_match.url_name == "orders_order_changelist"
        )
        return filters.with_payment(orders) if is_list else orders

    def export(self, request: HttpRequest, kind: str) -> HttpResponse:
        """Send every order that the list's filters and search find."""
        return export_list(self, request, order_rows, name=FILE_NAME, kind=kind)

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[OrderList]:
        return OrderList

    def get_sortable_by(self, request: HttpRequest) -> tuple[str, ...]:
        """Return the columns to sort by: none of the history's, which would be read
        whole for it.
        """
        return () if is_history(request.GET) or is_of_words(request.GET) else self.list_display

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet, search_term: str
    ) -> tuple[QuerySet, bool]:
        """Find by invoice code, company, e-mail, SKU, depositor, PO or tracking number."""
        term = search_term.strip()
        if not term:
            return queryset, False
        return orders_found(queryset, term), False

    @admin.display(description="Order", ordering="id")
    def order_code(self, order: Order) -> str:
        po_number = f" · PO {order.po_number}" if order.po_number else ""
        return format_html(
            '{}<span class="second">{}{}</span>', order.invoice_code, order.company.name, po_number
        )

    @admin.display(description="Country", ordering="ship_country__content")
    def country(self, order: Order) -> str:
        return str(order.ship_country or "–")

    @admin.display(description="Status", ordering="status")
    def status_tag(self, order: Order) -> str:
        status = OrderStatus(order.status)
        return format_html('<span class="tag {}">{}</span>', TONES[status], status.label)

    @admin.display(description="In step", ordering="due_at")
    def in_step(self, order: Order) -> str:
        if order.due_at is None:
            return "–"
        age, late = in_step(order, timezone.now())
        return format_html('{}<span class="late-line">{}</span>', age, late) if late else age

    @admin.display(description="Lines", ordering="count")
    def line_count(self, order: Order) -> int:
        return order.count

    @admin.display(description="Total $", ordering="total")
    def total_usd(self, order: Order) -> str:
        return f"{order.real_total + order.shipping_fee:,.2f}"

    @admin.display(description="Balance $")
    def balance_usd(self, order: Any) -> str:
        if order.status < OrderStatus.CONFIRMED:
            return format_html("–{}", _payment_line(order))
        due = due_of(order)
        return format_html(
            '<span class="{}">{}</span>{}',
            "strong" if due else "none",
            f"{due:,.2f}",
            _payment_line(order),
        )

    @admin.display(description="Signs")
    def sign_tags(self, order: Order) -> str:
        tags = format_html_join(
            "", "{}", ((_sign(order, text, tone),) for text, tone in signs(order))
        )
        return format_html('<span class="tags">{}</span>', tags)

    @admin.display(description="Next")
    def next_action(self, order: Order) -> str:
        step = next_step(order)
        if step is None:
            return ""
        url = reverse("admin:orders_order_change", args=[order.pk]) if step.is_post else step.url
        return format_html('<a href="{}">{}</a>', url, step.verb)

    @admin.action(description="Start preparing", permissions=["change"])
    def prepare_selected(self, request: HttpRequest, queryset: QuerySet) -> None:
        def service(order: Order) -> None:
            start_preparing(order_id=order.pk, actor=staff_of(request), now=timezone.now())

        run_action_on_all(request, queryset, "Preparing started", service, skips=(WrongStatus,))

    @admin.action(description="Export as a spreadsheet", permissions=["view"])
    def export_selected(self, request: HttpRequest, queryset: QuerySet) -> HttpResponse:
        return table_file(order_rows(queryset), name=FILE_NAME, format_="xlsx")

    def get_urls(self) -> list[URLPattern]:
        page = partial(self.address, permission=CHANGE)
        return [
            self.address(
                "export.<str:kind>", self.export, name="export", permission="orders.view_order"
            ),
            *self.as_buyer_urls(),
            *self.mail_urls(),
            page("<int:pk>/prepare/", self.prepare, name="prepare"),
            page("<int:pk>/confirm/", self.confirm, name="confirm"),
            page("<int:pk>/products/", self.products, name="products"),
            page("<int:pk>/packing/", self.packing, name="packing"),
            page("<int:pk>/packing/check/", self.packing_check, name="packing_check"),
            page("<int:pk>/packing/sheet.xlsx", self.packing_file, name="packing_file"),
            page("<int:pk>/invoice/", self.invoice, name="invoice"),
            page("<int:pk>/packing/list.pdf", self.packing_list, name="packing_list"),
            *self.shipping_urls(),
            *self.conversation_urls(),
            page("<int:pk>/documents/add/", self.document, name="document"),
            page("<int:pk>/documents/<int:document>/remove/", self.remove, name="remove"),
            self.address(
                "<int:pk>/documents/<int:document>/",
                self.open_document,
                name="file",
                permission="orders.view_orderdocument",
            ),
            self.address(
                "<int:pk>/buyer-files/<int:file>/",
                self.buyer_file,
                name="buyer_file",
                permission="orders.view_order",
            ),
            *super().get_urls(),
        ]

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Show an order. There is nothing to save here."""
        if request.method != "GET":
            return HttpResponseNotAllowed(["GET"])
        order = self.get_object(request, object_id)
        if order is None:
            raise Http404
        if not self.has_view_permission(request, order):
            raise PermissionDenied
        shown = get_order_for_staff(order_id=order.pk)
        return self.show(
            request,
            shown,
            ask_for_address_text(shown) if request.GET.get("ask") == "address" else "",
        )

    def _post(
        self, request: HttpRequest, pk: int, done: str, service: Callable[[Order], object]
    ) -> HttpResponse:
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        order = self.order_of(pk)
        run_action(request, order, done, lambda: service(order))
        return HttpResponseRedirect(self.back(order))

    def prepare(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Start preparing; that it was started before is nothing to worry about."""
        actor, order = staff_of(request), self.order_of(pk)
        if request.method == "POST" and order.status == OrderStatus.PREPARING:
            messages.info(request, f"{order}: preparing was started before.")
            return HttpResponseRedirect(self.back(order))
        service = lambda order: start_preparing(order_id=order.pk, actor=actor, now=timezone.now())  # noqa: E731
        return self._post(request, pk, "Preparing started", service)

    def remove(self, request: HttpRequest, pk: int, document: int) -> HttpResponse:
        """Take a document away."""
        get_object_or_404(OrderDocument, pk=document, order_id=pk)
        actor = staff_of(request)

        def service(_: Order) -> object:
            return remove_document(document_id=document, actor=actor, now=timezone.now())

        return self._post(request, pk, "Document removed", service)

    def document(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Add a document for the buyer."""
        order = self.order_of(pk)
        form = DocumentForm(request.POST or None, request.FILES or None)
        actor = staff_of(request)

        def service() -> None:
            add_document(order_id=pk, actor=actor, now=timezone.now(), **form.cleaned_data)

        if (
            request.method == "POST"
            and form.is_valid()
            and run_action(request, order, "Document added", service, form=form, outward=True)
        ):
            return HttpResponseRedirect(self.back(order))
        lead = "Buyers see documents from Confirmed on. PDF, JPEG, PNG, XLSX, DOCX or CSV, at most 10 MB."
        return self._form(
            request, order, form, verb="Add this file", here="Add a document", lead=lead
        )

    def open_document(self, request: HttpRequest, pk: int, document: int) -> HttpResponseBase:
        """Send a document to staff."""
        found = get_object_or_404(OrderDocument, pk=document, order_id=pk)
        try:
            content = open_document(document=found, now=timezone.now())
        except NotFound as error:
            raise Http404 from error
        except StorageUnavailable as refusal:
            messages.error(request, f"{found.title}: {refusal}")
            return HttpResponseRedirect(self.back(self.order_of(pk)))
        return download(
            content,
            title=found.title,
            storage_name=found.storage_name,
            content_type=found.content_type,
        )

    def buyer_file(self, request: HttpRequest, pk: int, file: int) -> HttpResponseBase:
        """Send a file that the buyer gave to staff, and note when it was opened first."""
        found = get_object_or_404(BuyerFile, pk=file, order_id=pk)
        try:
            content = open_buyer_file(file=found)
        except NotFound as error:
            raise Http404 from error
        except StorageUnavailable as refusal:
            messages.error(request, f"{found.given_name}: {refusal}")
            return HttpResponseRedirect(self.back(self.order_of(pk)))
        note_seen(file=found, now=timezone.now())
        return download(
            content,
            title=found.given_name,
            storage_name=found.storage_name,
            content_type=found.content_type,
        )

    def _form(
        self, request: HttpRequest, order: Order, form: Any, *, verb: str, here: str, lead: str
    ) -> HttpResponse:
        return self.order_page(
            request, "staff/form.html", order, here=here, form=form, verb=verb, lead=lead
        )


def _sign(order: Order, text: str, tone: str) -> str:
    """Return a sign; what a buyer wrote leads to where it is answered."""
    if text in (Kind.MESSAGE.label, Kind.SHIP_MEMO.label):
        page = reverse("admin:orders_order_change", args=[order.pk])
        return format_html('<a class="tag {}" href="{}#messages">{}</a>', tone, page, text)
    return format_html('<span class="tag {}">{}</span>', tone, text)


def _payment_line(order: Any) -> str:
    word = filters.PAYMENT_WORDS.get(order.payment_word, "")
    return format_html('<span class="second">{}</span>', word.lower()) if word else ""
