"""Documents of orders, at `{file host}/{invoice code}/{signed name}`: a plain link that dies by
itself.
"""

import io
from datetime import datetime

from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.views.decorators.http import require_safe

from apps.common.errors import NotFound, StorageUnavailable
from apps.common.storage.files import PDF, download, unavailable
from apps.orders.intake.answer import answered_sheet
from apps.orders.models import BuyerFile, Order, OrderDocument, SentSheet
from apps.orders.selectors import (
    get_linked_buyer_file,
    get_linked_document,
    get_linked_packing_list,
    get_linked_sheet,
)
from apps.orders.selectors.links import PACKING_LIST
from apps.orders.services import open_document
from apps.orders.services.buyer_files import open_buyer_file
from apps.orders.services.packing_list import packing_list_pdf, packing_list_title


@require_safe
def order_document(request: HttpRequest, invoice_code: str, name: str) -> HttpResponseBase:
    """Return a document, the order's packing list, or what the company gave with the order, as a
    download.

    Bad, old and foreign links alike are 404. 503 while the storage of documents is down.
    """
    now = timezone.now()
    packed = get_linked_packing_list(invoice_code=invoice_code, name=name, now=now)
    if packed is not None:
        return packing_list(packed, now)
    document = get_linked_document(invoice_code=invoice_code, name=name, now=now)
    given = (
        None if document else get_linked_buyer_file(invoice_code=invoice_code, name=name, now=now)
    )
    try:
        if document is not None:
            return sent_document(document, now=now)
        if given is not None:
            return sent_buyer_file(given)
        sheet = get_linked_sheet(invoice_code=invoice_code, name=name, now=now)
        if sheet is not None:
            return sent_sheet(*sheet, now=now)
    except NotFound as error:
        raise Http404 from error
    except StorageUnavailable:
        return unavailable()
    raise Http404


def sent_document(document: OrderDocument, *, now: datetime) -> HttpResponseBase:
    """Return a document as a download.

    Raises:
        NotFound, StorageUnavailable: see `open_document`.
    """
    content = open_document(document=document, now=now)
    return download(
        content,
        title=document.title,
        storage_name=document.storage_name,
        content_type=document.content_type,
    )


def sent_buyer_file(file: BuyerFile) -> HttpResponseBase:
    """Return a file that a buyer gave with an order as a download.

    Raises:
        NotFound, StorageUnavailable: see `open_buyer_file`.
    """
    content = open_buyer_file(file=file)
    return download(
        content,
        title=file.given_name,
        storage_name=file.storage_name,
        content_type=file.content_type,
    )


def sent_sheet(sheet: SentSheet, order: Order, *, now: datetime) -> HttpResponseBase:
    """Return the sheet that an order came of as a download, answered as the order stands now.

    Raises:
        NotFound, StorageUnavailable: see `answered_sheet`.
    """
    content = io.BytesIO(answered_sheet(sheet=sheet, order=order, now=now))
    return download(
        content,
        title=sheet.given_name,
        storage_name=sheet.storage_name,
        content_type=sheet.content_type,
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
