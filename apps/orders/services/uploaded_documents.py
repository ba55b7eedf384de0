"""Documents that staff add to an order: private files under random names."""

from datetime import datetime

from django.core.files.base import File
from django.core.files.storage import storages
from django.db import transaction
from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.common.db.transactions import one_transaction
from apps.common.errors import NotFound, PortalError, Unavailable
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
from apps.common.storage.private import saved_private
from apps.common.storage.uploads import WrongKind, check_file
from apps.common.texts import Text
from apps.orders.errors import StaffRefusal
from apps.orders.models import OrderDocument, OrderEvent
from apps.orders.services.issued_documents import stored_path
from apps.orders.services.moves import locked_order, record, save_changed

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
        raise StaffRefusal(text, errors={"file": [text]}) from error
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
    name = random_name(kind)

    @one_transaction
    def add_row() -> OrderDocument:
        order = locked_order(order_id)
        save_changed(order)
        note = Text("Added: %(title)s", title=title)
        record(order, OrderEvent.Kind.DOCUMENT, note, actor=actor, now=now)
        return OrderDocument.objects.create(
            order=order,
            title=title,
            storage_name=name,
            content_type=kind.content_type,
            size=len(content),
            uploaded_by=actor,
            uploaded_at=now,
        )

    try:
        with saved_private(stored_path(name), content):
            return add_row()
    except Unavailable as error:
        text = _(
            "The file could not be stored, and nothing was saved. Please try again in a moment."
        )
        raise StaffRefusal(text, errors={"file": [text]}) from error


@needs("orders.change_order")
@one_transaction
def remove_document(*, document_id: int, actor: User, now: datetime) -> None:
    """Take a document away from an order, and its file after the commit.

    Raises:
        NotFound: there is no such document.
        StaffRefusal: the portal itself issued it.
    """
    document = OrderDocument.objects.filter(pk=document_id).first()
    if document is None:
        raise NotFound
    if document.issued_id is not None:
        raise StaffRefusal(_("The portal issued this document; it stays with the order."))
    order = locked_order(document.order_id)
    path = stored_path(document.storage_name)
    document.delete()
    save_changed(order)
    note = Text("Removed: %(title)s", title=document.title)
    record(order, OrderEvent.Kind.DOCUMENT, note, actor=actor, now=now)
    transaction.on_commit(lambda: storages["private"].delete(path), robust=True)
