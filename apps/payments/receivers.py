"""What payments do when orders tell of a step, inside the transaction that takes it."""

from datetime import datetime
from typing import Any

from django.dispatch import receiver

from apps.accounts.models import User
from apps.orders.models import Order, TemporaryOrder
from apps.orders.signals import order_overpaid, order_paid, temporary_order_dropped
from apps.payments.services.attempts import close_deposit_attempts
from apps.payments.services.receipt import issue_receipt
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
