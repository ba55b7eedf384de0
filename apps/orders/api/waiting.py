"""What the dashboard says is due, what was ordered before, what a company wants and has not got,
and what the seller proposes: the calls, and their bodies and answers.
"""

import re
from datetime import date, datetime
from decimal import Decimal
from typing import Annotated, Any

from django.http import HttpResponse
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers

from apps.accounts.api.identity import BuyerRequest, own_uuid_or_404
from apps.catalog.api.serializers import Product
from apps.common.http.api import PortalView, id_or_404
from apps.common.http.renderers import ok
from apps.common.http.schema import call
from apps.common.http.serializers import Answer, CountField, Success, TextField, validate
from apps.common.ids import MAX_ID
from apps.orders.api.requests import code_or_404
from apps.orders.models import LineProposal, Wish
from apps.orders.models.lists import MAX_OWN_CODE
from apps.orders.selectors.conversation import new_totals, proposals_of
from apps.orders.selectors.progress import TONE_NAMES
from apps.orders.selectors.waiting import (
    WAITING_KINDS,
    not_ordered_for_long,
    order_again,
    what_is_due,
)
from apps.orders.selectors.wishes import open_wishes, wish_offers
from apps.orders.services.proposals import (
    ASK,
    MAX_QUESTION,
    ProposalAnswer as Answered,
    answer_proposals,
)
from apps.orders.services.wishes import drop_wish, wish_for

MONTH = re.compile(r"\d{4}-(0[1-9]|1[0-2])")


class AgainQuery(serializers.Serializer):
    """An order, or a month of the seller's; `sku` means one product of it."""

    invoice_code = TextField(max_length=40, default="")
    month = serializers.RegexField(MONTH, default="")
    sku = TextField(max_length=40, default="")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse both, and neither."""
        if bool(attrs["invoice_code"]) == bool(attrs["month"]):
            raise serializers.ValidationError({"invoice_code": ["Name an order or a month."]})
        return attrs


class AgainLine(Answer):
    """A product that was ordered before, as it can be ordered now; `notes` says what differs from
    then, and why.
    """

    sku: str
    eng_name: str
    product: Product | None
    count: Annotated[int, "pieces for the basket; 0: it cannot be ordered"]
    notes: list[str]


class Again(Success):
    """What was ordered, for the basket."""

    lines: list[AgainLine]


class OrderAgainView(PortalView):
    """GET /order-again."""

    @call(
        "order_again",
        answer=Again,
        refusals=(400,),
        parameters=[
            OpenApiParameter("invoice_code", str, description="the order"),
            OpenApiParameter("month", str, description="or all orders of a month, `2026-10`"),
            OpenApiParameter("sku", str, description="one product of them alone"),
        ],
    )
    def get(self, request: BuyerRequest) -> HttpResponse:
        """**+** Answer what was ordered as it can be ordered now; nothing is stored."""
        query = validate(AgainQuery, request.GET.dict())
        if query["invoice_code"]:
            code_or_404(query["invoice_code"])
        return ok(lines=order_again(buyer=request.user, now=timezone.now(), **query))


class DueStep(Answer):
    """What an order waits for: the buyer (`warn`), a check (`info`), or the seller's promise
    (`mute`, late `bad`).
    """

    kind = serializers.ChoiceField(choices=WAITING_KINDS)
    tone = serializers.ChoiceField(choices=TONE_NAMES)
    title: str
    text: str
    due: Annotated[str, "`by Tue 24 Nov`, `2 days late`, or nothing"]
    late: bool
    invoice_code: str
    status_id: int
    action: Annotated[str, "what the buyer can do about it, or nothing"]


class Regular(AgainLine):
    """A regular product that was not ordered for longer than usual, with the pieces of its last
    order.
    """

    every_days: int
    days_ago: int


class WhatIsDue(Success):
    """The six nearest steps of the orders, how many more there are, and what is owed in all, in US
    dollars.
    """

    owed: Decimal
    more: int
    steps: list[DueStep]
    regulars: list[Regular]


class WhatIsDueView(PortalView):
    """GET /dashboard/due/{uuid}."""

    @call("what_is_due", answer=WhatIsDue)
    def get(self, request: BuyerRequest, uuid: str) -> HttpResponse:
        """**+** Answer what the company's orders wait for, and which regular products were not
        ordered for long.
        """
        own_uuid_or_404(buyer=request.user, uuid=uuid)
        now = timezone.now()
        return ok(
            regulars=not_ordered_for_long(buyer=request.user, now=now),
            **what_is_due(buyer=request.user, now=now),
        )


class WishesQuery(serializers.Serializer):
    """Which page: `after` is the last answer's `next`."""

    search = TextField(max_length=100, default="")
    after = serializers.IntegerField(default=0, min_value=0, max_value=MAX_ID)


class WishRow(Answer):
    """Pieces (`count`) of a product, or of a code that nobody knows, that are still wanted."""

    wish_id: int
    sku: str
    eng_name: str
    image: str
    count: int
    held: Annotated[int, "pieces of them that are offered now, held for the company alone"]
    held_text: Annotated[str, "until when, empty without an offer"]
    why = serializers.ChoiceField(choices=Wish.Why.values)
    why_text: str
    since: date
    expected_text: Annotated[str, "when later pieces are expected, empty where nobody knows"]
    invoice_code: Annotated[str, "of the order that did not give them; empty without one"]
    manager: Annotated[str, "who of the company wants them"]


class OfferLine(Answer):
    """Pieces of a product that are held for the company."""

    sku: str
    count: int


class Offers(Answer):
    """All that is held for the company's wishes; `until` is when the first of it goes to others."""

    lines: list[OfferLine]
    pieces: int
    until: str


class Wishes(Success):
    """A page of the company's open wishes, the oldest first; `next` goes into `?after=`."""

    wishes: list[WishRow]
    offers: Offers
    next: int | None


class NewWish(serializers.Serializer):
    """Pieces of a product that is sold out, or of a code that no product is known by."""

    sku = TextField(max_length=MAX_OWN_CODE)
    count = CountField()


class WishesView(PortalView):
    """GET and POST /account/wishes."""

    @call(
        "wishes",
        answer=Wishes,
        refusals=[400],
        parameters=[
            OpenApiParameter(
                "search", str, description="words of a product, a code or an invoice code"
            ),
            OpenApiParameter("after", int, description="the last answer's `next`"),
        ],
    )
    def get(self, request: BuyerRequest) -> HttpResponse:
        """**+** Return what the company wants and has not got, and what is held for it."""
        query: dict[str, Any] = validate(WishesQuery, request.GET.dict())
        return ok(
            offers=wish_offers(buyer=request.user), **open_wishes(buyer=request.user, **query)
        )

    @call("wish", request=NewWish, answer=Success)
    def post(self, request: BuyerRequest) -> HttpResponse:
        """**+** Keep that the buyer wants pieces of what is sold out."""
        fields = self.validated(NewWish)
        wish_for(buyer=request.user, sku=fields["sku"], pieces=fields["count"], now=timezone.now())
        return ok()


class WishView(PortalView):
    """DELETE /account/wishes/{wish_id}."""

    @call("drop_wish", answer=Success)
    def delete(self, request: BuyerRequest, wish_id: str) -> HttpResponse:
        """**+** Drop what is open of a wish."""
        drop_wish(buyer=request.user, wish_id=id_or_404(wish_id), now=timezone.now())
        return ok()


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
