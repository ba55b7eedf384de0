"""The basket's calls: parse, call one service or selector, answer."""

import re

from django.http import HttpResponse
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter

from apps.accounts.api.identity import BuyerRequest
from apps.common.http.api import PortalView, uuid_or_404
from apps.common.http.schema import call, path_text
from apps.common.http.serializers import Success
from apps.orders import selectors, services
from apps.orders.api import basket_shapes as shapes
from apps.orders.api.requests import ok
from apps.orders.models import SavedBasket

AFTER = OpenApiParameter("after", str, description="the last answer's `next`")
BASKET = path_text("basket", "a UUID that the caller makes")
ETAG = re.compile(r'(?:W/)?"([0-9]{1,10})"')
IF_NONE_MATCH = OpenApiParameter(
    "If-None-Match",
    str,
    OpenApiParameter.HEADER,
    description='the revision that is known, as `"7"`',
)


class BasketView(PortalView):
    """GET /basket."""

    @call(
        "basket",
        answer=shapes.BasketAnswer,
        parameters=[IF_NONE_MATCH],
        other={(304, "application/json"): None},
    )
    def get(self, request: BuyerRequest) -> HttpResponse:
        """Return the buyer's basket; 304 while it is at the revision that is known."""
        known = ETAG.fullmatch(request.META.get("HTTP_IF_NONE_MATCH", "").strip())
        basket = selectors.basket_since(
            buyer=request.user, revision=int(known[1]) if known else None
        )
        if basket is None:
            return HttpResponse(status=304)
        response = ok(**basket)
        response["ETag"] = f'"{basket["revision"]}"'
        return response


class BasketEditsView(PortalView):
    """POST /basket/edits."""

    @call("edit_basket", request=shapes.BasketEdits, answer=shapes.BasketEdited)
    def post(self, request: BuyerRequest) -> HttpResponse:
        """Set pieces of products in the buyer's basket."""
        fields = self.validated(shapes.BasketEdits)
        edited = services.edit_basket(
            buyer=request.user,
            device=fields["device"],
            sequence=fields["sequence"],
            edits=[(edit["sku"], edit["count"]) for edit in fields["edits"]],
            now=timezone.now(),
        )
        answer = selectors.basket_json(edited.basket)
        if edited.was_at == fields["revision"] and not edited.refused:
            answer["lines"] = None
        refused = [{"sku": sku, "message": message} for sku, message in edited.refused.items()]
        return ok(refused=refused, **answer)


class SavedBasketsView(PortalView):
    """GET /baskets."""

    @call("saved_baskets", answer=shapes.SavedBaskets, parameters=[AFTER])
    def get(self, request: BuyerRequest) -> HttpResponse:
        """Return the baskets that the buyer may open: own ones, and those that colleagues share."""
        after = request.GET.get("after", "")
        page = selectors.saved_baskets(buyer=request.user, after=after, now=timezone.now())
        return ok(**page)


class SavedBasketView(PortalView):
    """GET, PUT and DELETE /baskets/{basket}."""

    @call("saved_basket", answer=shapes.SavedBasketWithLines, parameters=[BASKET])
    def get(self, request: BuyerRequest, basket: str) -> HttpResponse:
        """Return a basket that was put by, with its lines."""
        found = selectors.saved_basket(
            buyer=request.user, uuid=uuid_or_404(basket), now=timezone.now()
        )
        return ok(**found)

    @call("save_basket", request=shapes.BasketToSave, answer=Success, parameters=[BASKET])
    def put(self, request: BuyerRequest, basket: str) -> HttpResponse:
        """Put a basket by under a uuid that the caller has made; a repeat replaces it."""
        uuid, fields = uuid_or_404(basket), self.validated(shapes.BasketToSave)
        lines = [(line["sku"], line["count"]) for line in fields.pop("lines")]
        kind = SavedBasket.Kind(fields.pop("kind"))
        services.save_basket(
            buyer=request.user, uuid=uuid, kind=kind, lines=lines, now=timezone.now(), **fields
        )
        return ok()

    @call("delete_basket", answer=Success, parameters=[BASKET])
    def delete(self, request: BuyerRequest, basket: str) -> HttpResponse:
        """Delete a basket of the buyer's own."""
        services.delete_basket(buyer=request.user, uuid=uuid_or_404(basket))
        return ok()


class BasketNameView(PortalView):
    """PUT /baskets/{basket}/name."""

    @call("name_basket", request=shapes.BasketName, answer=Success, parameters=[BASKET])
    def put(self, request: BuyerRequest, basket: str) -> HttpResponse:
        """Name a basket of the buyer's own, and share it with the company or not."""
        uuid, fields = uuid_or_404(basket), self.validated(shapes.BasketName)
        services.name_basket(buyer=request.user, uuid=uuid, **fields)
        return ok()
