"""Who is calling: the raw token in `x-access-token`, looked up in one statement."""

from django.http import HttpRequest
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from apps.accounts.errors import TokenRejected
from apps.accounts.remembered import recall, remember
from apps.accounts.selectors import Buyer, identify
from apps.accounts.tokens import Claims, decode


def authenticated(request: HttpRequest) -> Buyer | None:
    """Return the buyer whose token a request carries, and note it on the request; None for a visitor without one.

    Raises:
        AuthenticationFailed: the token is not good (any more).
    """
    claims = _claims(request)
    if claims is None:
        return None
    buyer = identify(claims.uuid)
    if buyer is None or buyer.session_version != claims.session_version:
        raise AuthenticationFailed
    remember(buyer)
    request.buyer = buyer  # type: ignore[attr-defined]
    return buyer


def recalled(request: HttpRequest) -> Buyer | None:
    """Return the buyer whose token a request carries as last read, for `unless_changed`; None if unknown.

    Raises:
        AuthenticationFailed: the token is not good (any more).
    """
    claims = _claims(request)
    buyer = recall(claims.uuid) if claims is not None else None
    return buyer if buyer is not None and claims and buyer.session_version == claims.session_version else None


def _claims(request: HttpRequest) -> Claims | None:
    token = request.META.get("HTTP_X_ACCESS_TOKEN", "")
    if not token:
        return None
    try:
        return decode(token)
    except TokenRejected as error:
        raise AuthenticationFailed from error


class AccessTokenAuthentication(BaseAuthentication):
    """Reads the token. `authenticate_header` returns nothing, or REST framework would answer 401 instead of 403."""

    def authenticate(self, request: Request) -> tuple[Buyer, str] | None:
        """Return the buyer and the token; None for a visitor without one.

        Raises:
            AuthenticationFailed: the token is not good (any more).
        """
        buyer = authenticated(request._request)
        return None if buyer is None else (buyer, request.META["HTTP_X_ACCESS_TOKEN"])


class OptionalTokenAuthentication(AccessTokenAuthentication):
    """For public calls that say more to a buyer: a token that is not good counts as none."""

    def authenticate(self, request: Request) -> tuple[Buyer, str] | None:
        """Return the buyer and the token; None for everybody else."""
        try:
            return super().authenticate(request)
        except AuthenticationFailed:
            return None
