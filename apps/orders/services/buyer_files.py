"""Files that a buyer gives with an order: his PO, the proof of a payment. Guarded and stored as
certificates are.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import IO

from django.core.files.storage import storages
from django.core.files.uploadedfile import UploadedFile
from django.db import transaction

from apps.accounts.selectors import Buyer
from apps.common.db.transactions import one_transaction
from apps.common.errors import PortalError, WrongStatus
from apps.common.security import log_event
from apps.common.storage.files import JPEG, PDF, PNG, random_name
from apps.common.storage.private import open_private, saved_private
from apps.common.storage.uploads import check_file
from apps.common.texts import Text
from apps.orders.errors import BuyerFileTooLarge
from apps.orders.models import BuyerFile, OrderEvent
from apps.orders.selectors.orders import get_order
from apps.orders.services.moves import record
from apps.orders.status import is_po_editable

FOLDER = "buyer-files"
FIELD = "file"
KINDS = (PDF, JPEG, PNG)
MAX_BYTES = 5 * 1024 * 1024


def stored_path(storage_name: str) -> str:
    """Return where the private storage keeps a buyer's file."""
    return f"{FOLDER}/{storage_name}"


@contextmanager
def stored_file(
    *, order_id: int, kind: BuyerFile.Kind, file: UploadedFile, buyer: Buyer, now: datetime
) -> Iterator[BuyerFile]:
    """Store a file outside any transaction and hand out its row, which the block saves; a refusal
    takes it away again.

    Raises:
        BuyerFileTooLarge: more than 5 MB.
        WrongKind, UnsafeFile: the file is refused (see `check_file`).
        Unavailable: the storage or the virus scanner does not answer.
    """
    if (file.size or 0) > MAX_BYTES:
        log_event("upload_rejected", reason="size")
        raise BuyerFileTooLarge
    try:
        checked = check_file(file.read(), given_name=file.name or "", kinds=KINDS)
    except PortalError as error:
        error.errors = error.errors or {FIELD: [str(error)]}
        raise
    name = random_name(checked.kind)
    with saved_private(stored_path(name), checked.content):
        yield BuyerFile(
            order_id=order_id,
            kind=kind,
            storage_name=name,
            given_name=checked.given_name,
            content_type=checked.kind.content_type,
            size=len(checked.content),
            uploaded_by_id=buyer.id,
            uploaded_at=now,
        )


def drop_file(file: BuyerFile) -> None:
    """Delete the row of a buyer's file, and the file itself after the commit."""
    path = stored_path(file.storage_name)
    file.delete()
    transaction.on_commit(lambda: storages["private"].delete(path), robust=True)


def set_po_file(*, buyer: Buyer, invoice_code: str, file: UploadedFile, now: datetime) -> None:
    """Keep the file of the buyer's own order, in place of the one before, until the order is
    cancelled.

    Raises:
        NotFound: unknown, or another company's.
        WrongStatus: it is cancelled.
        BuyerFileTooLarge, WrongKind, UnsafeFile, Unavailable: see `stored_file`.
    """
    order = get_order(buyer=buyer, invoice_code=invoice_code)
    if not is_po_editable(order.status):
        raise WrongStatus
    with stored_file(
        order_id=order.pk, kind=BuyerFile.Kind.PO, file=file, buyer=buyer, now=now
    ) as stored:
        _replace_po_file(buyer=buyer, invoice_code=invoice_code, kept=stored, now=now)


@one_transaction
def _replace_po_file(
    *, buyer: Buyer, invoice_code: str, kept: BuyerFile | None, now: datetime
) -> None:
    order = get_order(buyer=buyer, invoice_code=invoice_code, lock=True)
    if not is_po_editable(order.status):
        raise WrongStatus
    before = order.buyer_files.filter(kind=BuyerFile.Kind.PO).first()
    if before is not None:
        note = Text("PO file removed: %(file)s", file=before.given_name)
        record(order, OrderEvent.Kind.DOCUMENT, note, actor=buyer, now=now)
        drop_file(before)
    if kept is not None:
        kept.pk = None  # a repeat stores it once more
        kept.save(force_insert=True)
        note = Text("PO file: %(file)s", file=kept.given_name)
        record(order, OrderEvent.Kind.DOCUMENT, note, actor=buyer, now=now)


def remove_po_file(*, buyer: Buyer, invoice_code: str, now: datetime) -> None:
    """Take the file of the buyer's own order away, until the order is cancelled; nothing happens
    where there is none.

    Raises:
        NotFound: unknown, or another company's.
        WrongStatus: it is cancelled.
    """
    _replace_po_file(buyer=buyer, invoice_code=invoice_code, kept=None, now=now)


def open_buyer_file(*, file: BuyerFile) -> IO[bytes]:
    """Return the content of a buyer's file.

    Raises:
        NotFound: it is gone.
        StorageUnavailable: the storage does not answer.
    """
    return open_private(stored_path(file.storage_name))


def note_seen(*, file: BuyerFile, now: datetime) -> None:
    """Note when staff opened a buyer's file first; the buyer reads it beside the proof of a
    payment.
    """
    if file.seen_at is None:
        BuyerFile.objects.filter(pk=file.pk, seen_at__isnull=True).update(seen_at=now)
