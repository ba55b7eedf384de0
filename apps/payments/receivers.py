"""What payments do when orders tell of a step, inside the transaction that takes it."""

from datetime import datetime
from typing import Any

from django.dispatch import receiver

from apps.accounts.models import User
from apps.common.storage.files import PDF
from apps.common.texts import in_english
from apps.orders.models import IssuedDocument, Order, TemporaryOrder
from apps.orders.services.documents import issue_document, latest_document
from apps.orders.signals import order_overpaid, order_paid, temporary_order_dropped
from apps.payments.documents import receipt
from apps.payments.models import Payment
from apps.payments.services.moves import close_deposit_attempts
from apps.payments.services.wallet import credit_overpayment


@receiver(order_overpaid, dispatch_uid="payments.credit_overpayment")
def on_overpaid(*, order: Order, actor: User | None, now: datetime, **_: Any) -> None:
    """Credit what a confirmation leaves over."""
    credit_overpayment(order=order, actor=actor, now=now)


@receiver(order_paid, dispatch_uid="payments.issue_receipt")
def on_paid(*, order: Order, now: datetime, **_: Any) -> None:
    """Issue the receipt with the step that makes the order paid."""
    issue_receipt(order=order, paid_at=now, now=now)


@receiver(temporary_order_dropped, dispatch_uid="payments.close_deposit_attempts")
def on_temporary_order_dropped(*, draft: TemporaryOrder, now: datetime, **_: Any) -> None:
    """End the links of a temporary order, or keep it from being deleted while a payment of it is
    under way.
    """
    close_deposit_attempts(draft, reason="cancelled", now=now)


KIND = IssuedDocument.Kind.RECEIPT


def issue_receipt(*, order: Order, paid_at: datetime, now: datetime) -> IssuedDocument:
    """Issue the receipt of a locked, paid order as PDF, in the caller's transaction: anew where one
    was withdrawn.
    """
    payments = Payment.objects.filter(order=order, received__gt=0).prefetch_related(
        "moves_away", "wire_refunds"
    )
    retained = [payment for payment in payments.order_by("settled_at", "id") if payment.kept]
    with in_english():
        content = receipt(order=order, payments=retained, paid_at=paid_at)
    last = latest_document(order, KIND)
    if last is not None and last.files.filter(replaced_at__isnull=True).exists():
        return last
    revision = last.revision + 1 if last else 1
    return issue_document(
        order=order, kind=KIND, revision=revision, content=content, formats=(PDF,), now=now
    )
