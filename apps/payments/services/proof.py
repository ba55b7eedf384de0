"""The proof of payment that a buyer attaches to a wire while it is announced: the bank's slip."""

from datetime import datetime

from django.core.files.uploadedfile import UploadedFile

from apps.accounts.selectors import Buyer
from apps.common.db.transactions import one_transaction
from apps.common.errors import WrongStatus
from apps.orders.models import BuyerFile, Order, OrderEvent
from apps.orders.selectors.orders import get_order
from apps.orders.services.documents import drop_file, stored_file
from apps.orders.services.moves import record
from apps.payments.models import Payment
from apps.payments.selectors import announced_wire


def attach_proof(*, buyer: Buyer, invoice_code: str, file: UploadedFile, now: datetime) -> None:
    """Keep a proof of the order's announced wire, in place of the one before; staff see it beside
    the wire.

    Raises:
        NotFound: unknown, or another company's.
        WrongStatus: no wire of it is announced.
        BuyerFileTooLarge, WrongKind, UnsafeFile, Unavailable: see `stored_file`.
    """
    order = get_order(buyer=buyer, invoice_code=invoice_code)
    _announced(order)
    with stored_file(
        order_id=order.pk, kind=BuyerFile.Kind.PROOF, file=file, buyer=buyer, now=now
    ) as stored:
        _replace(buyer=buyer, invoice_code=invoice_code, stored=stored, now=now)


def remove_proof(*, buyer: Buyer, invoice_code: str, now: datetime) -> None:
    """Take the proof of the order's announced wire away; nothing happens where there is none.

    Raises:
        NotFound: unknown, or another company's.
        WrongStatus: no wire of it is announced.
    """
    _replace(buyer=buyer, invoice_code=invoice_code, stored=None, now=now)


@one_transaction
def _replace(*, buyer: Buyer, invoice_code: str, stored: BuyerFile | None, now: datetime) -> None:
    order = get_order(buyer=buyer, invoice_code=invoice_code, lock=True)
    wire = _announced(order)
    before = wire.proof
    if stored is not None:
        stored.pk = None  # a repeat stores it once more
        stored.save(force_insert=True)
        note = f"Proof of payment: {stored.given_name}"
        record(order, OrderEvent.Kind.DOCUMENT, note, actor=buyer, now=now)
    Payment.objects.filter(pk=wire.pk).update(proof=stored)
    if before is not None:
        note = f"Proof of payment removed: {before.given_name}"
        record(order, OrderEvent.Kind.DOCUMENT, note, actor=buyer, now=now)
        drop_file(before)


def _announced(order: Order) -> Payment:
    wire = announced_wire(order)
    if wire is None:
        raise WrongStatus
    return wire
