"""Payments and the wallets' entries as lists and pages, read-only; what staff do about one are
pages of their own.
"""

from collections.abc import Iterator
from typing import Any

from django.contrib import admin
from django.db.models import Count, OuterRef, Q, QuerySet, Subquery, Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext as _, gettext_lazy, pgettext

from apps.accounts.models import Company
from apps.common.filters import Choices, ConditionFilter
from apps.common.lists import any_of
from apps.common.money import ZERO, usd
from apps.common.names import bare_name, name_condition
from apps.common.promises import Promise, late_start
from apps.common.staff import Context, StaffAdmin, link_to, list_of
from apps.common.staff_lists import (
    PhoneRow,
    by,
    column,
    figure,
    figure_text,
    moment_text,
    short_moment,
    signed,
    tag,
    titled,
    two_lines,
    who,
)
from apps.common.tables.download import Cell
from apps.common.texts import read
from apps.payments.admin.exceptions import exception_row
from apps.payments.admin.forms import CHANGE, VIEW
from apps.payments.admin.trace import METHODS, TONES, ledger_of
from apps.payments.models import Payment, Refund, WalletEntry
from apps.payments.selectors import exceptions, names_paypal
from apps.payments.services.refunds import OPEN_REFUNDS, movable, refundable
from apps.payments.states import PaymentState


class AttentionFilter(ConditionFilter):
    """The payments that staff must look at."""

    title = gettext_lazy("attention")
    parameter_name = "attention"

    def conditions(self) -> Choices:
        now = timezone.now()
        wrong = Q(pk__in=exceptions(now).values("pk"))
        refunds = Refund.objects.filter(state__in=OPEN_REFUNDS)
        late = refunds.filter(created_at__lte=late_start(Promise.REFUND, now=now))
        return {
            "yes": (_("Needs attention"), wrong),
            "refund": (_("Refund pending"), wrong & Q(pk__in=refunds.values("payment_id"))),
            "late": (_("Refund late"), wrong & Q(pk__in=late.values("payment_id"))),
        }


class MethodFilter(admin.ChoicesFieldListFilter):
    """The payments of one method; of PayPal where there may be any."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.title = gettext_lazy("method")

    def choices(self, changelist: Any) -> Iterator[Any]:
        """Yield each method that a payment can have."""
        hidden = "" if names_paypal() else Payment.Method.PAYPAL.label
        return (one for one in super().choices(changelist) if one["display"] != hidden)


@admin.register(Payment)
class PaymentAdmin(StaffAdmin):
    """Every payment, read-only, with its events."""

    is_record = True
    list_title, export_permission = gettext_lazy("Payments"), CHANGE
    words = (gettext_lazy("payment"), gettext_lazy("payments"))
    list_display = ("code", "created", "what", "sum", "state_tag", "payer")
    phone_row = PhoneRow(under="what", right="sum", next="state_tag")
    list_filter = (
        AttentionFilter,
        ("state", titled(gettext_lazy("state"))),
        ("method", MethodFilter),
        ("kind", titled(gettext_lazy("kind"))),
        ("created_at", titled(gettext_lazy("day"))),
    )
    list_select_related = ("company", "order")
    search_fields = ("invoice_code",)  # that there is a search; below is what it finds
    search_help_text = gettext_lazy("Invoice code, depositor, company or transaction")
    ordering = ("-id",)

    sum = figure("amount", gettext_lazy("Amount $"))
    created = column("created_at", gettext_lazy("Created at"))
    payer = column("depositor", gettext_lazy("Depositor"))

    def find(self, queryset: QuerySet, term: str) -> QuerySet:
        """Find by a part of the invoice code, depositor or company, or by a transaction."""
        return any_of(
            queryset,
            Q(invoice_code__icontains=term),
            Q(depositor__icontains=term),
            Q(paypal_payment_id=term),
            Q(sale_id=term),
            Q(company__in=Company.objects.filter(name_condition(term, "name"))),
        )

    def export_rows(self, request: HttpRequest, queryset: Any) -> Iterator[tuple[Cell, ...]]:
        """Yield the headings, and each payment with what the bank says of it."""
        yield (
            _("Created"),
            _("Order"),
            _("Customer"),
            _("Method"),
            pgettext("payment", "For"),
            _("State"),
            _("Amount $"),
            _("Received $"),
            _("Depositor"),
            _("Settled"),
            _("Value date"),
            _("Bank reference"),
            _("Transaction"),
        )
        payments = queryset.select_related("company", "bank_credit")
        for payment in payments.iterator(chunk_size=2000):
            credit, settled = payment.bank_credit, payment.settled_at
            yield (
                moment_text(payment.created_at),
                payment.invoice_code,
                payment.company.name,
                payment.get_method_display(),
                payment.get_kind_display(),
                payment.get_state_display(),
                payment.amount,
                payment.received,
                payment.depositor,
                moment_text(settled) if settled else "",
                f"{credit.value_date}" if credit else "",
                credit.reference or "" if credit else "",
                payment.sale_id or "",
            )

    @admin.display(description=gettext_lazy("Order"), ordering="invoice_code")
    def code(self, payment: Payment) -> str:
        code = format_html('<span class="keep">{}</span>', payment.invoice_code)
        return two_lines(code, payment.company)

    @admin.display(description=gettext_lazy("Payment"), ordering="method")
    def what(self, payment: Payment) -> str:
        return f"{payment.get_kind_display()}, {METHODS[Payment.Method(payment.method)]}"

    @admin.display(description=gettext_lazy("State"), ordering="state")
    def state_tag(self, payment: Payment) -> str:
        return tag(payment.get_state_display(), TONES.get(PaymentState(payment.state), ""))

    def own_page(self, request: HttpRequest, obj: Payment) -> HttpResponse | None:
        """Show a payment with its events, refunds and the credit of the bank that it came with."""
        if request.method != "GET":
            return None
        payments = Payment.objects.select_related(
            "order",
            "company",
            "user",
            "settled_by",
            "proof",
            "bank_credit",
            "moved_in__source",
        )
        payment, now = payments.get(pk=obj.pk), timezone.now()
        needs_somebody = exceptions(now).filter(pk=payment.pk).exists()
        return self.page(
            request,
            "staff/payment.html",
            title=f"{payment.get_method_display()}, {payment.get_kind_display().lower()}",
            subtitle=payment.invoice_code,
            trail=[list_of(Payment)],
            here=payment.invoice_code,
            payment=payment,
            tone=TONES.get(PaymentState(payment.state), ""),
            events=payment.events.select_related("actor"),
            refunds=payment.refunds.select_related("actor"),
            exception=exception_row(payment, now=now) if needs_somebody else None,
            may_refund=bool(refundable(payment)),
            may_move=bool(movable(payment)),
            moves=payment.moves_away.select_related("target", "actor"),
            wire_refunds=payment.wire_refunds.select_related("actor", "transfer"),
        )


@admin.register(WalletEntry)
class WalletEntryAdmin(StaffAdmin):
    """The companies' ledger, newest first."""

    is_record = True
    list_display_links = None
    list_title, export_permission = gettext_lazy("Wallets"), VIEW
    words = (gettext_lazy("entry"), gettext_lazy("entries"))
    list_display = (
        "company_ledger",
        "when",
        "order_code",
        "reason",
        "sum",
        "wallet_then",
        "who",
    )
    phone_row = PhoneRow(right="sum", next="wallet_then", third="when", labelled=("wallet_then",))
    list_filter = (("kind", titled(gettext_lazy("kind"))), ("at", titled(gettext_lazy("day"))))
    list_select_related = ("company", "order", "actor")
    search_fields = ("company__name", "=order__invoice_code", "note")
    search_help_text = gettext_lazy("Company, invoice code or note")
    ordering = ("-id",)

    def get_queryset(self, request: HttpRequest) -> QuerySet:
        """Return the entries, each with what its company had in the wallet after it."""
        until = WalletEntry.objects.filter(company=OuterRef("company"), pk__lte=OuterRef("pk"))
        balance = until.values("company").annotate(balance=Sum("amount")).values("balance")
        entries: QuerySet = super().get_queryset(request).annotate(balance=Subquery(balance))
        return entries

    def own_page(self, request: HttpRequest, obj: WalletEntry) -> HttpResponse:
        """Lead to the ledger of the entry's company: an entry has no page of its own."""
        return redirect(ledger_of(obj.company_id))

    def about_list(self, request: HttpRequest, listed: Any) -> Context:
        """Return what came in and went out by all that the list found."""
        sums = listed.queryset.aggregate(
            count=Count("pk"),
            came=Sum("amount", filter=Q(amount__gt=0), default=ZERO),
            went=Sum("amount", filter=Q(amount__lt=0), default=ZERO),
        )
        sums["sum"] = sums["came"] + sums["went"]
        words = {name: figure_text(usd(sums[name])) for name in ("came", "went", "sum")}
        return {"sums": {**sums, **words}}

    def export_rows(self, request: HttpRequest, queryset: Any) -> Iterator[tuple[Cell, ...]]:
        """Yield the headings, and each entry."""
        yield (
            _("When"),
            _("Customer"),
            _("Kind"),
            _("Order"),
            _("Note"),
            _("Amount $"),
            _("Balance $"),
            _("Who"),
        )
        for entry in queryset.iterator(chunk_size=2000):
            yield (
                moment_text(entry.at),
                entry.company.name,
                entry.get_kind_display(),
                entry.order.invoice_code if entry.order else "",
                read(entry.note),
                entry.amount,
                entry.balance,
                who(entry.actor),
            )

    @admin.display(
        description=gettext_lazy("Customer and kind"), ordering=bare_name("company__name")
    )
    def company_ledger(self, entry: WalletEntry) -> str:
        page = ledger_of(entry.company_id)
        name = format_html('<a class="strong" href="{}">{}</a>', page, entry.company)
        return two_lines(name, entry.get_kind_display())

    @admin.display(description=gettext_lazy("Amount $"), ordering="amount")
    def sum(self, entry: WalletEntry) -> str:
        tone = "came" if entry.amount > 0 else ""
        return format_html('<b class="{}">{}</b>', tone, signed(entry.amount))

    sum.is_figure = True  # type: ignore[attr-defined]
    who = by("actor", gettext_lazy("Who"))
    wallet_then = figure("balance", gettext_lazy("Balance $"), ordering=None)

    @admin.display(description=gettext_lazy("When"), ordering="at")
    def when(self, entry: WalletEntry) -> str:
        return format_html('<span class="keep">{}</span>', short_moment(entry.at))

    @admin.display(description=gettext_lazy("Reason"))
    def reason(self, entry: WalletEntry) -> str:
        return format_html('<span class="hint">{}</span>', read(entry.note)) if entry.note else ""

    @admin.display(description=gettext_lazy("Order"))
    def order_code(self, entry: WalletEntry) -> str:
        return link_to(entry.order) if entry.order else ""
