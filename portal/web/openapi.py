"""How the contract describes the token."""

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension


class AccessTokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """The raw token in the `x-access-token` header."""

    target_class = "apps.accounts.authentication.AccessTokenAuthentication"
    name = "accessToken"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        """Return the scheme's description."""
        return {"type": "apiKey", "in": "header", "name": "x-access-token"}
