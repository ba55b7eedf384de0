"""The step that begins an order's preparation, and the files of an order: the seller's documents
and what the buyer gave.
"""

from collections.abc import Callable
from typing import IO

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from apps.common.errors import NotFound, StorageUnavailable
from apps.common.staff import run_action
from apps.common.storage.files import download
from apps.common.storage.private import open_private
from apps.common.texts import Text
from apps.orders.admin.base import page_below
from apps.orders.admin.forms import DocumentForm
from apps.orders.models import BuyerFile, Order, OrderDocument
from apps.orders.services.documents import (
    add_document,
    note_seen,
    open_document,
    remove_document,
)
from apps.orders.services.moves import start_preparing
from apps.orders.status import OrderStatus


@require_POST
def prepare(request: HttpRequest, order: Order) -> None:
    """Start preparing; that it was started before is nothing to worry about."""
    if order.status == OrderStatus.PREPARING:
        messages.info(request, _("%(order)s: it is already being prepared.") % {"order": order})
    else:
        run_action(request, order, Text("Preparing started"), start_preparing, order_id=order.pk)


@require_POST
def remove(request: HttpRequest, order: Order, document: int) -> None:
    """Take a document away."""
    get_object_or_404(order.documents, pk=document)
    run_action(request, order, Text("Document removed"), remove_document, document_id=document)


def document(request: HttpRequest, order: Order) -> HttpResponse | None:
    """Add a document for the buyer."""
    form = DocumentForm(request.POST or None, request.FILES or None)
    if form.is_valid() and run_action(
        request,
        order,
        Text("Document added"),
        add_document,
        form=form,
        outward=True,
        order_id=order.pk,
        **form.cleaned_data,
    ):
        return None
    lead = _(
        "Buyers see documents from Confirmed on. PDF, JPEG, PNG, XLSX, DOCX or CSV, at most 10 MB."
    )
    return page_below(
        request,
        "staff/form.html",
        order,
        here=_("Add a document"),
        form=form,
        verb=_("Add this file"),
        lead=lead,
    )


def document_file(request: HttpRequest, order: Order, document: int) -> HttpResponseBase | None:
    """Send a document to staff."""
    found = get_object_or_404(order.documents, pk=document)
    return _send(
        request, found, found.title, lambda: open_document(document=found, now=timezone.now())
    )


def buyer_file(request: HttpRequest, order: Order, file: int) -> HttpResponseBase | None:
    """Send a file that the buyer gave to staff, and note when it was opened first."""
    found = get_object_or_404(order.buyer_files, pk=file)

    def opened() -> IO[bytes]:
        content = open_private(found.path)
        note_seen(file=found, now=timezone.now())
        return content

    return _send(request, found, found.given_name, opened)


def _send(
    request: HttpRequest,
    row: OrderDocument | BuyerFile,
    title: str,
    opened: Callable[[], IO[bytes]],
) -> HttpResponseBase | None:
    try:
        content = opened()
    except NotFound as error:
        raise Http404 from error
    except StorageUnavailable as refusal:
        messages.error(request, f"{title}: {refusal}")
        return None
    return download(
        content, title=title, storage_name=row.storage_name, content_type=row.content_type
    )
