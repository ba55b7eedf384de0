"""Bank statements on the desk: compared with what is due, booked by ticks or opened one by one."""

import time
from collections.abc import Sequence
from contextlib import suppress
from decimal import InvalidOperation
from typing import Any

from django import forms
from django.contrib import messages
from django.db.models import Q
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from apps.common.db.transactions import one_transaction
from apps.common.errors import PortalError
from apps.common.ids import id_in
from apps.common.money import ZERO, read_usd
from apps.common.names import name_condition
from apps.common.staff import (
    Context,
    decide,
    log_action,
    refusal_text,
    run_action,
    staff_of,
    staff_page,
)
from apps.common.staff_lists import moment_text
from apps.common.texts import Text, phrase
from apps.orders.models import Order
from apps.payments.admin.forms import AT_DESK, DESK, STATEMENTS, ReasonForm
from apps.payments.admin.wires import split_parts, split_rows, surplus_question
from apps.payments.bank.matching import Book, Claim, open_claims, proposal_for
from apps.payments.bank.rows import StatementCredits, credit_row, wire_parts
from apps.payments.bank.statements import (
    book_credit,
    credit_to_wallet,
    join_credit,
    keep_credit,
    part_credit,
    put_away,
    send_back_credit,
)
from apps.payments.models import BankCredit, BankStatement
from apps.payments.selectors import wallet_balance
from apps.payments.services.receive import WirePart
from apps.payments.services.wire import is_settled

HITS = 8
# A page is not waited for any longer; what is left is booked by the next press.
BOOKING_SECONDS = 20


def statement(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a statement: all its credits counted, a page of them shown."""
    statement = get_object_or_404(BankStatement.objects.select_related("imported_by"), pk=pk)
    credits = StatementCredits(statement, Book(open_claims()), request.GET)
    who = statement.imported_by.manager
    kind, at = statement.get_kind_display(), moment_text(statement.imported_at)
    return staff_page(
        request,
        "staff/statement.html",
        title=phrase("Statement %(name)s", name=statement),
        subtitle=phrase("%(kind)s, imported %(at)s by %(who)s", kind=kind, at=at, who=who),
        trail=[AT_DESK, (_("Statements"), STATEMENTS)],
        statement=statement,
        credits=credits,
        rows=credits.rows(),
        summary=credits.summary,
        figures=credits.figures(),
        ready=credits.ready(),
        whole=True,
    )


@require_POST
def statement_book(request: HttpRequest, pk: int) -> HttpResponse:
    """Book the ticked credits, each in a transaction of its own, and report each refusal."""
    statement = get_object_or_404(BankStatement, pk=pk)
    ticked = request.POST.getlist("book")
    if ticked:
        _book_all(request, statement, ticked)
    else:
        messages.warning(request, _("Nothing is ticked."))
    if request.POST.get("from") == "desk":
        return redirect(DESK)
    return redirect("admin:payments_payment_statement", pk)


def _book_all(request: HttpRequest, statement: BankStatement, ticked: list[str]) -> None:
    credits = statement.credits.in_bulk(id_in(one.partition("=")[0]) or 0 for one in ticked)
    count, total, skipped, failed = 0, ZERO, [], []
    remaining, until = ticked[::-1], time.monotonic() + BOOKING_SECONDS
    while remaining and time.monotonic() <= until:
        number, _sign, token = remaining.pop().partition("=")
        credit = credits.get(id_in(number) or 0)
        if credit is None:
            failed.append(phrase("%(number)s: it is not in this statement.", number=number))
        elif credit.is_settled:
            text = phrase("%(credit)s: booked before.", credit=credit)
            if credit.sent_back_at:
                text = phrase("%(credit)s: sent back before.", credit=credit)
            skipped.append(text)
        elif refusal := _book(request, credit, token):
            failed.append(f"{credit}: {refusal}")
        else:
            count, total = count + 1, total + credit.amount
    refusals = [*skipped, *failed]
    text = phrase(
        "%(done)s booked, %(sum)s USD; %(skipped)s skipped, %(failed)s failed.",
        done=count,
        sum=total,
        skipped=len(skipped),
        failed=len(failed),
    )
    messages.add_message(request, messages.WARNING if refusals else messages.SUCCESS, text)
    if remaining:
        messages.warning(
            request,
            phrase("%(count)s are not booked yet: tick them, press again.", count=len(remaining)),
        )
    for refusal in refusals:
        messages.error(request, refusal)


def _book(request: HttpRequest, credit: BankCredit, choice: str | Sequence[WirePart]) -> str:
    """Book a credit over its parts, or as its row proposed it; return why it was refused, if it
    was.
    """

    @one_transaction
    def book() -> None:
        parts = wire_parts(choice) if isinstance(choice, str) else choice
        for payment in book_credit(
            credit_id=credit.pk, parts=parts, actor=staff_of(request), now=timezone.now()
        ):
            assert payment.order is not None
            text = Text("Wire of %(amount)s booked from a bank statement", amount=payment.received)
            log_action(request, payment.order, text)

    try:
        book()
    except (ValueError, InvalidOperation):
        return _("its proposal cannot be read.")
    except PortalError as error:
        return refusal_text(error)
    return ""


@require_POST
def statement_away(request: HttpRequest, pk: int) -> HttpResponse:
    """Take a statement off the desk."""
    statement = get_object_or_404(BankStatement, pk=pk)
    put_away(statement_id=pk, actor=staff_of(request), now=timezone.now())
    log_action(request, statement, Text("Put away"))
    messages.success(
        request,
        phrase(
            "%(statement)s: put away. Import the file again to bring it back.", statement=statement
        ),
    )
    return redirect(DESK)


def credit(request: HttpRequest, pk: int) -> HttpResponse:
    """Open a credit and choose by hand: a proposal, another order, or a split over a company's
    orders.
    """
    credits = BankCredit.objects.select_related("booked_by", "sent_back_by", "transfer", "like")
    credit, question = get_object_or_404(credits, pk=pk), None
    choice = request.POST.get("parts", "")
    if request.method == "POST" and not credit.is_settled:
        parts, fault = _chosen_parts(request, choice)
        question = None if fault else surplus_question(request, parts)
        refusal = fault or ("" if question else _book(request, credit, parts))
        if refusal:
            messages.error(request, f"{credit}: {refusal}")
        elif question is None:
            messages.success(request, phrase("%(credit)s: booked.", credit=credit))
            return redirect(_statement_of(credit))
    row = credit_row(credit)
    is_open = credit.is_open
    term = _term(request) if is_open else ""
    proposals = {proposal.token: proposal for proposal in row.match.proposals}
    for claim in find_claims(term) if term else ():
        hit = proposal_for(claim, credit.amount, why=_("by hand"))
        proposals.setdefault(hit.token, hit)
    company = id_in(request.GET.get("company", ""))
    claims = [part.claim for proposal in proposals.values() for part in proposal.parts]
    return staff_page(
        request,
        "staff/credit.html",
        **_frame(credit),
        title=phrase(
            "%(money)s from %(payer)s",
            money=f"{credit.amount:,.2f} {credit.currency}",
            payer=credit.debtor or _("an unnamed payer"),
        ),
        here=_("Match"),
        credit=credit,
        row=row,
        is_open=is_open,
        searched=term,
        proposals=list(proposals.values()),
        split=split_rows(request, company) if is_open and company else (),
        companies={claim.company_id: claim.company for claim in claims},
        chosen=choice,
        question=question,
        bar=is_open and credit.like is None,
    )


def _chosen_parts(request: HttpRequest, choice: str) -> tuple[Any, str]:
    """Return what was chosen for a credit, and what is wrong with it."""
    try:
        return split_parts(request) if choice == "split" else (wire_parts(choice), "")
    except (ValueError, InvalidOperation):
        return [], _("choose an order first.")


def credit_back(request: HttpRequest, pk: int) -> HttpResponse:
    """Decide that a credit goes back to its sender, for a reason."""
    credit = get_object_or_404(BankCredit, pk=pk)
    amount = f"{credit.amount:,.2f} {credit.currency}"
    return decide(
        request,
        credit,
        ReasonForm(request.POST or None, _("Reason, for the list")),
        Text("To be sent back"),
        send_back_credit,
        credit_id=pk,
        then=_statement_of(credit),
        page=lambda: {
            **_page(credit, _("Send back")),
            "title": phrase("Send back %(amount)s?", amount=amount),
            "verb": phrase("Send %(amount)s back", amount=amount),
            "effects": [
                (_("Payment desk"), _("to send by bank, until you note that it is sent")),
                (_("Statements"), _("open in none, never booked")),
                (_("Can be undone"), _("until it is sent")),
            ],
        },
    )


def credit_wallet(request: HttpRequest, pk: int) -> HttpResponse:
    """Book a credit that names a paid order to the wallet of its company; what that does is
    shown before.
    """
    credit = get_object_or_404(BankCredit, pk=pk)
    row = credit_row(credit)
    order_id = row.settled.pk if row.settled else 0
    order = Order.objects.select_related("company", "user").filter(pk=order_id).first()
    if order is None or not is_settled(order):
        messages.warning(request, phrase("%(credit)s: it names no paid order.", credit=credit))
        return redirect("admin:payments_payment_credit", pk)
    amount, wallet = credit.amount, wallet_balance(company_id=order.company_id)
    return decide(
        request,
        order,
        forms.Form(request.POST if request.method == "POST" else None),
        Text("Wire of %(amount)s booked to the wallet", amount=amount),
        credit_to_wallet,
        credit_id=pk,
        order_id=order.pk,
        then=_statement_of(credit),
        page=lambda: {
            **_page(credit, _("To the wallet")),
            "title": phrase("%(amount)s to the wallet?", amount=amount),
            "subtitle": f"{order}, {order.company}",
            "lead": phrase(
                "%(order)s is paid: all of it becomes credit. A booking is never undone.",
                order=order,
            ),
            "verb": phrase("Book %(amount)s to the wallet", amount=amount),
            "tone": "danger",
            "effects": [
                (
                    phrase("Wallet of %(company)s", company=order.company),
                    wallet,
                    wallet + amount,
                ),
                (_("Mail"), phrase("to %(address)s", address=order.user.email)),
            ],
        },
    )


@require_POST
def credit_keep(request: HttpRequest, pk: int) -> HttpResponse:
    """Keep a credit that was to go back."""
    credit = get_object_or_404(BankCredit, pk=pk)
    run_action(request, credit, Text("Open again"), keep_credit, credit_id=pk)
    return redirect("admin:payments_payment_credit", pk)


@require_POST
def credit_like(request: HttpRequest, pk: int) -> HttpResponse:
    """Say whether a credit is the one of another file that it looks like."""
    credit = get_object_or_404(BankCredit.objects.select_related("like"), pk=pk)
    page, other = reverse("admin:payments_payment_credit", args=[pk]), credit.like
    if other is None:
        return redirect(page)
    is_same, then = request.POST.get("same") == "1", _statement_of(credit)
    obj, text, deed = (
        (other, Text("The same as a credit of another file"), join_credit)
        if is_same
        else (credit, Text("Another than a credit like it"), part_credit)
    )
    run_action(request, obj, text, deed, credit_id=pk)
    return redirect(then if is_same else page)


def claims(request: HttpRequest) -> HttpResponse:
    """Answer the orders with money due that begin with, belong to, or ask for what was typed."""
    term = _term(request)
    rows = [
        {"code": claim.invoice_code, "text": f"{claim.company}, {claim.words}"}
        for claim in (find_claims(term) if term else ())
    ]
    return JsonResponse({"results": rows})


def find_claims(term: str) -> list[Claim]:
    """Return at most eight claims by the order's code, the company's name, the depositor's, or the
    amount.
    """
    words = (
        Q(invoice_code__icontains=term)
        | name_condition(term, "company__name")
        | Q(payments__depositor__icontains=term)
    )
    ids = Order.objects.filter(words).values("pk")
    claims = open_claims(orders=Q(pk__in=ids))[:HITS]
    with suppress(ValueError):
        amount = read_usd(term.replace("$", ""))
        keys = {(claim.order_id, claim.kind) for claim in claims}
        equal = [claim for claim in open_claims() if claim.amount == amount]
        claims += [claim for claim in equal if (claim.order_id, claim.kind) not in keys]
    return claims[:HITS]


def _term(request: HttpRequest) -> str:
    return request.GET.get("q", "").strip().replace("\0", "")[:120]


def _statement_of(credit: BankCredit) -> str:
    """Return the address of the newest statement with a credit; the desk's where no file shows
    it.
    """
    newest = credit.statements.first()
    if newest is None:
        return str(DESK)
    return reverse("admin:payments_payment_statement", args=[newest.pk])


def _frame(credit: BankCredit) -> Context:
    payer = credit.debtor or _("an unnamed payer")
    return {
        "subtitle": f"{credit.value_date:%Y-%m-%d}, {payer}",
        "trail": [AT_DESK, (_("Statement"), _statement_of(credit))],
    }


def _page(credit: BankCredit, here: str) -> Context:
    """Return the frame of a decision about a credit."""
    frame, page = _frame(credit), reverse("admin:payments_payment_credit", args=[credit.pk])
    return {**frame, "trail": [*frame["trail"], (_("Match"), page)], "here": here}
