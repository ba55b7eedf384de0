"""The calls of the file that a buyer gives with his PO number."""

from django.http import HttpResponse
from django.utils import timezone

from apps.accounts.api.identity import BuyerRequest
from apps.common.http.api import PortalView
from apps.common.http.renderers import ok
from apps.common.http.schema import call
from apps.common.http.serializers import Success
from apps.common.http.throttles import SignedInLimit
from apps.common.storage.uploads import OneFileParser
from apps.orders.api import serializers as wire
from apps.orders.api.requests import code_or_404
from apps.orders.api.throttles import BuyerFileLimit
from apps.orders.errors import BuyerFileTooLarge
from apps.orders.services.buyer_files import FIELD, MAX_BYTES, remove_po_file, set_po_file


class BuyerFileParser(OneFileParser):
    """Reads the file."""

    field, max_bytes, too_large = FIELD, MAX_BYTES, BuyerFileTooLarge


class PoFileView(PortalView):
    """POST and DELETE /order/po-file/{invoice_code}."""

    parser_classes = (BuyerFileParser,)
    throttle_classes = (SignedInLimit, BuyerFileLimit)

    @call(
        "set_po_file",
        request=wire.BuyerFileUpload,
        media_type=BuyerFileParser.media_type,
        answer=Success,
    )
    def post(self, request: BuyerRequest, invoice_code: str) -> HttpResponse:
        """**+** Keep the file of the buyer's own order, in place of the one before."""
        code = code_or_404(invoice_code)
        file = self.validated(wire.BuyerFileUpload)[FIELD]
        set_po_file(buyer=request.user, invoice_code=code, file=file, now=timezone.now())
        return ok()

    @call("remove_po_file", answer=Success)
    def delete(self, request: BuyerRequest, invoice_code: str) -> HttpResponse:
        """**+** Take the file of the buyer's own order away."""
        remove_po_file(
            buyer=request.user, invoice_code=code_or_404(invoice_code), now=timezone.now()
        )
        return ok()
