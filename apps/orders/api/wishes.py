"""The calls of what a company wants and has not got, and their bodies and answers."""

from datetime import date
from typing import Annotated, Any

from django.http import HttpResponse
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers

from apps.accounts.api.identity import BuyerRequest
from apps.common.http.api import PortalView, id_or_404
from apps.common.http.renderers import ok
from apps.common.http.schema import call
from apps.common.http.serializers import Answer, CountField, Success, TextField, validate
from apps.common.ids import MAX_ID
from apps.orders.models import Wish
from apps.orders.models.lists import MAX_OWN_CODE
from apps.orders.selectors.wishes import open_wishes, wish_offers
from apps.orders.services.wishes import drop_wish, wish_for


class WishesQuery(serializers.Serializer):
    """Which page: `after` is the last answer's `next`."""

    search = TextField(max_length=100, required=False, default="")
    after = serializers.IntegerField(required=False, default=0, min_value=0, max_value=MAX_ID)


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

    @call("drop_wish", answer=Success)
    def delete(self, request: BuyerRequest, wish_id: str) -> HttpResponse:
        """**+** Drop what is open of a wish."""
        drop_wish(buyer=request.user, wish_id=id_or_404(wish_id), now=timezone.now())
        return ok()
