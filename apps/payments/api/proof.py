"""The calls of an order's announced wire and the proof that the buyer attaches to it."""

from django.http import HttpResponse
from django.utils import timezone
from rest_framework import serializers

from apps.accounts.api.identity import BuyerRequest
from apps.common.http.api import PortalView
from apps.common.http.renderers import json_response
from apps.common.http.schema import call, path_text
from apps.common.http.serializers import MoneyField, Success
from apps.common.http.throttles import SignedInLimit
from apps.orders.api.buyer_files import BuyerFileParser
from apps.orders.api.requests import code_or_404
from apps.orders.api.serializers import BuyerFileUpload, GivenFile
from apps.orders.api.throttles import BuyerFileLimit
from apps.orders.services.buyer_files import FIELD
from apps.payments import selectors
from apps.payments.services.proof import attach_proof, remove_proof

CODE = path_text("invoice_code")


class Proof(GivenFile):
    """A proof of payment: the seller's day on which it was attached, and that on which staff opened
    it first.
    """

    on = serializers.DateField()
    seen_on = serializers.DateField(allow_null=True)


class WireUnderWay(serializers.Serializer):
    """A wire that the company announced and that has not come; `amount` is US dollars."""

    kind = serializers.ChoiceField(choices=["deposit", "balance"])
    amount = MoneyField()
    depositor = serializers.CharField()
    on = serializers.DateField()
    proof = Proof(allow_null=True)


class AnnouncedWire(serializers.Serializer):
    """The announced wire of an order; null where there is none."""

    success = serializers.IntegerField()
    wire = WireUnderWay(allow_null=True)


class WireView(PortalView):
    """GET /order/wire/{invoice_code}."""

    @call("announced_wire", answer=AnnouncedWire, parameters=[CODE])
    def get(self, request: BuyerRequest, invoice_code: str) -> HttpResponse:
        """**+** Return the announced wire of an order with its proof."""
        code = code_or_404(invoice_code)
        wire = selectors.wire_under_way(buyer=request.user, invoice_code=code, now=timezone.now())
        return json_response({"success": 1, "wire": wire})


class WireProofView(PortalView):
    """POST and DELETE /order/wire-proof/{invoice_code}."""

    parser_classes = (BuyerFileParser,)
    throttle_classes = (SignedInLimit, BuyerFileLimit)

    @call(
        "attach_proof",
        request=BuyerFileUpload,
        media_type=BuyerFileParser.media_type,
        answer=Success,
        refusals=[409],
        parameters=[CODE],
    )
    def post(self, request: BuyerRequest, invoice_code: str) -> HttpResponse:
        """**+** Attach a proof of payment to the announced wire, in place of the one before."""
        code = code_or_404(invoice_code)
        file = self.validated(BuyerFileUpload)[FIELD]
        attach_proof(buyer=request.user, invoice_code=code, file=file, now=timezone.now())
        return json_response({"success": 1})

    @call("remove_proof", answer=Success, refusals=[409], parameters=[CODE])
    def delete(self, request: BuyerRequest, invoice_code: str) -> HttpResponse:
        """**+** Take the proof of the announced wire away."""
        remove_proof(buyer=request.user, invoice_code=code_or_404(invoice_code), now=timezone.now())
        return json_response({"success": 1})
