"""What the dashboard says is due, and what was ordered before, to order it again."""

import re
from decimal import Decimal
from typing import Annotated, Any

from django.http import HttpResponse
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers

from apps.accounts.api.identity import BuyerRequest, own_uuid_or_404
from apps.catalog.api.serializers import Product
from apps.common.http.api import PortalView
from apps.common.http.renderers import ok
from apps.common.http.schema import call
from apps.common.http.serializers import Answer, Success, TextField, validate
from apps.orders.api.requests import code_or_404
from apps.orders.selectors.again import not_ordered_for_long, order_again
from apps.orders.selectors.progress import TONE_NAMES
from apps.orders.selectors.waiting import WAITING_KINDS, what_is_due

MONTH = re.compile(r"\d{4}-(0[1-9]|1[0-2])")


class AgainQuery(serializers.Serializer):
    """An order, or a month of the seller's; `sku` means one product of it."""

    invoice_code = TextField(max_length=40, required=False, default="")
    month = serializers.RegexField(MONTH, required=False, default="")
    sku = TextField(max_length=40, required=False, default="")

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
        lines = order_again(buyer=request.user, now=timezone.now(), **query)
        return ok(lines=lines)


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
