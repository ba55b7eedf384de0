"""Every payment as a list and a page, read-only; what staff do about one are pages of its own."""

from typing import Any

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html

from apps.accounts.models import Company
from apps.common.lists import any_of
from apps.common.promises import Promise, late_start
from apps.common.staff import RecordAdmin, has_any_perm
from apps.common.staff_lists import PhoneRow, figure
from apps.payments.admin.access import CHANGE
from apps.payments.admin.exceptions import exception_row
from apps.payments.admin.trace import TONES
from apps.payments.models import Payment, PaymentEvent, Refund
from apps.payments.selectors import exceptions
from apps.payments.services.move_wire import movable
from apps.payments.services.refunds import OPEN_REFUNDS, refundable
from apps.payments.states import PaymentState

SOURCES = {
    "buyer": "the buyer",
    "return": "the buyer, back from PayPal",
    "webhook": "PayPal",
    "reconciler": "the portal, by asking PayPal",
    "admin": "staff",
}


class AttentionFilter(admin.SimpleListFilter):
    """The payments that staff must look at."""

    title = "attention"
    parameter_name = "attention"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("yes", "Needs somebody"), ("refund", "Refund on its way"), ("late", "Refund late")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Payment]) -> QuerySet[Payment]:
        now = timezone.now()
        if self.value() not in ("yes", "refund", "late"):
            return queryset
        queryset = queryset.filter(pk__in=exceptions(now).order_by().values("pk"))
        if self.value() == "yes":
            return queryset
        refunds = Refund.objects.filter(state__in=OPEN_REFUNDS)
        if self.value() == "late":
            refunds = refunds.filter(created_at__lte=late_start(Promise.REFUND, now=now))
        return queryset.filter(pk__in=refunds.values("payment_id"))


@admin.register(Payment)
class PaymentAdmin(RecordAdmin):
    """Every payment, read-only, with its events."""

    list_display = (
        "code",
        "company",
        "created_at",
        "method",
        "kind",
        "sum",
        "state_tag",
        "depositor",
    )
    list_display_links = ("code",)
    phone_row = PhoneRow(under="company", right="sum", next="state_tag")
    list_filter = (AttentionFilter, "state", "method", "kind", "created_at")
    list_select_related = ("company", "order")
    search_fields = ("invoice_code",)  # that there is a search; below is what it finds
    search_help_text = "Invoice code, depositor, company, or PayPal's number"
    ordering = ("-id",)

    sum = figure("amount", "Amount $")

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet, search_term: str
    ) -> tuple[QuerySet, bool]:
        """Find by a part of the invoice code, depositor or company, or by PayPal's number."""
        term = search_term.strip()
        if not term:
            return queryset, False
        found = any_of(
            queryset,
            Q(invoice_code__icontains=term),
            Q(depositor__icontains=term),
            Q(paypal_payment_id=term),
            Q(sale_id=term),
            Q(company__in=Company.objects.filter(name__icontains=term)),
        )
        return found, False

    @admin.display(description="Order", ordering="invoice_code")
    def code(self, payment: Payment) -> str:
        return format_html('<span class="keep">{}</span>', payment.invoice_code)

    @admin.display(description="State", ordering="state")
    def state_tag(self, payment: Payment) -> str:
        tone = TONES.get(PaymentState(payment.state), "")
        return format_html('<span class="tag {}">{}</span>', tone, payment.get_state_display())

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Show a payment with its events, refunds and the credit of the bank that it came with."""
        if request.method != "GET" or not self.has_view_permission(request):
            return super().change_view(request, object_id, form_url, extra_context)
        payments = Payment.objects.select_related(
            "order",
            "company",
            "user",
            "settled_by",
            "proof",
            "bank_booking__credit",
            "moved_in__source",
        )
        payment = payments.filter(pk=object_id).first() if object_id.isdecimal() else None
        if payment is None:
            raise Http404
        now = timezone.now()
        needs_somebody = exceptions(now).filter(pk=payment.pk).exists()
        booking = getattr(payment, "bank_booking", None)
        return self.page(
            request,
            "staff/payment.html",
            title=f"{payment.get_method_display()}, {payment.get_kind_display().lower()}",
            subtitle=payment.invoice_code,
            trail=[("Payments", reverse("admin:payments_payment_changelist"))],
            here=payment.invoice_code,
            payment=payment,
            tone=TONES.get(PaymentState(payment.state), ""),
            credit=booking.credit if booking else None,
            events=[_told(event) for event in payment.events.select_related("actor")],
            refunds=payment.refunds.select_related("actor"),
            exception=exception_row(payment, now=now) if needs_somebody else None,
            may_act=has_any_perm(request, CHANGE),
            may_refund=bool(refundable(payment)),
            may_move=bool(movable(payment)),
            moved=getattr(payment, "moved_in", None),
            moves=payment.moves_away.select_related("target", "actor"),
            wire_refunds=payment.wire_refunds.select_related("actor", "transfer"),
        )


def _told(event: PaymentEvent) -> dict[str, Any]:
    """Return a step of a payment in words."""
    before, after = (
        PaymentState(state).label if state else "–" for state in (event.from_state, event.to_state)
    )
    by = event.actor.manager if event.actor else SOURCES.get(event.source, event.source)
    return {"at": event.at, "before": before, "after": after, "by": by, "note": event.note}
