"""What is in the wallets: the figures above the list of entries, and the page of each customer's
balance.
"""

from datetime import datetime
from typing import Any, cast

from django.contrib import admin
from django.db.models import Count, F, Max, Q, QuerySet, Sum
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone

from apps.accounts.models import Company
from apps.common.days import midnight
from apps.common.ids import id_in
from apps.common.money import ZERO, usd
from apps.common.staff import staff_page
from apps.common.staff_lists import shown
from apps.payments.admin.trace import ledger_of
from apps.payments.models import WalletEntry

A_PAGE = 200
CUSTOMERS, NEWEST = 8, 500  # how many customers the filter offers, of how many entries
AGREES = "Agrees with payments"


class CustomerFilter(admin.SimpleListFilter):
    """The customers of the newest entries; the search and the balances lead to the others."""

    title = "customer"
    parameter_name = "customer"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Return the customers to choose from, with the one that is chosen. Two statements."""
        newest = WalletEntry.objects.order_by("-id").values_list("company_id", flat=True)[:NEWEST]
        ids = [*dict.fromkeys(newest)][:CUSTOMERS]
        if (chosen := self._chosen()) and chosen not in ids:
            ids.append(chosen)
        return [
            (str(pk), name)
            for pk, name in Company.objects.filter(pk__in=ids).values_list("pk", "name")
        ]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Return the entries of the customer."""
        return queryset.filter(company_id=chosen) if (chosen := self._chosen()) else queryset

    def _chosen(self) -> int | None:
        return id_in(self.value() or "")


def with_credit() -> QuerySet[Any, Any]:
    """Return the companies that have credit, the largest first, each with its entries and the last
    of them.
    """
    found = Company.objects.filter(wallet_entries__isnull=False).values("pk", "name")
    found = found.annotate(
        balance=Sum("wallet_entries__amount"),
        entries=Count("wallet_entries"),
        last=Max("wallet_entries__at"),
    )
    return found.exclude(balance=0).order_by("-balance", "name")


def wallet_figures(*, now: datetime) -> list[dict[str, str]]:
    """Return what is in all wallets, and what came in and went out this month, in US dollars. Two
    statements.
    """
    balances = with_credit().order_by().aggregate(sum=Sum("balance"), count=Count("pk"))
    first = timezone.localdate(now).replace(day=1)
    came, went = Q(amount__gt=0), Q(amount__lt=0)
    month = WalletEntry.objects.filter(at__gte=midnight(first)).aggregate(
        came=Sum("amount", filter=came, default=ZERO),
        came_count=Count("pk", filter=came),
        went=Sum("amount", filter=went, default=ZERO),
        went_count=Count("pk", filter=went),
    )
    customers, name = balances["count"], f"{first:%B}"
    return [
        {
            "label": "In all wallets",
            "value": shown(usd(balances["sum"] or ZERO)),
            "hint": f"{shown(customers)} customer{'' if customers == 1 else 's'}, USD",
        },
        {
            "label": f"Into wallets, {name}",
            "value": shown(usd(month["came"])),
            "hint": _entries(month["came_count"]),
        },
        {
            "label": f"Out of wallets, {name}",
            "value": shown(usd(month["went"])),
            "hint": _entries(month["went_count"]),
        },
    ]


def audit_figure(checked_at: datetime | None, failure: str, *, now: datetime) -> dict[str, str]:
    """Return what the daily audit found of ledger, payments and orders together."""
    if failure:
        return {
            "label": AGREES,
            "value": "Look",
            "tone": "late",
            "hint": "the daily check found a fault",
        }
    if checked_at is None:
        return {"label": AGREES, "value": "–", "hint": "not checked yet"}
    moment = timezone.localtime(checked_at)
    shown_as = (
        f"{moment:%H:%M}" if moment.date() == timezone.localdate(now) else f"{moment:%m-%d %H:%M}"
    )
    return {"label": AGREES, "value": "Yes", "hint": f"checked {shown_as}"}


def _entries(count: int) -> str:
    return f"{shown(count)} {'entry' if count == 1 else 'entries'}"


def figures() -> list[dict[str, str]]:
    """Return the figures above entries and balances. Three statements."""
    now = timezone.now()
    checked_at, failure = cast(Any, admin.site).last_audit()
    return [*wallet_figures(now=now), audit_figure(checked_at, failure, now=now)]


def balances(request: HttpRequest) -> HttpResponse:
    """Show the customers that have credit, the largest first; a name finds among them."""
    term = request.GET.get("q", "").strip()[:120]
    found = with_credit().filter(name__icontains=term) if term else with_credit()
    rows = [{**row, "url": ledger_of(row["pk"])} for row in found[:A_PAGE]]
    sums = found.order_by().aggregate(sum=Sum(F("balance")), count=Count("pk"))
    return staff_page(
        request,
        "staff/balances.html",
        title="Wallets",
        subtitle="Balances",
        trail=[("Wallets", reverse("admin:payments_walletentry_changelist"))],
        here="Balances",
        figures=figures(),
        rows=rows,
        searched=term,
        sum=usd(sums["sum"] or ZERO),
        count=sums["count"],
    )
