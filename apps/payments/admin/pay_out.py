"""Sending credit of a wallet back by bank: first how much, then what will happen, then the deed."""

from decimal import Decimal

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone

from apps.accounts.models import Company
from apps.common.staff import run_action, staff_of, staff_page
from apps.payments.admin.access import TO_SEND, typed
from apps.payments.admin.forms import PayOutForm, show_now
from apps.payments.admin.trace import ledger_of
from apps.payments.selectors import wallet_balance
from apps.payments.services.pay_out import pay_out_figures, pay_out_wallet


def pay_out(request: HttpRequest, company_id: int) -> HttpResponse:
    """Ask how much of a credit goes back (GET), show what that does, and take it out of the
    wallet (POST).
    """
    company = get_object_or_404(Company, pk=company_id)
    balance = wallet_balance(company_id=company_id)
    if not balance and request.method != "POST":
        messages.warning(request, f"There is nothing in the wallet of {company} to send back.")
        return HttpResponseRedirect(ledger_of(company_id))
    form = PayOutForm(_asked_for(request, balance), initial={"amount": balance})
    if request.method == "POST" and form.is_valid():
        if _pay_out(request, company, form):
            return HttpResponseRedirect(ledger_of(company_id))
        balance = wallet_balance(company_id=company_id)
        show_now(form, seen=balance)
    is_shown = form.is_bound and form.is_valid()
    if is_shown and form.cleaned_data["amount"] > balance:
        form.add_error("amount", f"At most {balance:,.2f}.")
        is_shown = False
    return _pay_out_page(request, company, form, balance, is_shown=is_shown)


def _pay_out(request: HttpRequest, company: Company, form: PayOutForm) -> bool:
    actor = staff_of(request)

    def service() -> object:
        return pay_out_wallet(
            company_id=company.pk, actor=actor, now=timezone.now(), **form.cleaned_data
        )

    amount, seen = form.cleaned_data["amount"], form.cleaned_data["seen"]
    done = (
        f"{amount:,.2f} of the wallet to be sent back by bank: {seen:,.2f} → {seen - amount:,.2f}"
    )
    # Whoever may not see money sees the customer's history.
    return run_action(request, company, done, service, form=form, of_made=True)


def _pay_out_page(
    request: HttpRequest,
    company: Company,
    form: PayOutForm,
    balance: Decimal,
    *,
    is_shown: bool,
) -> HttpResponse:
    amount = form.cleaned_data["amount"] if is_shown else balance
    return staff_page(
        request,
        "staff/refund.html",
        title=f"Send credit of {company} back",
        subtitle=f"{balance:,.2f} USD in the wallet",
        trail=[
            ("Wallets", reverse("admin:payments_walletentry_changelist")),
            (company.name, ledger_of(company.pk)),
        ],
        here="Send back by bank",
        form=form,
        asked="why",
        limit=balance,
        most="what is in the wallet.",
        is_shown=is_shown,
        deed=f"Send {amount:,.2f} back by bank",
        effects=_effects(company, amount) if is_shown else (),
        back=ledger_of(company.pk),
        bar=is_shown,
    )


def _asked_for(request: HttpRequest, balance: Decimal) -> dict[str, str] | None:
    """Return what was typed; nothing before it was. What is only shown is shown by the balance of
    now.
    """
    data = typed(request, "amount")
    return data if data is None or request.method == "POST" else {**data, "seen": str(balance)}


def _effects(company: Company, amount: Decimal) -> list[tuple[str, str, str]]:
    """Return what will happen: what, how it is now, how it will be."""
    figures = pay_out_figures(company_id=company.pk, amount=amount)
    return [
        ("Wallet of the company", f"{figures.wallet[0]:,.2f}", f"{figures.wallet[1]:,.2f}"),
        ("At the bank", "", TO_SEND),
        ("Mail", "", ", ".join(figures.told) or "nobody of this company can get one"),
        ("Statement of account", "", "owed to the customer until it is sent"),
        ("Ledger", "", "1 entry, you, now"),
    ]
