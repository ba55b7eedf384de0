"""Bank statements on the desk: imported, compared with what is asked for, booked by ticks or opened one by one."""

import time
from collections.abc import Callable, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any

from django.contrib import messages
from django.db.models import Count, Q
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import get_object_or_404
from django.urls import URLPattern, reverse
from django.utils import timezone

from apps.common.errors import PortalError
from apps.common.money import ZERO
from apps.common.staff import RecordAdmin, log_action, refusal_text, staff_of
from apps.orders.models import Order
from apps.payments.admin.access import CHANGE
from apps.payments.admin.credits import StatementCredits
from apps.payments.admin.forms import FindForm, StatementForm
from apps.payments.admin.rows import ProposalRow, credit_rows, wire_parts
from apps.payments.admin.second import Question, surplus_question
from apps.payments.admin.split import SplitRow, split_parts, split_rows
from apps.payments.models import BankCredit, BankStatement
from apps.payments.services.receive import WirePart
from apps.payments.services.statements import USD, book_credit, import_statement, put_away
from apps.payments.statements.claims import open_claims
from apps.payments.statements.lines import MAX_BYTES
from apps.payments.statements.matching import Claim, proposal_for

HITS = 8
OTHERS = 30
SPLIT = "split"
BOOKING_SECONDS = 20  # a page is not waited for any longer; what is left is booked by the next press
DESK = "admin:payments_payment_desk"


class StatementPages(RecordAdmin):
    """The pages of statements; each needs the permission to change payments."""

    def statement_urls(self) -> list[URLPattern]:
        """Return their addresses."""
        pages: dict[str, tuple[Callable[..., HttpResponse], str]] = {
            "desk/statements/": (self.statements, "statements"),
            "desk/statements/<int:pk>/": (self.statement, "statement"),
            "desk/statements/<int:pk>/book/": (self.book_ticked, "statement_book"),
            "desk/statements/<int:pk>/away/": (self.away, "statement_away"),
            "desk/credits/<int:pk>/": (self.credit, "credit"),
            "desk/claims/": (self.claims, "claims"),
        }
        return [self.address(route, view, name=name, permission=CHANGE) for route, (view, name) in pages.items()]

    def statements(self, request: HttpRequest) -> HttpResponse:
        """List the imported statements, and import one."""
        form = StatementForm(request.POST or None, request.FILES or None)
        if request.method == "POST" and form.is_valid() and (statement := self._import(request, form)):
            return HttpResponseRedirect(reverse("admin:payments_payment_statement", args=[statement.pk]))
        listed = BankStatement.objects.select_related("imported_by").annotate(
            count=Count("credits"), booked=Count("credits", filter=Q(credits__booked_at__isnull=False))
        )
        return self.page(
            request,
            "staff/statements.html",
            title="Statements",
            trail=[("Payment desk", reverse(DESK))],
            form=form,
            statements=listed[:OTHERS],
        )

    def _import(self, request: HttpRequest, form: StatementForm) -> BankStatement | None:
        file, now = form.cleaned_data["file"], timezone.now()
        try:
            statement = import_statement(
                content=file.read(MAX_BYTES + 1),
                name=file.name,
                currency=form.cleaned_data["currency"],
                actor=staff_of(request),
                now=now,
            )
        except PortalError as error:
            form.add_error("file", refusal_text(error))
            return None
        if statement.imported_at == now:
            log_action(request, statement, "Imported")
            messages.success(request, f"{statement}: imported. Nothing is booked yet.")
        else:
            messages.warning(request, f"{statement}: imported before, at {_moment(statement.imported_at)}.")
        return statement

    def statement(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show a statement: all its credits counted, a page of them shown."""
        statement = get_object_or_404(BankStatement, pk=pk)
        credits = StatementCredits(statement, request.GET)
        return self.page(
            request,
            "staff/statement.html",
            title=f"Statement {statement}",
            subtitle=f"{statement.get_kind_display()}, imported {_moment(statement.imported_at)}",
            trail=[("Payment desk", reverse(DESK)), ("Statements", reverse("admin:payments_payment_statements"))],
            statement=statement,
            credits=credits,
            rows=credits.rows(),
            summary=credits.summary,
            ready=credits.ready(),
            whole=True,
            bar=True,
        )

    def book_ticked(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Book the ticked credits, each in a transaction of its own, and report each refusal."""
        statement = get_object_or_404(BankStatement, pk=pk)
        if request.method == "POST":
            ticked = request.POST.getlist("book")
            self._book_all(request, statement, ticked) if ticked else messages.warning(request, "Nothing is ticked.")
        if request.POST.get("from") == "desk":
            return HttpResponseRedirect(reverse(DESK))
        return HttpResponseRedirect(reverse("admin:payments_payment_statement", args=[pk]))

    def _book_all(self, request: HttpRequest, statement: BankStatement, ticked: list[str]) -> None:
        shown = statement.credits.in_bulk(_number(choice.partition("=")[0]) for choice in ticked)
        done, total, left, skipped, failed = 0, ZERO, 0, [], []
        until = time.monotonic() + BOOKING_SECONDS
        for choice in ticked:
            if time.monotonic() > until:
                left += 1
                continue
            number, _, token = choice.partition("=")
            credit = shown.get(_number(number))
            if credit is None:
                failed.append(f"{number}: it is not in this statement.")
            elif credit.booked_at is not None:
                skipped.append(f"{credit}: booked before.")
            elif refusal := self._book_one(request, credit, token):
                failed.append(f"{credit}: {refusal}")
            else:
                done, total = done + 1, total + credit.amount
        level = messages.WARNING if skipped or failed else messages.SUCCESS
        text = f"{done} booked, {total:,.2f} USD; {len(skipped)} skipped, {len(failed)} failed."
        messages.add_message(request, level, text)
        if left:
            messages.warning(request, f"{left} are not booked yet: tick them and press once more.")
        for refusal in [*skipped, *failed]:
            messages.error(request, refusal)

    def _book_one(self, request: HttpRequest, credit: BankCredit, token: str) -> str:
        """Book a credit as its row proposed it; return why it was refused, if it was."""
        try:
            parts = wire_parts(token)
        except (ValueError, InvalidOperation):
            return "its proposal cannot be read."
        return self._book(request, credit, parts)

    def _book(self, request: HttpRequest, credit: BankCredit, parts: list[WirePart]) -> str:
        try:
            payments = book_credit(credit_id=credit.pk, parts=parts, actor=staff_of(request), now=timezone.now())
        except PortalError as error:
            return refusal_text(error)
        for payment in payments:
            assert payment.order is not None
            log_action(request, payment.order, f"Wire of {payment.received:,.2f} booked from a bank statement")
        return ""

    def away(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Take a statement off the desk."""
        if request.method == "POST":
            statement = get_object_or_404(BankStatement, pk=pk)
            put_away(statement_id=pk, actor=staff_of(request), now=timezone.now())
            log_action(request, statement, "Put away")
            messages.success(request, f"{statement}: put away. Import the file again to bring it back.")
        return HttpResponseRedirect(reverse(DESK))

    def credit(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Open a credit and choose by hand: a proposal, another order, or a split over a company's orders."""
        credit = get_object_or_404(BankCredit.objects.select_related("booked_by"), pk=pk)
        question = None
        if request.method == "POST" and credit.booked_at is None:
            parts, fault = _chosen_parts(request)
            question = None if fault else surplus_question(request, parts)
            refusal = fault or ("" if question else self._book(request, credit, parts))
            if refusal:
                messages.error(request, f"{credit}: {refusal}")
            elif question is None:
                messages.success(request, f"{credit}: booked.")
                return HttpResponseRedirect(_statement_of(credit))
        return self._credit_page(request, credit, question)

    def _credit_page(self, request: HttpRequest, credit: BankCredit, question: Question | None) -> HttpResponse:
        (row,) = credit_rows([credit])
        is_open = credit.booked_at is None and credit.currency == USD
        find = FindForm(request.GET)
        term = _term(find)
        proposals = list(row.proposals)
        if is_open and term:
            proposals += _hits(credit, term, known=proposals)
        return self.page(
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
            companies={part.part.claim.company_id: part.part.claim.company for p in proposals for part in p.parts},
            chosen=request.POST.get("parts", ""),
            question=question,
            back=_statement_of(credit),
            bar=is_open,
        )

    def claims(self, request: HttpRequest) -> HttpResponse:
        """Answer the orders that ask for money and begin with, belong to, or ask for what was typed."""
        term = _term(FindForm(request.GET))
        rows = [
            {"code": claim.invoice_code, "text": f"{claim.company}, {claim.kind} {claim.amount:,.2f}"}
            for claim in (find_claims(term) if term else ())
        ]
        return JsonResponse({"results": rows})


def _term(find: FindForm) -> str:
    return find.cleaned_data["q"].strip() if find.is_valid() else ""


def _hits(credit: BankCredit, term: str, *, known: Sequence[ProposalRow]) -> list[ProposalRow]:
    """Return what was looked for as proposals, without those that are known."""
    tokens = {proposal.token for proposal in known}
    hits = [ProposalRow(proposal_for(claim, credit.amount, why="by hand")) for claim in find_claims(term)]
    return [hit for hit in hits if hit.token not in tokens]


def _split_of_company(request: HttpRequest) -> Sequence[SplitRow]:
    """Return the rows over which a credit can be split; none until a company is chosen."""
    company = _number(request.GET.get("company", ""))
    return split_rows(request, open_claims(orders=Q(company_id=company))[:OTHERS]) if company else ()


def find_claims(term: str) -> list[Claim]:
    """Return at most eight claims by the order's code, the company's name, the depositor's, or the amount."""
    words = Q(invoice_code__icontains=term) | Q(company__name__icontains=term) | Q(payments__depositor__icontains=term)
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


def _number(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 19 else 0


def _moment(moment: Any) -> str:
    return f"{timezone.localtime(moment):%Y-%m-%d %H:%M}"
