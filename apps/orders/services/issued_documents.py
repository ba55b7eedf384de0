"""Issued documents: written with the step that owes them, their files made after it, outside any
transaction.
"""

import io
import logging
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import IO

from django.core.files.base import ContentFile
from django.core.files.storage import storages

from apps.common.errors import NotFound
from apps.common.mail import Mail
from apps.common.nudge import nudge
from apps.common.storage.files import PDF, SPREADSHEET, FileKind, random_name
from apps.common.storage.private import open_private, storage_asked
from apps.common.texts import Text, in_english
from apps.orders.documents.content import Content
from apps.orders.documents.proforma import proforma
from apps.orders.documents.rendering import render
from apps.orders.models import IssuedDocument, Order, OrderDocument, OrderEvent
from apps.orders.status import OrderStatus

logger = logging.getLogger("portal.papers")


FOLDER = "documents"
SWEEP = "papers"  # its name for operators, in figures and alerts


def stored_path(storage_name: str) -> str:
    """Return where a document lies in the private storage."""
    return f"{FOLDER}/{storage_name}"


@in_english()
def issue_proforma(*, order: Order, is_correction: bool = False, now: datetime) -> IssuedDocument:
    """Issue the proforma invoice of a locked order that is confirmed now, in the caller's
    transaction; of a correction its next revision.
    """
    kind = IssuedDocument.Kind.PROFORMA
    last = IssuedDocument.objects.filter(order=order, kind=kind).order_by("revision").last()
    if last is not None and not is_correction:
        return last
    revision = last.revision + 1 if last else 1
    confirmed_at = now
    if is_correction:
        steps = order.events.filter(kind=OrderEvent.Kind.STATUS, to_status=OrderStatus.CONFIRMED)
        confirmed_at = steps.get().at
    content = proforma(
        order=order,
        lines=list(order.lines.select_related("product")),
        confirmed_at=confirmed_at,
        corrected_at=now if is_correction else None,
        revision=revision,
    )
    formats = (PDF, SPREADSHEET)
    return issue_document(
        order=order, kind=kind, revision=revision, content=content, formats=formats, now=now
    )


def issue_document(
    *,
    order: Order,
    kind: IssuedDocument.Kind,
    revision: int = 1,
    content: Content,
    formats: Sequence[FileKind],
    now: datetime,
) -> IssuedDocument:
    """Issue a document of a locked order, or its next revision, in the caller's transaction; its
    files are listed from the commit on, and made then. Those of the revision before stay for staff.

    What was issued stays as it is, whatever becomes of the order.
    """
    name = kind.label.title()
    if revision > 1:
        withdraw_document(order=order, kind=kind, now=now)
        name += f" Revision {revision}"
    issued = IssuedDocument.objects.create(
        order=order, kind=kind, revision=revision, content=content, issued_at=now
    )
    stem = f"{name.replace(' ', '_')}_{order.invoice_code}"
    OrderDocument.objects.bulk_create(
        OrderDocument(
            order=order,
            issued=issued,
            title=f"{stem}.{file_kind.extension}",
            storage_name=random_name(file_kind),
            content_type=file_kind.content_type,
            size=0,
            uploaded_at=now,
        )
        for file_kind in formats
    )
    nudge(SWEEP)
    return issued


def withdraw_document(*, order: Order, kind: IssuedDocument.Kind, now: datetime) -> None:
    """Take the files of a locked order's document from its buyer, in the caller's transaction; they
    stay for staff.
    """
    OrderDocument.objects.filter(
        issued__order=order, issued__kind=kind, replaced_at__isnull=True
    ).update(replaced_at=now)


def attach_document(mail: Mail, issued: IssuedDocument) -> Mail:
    """Return a mail that takes the PDF of an issued document along."""
    name = issued.files.get(content_type=PDF.content_type).title
    return replace(mail, attached={"document": issued.pk, "name": name})


def attached_file(*, document: int, name: str, now: datetime) -> bytes | None:
    """Return the PDF that a mail takes along, made from what was issued: the storage is not asked.

    Where it cannot be made the mail leaves with its link alone, and the order's history says so.
    """
    issued = IssuedDocument.objects.select_related("order").get(pk=document)
    try:
        return render(issued.content, content_type=PDF.content_type, issued_at=issued.issued_at)
    except Exception:
        logger.exception("document %s cannot be attached", document)
    OrderEvent.objects.get_or_create(
        order=issued.order,
        key=f"unattached:{document}",
        defaults={
            "kind": OrderEvent.Kind.MAIL,
            "note": Text("Sent without %(file)s, which could not be made", file=name).stored(),
            "at": now,
        },
    )
    return None


def open_document(*, document: OrderDocument, now: datetime) -> IO[bytes]:
    """Return a document's content; that of an issued document is made now if it is not there yet.

    Raises:
        NotFound: the file of a document that staff added is gone.
        StorageUnavailable: the storage does not answer.
    """
    path = stored_path(document.storage_name)
    if document.issued_id is None:
        return open_private(path)
    if document.rendered_at is not None:
        with suppress(NotFound):
            return open_private(path)
    return make_file(document=document, now=now)


def make_file(*, document: OrderDocument, now: datetime) -> IO[bytes]:
    """Make the file of an issued document and return it. Never inside a transaction; safe to
    repeat.

    Raises:
        StorageUnavailable: the storage does not take it. What was not kept is not handed out.
    """
    issued, storage = document.issued, storages["private"]
    assert issued is not None
    content = render(issued.content, content_type=document.content_type, issued_at=issued.issued_at)
    path = stored_path(document.storage_name)
    with storage_asked(path):
        saved = storage.save(path, ContentFile(content))
        if saved != path:
            # Something is there: the same file, made by somebody quicker, or what a process left
            # that was killed while writing.
            storage.delete(saved)
            if storage.size(path) != len(content):
                storage.delete(path)
                storage.save(path, ContentFile(content))
    OrderDocument.objects.filter(pk=document.pk).update(size=len(content), rendered_at=now)
    return io.BytesIO(content)
