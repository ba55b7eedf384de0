"""A provider that answers what a test tells it to, for what needs no network."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

import pytest

from apps.accounts.selectors import Buyer
from apps.orders.models import Order, TemporaryOrder
from apps.orders.tests.factories import make_shipping
from apps.payments import gateway
from apps.payments.models import Payment, Refund
from apps.payments.provider import Evidence, Link, Outcome, RefundOutcome, RefundResult
from apps.payments.selectors import deposit_of, with_fee
from apps.payments.services.deposit import Checkout, link_balance, link_deposit

ORIGIN = "https://paypal.example"
PAYER = "PAYER12345678"


def captured(payment: Payment, **changes: Any) -> Evidence:
    """Return the evidence that PayPal took exactly what was asked for, but for `changes`."""
    evidence = Evidence(
        Outcome.CAPTURED,
        payment_id=payment.paypal_payment_id or "",
        attempt=str(payment.uuid),
        invoice_number=payment.invoice_number,
        payer_id=PAYER,
        sale_id=f"SALE-{payment.pk}",
        sale_state="completed",
        amount=payment.amount,
        currency="USD",
    )
    return replace(evidence, **changes)


@dataclass
class Provider:
    """Answers of a provider, as a test sets them."""

    name: str = "v1"
    evidence: Evidence = field(default_factory=lambda: Evidence(Outcome.UNKNOWN))
    refunded: RefundResult = field(default_factory=lambda: RefundResult(RefundOutcome.UNKNOWN))
    links: Iterator[int] = field(default_factory=lambda: iter(range(1, 1000)))

    def sign_in(self) -> bool:
        return True

    def create_link(self, payment: Payment, *, return_url: str, cancel_url: str) -> Link:
        number = next(self.links)
        url, token = f"{ORIGIN}/checkoutnow?token=EC-{number}", f"EC-{number}"
        return Link(url=url, payment_id=f"PAYID-{number}", token=token)

    def execute(self, payment: Payment) -> Evidence:
        return self.evidence

    def fetch(self, payment: Payment) -> Evidence:
        return self.evidence

    def refund(self, refund: Refund) -> RefundResult:
        return self.refunded

    def fetch_refund(self, refund: Refund) -> RefundResult:
        return self.refunded


@pytest.fixture
def provider(monkeypatch: pytest.MonkeyPatch, settings: Any) -> Provider:
    """Let every payment be with a provider that answers as told."""
    provider_made = Provider()
    monkeypatch.setattr(gateway, "provider_called", lambda name: provider_made)
    settings.PAYPAL_APPROVAL_ORIGINS = [ORIGIN]
    return provider_made


def linked_deposit(buyer: Buyer, draft: TemporaryOrder, *, now: datetime) -> Payment:
    """Return the attempt of a list's deposit, its link issued."""
    amount = with_fee(deposit_of(draft))["paypal_total"]
    form = Checkout(
        invoice_code=draft.invoice_code,
        shipping=make_shipping(),
        export_declared=True,
        amount=amount,
    )
    link_deposit(buyer=buyer, form=form, now=now)
    return Payment.objects.latest("pk")


def linked_balance(buyer: Buyer, order: Order, *, now: datetime) -> Payment:
    """Return the attempt of an order's balance, its link issued."""
    link_balance(buyer=buyer, invoice_code=order.invoice_code, now=now)
    return Payment.objects.latest("pk")
