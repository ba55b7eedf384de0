"""How the contract describes the token, and marks what the specification does not have."""

import re
from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension


class AccessTokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """The raw token in the `x-access-token` header."""

    target_class = "apps.accounts.authentication.AccessTokenAuthentication"
    name = "accessToken"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        """Return the scheme's description."""
        return {"type": "apiKey", "in": "header", "name": "x-access-token"}


# The calls of the specification (section 7), names of parameters left out: `{}` stands for each.
SPECIFIED = frozenset(
    (
        "POST /login",
        "POST /check",
        "GET /dashboard/quick/{}/{}",
        "POST /dashboard",
        "POST /dashboard/notice/{}",
        "GET /notice",
        "POST /notice/detail/{}",
        "PUT /password/{}",
        "POST /register/email-check",
        "POST /register/find-state",
        "GET /register/init-info/{}",
        "POST /fileupload",
        "POST /register/sign-up",
        "GET /brand/{}",
        "GET /product/stock/{}/{}",
        "GET /product/promotion/stock/{}",
        "POST /product/cart/stock",
        "GET /recent/order/{}/{}",
        "GET /excel/product-setting/{}",
        "POST /temp-order",
        "GET /temp-order-info/stock/{}",
        "POST /order/check",
        "POST /order/checkout-deposit/tt",
        "POST /order/checkout-deposit/paypal",
        "POST /order/checkout-deposit/paypal/success",
        "POST /order/checkout-deposit/paypal/failure",
        "POST /order/paypal/success",
        "POST /order/paypal/failure",
        "POST /order/checkout",
        "POST /order/tt",
        "POST /order/paypal",
        "GET /order/{}",
        "GET /order/{}/{}",
        "GET /details/{}",
        "POST /order/address",
        "PUT /order/edit/address",
        "PUT /order/customer/memo/{}",
        "POST /order/customer/ship-memo/{}",
    )
)


def mark_additions(result: dict[str, Any], **_context: Any) -> dict[str, Any]:
    """Return the contract with `**+**` before the description of each call that the specification
    does not name.
    """
    for path, calls in result["paths"].items():
        plain = re.sub(r"\{\w+\}", "{}", path)
        for method, described in calls.items():
            if f"{method.upper()} {plain}" not in SPECIFIED:
                described["description"] = f"**+** {described.get('description', '')}".rstrip()
    return result
