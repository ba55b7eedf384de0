"""The basket's calls, and their bodies and answers."""

import re
from datetime import datetime
from decimal import Decimal
from typing import Annotated

from django.http import HttpResponse
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers

from apps.accounts.api.identity import BuyerRequest
from apps.common.http.api import PortalView, uuid_or_404
from apps.common.http.renderers import ok
from apps.common.http.schema import call, path_text
from apps.common.http.serializers import (
    MAX_COUNT,
    MAX_LINES,
    Answer,
    CountField,
    FlagField,
    Success,
    TextField,
    WholeNumberField,
)
from apps.common.types import Json
from apps.orders.models import SavedBasket
from apps.orders.selectors.baskets import basket_json, basket_since, saved_basket, saved_baskets
from apps.orders.services.baskets import delete_basket, edit_basket, name_basket, save_basket

MAX_BASKET_NAME = 60
MAX_EDITS = 2**31 - 1
AFTER = OpenApiParameter("after", str, description="the last answer's `next`")
BASKET = path_text("basket", "a UUID that the caller makes")
ETAG = re.compile(r'(?:W/)?"([0-9]{1,10})"')
IF_NONE_MATCH = OpenApiParameter(
    "If-None-Match",
    str,
    OpenApiParameter.HEADER,
    description='the revision that is known, as `"7"`',
)


class BasketEdit(serializers.Serializer):
    """Pieces of a product from now on; 0 takes it out."""

    sku = TextField(max_length=40)
    count = WholeNumberField(min_value=0, max_value=MAX_COUNT)


class BasketEdits(serializers.Serializer):
    """What was edited on a device. A `sequence` that has come before changes nothing."""

    device = serializers.UUIDField()
    sequence = WholeNumberField(min_value=1, max_value=MAX_EDITS)
    revision = WholeNumberField(
        min_value=0, max_value=MAX_EDITS, help_text="of the basket that was edited"
    )
    edits = serializers.ListField(child=BasketEdit(), max_length=2 * MAX_LINES)


class BasketLine(Answer):
    """Pieces of a product; `price` is the wholesale price in US dollars when they were chosen."""

    sku: str
    count: int
    price: Decimal
    short: Annotated[int, "1: there were fewer pieces than these when they were chosen"]


class BasketAnswer(Success):
    """The buyer's basket on all devices."""

    revision: int
    edited_at: datetime | None
    lines: list[BasketLine]


class RefusedEdit(Answer):
    """An edit that was left out, and why."""

    sku: str
    message: str


class BasketEdited(Success):
    """The basket after edits; without lines where nothing but these edits has changed it."""

    revision: int
    edited_at: datetime | None
    lines: list[BasketLine] | None
    refused: list[RefusedEdit]


class SavedLine(serializers.Serializer):
    """A product and how many pieces of it."""

    sku = TextField(max_length=40)
    count = CountField()


class BasketToSave(serializers.Serializer):
    """A basket to put by: `named` with a name, or a former one without."""

    kind = serializers.ChoiceField(choices=SavedBasket.Kind.values)
    name = TextField(max_length=MAX_BASKET_NAME, default="")
    is_shared = FlagField(default=False)
    lines = serializers.ListField(child=SavedLine(), max_length=MAX_LINES)

    def validate(self, attrs: Json) -> Json:
        """Ask for the name of a named basket."""
        if attrs["kind"] == SavedBasket.Kind.NAMED and not attrs["name"]:
            raise serializers.ValidationError({"name": ["This field may not be blank."]})
        return attrs


class BasketName(serializers.Serializer):
    """What a basket is called, and whether colleagues see it."""

    name = TextField(max_length=MAX_BASKET_NAME)
    is_shared = FlagField()


class SavedBasketItem(Answer):
    """A basket that was put by; `total` at the prices of when it was saved."""

    uuid: str
    kind = serializers.ChoiceField(choices=SavedBasket.Kind.values)
    name: Annotated[str, "empty for a former basket"]
    is_own: FlagField
    owner: str
    is_shared: FlagField
    count: Annotated[int, "products"]
    pieces: int
    total: Decimal
    saved_at: datetime


class SavedBaskets(Success):
    """A page of the baskets that the buyer may open, the newest first; `next` goes into
    `?after=`.
    """

    result: list[SavedBasketItem]
    has_next: bool
    next: str | None


class SavedBasketWithLines(SavedBasketItem):
    """One of them with its lines."""

    success: int
    lines: list[SavedLine]


class BasketView(PortalView):
    """GET /basket."""

    @call(
        "basket",
        answer=BasketAnswer,
        parameters=[IF_NONE_MATCH],
        other={(304, "application/json"): None},
    )
    def get(self, request: BuyerRequest) -> HttpResponse:
        """**+** Return the buyer's basket; 304 while it is at the revision that is known."""
        etag = ETAG.fullmatch(request.META.get("HTTP_IF_NONE_MATCH", "").strip())
        basket = basket_since(buyer=request.user, revision=int(etag[1]) if etag else None)
        if basket is None:
            return HttpResponse(status=304)
        response = ok(**basket)
        response["ETag"] = f'"{basket["revision"]}"'
        return response


class BasketEditsView(PortalView):
    """POST /basket/edits."""

    @call("edit_basket", request=BasketEdits, answer=BasketEdited)
    def post(self, request: BuyerRequest) -> HttpResponse:
        """**+** Set pieces of products in the buyer's basket."""
        fields = self.validated(BasketEdits)
        basket, refused, was_at = edit_basket(
            buyer=request.user,
            device=fields["device"],
            sequence=fields["sequence"],
            edits=[(edit["sku"], edit["count"]) for edit in fields["edits"]],
            now=timezone.now(),
        )
        answer = basket_json(basket)
        if was_at == fields["revision"] and not refused:
            answer["lines"] = None
        return ok(
            refused=[{"sku": sku, "message": message} for sku, message in refused.items()], **answer
        )


class SavedBasketsView(PortalView):
    """GET /baskets."""

    @call("saved_baskets", answer=SavedBaskets, parameters=[AFTER])
    def get(self, request: BuyerRequest) -> HttpResponse:
        """**+** Return the baskets that the buyer may open: own ones, and those that colleagues
        share.
        """
        after = request.GET.get("after", "")
        return ok(**saved_baskets(buyer=request.user, after=after, now=timezone.now()))


class SavedBasketView(PortalView):
    """GET, PUT and DELETE /baskets/{basket}."""

    @call("saved_basket", answer=SavedBasketWithLines, parameters=[BASKET])
    def get(self, request: BuyerRequest, basket: str) -> HttpResponse:
        """**+** Return a basket that was put by, with its lines."""
        return ok(**saved_basket(buyer=request.user, uuid=uuid_or_404(basket), now=timezone.now()))

    @call("save_basket", request=BasketToSave, answer=Success, parameters=[BASKET])
    def put(self, request: BuyerRequest, basket: str) -> HttpResponse:
        """**+** Put a basket by under a uuid that the caller has made; a repeat replaces it."""
        uuid, fields = uuid_or_404(basket), self.validated(BasketToSave)
        lines = [(line["sku"], line["count"]) for line in fields.pop("lines")]
        kind = SavedBasket.Kind(fields.pop("kind"))
        save_basket(
            buyer=request.user, uuid=uuid, kind=kind, lines=lines, now=timezone.now(), **fields
        )
        return ok()

    @call("delete_basket", answer=Success, parameters=[BASKET])
    def delete(self, request: BuyerRequest, basket: str) -> HttpResponse:
        """**+** Delete a basket of the buyer's own."""
        delete_basket(buyer=request.user, uuid=uuid_or_404(basket))
        return ok()


class BasketNameView(PortalView):
    """PUT /baskets/{basket}/name."""

    @call("name_basket", request=BasketName, answer=Success, parameters=[BASKET])
    def put(self, request: BuyerRequest, basket: str) -> HttpResponse:
        """**+** Name a basket of the buyer's own, and share it with the company or not."""
        uuid, fields = uuid_or_404(basket), self.validated(BasketName)
        name_basket(buyer=request.user, uuid=uuid, **fields)
        return ok()
