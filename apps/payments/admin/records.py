"""The wallets' entries as a list, read-only."""

from collections.abc import Iterator
from typing import Any

from django.contrib import admin
from django.db.models import Count, OuterRef, Q, QuerySet, Subquery, Sum
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, reverse
from django.utils import timezone
from django.utils.html import format_html

from apps.common.money import ZERO, usd
from apps.common.staff import RecordAdmin
from apps.common.staff_export import export_list
from apps.common.staff_lists import PhoneRow, figure, short_moment, shown, signed, titled
from apps.common.tables.download import Cell
from apps.payments.admin.access import VIEW
from apps.payments.admin.balances import CustomerFilter, figures
from apps.payments.admin.ledger import who
from apps.payments.admin.trace import ledger_of
from apps.payments.models import WalletEntry


@admin.register(WalletEntry)
class WalletEntryAdmin(RecordAdmin):
    """The companies' ledger, newest first."""

    list_title = "Wallets"
    is_exported = True
    words = ("entry", "entries")
    list_display = ("company_ledger", "when", "order_code", "reason", "sum", "wallet_then", "who")
    phone_row = PhoneRow(right="sum", next="wallet_then", third="when", labelled=("wallet_then",))
    list_filter = ("kind", ("at", titled("day")), CustomerFilter)
    list_select_related = ("company", "order", "actor")
    search_fields = ("company__name", "=order__invoice_code", "note")
    search_help_text = "Company, invoice code or note"
    ordering = ("-id",)

    def get_queryset(self, request: HttpRequest) -> QuerySet:
        """Return the entries, each with what its company had in the wallet after it."""
        until = WalletEntry.objects.filter(
            company=OuterRef("company"), pk__lte=OuterRef("pk")
        ).order_by()
        balance = until.values("company").annotate(balance=Sum("amount")).values("balance")
        entries: QuerySet = super().get_queryset(request).annotate(balance=Subquery(balance))
        return entries

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> Any:
        """Show the list below the figures of all wallets, and what came in and went out by all that
        it found.
        """
        answer = super().changelist_view(request, extra_context)
        context = getattr(answer, "context_data", None)
        if context and "cl" in context:
            context["sums"] = _sums(context["cl"].queryset)
            context["figures"] = figures()
        return answer

    def export(self, request: HttpRequest, kind: str) -> HttpResponse:
        """Send every entry that the list's filters and search find."""
        return export_list(self, request, self._rows, name="Wallets", kind=kind)

    def _rows(self, entries: QuerySet[Any]) -> Iterator[tuple[Cell, ...]]:
        yield ("When", "Customer", "Kind", "Order", "Note", "Amount $", "Wallet then $", "Who")
        for entry in entries.iterator(chunk_size=2000):
            yield (
                f"{timezone.localtime(entry.at):%Y-%m-%d %H:%M}",
                entry.company.name,
                entry.get_kind_display(),
                entry.order.invoice_code if entry.order else "",
                entry.note,
                entry.amount,
                entry.balance,
                who(entry),
            )

    @admin.display(description="Customer and kind", ordering="company__name")
    def company_ledger(self, entry: WalletEntry) -> str:
        return format_html(
            '<a class="strong" href="{}">{}</a><span class="second">{}</span>',
            ledger_of(entry.company_id),
            entry.company,
            entry.get_kind_display(),
        )

    @admin.display(description="Amount $", ordering="amount")
    def sum(self, entry: WalletEntry) -> str:
        return format_html(
            '<b class="{}">{}</b>', "came" if entry.amount > 0 else "", signed(entry.amount)
        )

    sum.is_figure = True  # type: ignore[attr-defined]
    wallet_then = figure("balance", "Wallet then $", ordering=None)

    @admin.display(description="When", ordering="at")
    def when(self, entry: WalletEntry) -> str:
        return format_html('<span class="keep">{}</span>', short_moment(entry.at))

    @admin.display(description="Reason")
    def reason(self, entry: WalletEntry) -> str:
        return format_html('<span class="hint">{}</span>', entry.note) if entry.note else ""

    @admin.display(description="Order")
    def order_code(self, entry: WalletEntry) -> str:
        if entry.order is None:
            return ""
        url = reverse("admin:orders_order_change", args=[entry.order_id])
        return format_html('<a href="{}">{}</a>', url, entry.order.invoice_code)

    @admin.display(description="Who")
    def who(self, entry: WalletEntry) -> str:
        return who(entry)

    def get_urls(self) -> list[URLPattern]:
        return [
            self.address("export.<str:kind>", self.export, name="export", permission=VIEW),
            *super().get_urls(),
        ]


def _sums(entries: QuerySet[WalletEntry]) -> dict[str, Any]:
    """Return how many entries there are, and what came in and went out by them, in US dollars. One
    statement.
    """
    found = entries.order_by().aggregate(
        count=Count("pk"),
        came=Sum("amount", filter=Q(amount__gt=0), default=ZERO),
        went=Sum("amount", filter=Q(amount__lt=0), default=ZERO),
    )
    words = {name: shown(usd(found[name])) for name in ("came", "went")}
    return {**words, "count": found["count"], "sum": shown(usd(found["came"] + found["went"]))}
