"""Documents of orders, at `{file host}/{invoice code}/{signed name}`: a plain link that dies by
itself.
"""

import io
from typing import IO

from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.views.decorators.http import require_safe

from apps.common.errors import NotFound, StorageUnavailable
from apps.common.storage.files import PDF, download, unavailable
from apps.orders.intake.answer import answered_sheet
from apps.orders.models import OrderDocument, SentSheet
from apps.orders.selectors.papers import PACKING_LIST, linked_file
from apps.orders.services.buyer_files import open_buyer_file
from apps.orders.services.issued_documents import open_document
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
                content, title = open_buyer_file(file=file), file.given_name
    except NotFound as error:
        raise Http404 from error
    except StorageUnavailable:
        return unavailable()
    return download(content, title=title, storage_name=stored, content_type=content_type)
