"""What the simulator keeps. One checkout is a payment to v1 and an order to v2; one capture is v1's
sale.
"""

from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

Json = dict[str, Any]


@dataclass
class Checkout:
    """What a merchant asks a buyer to pay. Amounts are texts with two decimals, moments seconds."""

    id: str
    account: str
    api: str
    token: str
    request: Json
    total: str
    currency: str
    details: dict[str, str]
    description: str
    custom: str
    invoice: str
    brand: str
    return_url: str
    cancel_url: str
    created: float
    updated: float
    approved: bool = False
    buyer: str = ""
    payer_id: str = ""
    declined: bool = False
    failed: bool = False
    cart: str = ""
    capture: str = ""


@dataclass
class Capture:
    """Money that moved, or will: state completed, pending, denied, partially_refunded, refunded or
    reversed.
    """

    id: str
    account: str
    checkout: str
    amount: str
    currency: str
    state: str
    reason: str
    created: float
    updated: float
    refunded: str = "0.00"
    refunds: list[str] = field(default_factory=list)

    @property
    def fee(self) -> Decimal:
        """Return what PayPal keeps of it: 3.49 percent and 49 cents."""
        return (Decimal(self.amount) * Decimal("0.0349") + Decimal("0.49")).quantize(
            Decimal("0.01")
        )


@dataclass
class Refund:
    """Money that went back. `total` is what the capture has given back since its beginning."""

    id: str
    account: str
    capture: str
    amount: str
    total: str
    currency: str
    invoice: str
    note: str
    reason: str
    created: float


@dataclass
class Listener:
    """A merchant's webhook."""

    id: str
    account: str
    url: str
    types: list[str]


@dataclass
class Event:
    """What happened to money, as listeners read it. `body` is sent as it stands, to the byte;
    `about` finds faults.
    """

    id: str
    account: str
    type: str
    body: str
    about: list[str]
    created: float


@dataclass
class Reply:
    """The first call of a PayPal-Request-Id and what it made."""

    id: str
    fingerprint: str
    kind: str
    subject: str
    created: float


KINDS = {record.__name__: record for record in (Checkout, Capture, Refund, Listener, Event, Reply)}
