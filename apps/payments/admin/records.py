"""The wallet's ledger: every entry, read-only, and each company's with its balance and its
corrections.
"""

from collections.abc import Iterator
from decimal import Decimal
from itertools import accumulate
from typing import Any

from django.contrib import admin
from django.db.models import Count, OuterRef, Q, QuerySet, Subquery, Sum
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import URLPattern, reverse
from django.utils import timezone
from django.utils.html import format_html

from apps.accounts.models import Company
from apps.common.money import ZERO, usd
from apps.common.staff import has_any_perm, run_action, staff_of
from apps.common.staff_export import export_list
from apps.common.staff_lists import PhoneRow, figure, short_moment, shown, signed, titled
from apps.common.tables.download import Cell
from apps.payments.admin.access import CHANGE
from apps.payments.admin.balances import VIEW, BalancePages, CustomerFilter
from apps.payments.admin.forms import CorrectionForm, show_now
from apps.payments.admin.pay_out import PayOutPages
from apps.payments.admin.trace import ledger_of
from apps.payments.models import Payment, WalletEntry
from apps.payments.selectors import wallet_balance
from apps.payments.services.corrections import correct_wallet

CORRECT = "payments.add_walletentry"


@admin.register(WalletEntry)
class WalletEntryAdmin(PayOutPages, BalancePages):
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
            context["figures"] = self.figures()
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
                self.who(entry),
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
        return entry.actor.manager if entry.actor else "the portal"

    def get_urls(self) -> list[URLPattern]:
        return [
            self.address("export.<str:kind>", self.export, name="export", permission=VIEW),
            self.address("company/<int:company_id>/", self.ledger, name="company", permission=VIEW),
            self.address(
                "company/<int:company_id>/correct/",
                self.correct,
                name="correct",
                permission=CORRECT,
            ),
            *self.balance_urls(),
            *self.pay_out_urls(),
            *super().get_urls(),
        ]

    def ledger(self, request: HttpRequest, company_id: int) -> HttpResponse:
        """Show a company's entries with the balance after each, and the order and payment that each
        belongs to.
        """
        company = get_object_or_404(Company, pk=company_id)
        entries = list(WalletEntry.objects.filter(company=company).select_related("order", "actor"))
        uses = _uses(company_id)
        balances = list(accumulate(entry.amount for entry in entries))
        rows = [
            {
                "entry": entry,
                "balance": balance,
                "who": self.who(entry),
                "payment": _payment_of(entry, uses),
            }
            for entry, balance in zip(entries, balances, strict=True)
        ]
        return self.page(
            request,
            "staff/ledger.html",
            title=f"Wallet of {company}",
            subtitle=f"{balances[-1] if balances else ZERO:,.2f} USD",
            trail=[("Wallets", reverse("admin:payments_walletentry_changelist"))],
            here=company.name,
            company=company,
            figures=_figures([entry.amount for entry in entries]),
            rows=list(reversed(rows)),
            may_pay_out=bool(balances) and balances[-1] > ZERO and has_any_perm(request, CHANGE),
            may_correct=has_any_perm(request, CORRECT),
        )

    def correct(self, request: HttpRequest, company_id: int) -> HttpResponse:
        """Add a correction with its reason: a new row, nothing is edited."""
        company = get_object_or_404(Company, pk=company_id)
        balance = wallet_balance(company_id=company_id)
        form = CorrectionForm(request.POST or None, initial={"seen": balance})
        actor = staff_of(request)
        if request.method == "POST" and form.is_valid():

            def service() -> object:
                return correct_wallet(
                    company_id=company_id, actor=actor, now=timezone.now(), **form.cleaned_data
                )

            if run_action(
                request,
                company,
                f"Wallet corrected by {form.cleaned_data['amount']:+,.2f}",
                service,
                form=form,
            ):
                return HttpResponseRedirect(ledger_of(company_id))
            show_now(form, seen=wallet_balance(company_id=company_id))
        return self.page(
            request,
            "staff/form.html",
            title=f"Correct the wallet of {company}",
            subtitle=f"{wallet_balance(company_id=company_id):,.2f} USD now",
            trail=[
                ("Wallets", reverse("admin:payments_walletentry_changelist")),
                (company.name, ledger_of(company_id)),
            ],
            here="Correct",
            form=form,
            verb="Add the correction",
            figure="id_amount",
            lead="A new row of the ledger; it is never edited or taken away.",
            back=ledger_of(company_id),
        )


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


def _figures(amounts: list[Decimal]) -> list[dict[str, str]]:
    """Return what is in a wallet, what came in and what was used; together they agree."""
    came = sum((amount for amount in amounts if amount > 0), ZERO)
    used = sum((amount for amount in amounts if amount < 0), ZERO)
    return [
        {
            "label": "In the wallet",
            "value": shown(came + used),
            "hint": f"{shown(len(amounts))} entries, USD",
        },
        {"label": "Came in", "value": shown(came)},
        {"label": "Went out", "value": shown(used)},
    ]


def _uses(company_id: int) -> dict[tuple[int | None, Decimal], int]:
    """Return the payments that spent credit, by order and amount."""
    spent = Payment.objects.filter(company_id=company_id, method=Payment.Method.WALLET)
    return {
        (order_id, amount): pk
        for order_id, amount, pk in spent.values_list("order_id", "amount", "pk")
    }


def _payment_of(entry: WalletEntry, uses: dict[tuple[int | None, Decimal], int]) -> Any:
    return uses.get((entry.order_id, -entry.amount)) if entry.kind == WalletEntry.Kind.USE else None
