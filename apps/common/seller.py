"""What the seller set on the page "Settings", else the defaults of the environment.

Kept in each process. A signed-in call learns of a change by the statement that identifies its
caller; everything else looks at most once a second.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date, timedelta
from decimal import Decimal
from functools import wraps
from typing import Any, NamedTuple, TypeVar

from django.conf import settings
from django.db import Error as DatabaseFailure, transaction
from django.db.models import BigIntegerField, F, Value
from django.db.models.functions import Greatest
from django.utils.translation import override

from apps.common.models import BankAccount, ClosedDay, Seller

T = TypeVar("T")

LOOK_SECONDS = 1.0
BANK_LINES = ("bank", "holder", "account_number", "routing_number", "address")
INVENTED = "@portal.test"  # mailboxes of the defaults


class Current:
    """The seller as it is now; a blank field has the default of the environment."""

    def __init__(
        self,
        row: Seller,
        accounts: Sequence[BankAccount] = (),
        closed_days: frozenset[date] = frozenset(),
    ) -> None:
        self.row = row
        self._accounts = accounts
        self.closed_days = closed_days  # beside the public holidays
        self.version = row.version  # another number after each change; 0: nothing was ever saved
        self.second_address = row.second_address  # below the shipper's on papers
        self.tax_number = row.tax_number  # on papers
        self.minimum_order: Decimal = row.minimum_order  # the least subtotal in US dollars
        self.paypal_warning = row.paypal_warning  # empty: the specification's text
        self.least_moq = row.least_moq  # below which no product's MOQ is
        self.special_moq = row.special_moq  # of a special SKU
        self.wire_days = row.wire_days  # business days of an announced wire; None: no end

    @property
    def title(self) -> str:
        """Return the portal's name."""
        return self.row.title or settings.PORTAL_TITLE

    @property
    def subtitle(self) -> str:
        """Return the line under the name; it may be empty."""
        own = self.row.subtitle
        return settings.PORTAL_SUBTITLE if own is None else own

    @property
    def accent(self) -> str:
        """Return the colour, as #337ab7."""
        return self.row.accent or settings.PORTAL_ACCENT

    @property
    def logo(self) -> bytes:
        """Return the logo as PNG; empty where there is none."""
        return bytes(self.row.logo)

    @property
    def logo_address(self) -> str:
        """Return where the logo is, another address for each version; empty where there is none."""
        return f"/logo.png?v={self.version}" if self.logo else ""

    @property
    def sales_email(self) -> str:
        """Return the mailbox of the sales staff."""
        return self.row.sales_email or settings.SALES_EMAIL

    @property
    def approvers_email(self) -> str:
        """Return the mailbox of the approvers."""
        return self.row.approvers_email or settings.APPROVERS_EMAIL

    @property
    def missing(self) -> int:
        """Return how many of four things are not the seller's yet: name, mailboxes, address."""
        return sum(
            (
                self.title == settings.UNNAMED,
                self.sales_email.endswith(INVENTED),
                self.approvers_email.endswith(INVENTED),
                not all(self.shipper.values()),
            )
        )

    @property
    def staff_language(self) -> str:
        """Return the language that new staff begin with, and of mails to shared mailboxes."""
        return self.row.staff_language or settings.STAFF_LANGUAGE

    @property
    def invoice_prefix(self) -> str:
        """Return how invoice codes begin."""
        return self.row.invoice_prefix or settings.INVOICE_PREFIX

    @property
    def shipper(self) -> dict[str, str]:
        """Return who ships: name, address, phone."""
        row, default = self.row, settings.SHIPPER
        return {
            "name": row.shipper_name or default["name"],
            "address": row.shipper_address or default["address"],
            "phone": row.shipper_phone or default["phone"],
        }

    @property
    def banks(self) -> list[dict[str, Any]]:
        """Return the accounts that buyers may wire to: those shown, none with a line missing."""
        if not self._accounts:
            blocks = [{"label": "", "currency": "USD", **settings.BANK, "is_shown": True}]
        else:
            names = ("label", "currency", *BANK_LINES, "is_shown")
            blocks = [{name: getattr(one, name) for name in names} for one in self._accounts]
        return [one for one in blocks if one["is_shown"] and all(one[name] for name in BANK_LINES)]

    @property
    def titled_banks(self) -> list[tuple[str, dict[str, Any]]]:
        """Return the accounts of `banks`, each after what tells it from the others."""
        banks = self.banks
        titles = [" ".join(filter(None, (one["label"], f"({one['currency']})"))) for one in banks]
        return list(zip(titles if len(banks) > 1 else [""], banks, strict=False))

    @property
    def bank(self) -> dict[str, str]:
        """Return the first account, line by line; empty lines where there is none."""
        first = next(iter(self.banks), {})
        return {name: first.get(name, "") for name in BANK_LINES}

    @property
    def deposit_rate(self) -> Decimal:
        """Return the share of an order's subtotal that is due as deposit, from 0 to 1."""
        own = self.row.deposit_rate
        return settings.DEPOSIT_RATE if own is None else own

    @property
    def paypal_on(self) -> bool:
        """Return whether buyers may pay by PayPal: where it has keys, unless it is switched off."""
        return bool(settings.PAYPAL_CLIENT_ID) and self.row.paypal_on is not False

    @property
    def paypal_fee_rate(self) -> Decimal:
        """Return the surcharge of a PayPal payment, from 0 to 1."""
        own = self.row.paypal_fee_rate
        return settings.PAYPAL_FEE_RATE if own is None else own

    def promised_days(self, step: str) -> int:
        """Return the business days of one of STEPS."""
        days: int = getattr(self.row, f"promised_{step}") or settings.PROMISED_DAYS[step]
        return days

    @property
    def temporary_order_lifetime(self) -> timedelta:
        """Return how long a temporary order is kept."""
        days = self.row.temporary_order_days
        return timedelta(days=days) if days else settings.TEMPORARY_ORDER_LIFETIME

    @property
    def closed_countries(self) -> frozenset[str]:
        """Return the countries that are not served, by ISO 3166-1."""
        return frozenset(self.row.closed_countries)


class _Cached(NamedTuple):
    current: Current
    looked_at: float  # by time.monotonic


_cached: _Cached | None = None


def seller() -> Current:
    """Return the seller. No statement within a second of the last look, one after it, three more
    after a change.

    While the database does not answer, what was known stays; the environment's defaults, where
    nothing was.
    """
    global _cached
    before = _cached
    if before is not None and time.monotonic() - before.looked_at < LOOK_SECONDS:
        return before.current
    try:
        if before is not None:
            _cached = before._replace(looked_at=time.monotonic())  # other threads do not look too
            saw_version(Seller.objects.values_list("version", flat=True).first() or 0)
        if _cached:
            return _cached.current
        # The version first: what is read after it is at least as new.
        row = Seller.objects.first() or Seller()
        days = frozenset(ClosedDay.objects.values_list("day", flat=True))
        remember(current := Current(row, list(BankAccount.objects.all()), days))
        return current
    except DatabaseFailure:
        _cached = before and before._replace(looked_at=time.monotonic())
        return before.current if before else Current(Seller())


@contextmanager
def in_staff_language() -> Iterator[None]:
    """Make what a shared mailbox of the staff gets in its language, whoever causes it."""
    with override(seller().staff_language):
        yield


def saw_version(version: int) -> None:
    """Take note of the version that was read just now: what is kept of another one is read anew."""
    global _cached
    before = _cached
    if before is not None:
        at = max(before.looked_at, time.monotonic())
        _cached = before._replace(looked_at=at) if before.current.version == version else None


def remember(current: Current | None, *, looked_at: float | None = None) -> None:
    """Keep a seller until another version is seen; None: read it at the next use."""
    global _cached
    at = time.monotonic() if looked_at is None else looked_at
    _cached = None if current is None else _Cached(current, at)


def touch_seller() -> None:
    """Let every process read anew what is kept by the version, once the caller's transaction
    commits.
    """
    # Of the clock: one that was rolled back is not given to another change.
    now = Value(time.time_ns() // 1000, output_field=BigIntegerField())
    Seller.objects.get_or_create()
    Seller.objects.update(version=Greatest(F("version") + 1, now))
    transaction.on_commit(lambda: remember(None))


def per_version(empty: Callable[[], T]) -> Callable[[Callable[[], T]], Callable[[], T]]:
    """Keep what a function without arguments reads until the seller's version changes.

    Whoever changes what it reads calls `touch_seller` in the same transaction. `empty` makes what
    holds while nothing was ever saved; nothing is read for that.
    """

    def decorate(load: Callable[[], T]) -> Callable[[], T]:
        cache: Mapping[int, T] = {}

        @wraps(load)
        def run() -> T:
            nonlocal cache
            version, now = seller().version, cache
            if version not in now:
                cache = now = {version: load() if version else empty()}
            return now[version]

        return run

    return decorate
