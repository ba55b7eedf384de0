"""Checks of what a merchant sends; everything wrong is named at once, as PayPal does it."""

import re
from decimal import Decimal
from typing import Any
from urllib.parse import urlsplit

from tools.paypal_simulator.errors import Refused
from tools.paypal_simulator.records import Json

AMOUNT = re.compile(r"\d{1,7}\.\d{2}")
SUMMANDS = ("subtotal", "tax", "shipping", "handling_fee", "insurance", "shipping_discount")


class Check:
    """Collects what is wrong, in the words of one API; `done` refuses if anything is."""

    def __init__(self, *, v2: bool = False) -> None:
        self.v2 = v2
        self.details: list[Json] = []

    def wrong(self, field: str, issue: str) -> None:
        """Note what is wrong with a field."""
        detail = {"field": field, "issue": issue, "location": "body"}
        if self.v2:
            pointer = f"/{field.replace('.', '/')}" if field else ""
            detail |= {"field": pointer, "issue": "INVALID_PARAMETER_VALUE", "description": issue}
        self.details.append(detail)

    def done(self) -> None:
        """Raise Refused if anything was wrong."""
        if self.details:
            raise Refused("invalid", self.details)

    def mapping(self, value: Any, field: str) -> Json:
        """Return an object; an empty one, noted, where it is none."""
        if isinstance(value, dict):
            return value
        self.wrong(field, "Required field is missing or no object")
        return {}

    def single(self, value: Any, field: str) -> Json:
        """Return the only item of a list."""
        if isinstance(value, list) and len(value) == 1:
            return self.mapping(value[0], f"{field}[0]")
        self.wrong(field, "Exactly one item is expected")
        return {}

    def choice(self, value: Any, field: str, choices: tuple[str, ...]) -> str:
        """Return one of some words."""
        if value not in choices:
            self.wrong(field, f"Must be one of {', '.join(choices)}")
            return choices[0]
        return str(value)

    def text(self, value: Any, field: str, longest: int) -> str:
        """Return a text that may be missing."""
        if value is None:
            return ""
        if not isinstance(value, str) or len(value) > longest:
            self.wrong(field, f"Must be text of at most {longest} characters")
            return ""
        return value

    def url(self, value: Any, field: str) -> str:
        """Return an absolute address."""
        parts = urlsplit(value) if isinstance(value, str) else None
        if parts is None or parts.scheme not in ("http", "https") or not parts.netloc:
            self.wrong(field, "Must be an absolute URL")
            return ""
        return str(value)

    def amount(self, value: Any, field: str, *, positive: bool = False) -> str:
        """Return an amount: a text with two decimals, of at most ten characters."""
        if (
            not isinstance(value, str)
            or not AMOUNT.fullmatch(value)
            or (positive and Decimal(value) == 0)
        ):
            self.wrong(field, "Must be a text with exactly two decimals and at most 10 characters")
            return "0.00"
        return value

    def currency(self, value: Any, field: str) -> str:
        """Return a currency's code."""
        if not isinstance(value, str) or not re.fullmatch(r"[A-Z]{3}", value):
            self.wrong(field, "Must be a three-letter currency code")
            return "USD"
        return value

    def total(self, total: str, parts: dict[str, str], field: str) -> None:
        """Note a total that is not the sum of its parts."""
        if parts and sum(map(Decimal, parts.values())) != Decimal(total):
            self.wrong(field, "Must be the sum of its parts")
