"""The calls of the account: what is owed, the statement over any days, all documents."""

import io
from datetime import date
from decimal import Decimal
from typing import Annotated, Any

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from rest_framework import serializers

from apps.accounts.api.identity import BuyerRequest
from apps.accounts.models import Company, CompanyAddress
from apps.common.http.api import PortalView
from apps.common.http.renderers import ok
from apps.common.http.schema import call
from apps.common.http.serializers import Answer, Success, TextField, validate
from apps.common.storage.files import PDF, XLSX, download
from apps.common.tables.download import FORMATS, table_file
from apps.orders.api.serializers import GivenFile
from apps.orders.documents import render
from apps.orders.selectors.baskets import saved_baskets_count
from apps.orders.selectors.orders import seller_date
from apps.orders.selectors.papers import DOCUMENT_KINDS, documents_count, documents_of
from apps.orders.selectors.progress import TONE_NAMES, PaymentStatus
from apps.orders.selectors.waiting import money_due, ordered_this_year, total_due
from apps.payments import selectors
from apps.payments.account import as_json, as_rows, statement_of
from apps.payments.documents import account_statement

FILE_NAME = "Statement_of_account"


class StatementQuery(serializers.Serializer):
    """Which days; without any, this month."""

    since = serializers.DateField(
        default=None, help_text="the seller's day, included; else the first of this month"
    )
    until = serializers.DateField(default=None, help_text="the seller's day, included; else today")
    format = serializers.ChoiceField(["pdf", *FORMATS], default="", help_text="as a file")


class StatementLine(Answer):
    """A line of the account: `charge` is above zero, `credit` below; `balance` is what is owed
    after it.

    `paper` is the document that it opens; null where the order itself says it. `invoice_code` is
    empty where it is of no order.
    """

    on: date
    text: str
    invoice_code: str
    charge: Decimal
    credit: Decimal
    balance: Decimal
    paper: GivenFile | None


class AccountStatement(Success):
    """The account over some days, both included. US dollars, above zero what is owed."""

    since: date
    until: date
    opening: Decimal
    charges: Decimal
    credits: Decimal
    closing: Decimal
    lines: list[StatementLine]


class OwedRow(Answer):
    """Money that an order waits for; `due` is the day, empty where none is set."""

    invoice_code: str
    po_number: str
    status_id: int
    kind = serializers.ChoiceField(choices=["Deposit", "Balance"])
    payment = serializers.ChoiceField(
        choices=[status.value for status in PaymentStatus if status], allow_blank=True
    )
    payment_tone = serializers.ChoiceField(choices=TONE_NAMES)
    amount: Decimal
    due: str
    late: bool
    action: Annotated[str, "what the buyer can do about it, or nothing"]


class OrderedInYear(Answer):
    """What was ordered in the seller's year, at placing and without cancelled orders."""

    year: int
    orders: int
    amount: Decimal


class Account(Success):
    """What is owed in all, what of it is announced, and the wallet's credit, in US dollars; a page
    of the orders.
    """

    owed: Decimal
    reviewed: Decimal
    wallet: Decimal
    ordered: OrderedInYear
    orders: Annotated[int, "how many wait for money"]
    rows: list[OwedRow]
    next: Annotated[int | None, "goes into `?page=`"]


class AccountCounts(Success):
    """How much each part of the account holds: US dollars of what is owed and of credit, and
    numbers.
    """

    owed: Decimal
    wallet: Decimal
    documents: int
    addresses: int
    baskets: Annotated[int, "that the caller may open"]


class OwedQuery(serializers.Serializer):
    """Which page of what is owed."""

    page = serializers.IntegerField(
        default=1, min_value=1, max_value=100_000, help_text="from 1, of what is owed"
    )


class DocumentsQuery(serializers.Serializer):
    """Which page of which documents."""

    search = TextField(
        max_length=100,
        default="",
        allow_blank=False,
        help_text="words of an order's code, the PO number or a document's name",
    )
    kind = serializers.ChoiceField(list(DOCUMENT_KINDS), default="", help_text="else all")
    after = serializers.IntegerField(
        default=None, min_value=1, max_value=2**63 - 1, help_text="the last answer's `next`"
    )


class AccountDocument(Answer):
    """A document of an order; `url` works for an hour."""

    name: str
    kind = serializers.ChoiceField(choices=list(DOCUMENT_KINDS))
    amount: Annotated[Decimal | None, "its total, of a document that the portal issued"]
    invoice_code: str
    po_number: str
    on: date | None
    url: str


class AccountDocuments(Success):
    """A page of documents, those of the newest order first; `next` goes into `?after=`."""

    documents: list[AccountDocument]
    next: int | None


class AccountView(PortalView):
    """GET /account."""

    @call(
        "account",
        answer=Account,
        refusals=[400],
        parameters=[OwedQuery],
    )
    def get(self, request: BuyerRequest) -> HttpResponse:
        """**+** Return what the company owes and when."""
        query: dict[str, Any] = validate(OwedQuery, request.GET.dict())
        due = money_due(buyer=request.user, now=timezone.now(), **query)
        credit = selectors.wallet_balance(company_id=request.user.company_id)
        ordered = ordered_this_year(buyer=request.user, now=timezone.now())
        return ok(**due, wallet=credit, ordered=ordered)


class AccountCountsView(PortalView):
    """GET /account/counts."""

    @call("account_counts", answer=AccountCounts)
    def get(self, request: BuyerRequest) -> HttpResponse:
        """**+** Return what the account's menu shows beside its parts."""
        buyer = request.user
        return ok(
            owed=total_due(buyer=buyer),
            wallet=selectors.wallet_balance(company_id=buyer.company_id),
            documents=documents_count(buyer=buyer),
            addresses=CompanyAddress.objects.filter(company_id=buyer.company_id).count(),
            baskets=saved_baskets_count(buyer=buyer, now=timezone.now()),
        )


class StatementView(PortalView):
    """GET /account/statement."""

    @call(
        "account_statement",
        answer=AccountStatement,
        refusals=[400],
        parameters=[StatementQuery],
        other={(200, kind): OpenApiTypes.BINARY for kind in (PDF.content_type, XLSX, "text/csv")},
    )
    def get(self, request: BuyerRequest) -> HttpResponseBase:
        """**+** Return the statement of the company's account over some days, or as a file."""
        query = validate(StatementQuery, request.GET.dict())
        today = seller_date(timezone.now())
        until = query["until"] or today
        since = query["since"] or until.replace(day=1)
        statement = statement_of(buyer=request.user, since=since, until=until)
        if not query["format"]:
            answer = as_json(statement, buyer=request.user, now=timezone.now())
            return ok(**answer)
        name = f"{FILE_NAME}_{since}_{until}"
        if query["format"] == "pdf":
            company = Company.objects.get(pk=request.user.company_id)
            content = account_statement(company=company, statement=statement)
            kind = PDF.content_type
            file = io.BytesIO(render(content, content_type=kind, issued_at=timezone.now()))
            return download(file, title=name, storage_name=f"{name}.pdf", content_type=kind)
        return table_file(
            as_rows(statement), name=name, title="Statement of account", format_=query["format"]
        )


class DocumentsView(PortalView):
    """GET /account/documents."""

    @call(
        "account_documents",
        answer=AccountDocuments,
        refusals=[400],
        parameters=[DocumentsQuery],
    )
    def get(self, request: BuyerRequest) -> HttpResponse:
        """**+** Return the documents of the company's orders."""
        query: dict[str, Any] = validate(DocumentsQuery, request.GET.dict())
        return ok(**documents_of(buyer=request.user, now=timezone.now(), **query))
