"""The calls of what the seller proposes of an order's lines, and their bodies and answers."""

from django.http import HttpResponse
from django.utils import timezone
from rest_framework import serializers

from apps.accounts.api.identity import BuyerRequest
from apps.common.http.api import PortalView
from apps.common.http.schema import call, path_text
from apps.common.http.serializers import MoneyField, Success, TextField
from apps.orders.api.requests import code_or_404, ok
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

CODE = path_text("invoice_code")
MAX_ANSWERS = 500
Model = LineProposal


class OrderedPieces(serializers.Serializer):
    """What was ordered: pieces, wholesale price of one, and of all, in US dollars."""

    count = serializers.IntegerField()
    price = MoneyField()
    order_price = MoneyField()


class ProposedPieces(OrderedPieces):
    """What would be sent; `later` pieces follow about `expected`, without stock and price yet."""

    sku = serializers.CharField()
    eng_name = serializers.CharField()
    image = serializers.CharField()
    later = serializers.IntegerField()
    expected = serializers.DateField(allow_null=True)
    expected_text = serializers.CharField()


class Proposal(serializers.Serializer):
    """What the seller proposes of a line, and what came of it; `unanswered` is what applies without
    an answer.
    """

    proposal_id = serializers.IntegerField()
    order_product_id = serializers.IntegerField()
    kind = serializers.ChoiceField(choices=Model.Kind.values)
    state = serializers.ChoiceField(choices=Model.State.values)
    applied = serializers.ChoiceField(choices=["", *Model.Answer.values])
    sku = serializers.CharField()
    eng_name = serializers.CharField()
    image = serializers.CharField()
    ordered = OrderedPieces()
    proposed = ProposedPieces()
    reason = serializers.CharField()
    comment = serializers.CharField()
    difference = MoneyField(
        help_text="what accepting adds, in US dollars; declining takes `ordered.order_price` off"
    )
    unanswered = serializers.ChoiceField(choices=Model.Answer.values)
    question = serializers.CharField()
    asked_at = serializers.DateTimeField(allow_null=True)
    proposed_by = serializers.CharField()
    proposed_at = serializers.DateTimeField()
    closed = serializers.CharField(
        help_text="who closed it and when, in words; empty while it is open"
    )


class NewTotals(Success):
    """What the products cost as agreed so far, what answers change, and what is left to pay before
    shipping.
    """

    real_total = MoneyField()
    change = MoneyField()
    new_total = MoneyField()
    received = MoneyField()
    balance = MoneyField()
    overpayment = MoneyField()


class Proposals(NewTotals):
    """The proposals of an order, as they were made."""

    order_count = serializers.IntegerField(help_text="lines as ordered")
    open = serializers.IntegerField()
    answer_by = serializers.DateTimeField(allow_null=True)
    deadline = serializers.CharField()
    proposals = Proposal(many=True)


class ProposalAnswer(serializers.Serializer):
    """An answer to one proposal; `ask` needs a question."""

    proposal_id = serializers.IntegerField(min_value=0, max_value=2**63 - 1)
    answer = serializers.ChoiceField(choices=[*Model.Answer.values, ASK])
    question = TextField(max_length=MAX_QUESTION, lines=True, required=False, default="")


class ProposalAnswers(serializers.Serializer):
    """Answers to proposals of one order."""

    answers = serializers.ListField(child=ProposalAnswer(), min_length=1, max_length=MAX_ANSWERS)


class ProposalsView(PortalView):
    """GET and POST /order/proposals/{invoice_code}."""

    @call("proposals", answer=Proposals, parameters=[CODE])
    def get(self, request: BuyerRequest, invoice_code: str) -> HttpResponse:
        """**+** Return what the seller proposes of an order's lines, with what became of it."""
        code = code_or_404(invoice_code)
        return ok(**proposals_of(buyer=request.user, invoice_code=code))

    @call(
        "answer_proposals",
        request=ProposalAnswers,
        answer=Proposals,
        refusals=[409],
        parameters=[CODE],
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
        refusals=[409],
        parameters=[CODE],
    )
    def post(self, request: BuyerRequest, invoice_code: str) -> HttpResponse:
        """**+** Return what an order would cost with such answers; nothing is written."""
        code = code_or_404(invoice_code)
        answers = {
            one["proposal_id"]: one["answer"] for one in self.validated(ProposalAnswers)["answers"]
        }
        return ok(**new_totals(buyer=request.user, invoice_code=code, answers=answers))
