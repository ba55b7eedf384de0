"""A company's wallet: its entries with the balance after each, and its corrections."""

from decimal import Decimal
from itertools import accumulate
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone

from apps.accounts.models import Company
from apps.common.money import ZERO
from apps.common.staff import has_any_perm, run_action, staff_of, staff_page
from apps.common.staff_lists import shown
from apps.payments.admin.access import CHANGE, CORRECT
from apps.payments.admin.forms import CorrectionForm, show_now
from apps.payments.admin.trace import ledger_of
from apps.payments.models import Payment, WalletEntry
from apps.payments.selectors import wallet_balance
from apps.payments.services.corrections import correct_wallet


def who(entry: WalletEntry) -> str:
    """Return who wrote an entry."""
    return entry.actor.manager if entry.actor else "the portal"


def ledger(request: HttpRequest, company_id: int) -> HttpResponse:
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
            "who": who(entry),
            "payment": _payment_of(entry, uses),
        }
        for entry, balance in zip(entries, balances, strict=True)
    ]
    return staff_page(
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


def correct(request: HttpRequest, company_id: int) -> HttpResponse:
    """Add a correction with its reason: a new row, nothing is edited."""
    company = get_object_or_404(Company, pk=company_id)
    balance = wallet_balance(company_id=company_id)
    form = CorrectionForm(request.POST or None, initial={"seen": balance})
    actor = staff_of(request)
    if request.method == "POST" and form.is_valid():
        seen, amount = form.cleaned_data["seen"], form.cleaned_data["amount"]
        done = f"Wallet corrected by {amount:+,.2f}: {seen:,.2f} → {seen + amount:,.2f}"

        def service() -> object:
            return correct_wallet(
                company_id=company_id, actor=actor, now=timezone.now(), **form.cleaned_data
            )

        # Whoever may not see money sees the customer's history.
        if run_action(request, company, done, service, form=form, of_made=True):
            return HttpResponseRedirect(ledger_of(company_id))
        show_now(form, seen=wallet_balance(company_id=company_id))
    return staff_page(
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
