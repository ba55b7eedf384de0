"""The documents of an order: issued with the step that owes them, their files made after it; files
that staff add for the buyer, and those that the buyer gives.
"""

import io
import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import datetime
from typing import IO

from django.core.files.base import ContentFile, File
from django.core.files.storage import storages
from django.core.files.uploadedfile import UploadedFile
from django.db import transaction

from apps.accounts.models import User
from apps.accounts.selectors import Buyer
from apps.common.db.transactions import one_transaction
from apps.common.errors import NotFound, PortalError, Unavailable, WrongStatus, row_or_404
from apps.common.mail import Mail
from apps.common.nudge import nudge
from apps.common.permissions import needs
from apps.common.storage.files import (
    JPEG,
    LETTER,
    PDF,
    PNG,
    SPREADSHEET,
    TABLE,
    FileKind,
    random_name,
)
from apps.common.storage.private import open_private, saved_private, storage_errors
from apps.common.storage.uploads import WrongKind, check_file, check_upload
from apps.common.texts import Text, gettext as _, in_english
from apps.orders.documents import render
from apps.orders.documents.content import Content
from apps.orders.documents.proforma import proforma
from apps.orders.errors import StaffRefusal
from apps.orders.models import BuyerFile, IssuedDocument, Order, OrderDocument, OrderEvent
from apps.orders.selectors.orders import get_order
from apps.orders.services.moves import changes_order, locked_order, record, save_changed
from apps.orders.status import OrderStatus, allowed

logger = logging.getLogger("portal.papers")


SWEEP = "papers"  # its name for operators, in figures and alerts


@in_english()
def issue_proforma(*, order: Order, is_correction: bool = False, now: datetime) -> IssuedDocument:
    """Issue the proforma invoice of a locked order that is confirmed now, in the caller's
    transaction; of a correction its next revision.
    """
    kind = IssuedDocument.Kind.PROFORMA
    last = latest_document(order, kind)
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
    return issue_document(order=order, kind=kind, revision=revision, content=content, now=now)


def latest_document(order: Order, kind: IssuedDocument.Kind) -> IssuedDocument | None:
    """Return an order's document of a kind as it was issued last."""
    return order.issued_documents.filter(kind=kind).order_by("revision").last()


def issue_document(
    *,
    order: Order,
    kind: IssuedDocument.Kind,
    revision: int = 1,
    content: Content,
    formats: Sequence[FileKind] = (PDF, SPREADSHEET),
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
    path = document.path
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
    path = document.path
    with storage_errors(path):
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


MAX_BYTES = 10 * 1024 * 1024
MAX_TITLE = 200
KINDS = (PDF, JPEG, PNG, SPREADSHEET, LETTER, TABLE)


@needs("orders.change_order")
def add_document(
    *, order_id: int, title: str, file: File, actor: User, now: datetime
) -> OrderDocument:
    """Store a document for an order's buyer: PDF, JPEG, PNG, XLSX, DOCX or CSV.

    Raises:
        StaffRefusal: empty, too large, of another kind, unsafe (see `check_file`), or not stored.
        NotFound: there is no such order.
    """
    title = " ".join(title.split())[:MAX_TITLE]
    if file.size > MAX_BYTES:
        fault = _("At most 10 MB.")
        raise StaffRefusal(_("The file is larger than 10 MB."), errors={"file": [fault]})
    try:
        checked = check_file(file.read(), given_name=file.name or "", kinds=KINDS)
    except PortalError as error:
        text = _(str(error))
        if isinstance(error, WrongKind):
            text = _("Only PDF, JPEG, PNG, XLSX, DOCX and CSV files can be added.")
        raise StaffRefusal(text, field="file") from error
    return keep_document(
        order_id=order_id,
        title=title,
        content=checked.content,
        kind=checked.kind,
        actor=actor,
        now=now,
    )


@needs("orders.change_order")
def keep_document(
    *, order_id: int, title: str, content: bytes, kind: FileKind, actor: User, now: datetime
) -> OrderDocument:
    """Store a document whose content needs no examination: it has passed one, or is our own.

    The file is written first, outside the transaction; a row that fails takes it away again.

    Raises:
        StaffRefusal: the storage does not take it.
        NotFound: there is no such order.
    """
    document = OrderDocument(
        title=title,
        storage_name=random_name(kind),
        content_type=kind.content_type,
        size=len(content),
        uploaded_by=actor,
        uploaded_at=now,
    )

    @one_transaction
    def add_row() -> OrderDocument:
        document.pk, document.order = None, locked_order(order_id)  # a repeat makes it once more
        save_changed(document.order)
        note = Text("Added: %(title)s", title=title)
        record(document.order, OrderEvent.Kind.DOCUMENT, note, actor=actor, now=now)
        document.save(force_insert=True)
        return document

    try:
        with saved_private(document.path, content):
            return add_row()
    except Unavailable as error:
        raise StaffRefusal(
            _("The file could not be stored, and nothing was saved. Please try again in a moment."),
            field="file",
        ) from error


@changes_order
def remove_document(*, document_id: int, actor: User, now: datetime) -> None:
    """Take a document away from an order, and its file after the commit.

    Raises:
        NotFound: there is no such document.
        StaffRefusal: the portal itself issued it.
    """
    document = row_or_404(OrderDocument.objects.filter(pk=document_id))
    if document.issued_id is not None:
        raise StaffRefusal(_("The portal issued this document; it stays with the order."))
    order = locked_order(document.order_id)
    document.delete()
    save_changed(order)
    note = Text("Removed: %(title)s", title=document.title)
    record(order, OrderEvent.Kind.DOCUMENT, note, actor=actor, now=now)
    transaction.on_commit(lambda: storages["private"].delete(document.path), robust=True)


FIELD = "file"
BUYER_KINDS = (PDF, JPEG, PNG)
MAX_BUYER_BYTES = 5 * 1024 * 1024


@contextmanager
def stored_file(
    *, order_id: int, kind: BuyerFile.Kind, file: UploadedFile, buyer: Buyer, now: datetime
) -> Iterator[BuyerFile]:
    """Store a file outside any transaction and hand out its row, which the block saves; a refusal
    takes it away again.

    Raises:
        WrongKind, UnsafeFile: the file is refused (see `check_file`).
        Unavailable: the storage or the virus scanner does not answer.
    """
    checked = check_upload(file, kinds=BUYER_KINDS, field=FIELD)
    row = BuyerFile(
        order_id=order_id,
        kind=kind,
        storage_name=random_name(checked.kind),
        given_name=checked.given_name,
        content_type=checked.kind.content_type,
        size=len(checked.content),
        uploaded_by_id=buyer.id,
        uploaded_at=now,
    )
    with saved_private(row.path, checked.content):
        yield row


def drop_file(file: BuyerFile) -> None:
    """Delete the row of a buyer's file, and the file itself after the commit."""
    file.delete()
    transaction.on_commit(lambda: storages["private"].delete(file.path), robust=True)


def set_po_file(*, buyer: Buyer, invoice_code: str, file: UploadedFile, now: datetime) -> None:
    """Keep the file of the buyer's own order, in place of the one before, until the order is
    cancelled.

    Raises:
        NotFound: unknown, or another company's.
        WrongStatus: it is cancelled.
        WrongKind, UnsafeFile, Unavailable: see `stored_file`.
    """
    order = get_order(buyer=buyer, invoice_code=invoice_code)
    with stored_file(
        order_id=order.pk, kind=BuyerFile.Kind.PO, file=file, buyer=buyer, now=now
    ) as stored:
        _replace_po_file(buyer=buyer, invoice_code=invoice_code, file=stored, now=now)


@one_transaction
def _replace_po_file(
    *, buyer: Buyer, invoice_code: str, file: BuyerFile | None, now: datetime
) -> None:
    order = get_order(buyer=buyer, invoice_code=invoice_code, lock=True)
    if not allowed(order).edit_po_number:
        raise WrongStatus
    before = order.buyer_files.filter(kind=BuyerFile.Kind.PO).first()
    if before is not None:
        note = Text("PO file removed: %(file)s", file=before.given_name)
        record(order, OrderEvent.Kind.DOCUMENT, note, actor=buyer, now=now)
        drop_file(before)
    if file is not None:
        file.pk = None  # a repeat stores it once more
        file.save(force_insert=True)
        note = Text("PO file: %(file)s", file=file.given_name)
        record(order, OrderEvent.Kind.DOCUMENT, note, actor=buyer, now=now)


def remove_po_file(*, buyer: Buyer, invoice_code: str, now: datetime) -> None:
    """Take the file of the buyer's own order away, until the order is cancelled; nothing happens
    where there is none.

    Raises:
        NotFound: unknown, or another company's.
        WrongStatus: it is cancelled.
    """
    _replace_po_file(buyer=buyer, invoice_code=invoice_code, file=None, now=now)


def note_seen(*, file: BuyerFile, now: datetime) -> None:
    """Note when staff opened a buyer's file first; the buyer reads it beside the proof of a
    payment.
    """
    if file.seen_at is None:
        BuyerFile.objects.filter(pk=file.pk, seen_at__isnull=True).update(seen_at=now)
