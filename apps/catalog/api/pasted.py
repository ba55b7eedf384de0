"""The calls of a message that staff pasted for the buyer."""

from django.http import HttpResponse
from django.utils import timezone
from rest_framework import serializers

from apps.accounts.api.identity import BuyerRequest
from apps.catalog.api.serializers import ListReview, ReviewUse
from apps.catalog.api.throttles import ListReviewLimit
from apps.catalog.services.pasted import review_pasted, use_pasted
from apps.common.http.api import PortalView, uuid_or_404
from apps.common.http.renderers import json_response
from apps.common.http.schema import call, path_text
from apps.common.http.serializers import Success
from apps.common.http.throttles import SignedInLimit


class PastedReview(ListReview):
    """The review of a message, with who of the seller's staff pasted it and when."""

    pasted_by = serializers.CharField()
    pasted_at = serializers.DateTimeField()


class PastedMessageView(PortalView):
    """GET and POST /basket/messages/{message}."""

    throttle_classes = (SignedInLimit, ListReviewLimit)

    @call(
        "pasted_message",
        answer=PastedReview,
        refusals=[400, 410],
        parameters=[path_text("message")],
    )
    def get(self, request: BuyerRequest, message: str) -> HttpResponse:
        """Answer what the message asks for, as a list that is sent; nothing is ordered
        or stored.
        """
        answer = review_pasted(buyer=request.user, uuid=uuid_or_404(message), now=timezone.now())
        return json_response({"success": 1, **answer, "list": None})

    @call(
        "use_pasted_message",
        request=ReviewUse,
        answer=Success,
        refusals=[410],
        parameters=[path_text("message")],
    )
    def post(self, request: BuyerRequest, message: str) -> HttpResponse:
        """Use the link up, before its lines are put into the basket: they are put once, whoever
        opens it again.
        """
        key = self.validated(ReviewUse)["key"]
        use_pasted(buyer=request.user, uuid=uuid_or_404(message), key=key, now=timezone.now())
        return json_response({"success": 1})
