"""Bank statements on the desk: compared with what is asked for, booked by ticks or opened one by
one.
"""

import time
from collections.abc import Sequence
from decimal import Decimal, InvalidOperation

from django.contrib import messages
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone

from apps.common.db.transactions import one_transaction
from apps.common.errors import PortalError
from apps.common.money import ZERO
from apps.common.staff import log_action, refusal_text, run_action, staff_of, staff_page
from apps.common.tables.download import FORMATS, table_file
from apps.orders.models import Order
from apps.payments.admin.forms import FindForm, SendBackForm
from apps.payments.admin.second import Question, surplus_question
from apps.payments.admin.split import SplitRow, split_parts, split_rows
from apps.payments.admin.statement_import import moment
from apps.payments.bank.claims import open_claims
from apps.payments.bank.credits import StatementCredits
from apps.payments.bank.matching import Claim, proposal_for
from apps.payments.bank.rows import ProposalRow, credit_rows, wire_parts
from apps.payments.bank.statements import (
    USD,
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
OTHERS = 30
SPLIT = "split"
BOOKING_SECONDS = (
    20  # a page is not waited for any longer; what is left is booked by the next press
)
DESK = "admin:payments_payment_desk"


def statement(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a statement: all its credits counted, a page of them shown."""
    statement = get_object_or_404(BankStatement.objects.select_related("imported_by"), pk=pk)
    credits, who = StatementCredits(statement, request.GET), statement.imported_by.manager
    return staff_page(
        request,
        "staff/statement.html",
        title=f"Statement {statement}",
        subtitle=(
            f"{statement.get_kind_display()}, imported {moment(statement.imported_at)} by {who}"
        ),
        trail=[
            ("Payment desk", reverse(DESK)),
            ("Statements", reverse("admin:payments_payment_statements")),
        ],
        statement=statement,
        credits=credits,
        rows=credits.rows(),
        summary=credits.summary,
        figures=credits.figures(),
        ready=credits.ready(),
        whole=True,
        bar=True,
    )


def export_credits(request: HttpRequest, pk: int, kind: str) -> HttpResponse:
    """Answer a statement's credits, those of the tab and the words, as a
    spreadsheet or a CSV.
    """
    statement = get_object_or_404(BankStatement, pk=pk)
    if kind not in FORMATS:
        raise Http404
    credits = StatementCredits(statement, request.GET)
    return table_file(credits.all_rows(), name=f"statement-{pk}", format_=kind)


def book_ticked(request: HttpRequest, pk: int) -> HttpResponse:
    """Book the ticked credits, each in a transaction of its own, and report each refusal."""
    statement = get_object_or_404(BankStatement, pk=pk)
    if request.method == "POST":
        ticked = request.POST.getlist("book")
        _book_all(request, statement, ticked) if ticked else messages.warning(
            request, "Nothing is ticked."
        )
    if request.POST.get("from") == "desk":
        return HttpResponseRedirect(reverse(DESK))
    return HttpResponseRedirect(reverse("admin:payments_payment_statement", args=[pk]))


def _book_all(request: HttpRequest, statement: BankStatement, ticked: list[str]) -> None:
    shown = statement.credits.in_bulk(_number(choice.partition("=")[0]) for choice in ticked)
    done, total, skipped, failed = 0, ZERO, [], []
    left, until = list(reversed(ticked)), time.monotonic() + BOOKING_SECONDS
    while left and time.monotonic() <= until:
        number, _, token = left.pop().partition("=")
        credit = shown.get(_number(number))
        if credit is None:
            failed.append(f"{number}: it is not in this statement.")
        elif credit.is_settled:
            skipped.append(f"{credit}: {'booked' if credit.booked_at else 'sent back'} before.")
        elif refusal := _book_one(request, credit, token):
            failed.append(f"{credit}: {refusal}")
        else:
            done, total = done + 1, total + credit.amount
    text = f"{done} booked, {total:,.2f} USD; {len(skipped)} skipped, {len(failed)} failed."
    _tell(request, text, left=len(left), refusals=[*skipped, *failed])


def _book_one(request: HttpRequest, credit: BankCredit, token: str) -> str:
    """Book a credit as its row proposed it; return why it was refused, if it was."""
    try:
        parts = wire_parts(token)
    except (ValueError, InvalidOperation):
        return "its proposal cannot be read."
    return _book(request, credit, parts)


def _book(request: HttpRequest, credit: BankCredit, parts: list[WirePart]) -> str:

    @one_transaction
    def book() -> None:
        for payment in book_credit(
            credit_id=credit.pk, parts=parts, actor=staff_of(request), now=timezone.now()
        ):
            assert payment.order is not None
            log_action(
                request,
                payment.order,
                f"Wire of {payment.received:,.2f} booked from a bank statement",
            )

    try:
        book()
    except PortalError as error:
        return refusal_text(error)
    return ""


def away(request: HttpRequest, pk: int) -> HttpResponse:
    """Take a statement off the desk."""
    if request.method == "POST":
        statement = get_object_or_404(BankStatement, pk=pk)
        put_away(statement_id=pk, actor=staff_of(request), now=timezone.now())
        log_action(request, statement, "Put away")
        messages.success(request, f"{statement}: put away. Import the file again to bring it back.")
    return HttpResponseRedirect(reverse(DESK))


def credit(request: HttpRequest, pk: int) -> HttpResponse:
    """Open a credit and choose by hand: a proposal, another order, or a split over a company's
    orders.
    """
    credit = get_object_or_404(
        BankCredit.objects.select_related("booked_by", "sent_back_by", "transfer", "like"),
        pk=pk,
    )
    question = None
    if request.method == "POST" and not credit.is_settled:
        parts, fault = _chosen_parts(request)
        question = None if fault else surplus_question(request, parts)
        refusal = fault or ("" if question else _book(request, credit, parts))
        if refusal:
            messages.error(request, f"{credit}: {refusal}")
        elif question is None:
            messages.success(request, f"{credit}: booked.")
            return HttpResponseRedirect(_statement_of(credit))
    return _credit_page(request, credit, question)


def _credit_page(
    request: HttpRequest, credit: BankCredit, question: Question | None
) -> HttpResponse:
    (row,) = credit_rows([credit])
    is_open = not credit.is_settled and credit.currency == USD
    find = FindForm(request.GET)
    term = _term(find)
    proposals = list(row.proposals)
    if is_open and term:
        proposals += _hits(credit, term, known=proposals)
    return staff_page(
        request,
        "staff/credit.html",
        title=f"{credit.amount:,.2f} {credit.currency} from {credit.debtor or 'nobody named'}",
        subtitle=f"{credit.value_date:%Y-%m-%d}",
        trail=[("Payment desk", reverse(DESK)), ("Statement", _statement_of(credit))],
        here="Match",
        credit=credit,
        row=row,
        bookings=credit.bookings.select_related("payment"),
        is_open=is_open,
        find=find,
        looked_for=term,
        proposals=proposals,
        split=_split_of_company(request) if is_open else (),
        companies={
            part.part.claim.company_id: part.part.claim.company
            for p in proposals
            for part in p.parts
        },
        chosen=request.POST.get("parts", ""),
        question=question,
        back=_statement_of(credit),
        bar=is_open and credit.like is None,
    )


def send_back(request: HttpRequest, pk: int) -> HttpResponse:
    """Decide that a credit goes back to its sender, for a reason."""
    credit = get_object_or_404(BankCredit, pk=pk)
    form = SendBackForm(request.POST or None)
    amount = f"{credit.amount:,.2f} {credit.currency}"

    def service() -> None:
        reason = form.cleaned_data["reason"]
        send_back_credit(credit_id=pk, reason=reason, actor=staff_of(request), now=timezone.now())

    sent = request.method == "POST" and form.is_valid()
    if sent and run_action(request, credit, "To be sent back", service, form=form):
        return HttpResponseRedirect(_statement_of(credit))
    page = reverse("admin:payments_payment_credit", args=[pk])
    return staff_page(
        request,
        "staff/form.html",
        title=f"Send back {amount}?",
        subtitle=f"{credit.value_date:%Y-%m-%d}, {credit.debtor or 'nobody named'}",
        trail=[
            ("Payment desk", reverse(DESK)),
            ("Statement", _statement_of(credit)),
            ("Match", page),
        ],
        here="Send back",
        lead=(
            "It stands on the payment desk among the transfers to send until you note there that "
            "the bank has sent it. It is open in no statement any more and is never booked. This "
            "can be taken back until it is sent."
        ),
        form=form,
        verb=f"Send {amount} back",
        back=page,
    )


def to_wallet(request: HttpRequest, pk: int) -> HttpResponse:
    """Book a credit that names a paid order to the wallet of its company; what that does is
    shown before.
    """
    credit = get_object_or_404(BankCredit, pk=pk)
    page, (row,) = reverse("admin:payments_payment_credit", args=[pk]), credit_rows([credit])
    named = row.settled.pk if row.settled else 0
    order = Order.objects.select_related("company", "user").filter(pk=named).first()
    if order is None or not is_settled(order):
        messages.warning(request, f"{credit}: it names no paid order.")
        return HttpResponseRedirect(page)
    amount = f"{credit.amount:,.2f}"

    def service() -> None:
        credit_to_wallet(
            credit_id=pk, order_id=order.pk, actor=staff_of(request), now=timezone.now()
        )

    if request.method == "POST" and run_action(
        request, order, f"Wire of {amount} booked to the wallet", service
    ):
        return HttpResponseRedirect(_statement_of(credit))
    now = wallet_balance(company_id=order.company_id)
    return staff_page(
        request,
        "staff/form.html",
        title=f"{amount} to the wallet?",
        subtitle=f"{order}, {order.company}",
        trail=[
            ("Payment desk", reverse(DESK)),
            ("Statement", _statement_of(credit)),
            ("Match", page),
        ],
        here="To the wallet",
        lead=(
            f"{order} is paid. All of it becomes credit of {order.company}: its wallet goes from "
            f"{now:,.2f} to {now + credit.amount:,.2f}, and {order.user.email} gets a mail. A "
            "booking is never taken back."
        ),
        verb=f"Book {amount} to the wallet",
        tone="danger",
        back=page,
    )


def keep(request: HttpRequest, pk: int) -> HttpResponse:
    """Keep a credit that was to go back."""
    credit = get_object_or_404(BankCredit, pk=pk)
    if request.method == "POST":

        def service() -> None:
            keep_credit(credit_id=pk, actor=staff_of(request), now=timezone.now())

        run_action(request, credit, "Open again", service)
    return HttpResponseRedirect(reverse("admin:payments_payment_credit", args=[pk]))


def like(request: HttpRequest, pk: int) -> HttpResponse:
    """Say whether a credit is the one of another file that it looks like."""
    credit = get_object_or_404(BankCredit.objects.select_related("like"), pk=pk)
    shown, statement = credit.like, _statement_of(credit)
    if request.method != "POST" or shown is None:
        return HttpResponseRedirect(reverse("admin:payments_payment_credit", args=[pk]))
    actor, now = staff_of(request), timezone.now()
    if request.POST.get("same") == "1":
        run_action(
            request,
            shown,
            "Found to be the same as a credit of another file",
            lambda: join_credit(credit_id=pk, actor=actor, now=now),
        )
        return HttpResponseRedirect(statement)
    run_action(
        request,
        credit,
        "Found to be another than a credit like it",
        lambda: part_credit(credit_id=pk, actor=actor, now=now),
    )
    return HttpResponseRedirect(reverse("admin:payments_payment_credit", args=[pk]))


def claims(request: HttpRequest) -> HttpResponse:
    """Answer the orders that ask for money and begin with, belong to, or ask for what was
    typed.
    """
    term = _term(FindForm(request.GET))
    rows = [
        {
            "code": claim.invoice_code,
            "text": f"{claim.company}, {claim.kind} {claim.amount:,.2f}",
        }
        for claim in (find_claims(term) if term else ())
    ]
    return JsonResponse({"results": rows})


def _term(find: FindForm) -> str:
    return find.cleaned_data["q"].strip() if find.is_valid() else ""


def _hits(credit: BankCredit, term: str, *, known: Sequence[ProposalRow]) -> list[ProposalRow]:
    """Return what was looked for as proposals, without those that are known."""
    tokens = {proposal.token for proposal in known}
    hits = [
        ProposalRow(proposal_for(claim, credit.amount, why="by hand"))
        for claim in find_claims(term)
    ]
    return [hit for hit in hits if hit.token not in tokens]


def _split_of_company(request: HttpRequest) -> Sequence[SplitRow]:
    """Return the rows over which a credit can be split; none until a company is chosen."""
    company = _number(request.GET.get("company", ""))
    return (
        split_rows(request, open_claims(orders=Q(company_id=company))[:OTHERS]) if company else ()
    )


def find_claims(term: str) -> list[Claim]:
    """Return at most eight claims by the order's code, the company's name, the depositor's, or the
    amount.
    """
    words = (
        Q(invoice_code__icontains=term)
        | Q(company__name__icontains=term)
        | Q(payments__depositor__icontains=term)
    )
    try:
        amount = Decimal(term.replace(",", "").replace("$", "").strip())
    except InvalidOperation:
        amount = ZERO
    ids = Order.objects.filter(words).order_by("-id").values("pk")
    claims = open_claims(orders=Q(pk__in=ids))[:HITS]
    if amount.is_finite() and amount > 0:
        known = {(claim.order_id, claim.kind) for claim in claims}
        equal = [claim for claim in open_claims() if claim.amount == amount]
        claims += [claim for claim in equal if (claim.order_id, claim.kind) not in known]
    return claims[:HITS]


def _chosen_parts(request: HttpRequest) -> tuple[list[WirePart], str]:
    """Return the parts that a credit's page sent, or what is wrong with them."""
    chosen = request.POST.get("parts", "")
    if chosen == SPLIT:
        return split_parts(request)
    try:
        return wire_parts(chosen), ""
    except (ValueError, InvalidOperation):
        return [], "choose an order first."


def _statement_of(credit: BankCredit) -> str:
    statement = credit.statements.order_by("-id").first()
    if statement is None:
        raise Http404
    return reverse("admin:payments_payment_statement", args=[statement.pk])


def _tell(request: HttpRequest, text: str, *, left: int, refusals: Sequence[str]) -> None:
    messages.add_message(request, messages.WARNING if refusals else messages.SUCCESS, text)
    if left:
        messages.warning(request, f"{left} are not booked yet: tick them and press once more.")
    for refusal in refusals:
        messages.error(request, refusal)


def _number(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 19 else 0
