"""Payments, their events, refunds and the ledger; bank statements and what was booked from them."""

from apps.payments.models.bank import (
    BankCredit,
    BankStatement,
    BankTransfer,
    StatementLayout,
)
from apps.payments.models.payments import (
    Payment,
    PaymentEvent,
    Refund,
    WalletEntry,
    WebhookEvent,
    WireMove,
    WireRefund,
)
