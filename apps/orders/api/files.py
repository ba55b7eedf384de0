"""Documents of orders, at `{file host}/{invoice code}/{signed name}`: a plain link that dies by
itself; and the calls of the file that a buyer gives with his PO number.
"""

import io
from typing import IO

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.views.decorators.http import require_safe

from apps.accounts.api.identity import BuyerRequest
from apps.common.errors import NotFound, StorageUnavailable
from apps.common.http.api import PortalView
from apps.common.http.renderers import ok
from apps.common.http.schema import call
from apps.common.http.serializers import Success
from apps.common.http.throttles import SignedInLimit
from apps.common.storage.files import PDF, download, unavailable
from apps.common.storage.private import open_private
from apps.common.storage.uploads import OneFileParser
from apps.orders.api import serializers as wire
from apps.orders.api.requests import BuyerFileLimit, code_or_404
from apps.orders.errors import BuyerFileTooLarge
from apps.orders.intake.answer import answered_sheet
from apps.orders.models import OrderDocument, SentSheet
from apps.orders.selectors.papers import PACKING_LIST, linked_file
from apps.orders.services.documents import (
    FIELD,
    MAX_BUYER_BYTES,
    open_document,
    remove_po_file,
    set_po_file,
)
from apps.orders.services.packing import packing_list_pdf, packing_list_title


@require_safe
def order_document(request: HttpRequest, invoice_code: str, name: str) -> HttpResponseBase:
    """Return a document, the order's packing list, or what the company gave with the order, as a
    download.

    Bad, old and foreign links alike are 404. 503 while the storage of documents is down.
    """
    now = timezone.now()
    content: IO[bytes]
    try:
        order, file = linked_file(invoice_code=invoice_code, name=name, now=now)
        if file is None:
            content = io.BytesIO(packing_list_pdf(order_id=order.pk, now=now))
            title, stored, content_type = packing_list_title(order), PACKING_LIST, PDF.content_type
        else:
            stored, content_type = file.storage_name, file.content_type
            if isinstance(file, OrderDocument):
                content, title = open_document(document=file, now=now), file.title
            elif isinstance(file, SentSheet):  # answered as the order stands now
                content = io.BytesIO(answered_sheet(sheet=file, order=order, now=now))
                title = file.given_name
            else:
                content, title = open_private(file.path), file.given_name
    except NotFound as error:
        raise Http404 from error
    except StorageUnavailable:
        return unavailable()
    return download(content, title=title, storage_name=stored, content_type=content_type)


class BuyerFileParser(OneFileParser):
    """Reads the file."""

    field, max_bytes, too_large = FIELD, MAX_BUYER_BYTES, BuyerFileTooLarge


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
