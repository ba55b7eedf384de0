"""What the portal knows of a payment provider: five calls, and answers in its own words
(design/paypal.md, section F).

No call raises for what a provider or a network does: an answer that is not definite is
`Outcome.UNKNOWN`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Protocol

from apps.common.types import Json
from apps.payments.models import Payment, Refund


class Outcome(StrEnum):
    """What a provider says of a payment."""

    WAITING = "waiting"  # the buyer has not approved it
    APPROVED = "approved"  # the buyer has, nothing is taken
    CAPTURED = "captured"  # the money is ours
    PENDING = "pending"  # executed, the money is under review
    DENIED = "denied"  # executed, the review ended without money
    REVERSED = "reversed"  # the money was taken back
    FAILED = "failed"  # closed at the provider, nothing taken
    GONE = "gone"  # unknown to the provider, or too old
    DECLINED = "declined"  # not executed: the buyer's means did not do
    REFUSED = "refused"  # not executed: the request was wrong, or we may not
    DUPLICATE = "duplicate"  # not executed: another payment has this invoice number
    UNKNOWN = "unknown"  # no definite answer


class RefundOutcome(StrEnum):
    """What a provider says of a refund."""

    COMPLETED = "completed"
    PENDING = "pending"
    FAILED = "failed"
    UNKNOWN = "unknown"


class Verdict(StrEnum):
    """What a provider says of an event's signature."""

    GENUINE = "genuine"
    FORGED = "forged"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Link:
    """Where the buyer approves a payment; without an address, why there is none."""

    url: str = ""
    payment_id: str = ""
    token: str = ""
    reason: str = ""
    debug_id: str = ""


@dataclass(frozen=True)
class RefundResult:
    """A refund as the provider knows it, in US dollars."""

    outcome: RefundOutcome
    refund_id: str = ""
    amount: Decimal | None = None
    invoice_number: str = ""
    reason: str = ""
    debug_id: str = ""


@dataclass(frozen=True)
class Evidence:
    """What a provider says of a payment, with what identifies it. The amount is the one taken, in
    `currency`.
    """

    outcome: Outcome
    payment_id: str = ""
    attempt: str = ""
    invoice_number: str = ""
    payer_id: str = ""
    sale_id: str = ""
    sale_state: str = ""
    amount: Decimal | None = None
    currency: str = ""
    refunds: tuple[RefundResult, ...] = ()
    reason: str = ""
    debug_id: str = ""


@dataclass(frozen=True)
class Subject:
    """What an event is about: the provider's payment, and its sale."""

    payment_id: str = ""
    sale_id: str = ""


class Provider(Protocol):
    """A payment provider. Every call ends within its time limits, outside of any transaction."""

    name: str

    def sign_in(self) -> bool:
        """Return whether the provider lets us in."""
        ...

    def create_link(self, payment: Payment, *, return_url: str, cancel_url: str) -> Link:
        """Ask for a payment under its `create_key`; repeated once where the answer is
        not definite.
        """
        ...

    def execute(self, payment: Payment) -> Evidence:
        """Take the money of an approved payment under its `execute_key`; a repeat takes nothing
        twice.
        """
        ...

    def fetch(self, payment: Payment) -> Evidence:
        """Return what the provider knows of a payment now."""
        ...

    def refund(self, refund: Refund) -> RefundResult:
        """Send money back under the refund's key; a repeat sends nothing twice."""
        ...

    def fetch_refund(self, refund: Refund) -> RefundResult:
        """Return what the provider knows of a refund that has an id."""
        ...

    def verify_webhook(self, headers: Mapping[str, str], raw: bytes) -> Verdict:
        """Return whether the provider signed an event, by its body as received."""
        ...

    def subject_of(self, event: Json) -> Subject:
        """Return what an event is about."""
        ...
