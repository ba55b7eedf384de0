"""Credentials and bearer tokens."""

import base64
import binascii
import secrets
from dataclasses import dataclass

from tools.paypal_simulator import identifiers
from tools.paypal_simulator.clock import Clock
from tools.paypal_simulator.http import Request

LIFETIME_SECONDS = 32_400
SCOPE = (
    "https://uri.paypal.com/services/payments/payment "
    "https://uri.paypal.com/services/applications/webhooks"
)


@dataclass(frozen=True)
class Token:
    """A token and whose it is."""

    text: str
    account: str
    expires: float


class Tokens:
    """Gives tokens for credentials and knows them again. They are lost with the process, as PayPal
    may lose them.
    """

    def __init__(self, credentials: dict[str, str], clock: Clock) -> None:
        self._credentials = credentials
        self._clock = clock
        self._tokens: dict[str, Token] = {}

    def login(self, request: Request) -> str | None:
        """Return the account whose id and secret the Basic header carries, or None."""
        scheme, _, value = request.headers.get("authorization", "").partition(" ")
        try:
            identifier, _, secret = base64.b64decode(value, validate=True).decode().partition(":")
        except (binascii.Error, UnicodeDecodeError):
            return None
        credentials = self._credentials.get(identifier)
        if scheme.lower() != "basic" or credentials is None:
            return None
        return identifier if secrets.compare_digest(credentials.encode(), secret.encode()) else None

    def issue(self, account: str, *, seconds: float = LIFETIME_SECONDS) -> Token:
        """Return a new token that lives so long."""
        token = Token(identifiers.access_token(), account, self._clock.now() + seconds)
        self._tokens[token.text] = token
        return token

    def account(self, request: Request) -> str | None:
        """Return whose living token the Bearer header carries, or None."""
        scheme, _, value = request.headers.get("authorization", "").partition(" ")
        token = self._tokens.get(value)
        if scheme.lower() != "bearer" or token is None or token.expires <= self._clock.now():
            return None
        return token.account

    def clear(self) -> None:
        """Refuse every token given so far."""
        self._tokens.clear()
