"""The wallets: what is in them, each customer's balance and ledger, corrections, and credit sent
back by bank.
"""

from decimal import Decimal
from functools import partial
from itertools import accumulate

from django.contrib import messages
from django.db.models import Count, F, Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _, ngettext, pgettext

from apps.accounts.models import Company
from apps.common.money import ZERO, usd
from apps.common.names import name_condition
from apps.common.staff import Context, decide, has_any_perm, run_action, show_now, staff_page
from apps.common.staff_lists import figure_text, who
from apps.common.texts import Text, phrase, read
from apps.payments.admin.forms import (
    AT_WALLETS,
    CHANGE,
    CORRECT,
    CorrectionForm,
    PayOutForm,
    to_send,
)
from apps.payments.admin.refund import refund_amount, refund_data, refund_page
from apps.payments.admin.trace import ledger_of
from apps.payments.models import Payment, WalletEntry
from apps.payments.selectors import people_told_of_money, wallet_balance, with_credit
from apps.payments.services.wallet import correct_wallet, pay_out_wallet

A_PAGE = 200


def balances(request: HttpRequest) -> HttpResponse:
    """Show the customers that have credit, the largest first; a name finds among them."""
    term = request.GET.get("q", "").strip()[:120]
    companies = with_credit().filter(name_condition(term, "name")) if term else with_credit()
    sums = companies.aggregate(sum=Sum(F("balance")), count=Count("pk"))
    return staff_page(
        request,
        "staff/balances.html",
        title=_("Wallets"),
        subtitle=_("Balances"),
        trail=[AT_WALLETS],
        here=_("Balances"),
        rows=[{**row, "url": ledger_of(row["pk"])} for row in companies[:A_PAGE]],
        searched=term,
        sum=usd(sums["sum"] or ZERO),
        count=sums["count"],
    )


def company(request: HttpRequest, company_id: int) -> HttpResponse:
    """Show a company's entries with the balance after each, and the order and payment that each
    belongs to.
    """
    company = get_object_or_404(Company, pk=company_id)
    entries = list(WalletEntry.objects.filter(company=company).select_related("order", "actor"))
    spent = Payment.objects.filter(company_id=company_id, method=Payment.Method.WALLET)
    uses: dict[tuple[int | None, Decimal], int] = {
        (order_id, -amount): pk
        for order_id, amount, pk in spent.values_list("order_id", "amount", "pk")
    }
    amounts = [entry.amount for entry in entries]
    balances = list(accumulate(amounts, initial=ZERO))
    rows = [
        {
            "entry": entry,
            "balance": balance,
            "who": who(entry.actor),
            "note": read(entry.note),
            "payment": entry.kind == WalletEntry.Kind.USE
            and uses.get((entry.order_id, entry.amount)),
        }
        for entry, balance in zip(entries, balances[1:], strict=True)
    ]
    came, went = (sum(filter(sign, amounts), ZERO) for sign in (ZERO.__lt__, ZERO.__gt__))
    return staff_page(
        request,
        "staff/ledger.html",
        title=phrase("Wallet of %(company)s", company=company),
        subtitle=f"{balances[-1]:,.2f} USD",
        trail=[AT_WALLETS],
        here=company.name,
        company=company,
        figures=[
            {
                "label": _("In the wallet"),
                "value": figure_text(balances[-1]),
                "hint": ngettext("%(count)s entry", "%(count)s entries", len(entries))
                % {"count": figure_text(len(entries))}
                + ", USD",
            },
            {"label": _("Came in"), "value": figure_text(came)},
            {"label": _("Went out"), "value": figure_text(went)},
        ],
        rows=rows[::-1],
        may_pay_out=balances[-1] > ZERO and has_any_perm(request, CHANGE),
        may_correct=has_any_perm(request, CORRECT),
    )


def correct(request: HttpRequest, company_id: int) -> HttpResponse:
    """Add a correction with its reason: a new row, nothing is edited."""
    company = get_object_or_404(Company, pk=company_id)
    balance = partial(wallet_balance, company_id=company_id)
    form = CorrectionForm(request.POST or None, initial={"seen": balance()})

    def history(_made: object) -> Text:
        amount, before = form.cleaned_data["amount"], form.cleaned_data["seen"]
        return Text(
            "Wallet corrected by %(amount)s: %(before)s → %(after)s",
            amount=f"{amount:+,.2f}",
            before=before,
            after=before + amount,
        )

    return decide(
        request,
        company,
        form,
        history,
        correct_wallet,
        company_id=company_id,
        then=ledger_of(company_id),
        page=lambda: {
            **_frame(company, _("Correct")),
            "title": phrase("Correct the wallet of %(company)s", company=company),
            "verb": _("Add the correction"),
            "figure": "id_amount",
            "lead": _("A new row of the ledger; it is never edited or deleted."),
            "effects_title": _("The wallet"),
            "effects": [(pgettext("wallet", "Balance"), balance())],
            "seen": {"seen": balance()},
        },
        of_made=True,  # whoever may not see money sees the customer's history
    )


def pay_out(request: HttpRequest, company_id: int) -> HttpResponse:
    """Ask how much of a credit goes back (GET), show what that does, and take it out of the
    wallet (POST).
    """
    company = get_object_or_404(Company, pk=company_id)
    balance = wallet_balance(company_id=company_id)
    if not balance and request.method != "POST":
        messages.warning(
            request,
            phrase("There is nothing in the wallet of %(company)s to send back.", company=company),
        )
        return redirect(ledger_of(company_id))
    form = PayOutForm(refund_data(request, balance), initial={"amount": balance})
    if request.method == "POST" and form.is_valid():
        fields = form.cleaned_data
        amount, before = fields["amount"], fields["seen"]
        history = Text(
            "%(amount)s of the wallet to be sent back by bank: %(before)s → %(after)s",
            amount=amount,
            before=before,
            after=before - amount,
        )
        # Whoever may not see money sees the customer's history.
        if run_action(
            request,
            company,
            history,
            pay_out_wallet,
            form=form,
            of_made=True,
            company_id=company_id,
            **fields,
        ):
            return redirect(ledger_of(company_id))
        balance = wallet_balance(company_id=company_id)
        show_now(form, seen=balance)
    amount = refund_amount(form, balance)
    people = people_told_of_money(company_id=company_id) if amount else []
    return refund_page(
        request,
        form,
        balance,
        **_frame(company, _("Send back by bank")),
        title=phrase("Send credit of %(company)s back", company=company),
        much=_("How much, and why"),
        most=phrase("At most %(limit)s: what is in the wallet.", limit=balance),
        deed=phrase("Send %(amount)s back by bank", amount=amount or ZERO),
        effects=None
        if amount is None
        else [
            (_("Wallet of the company"), balance, balance - amount),
            (_("At the bank"), to_send()),
            (_("Mail"), ", ".join(people) or _("nobody of this company can get one")),
            (_("Statement of account"), _("owed to the customer until it is sent")),
        ],
    )


def _frame(company: Company, here: str) -> Context:
    return {
        "subtitle": phrase(
            "%(amount)s USD in the wallet", amount=wallet_balance(company_id=company.pk)
        ),
        "trail": [AT_WALLETS, (company.name, ledger_of(company.pk))],
        "here": here,
    }
