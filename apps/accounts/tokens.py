"""The access token: a JWT that names the user and the sign-in, and nothing else (readings, People
and access).
"""

from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache, lru_cache
from time import time
from typing import Any
from uuid import UUID, uuid4

from django.conf import settings
from rest_framework_simplejwt.backends import TokenBackend
from rest_framework_simplejwt.exceptions import TokenBackendError

from apps.accounts.errors import TokenRejected

ALGORITHM = "HS256"
ISSUER = "portal"
AUDIENCE = "buyers"
MAX_TOKEN_LENGTH = 4096
TOKENS_REMEMBERED = 4096
LEEWAY = 60  # seconds that the clocks of two instances may differ


@dataclass(frozen=True)
class Claims:
    """What a good token says: whose it is, the session version it was made under, when the sign-in
    was.

    It holds from `issued_at` to `expires_at`, seconds of the epoch.
    """

    uuid: UUID
    session_version: int
    signed_in_at: datetime
    issued_at: int
    expires_at: float


@cache
def _backends() -> tuple[TokenBackend, ...]:
    """Return what signs and checks: today's key, then those that it replaced and that
    still open.
    """
    keys = (settings.JWT_SIGNING_KEY, *settings.JWT_SIGNING_KEY_FALLBACKS)
    return tuple(
        TokenBackend(ALGORITHM, key, audience=AUDIENCE, issuer=ISSUER, leeway=LEEWAY)
        for key in keys
    )


def encode(*, uuid: UUID, session_version: int, signed_in_at: datetime, now: datetime) -> str:
    """Return a token that lives TOKEN_LIFETIME from now, but not beyond 14 days after
    the sign-in.
    """
    expires = min(now + settings.TOKEN_LIFETIME, signed_in_at + settings.SIGN_IN_LIFETIME)
    return _backends()[0].encode(
        {
            "sub": str(uuid),
            "sv": session_version,
            "auth_time": int(signed_in_at.timestamp()),
            "iat": int(now.timestamp()),
            "exp": int(expires.timestamp()),
            "jti": uuid4().hex,
        }
    )


def decode(token: str) -> Claims:
    """Return a token's claims.

    Raises:
        TokenRejected: forged, expired, of another audience, older than a token may get, or odd in
            any way.
    """
    if len(token) > MAX_TOKEN_LENGTH:
        raise TokenRejected
    claims = _verified(token)
    if not claims.issued_at - LEEWAY <= time() < claims.expires_at:
        raise TokenRejected
    return claims


def _payload(token: str) -> dict[str, Any]:
    first, *earlier = _backends()
    for backend in earlier:
        with suppress(TokenBackendError):
            return dict(backend.decode(token, verify=True))  # type: ignore[arg-type]
    return dict(first.decode(token, verify=True))  # type: ignore[arg-type]


@lru_cache(maxsize=TOKENS_REMEMBERED)
def _verified(token: str) -> Claims:
    # A signature that was good stays good; only the time is looked at anew. A refusal is never
    # remembered.
    try:
        payload = _payload(token)
        issued, signed_in = payload["iat"], payload["auth_time"]
        if any(type(number) is not int for number in (payload["sv"], issued, signed_in)):
            raise TokenRejected
        if signed_in - LEEWAY > issued:
            raise TokenRejected
        longest = issued + settings.TOKEN_LIFETIME.total_seconds()
        return Claims(
            UUID(payload["sub"]),
            payload["sv"],
            datetime.fromtimestamp(signed_in, UTC),
            issued,
            min(
                float(payload["exp"]),
                longest,
                signed_in + settings.SIGN_IN_LIFETIME.total_seconds(),
            ),
        )
    except (
        TokenBackendError,
        KeyError,
        TypeError,
        ValueError,
        OverflowError,
        OSError,
        AttributeError,
    ) as error:
        raise TokenRejected from error
