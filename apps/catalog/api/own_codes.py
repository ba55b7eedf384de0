"""The calls of a company's own codes of products."""

from typing import Any

from django.http import HttpResponse
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers

from apps.accounts.api.identity import BuyerRequest
from apps.catalog import selectors
from apps.catalog.api.serializers import MAX_SKU, ReviewedLine
from apps.catalog.lists.amounts import MAX_UNIT_SHOWN
from apps.catalog.lists.rows import chosen_line
from apps.catalog.models import MAX_OWN_CODE
from apps.catalog.review.reviews import review_each
from apps.catalog.services.own_codes import forget_own_code, learn_carton, learn_own_code
from apps.common.http.api import PortalView, id_or_404
from apps.common.http.renderers import json_response
from apps.common.http.schema import call, path_text
from apps.common.http.serializers import MAX_COUNT, Success, TextField, validate


class OwnCodesQuery(serializers.Serializer):
    """Which page: `after` is the last answer's `next`."""

    search = TextField(max_length=100, required=False, default="")
    after = TextField(max_length=MAX_OWN_CODE, required=False, default="")


class OwnCodeRow(serializers.Serializer):
    """What the company calls a product."""

    own_code_id = serializers.IntegerField()
    code = serializers.CharField()
    sku = serializers.CharField()
    eng_name = serializers.CharField()
    pieces = serializers.IntegerField(
        allow_null=True, help_text="**+** in a carton of it; null: a code of the product"
    )


class OwnCodes(serializers.Serializer):
    """A page of the company's codes by their letters; `next` goes into `?after=`."""

    success = serializers.IntegerField()
    codes = OwnCodeRow(many=True)
    next = serializers.CharField(allow_null=True)


class LearnedCode(serializers.Serializer):
    """A code of the company and the SKU that it means; `row` and `count` are those of the list's
    line.

    Without `remember` it is not kept: the line alone is reviewed anew with that product. Of a line
    with cartons (`packs`, `unit`) it is kept instead how many pieces are in one, where `count` says
    how many all are.
    """

    code = TextField(max_length=MAX_OWN_CODE, allow_blank=False)
    sku = TextField(max_length=MAX_SKU, allow_blank=False)
    row = serializers.IntegerField(required=False, default=1, min_value=1, max_value=2**31 - 1)
    count = serializers.IntegerField(required=False, default=0, min_value=0, max_value=MAX_COUNT)
    remember = serializers.BooleanField(
        required=False, default=True, help_text="**+** false: keeps nothing"
    )
    packs = serializers.IntegerField(
        required=False, default=0, min_value=0, max_value=MAX_COUNT, help_text="**+**"
    )
    unit = TextField(max_length=MAX_UNIT_SHOWN, required=False, default="", help_text="**+**")


class LearnedLine(serializers.Serializer):
    """The line as it would be ordered now."""

    success = serializers.IntegerField()
    line = ReviewedLine()


class OwnCodesView(PortalView):
    """GET and POST /account/own-codes."""

    @call(
        "own_codes",
        answer=OwnCodes,
        refusals=[400],
        parameters=[
            OpenApiParameter(
                "search", str, description="words of a code, a SKU or a product's name"
            ),
            OpenApiParameter("after", str, description="the last answer's `next`"),
        ],
    )
    def get(self, request: BuyerRequest) -> HttpResponse:
        """Return what the company calls products."""
        query: dict[str, Any] = validate(OwnCodesQuery, request.GET.dict())
        return json_response({"success": 1, **selectors.own_codes(buyer=request.user, **query)})

    @call("learn_own_code", request=LearnedCode, answer=LearnedLine)
    def post(self, request: BuyerRequest) -> HttpResponse:
        """Keep what the company calls a product, and review the line that has it anew."""
        fields, now = self.validated(LearnedCode), timezone.now()
        named = fields["sku"].strip().upper()
        line = {name: fields[name] for name in ("count", "packs", "unit")}
        if fields["remember"] and fields["packs"] and fields["count"]:
            learn_carton(buyer=request.user, sku=named, **line, now=now)
        elif fields["remember"]:
            named = learn_own_code(
                buyer=request.user, code=fields["code"], sku=fields["sku"], now=now
            ).code
        asked = chosen_line(row=fields["row"], sku=named, **line)
        (reviewed,) = review_each(buyer=request.user, lines=[asked], now=now)
        return json_response({"success": 1, "line": reviewed})


class OwnCodeView(PortalView):
    """DELETE /account/own-codes/{own_code_id}."""

    @call("forget_own_code", answer=Success, parameters=[path_text("own_code_id")])
    def delete(self, request: BuyerRequest, own_code_id: str) -> HttpResponse:
        """Forget what the company calls a product."""
        forget_own_code(buyer=request.user, own_code_id=id_or_404(own_code_id))
        return json_response({"success": 1})
