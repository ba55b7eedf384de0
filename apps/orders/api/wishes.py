"""The calls of what a company wants and has not got, and their bodies and answers."""

from typing import Any

from django.http import HttpResponse
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers

from apps.accounts.api.identity import BuyerRequest
from apps.common.http.api import PortalView, id_or_404
from apps.common.http.schema import call, path_text
from apps.common.http.serializers import CountField, Success, TextField, validate
from apps.common.ids import MAX_ID
from apps.orders.api.requests import ok
from apps.orders.models import Wish
from apps.orders.models.lists import MAX_OWN_CODE
from apps.orders.selectors.wishes import open_wishes, wish_offers
from apps.orders.services.wishes import drop_wish, wish_for


class WishesQuery(serializers.Serializer):
    """Which page: `after` is the last answer's `next`."""

    search = TextField(max_length=100, required=False, default="")
    after = serializers.IntegerField(required=False, default=0, min_value=0, max_value=MAX_ID)


class WishRow(serializers.Serializer):
    """Pieces (`count`) of a product, or of a code that nobody knows, that are still wanted."""

    wish_id = serializers.IntegerField()
    sku = serializers.CharField()
    eng_name = serializers.CharField()
    image = serializers.CharField()
    count = serializers.IntegerField()
    held = serializers.IntegerField(
        help_text="pieces of them that are offered now, held for the company alone"
    )
    held_text = serializers.CharField(help_text="until when, empty without an offer")
    why = serializers.ChoiceField(choices=Wish.Why.values)
    why_text = serializers.CharField()
    since = serializers.DateField()
    expected_text = serializers.CharField(
        help_text="when later pieces are expected, empty where nobody knows"
    )
    invoice_code = serializers.CharField(
        help_text="of the order that did not give them; empty without one"
    )
    manager = serializers.CharField(help_text="who of the company wants them")


class OfferLine(serializers.Serializer):
    """Pieces of a product that are held for the company."""

    sku = serializers.CharField()
    count = serializers.IntegerField()


class Offers(serializers.Serializer):
    """All that is held for the company's wishes; `until` is when the first of it goes to others."""

    lines = OfferLine(many=True)
    pieces = serializers.IntegerField()
    until = serializers.CharField()


class Wishes(Success):
    """A page of the company's open wishes, the oldest first; `next` goes into `?after=`."""

    wishes = WishRow(many=True)
    offers = Offers()
    next = serializers.IntegerField(allow_null=True)


class NewWish(serializers.Serializer):
    """Pieces of a product that is sold out, or of a code that no product is known by."""

    sku = TextField(max_length=MAX_OWN_CODE, allow_blank=False)
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
        offers = wish_offers(buyer=request.user)
        return ok(offers=offers, **open_wishes(buyer=request.user, **query))

    @call("wish", request=NewWish, answer=Success)
    def post(self, request: BuyerRequest) -> HttpResponse:
        """**+** Keep that the buyer wants pieces of what is sold out."""
        fields = self.validated(NewWish)
        wish_for(buyer=request.user, sku=fields["sku"], pieces=fields["count"], now=timezone.now())
        return ok()


class WishView(PortalView):
    """DELETE /account/wishes/{wish_id}."""

    @call("drop_wish", answer=Success, parameters=[path_text("wish_id")])
    def delete(self, request: BuyerRequest, wish_id: str) -> HttpResponse:
        """**+** Drop what is open of a wish."""
        drop_wish(buyer=request.user, wish_id=id_or_404(wish_id), now=timezone.now())
        return ok()
