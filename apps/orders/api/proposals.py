"""The calls of what the seller proposes of an order's lines, and their bodies and answers."""

from datetime import date, datetime
from decimal import Decimal
from typing import Annotated

from django.http import HttpResponse
from django.utils import timezone
from rest_framework import serializers

from apps.accounts.api.identity import BuyerRequest
from apps.common.http.api import PortalView
from apps.common.http.renderers import ok
from apps.common.http.schema import call
from apps.common.http.serializers import Answer, Success, TextField
from apps.orders.api.requests import code_or_404
from apps.orders.models import LineProposal
from apps.orders.selectors.proposals import new_totals, proposals_of
from apps.orders.services.proposal_answers import (
    ASK,
    MAX_QUESTION,
    answer_proposals,
)
from apps.orders.services.proposal_answers import (
    ProposalAnswer as Answered,
)

MAX_ANSWERS = 500
Model = LineProposal


class OrderedPieces(Answer):
    """What was ordered: pieces, wholesale price of one, and of all, in US dollars."""

    count: int
    price: Decimal
    order_price: Decimal


class ProposedPieces(OrderedPieces):
    """What would be sent; `later` pieces follow about `expected`, without stock and price yet."""

    sku: str
    eng_name: str
    image: str
    later: int
    expected: date | None
    expected_text: str


class Proposal(Answer):
    """What the seller proposes of a line, and what came of it; `unanswered` is what applies without
    an answer.
    """

    proposal_id: int
    order_product_id: int
    kind = serializers.ChoiceField(choices=Model.Kind.values)
    state = serializers.ChoiceField(choices=Model.State.values)
    applied = serializers.ChoiceField(choices=["", *Model.Answer.values])
    sku: str
    eng_name: str
    image: str
    ordered: OrderedPieces
    proposed: ProposedPieces
    reason: str
    comment: str
    difference: Annotated[
        Decimal, "what accepting adds, in US dollars; declining takes `ordered.order_price` off"
    ]
    unanswered = serializers.ChoiceField(choices=Model.Answer.values)
    question: str
    asked_at: datetime | None
    proposed_by: str
    proposed_at: datetime
    closed: Annotated[str, "who closed it and when, in words; empty while it is open"]


class NewTotals(Success):
    """What the products cost as agreed so far, what answers change, and what is left to pay before
    shipping.
    """

    real_total: Decimal
    change: Decimal
    new_total: Decimal
    received: Decimal
    balance: Decimal
    overpayment: Decimal


class Proposals(NewTotals):
    """The proposals of an order, as they were made."""

    order_count: Annotated[int, "lines as ordered"]
    open: int
    answer_by: datetime | None
    deadline: str
    proposals: list[Proposal]


class ProposalAnswer(serializers.Serializer):
    """An answer to one proposal; `ask` needs a question."""

    proposal_id = serializers.IntegerField(min_value=0, max_value=2**63 - 1)
    answer = serializers.ChoiceField(choices=[*Model.Answer.values, ASK])
    question = TextField(max_length=MAX_QUESTION, lines=True, default="")


class ProposalAnswers(serializers.Serializer):
    """Answers to proposals of one order."""

    answers = serializers.ListField(child=ProposalAnswer(), min_length=1, max_length=MAX_ANSWERS)


class ProposalsView(PortalView):
    """GET and POST /order/proposals/{invoice_code}."""

    @call("proposals", answer=Proposals)
    def get(self, request: BuyerRequest, invoice_code: str) -> HttpResponse:
        """**+** Return what the seller proposes of an order's lines, with what became of it."""
        code = code_or_404(invoice_code)
        return ok(**proposals_of(buyer=request.user, invoice_code=code))

    @call(
        "answer_proposals",
        request=ProposalAnswers,
        answer=Proposals,
    )
    def post(self, request: BuyerRequest, invoice_code: str) -> HttpResponse:
        """**+** Answer proposals, all or none; one that somebody closed before is 409
        `proposal_closed`.
        """
        code = code_or_404(invoice_code)
        answers = [Answered(**one) for one in self.validated(ProposalAnswers)["answers"]]
        answer_proposals(buyer=request.user, invoice_code=code, answers=answers, now=timezone.now())
        return ok(**proposals_of(buyer=request.user, invoice_code=code))


class NewTotalsView(PortalView):
    """POST /order/proposals/{invoice_code}/totals."""

    @call(
        "proposal_totals",
        request=ProposalAnswers,
        answer=NewTotals,
    )
    def post(self, request: BuyerRequest, invoice_code: str) -> HttpResponse:
        """**+** Return what an order would cost with such answers; nothing is written."""
        code = code_or_404(invoice_code)
        answers = {
            one["proposal_id"]: one["answer"] for one in self.validated(ProposalAnswers)["answers"]
        }
        return ok(**new_totals(buyer=request.user, invoice_code=code, answers=answers))
