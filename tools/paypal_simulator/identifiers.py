"""Identifiers in PayPal's forms."""

import secrets
import string

CAPITALS = string.ascii_uppercase + string.digits
LINK_LETTERS = string.ascii_uppercase + "234567"


def _letters(count: int, alphabet: str = CAPITALS) -> str:
    return "".join(secrets.choice(alphabet) for _ in range(count))


def payment_id() -> str:
    """Return a payment's id: PAYID- and 26 letters."""
    return f"PAYID-{_letters(26, LINK_LETTERS)}"


def payment_token() -> str:
    """Return the token of a payment's page: EC- and 17 letters."""
    return f"EC-{_letters(17)}"


def transaction_id() -> str:
    """Return the id of an order, a sale, a capture or a refund: 17 letters."""
    return _letters(17)


def payer_id() -> str:
    """Return a buyer's id: 13 letters."""
    return _letters(13)


def event_id() -> str:
    """Return an event's id."""
    return f"WH-{_letters(17)}-{_letters(17)}"


def debug_id() -> str:
    """Return what PayPal-Debug-Id carries."""
    return secrets.token_hex(7)[:13]


def access_token() -> str:
    """Return a bearer token."""
    return f"A21AA{secrets.token_urlsafe(48)}"
