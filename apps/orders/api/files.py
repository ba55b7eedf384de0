"""Documents of orders, at `{file host}/{invoice code}/{signed name}`: a plain link that dies by itself."""

import io
from datetime import datetime

from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.views.decorators.http import require_safe

from apps.common.errors import NotFound, StorageUnavailable
from apps.common.storage.files import PDF, download, unavailable
from apps.orders.models import Order
from apps.orders.selectors import get_linked_document, get_linked_packing_list
from apps.orders.selectors.links import PACKING_LIST
from apps.orders.services import open_document
from apps.orders.services.packing_list import packing_list_pdf, packing_list_title


@require_safe
def order_document(request: HttpRequest, invoice_code: str, name: str) -> HttpResponseBase:
    """Return a document, or the order's packing list, as a download.

    Bad, old and foreign links alike are 404. 503 while the storage of documents is down.
    """
    now = timezone.now()
    packed = get_linked_packing_list(invoice_code=invoice_code, name=name, now=now)
    if packed is not None:
        return packing_list(packed, now)
    document = get_linked_document(invoice_code=invoice_code, name=name, now=now)
    if document is None:
        raise Http404
    try:
        content = open_document(document=document, now=now)
    except NotFound as error:
        raise Http404 from error
    except StorageUnavailable:
        return unavailable()
    return download(
        content, title=document.title, storage_name=document.storage_name, content_type=document.content_type
    )


def packing_list(order: Order, now: datetime) -> HttpResponseBase:
    """Return an order's packing list as a download; 404 if its packing is not complete any more."""
    try:
        content = packing_list_pdf(order_id=order.pk, now=now)
    except NotFound as error:
        raise Http404 from error
    return download(
        io.BytesIO(content),
        title=packing_list_title(order),
        storage_name=PACKING_LIST,
        content_type=PDF.content_type,
    )
