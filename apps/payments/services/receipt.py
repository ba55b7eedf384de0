"""The receipt of an order, issued in the transaction that makes it paid."""

from datetime import datetime

from apps.common.storage.files import PDF
from apps.common.texts import in_english
from apps.orders.models import IssuedDocument, Order
from apps.orders.services import issue_document, issue_revision
from apps.payments.documents.receipt import receipt
from apps.payments.models import Payment

KIND = IssuedDocument.Kind.RECEIPT


def issue_receipt(*, order: Order, paid_at: datetime, now: datetime) -> IssuedDocument:
    """Issue the receipt of a locked, paid order as PDF, in the caller's transaction: anew where one
    was withdrawn.
    """
    payments = Payment.objects.filter(order=order, received__gt=0).prefetch_related(
        "moves_away", "wire_refunds"
    )
    kept = [payment for payment in payments.order_by("settled_at", "id") if payment.kept]
    with in_english():
        content = receipt(order=order, payments=kept, paid_at=paid_at)
    last = IssuedDocument.objects.filter(order=order, kind=KIND).order_by("revision").last()
    if last is None or last.files.filter(replaced_at__isnull=True).exists():
        return issue_document(order=order, kind=KIND, content=content, formats=(PDF,), now=now)
    return issue_revision(
        order=order, kind=KIND, revision=last.revision + 1, content=content, formats=(PDF,), now=now
    )
