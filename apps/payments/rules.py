"""Pure rules of payments: deposit, PayPal fee, wire terms, what a cancellation gives back."""

import re
from datetime import datetime, timedelta
from decimal import Decimal

from apps.common.money import ZERO, usd
from apps.payments.errors import DeclarationRequired, DepositorRequired

CANCELLATION_FEE = Decimal("100.00")
WRITE_OFF_LIMIT = Decimal("30.00")

MAX_PAYPAL_TOTAL = Decimal("9999999.99")
HOLD_LASTS = timedelta(minutes=60)
LINK_LASTS = timedelta(hours=3)
# Each link of a deposit holds pieces for HOLD_LASTS: without an end to them, for ever
MOST_UNPAID_LINKS = 10
UNPAID_LINKS_COUNT_FOR = timedelta(days=7)
EXECUTION_LASTS = timedelta(seconds=90)
SURELY_OVER = timedelta(minutes=10)
REFUSALS_NEEDED = 2
ALARM_AFTER = timedelta(minutes=30)
CHECK_PAUSES = (
    timedelta(seconds=15),
    timedelta(seconds=30),
    timedelta(minutes=1),
    timedelta(minutes=2),
    timedelta(minutes=5),
    timedelta(minutes=10),
)
HOURLY = timedelta(hours=1)
LONGEST_PAUSE = max(HOURLY, LINK_LASTS)
LOOK_AGES = (timedelta(minutes=2), timedelta(minutes=10), timedelta(minutes=30))
BEFORE_HOLD_ENDS = timedelta(minutes=1)
RETURNED_AMOUNT = re.compile(r"[0-9]{1,7}(\.[0-9]{1,2})?")
PAYER = re.compile(r"[A-Z0-9]{5,20}")


def paypal_fee(*, base: Decimal, rate: Decimal) -> Decimal:
    """Return PayPal's surcharge in US dollars on an amount, half up (design/paypal.md,
    section C).
    """
    return usd(usd(base) * rate)


def paypal_amount(amount: object) -> Decimal | None:
    """Return the US dollars that a PayPal return names, as text or number; None for anything but
    plain digits.
    """
    if isinstance(amount, int | float) and not isinstance(amount, bool):
        amount = repr(amount)
    if not isinstance(amount, str) or not RETURNED_AMOUNT.fullmatch(amount):
        return None
    return Decimal(amount)


def is_payer(payer_id: str) -> bool:
    """Return whether PayPal may know a payer by this id: 5 to 20 capitals and digits."""
    return bool(PAYER.fullmatch(payer_id))


def next_check(*, checks: int, asked_at: datetime) -> datetime:
    """Return when PayPal is asked again about a payment without a definite answer: soon at first,
    then hourly.
    """
    return asked_at + (CHECK_PAUSES[checks] if checks < len(CHECK_PAUSES) else HOURLY)


def next_look(
    *, created_at: datetime, hold_ends: datetime, link_ends: datetime, now: datetime
) -> datetime | None:
    """Return when a link is looked at next: 2, 10, 30 minutes old, before its hold ends, and at its
    end.
    """
    looks = [*(created_at + age for age in LOOK_AGES), hold_ends - BEFORE_HOLD_ENDS, link_ends]
    return min((look for look in looks if look > now), default=None)


def order_part(*, base: Decimal, refunded: Decimal) -> Decimal:
    """Return what an order keeps of a payment in US dollars; what is refunded is the order's before
    it is the fee's.
    """
    return max(ZERO, base - refunded)


def check_wire(*, depositor: str, export_declared: bool) -> None:
    """Check the terms of a deposit wire (section 5, Checkout).

    Raises:
        DepositorRequired: no name.
        DeclarationRequired: export declaration NO.
    """
    if not depositor.strip():
        raise DepositorRequired
    if not export_declared:
        raise DeclarationRequired


def wallet_credit(*, received: Decimal, by_terms: bool) -> Decimal:
    """Return what a cancellation credits in US dollars: by the terms 100 USD less, never below 0
    (readings, Money).
    """
    return max(ZERO, usd(received - CANCELLATION_FEE)) if by_terms else usd(received)


def may_write_off(*, missing: Decimal) -> bool:
    """Return whether staff may write off what is missing of a balance wire (US dollars)."""
    return ZERO < missing <= WRITE_OFF_LIMIT
