"""Who is calling: the raw token in `x-access-token`, and the buyer it names, in one statement."""

from django.http import HttpRequest
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed

from apps.accounts.errors import TokenRejected
from apps.accounts.selectors import Buyer, identify
from apps.accounts.tokens import decode


class AccessTokenAuthentication(BaseAuthentication):
    """Reads the token. `authenticate_header` returns nothing, or REST framework would answer 401
    instead of 403.
    """

    def authenticate(self, request: HttpRequest) -> tuple[Buyer, str] | None:
        """Return the buyer and the token, and note the buyer for the logs; None for a visitor
        without a token.

        Raises:
            AuthenticationFailed: the token is not good (any more).
        """
        token = request.META.get("HTTP_X_ACCESS_TOKEN", "")
        if not token:
            return None
        try:
            claims = decode(token)
        except TokenRejected as error:
            raise AuthenticationFailed from error
        buyer = identify(claims.uuid)
        if buyer is None or buyer.session_version != claims.session_version:
            raise AuthenticationFailed
        request.buyer = buyer  # type: ignore[attr-defined]
        return buyer, token


class OptionalTokenAuthentication(AccessTokenAuthentication):
    """For public calls that say more to a buyer: a token that is not good counts as none."""

    def authenticate(self, request: HttpRequest) -> tuple[Buyer, str] | None:
        """Return the buyer and the token; None for everybody else."""
        try:
            return super().authenticate(request)
        except AuthenticationFailed:
            return None
