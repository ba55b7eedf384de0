"""The access token: a JWT that names the user and the sign-in, and nothing else (readings, People and access)."""

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


@dataclass(frozen=True)
class Claims:
    """What a good token says: whose it is, the session version it was made under, when the sign-in was."""

    uuid: UUID
    session_version: int
    signed_in_at: datetime
    expires_at: float


@cache
def _backends() -> tuple[TokenBackend, ...]:
    """Return what signs and checks: today's key, then those that it replaced and that still open."""
    keys = (settings.JWT_SIGNING_KEY, *settings.JWT_SIGNING_KEY_FALLBACKS)
    return tuple(TokenBackend(ALGORITHM, key, audience=AUDIENCE, issuer=ISSUER) for key in keys)


def encode(*, uuid: UUID, session_version: int, signed_in_at: datetime, now: datetime) -> str:
    """Return a token that lives TOKEN_LIFETIME from now, but not beyond 14 days after the sign-in."""
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
        TokenRejected: forged, expired, of another audience, or odd in any way.
    """
    if len(token) > MAX_TOKEN_LENGTH:
        raise TokenRejected
    claims = _verified(token)
    if claims.expires_at <= time():
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
    # A signature that was good stays good; only the time is looked at anew. A refusal is never remembered.
    try:
        payload = _payload(token)
        if not isinstance(payload["sv"], int) or payload["auth_time"] > payload["exp"]:
            raise TokenRejected
        signed_in_at = datetime.fromtimestamp(payload["auth_time"], UTC)
        return Claims(UUID(payload["sub"]), payload["sv"], signed_in_at, float(payload["exp"]))
    except (TokenBackendError, KeyError, TypeError, ValueError, OverflowError, OSError, AttributeError) as error:
        raise TokenRejected from error
