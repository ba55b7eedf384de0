"""What the orders' and payments' calls read from a request besides its body's fields, and how many
requests there may be (design/reliability-and-security.md, section 9).
"""

import re
from hashlib import sha256
from uuid import UUID

import orjson
from django.http import HttpRequest

from apps.common.errors import Invalid, NotFound
from apps.common.http.throttles import MINUTE, SignedInLimit
from apps.common.types import Json

CODE = re.compile(r"[A-Za-z0-9-]{1,40}")


def repeat_of(request: HttpRequest, data: object) -> Json:
    """Return the caller's Idempotency-Key, if any, and the hash of the body that it stands for.

    Raises:
        Invalid: the header is not a UUID, or the body is nested too deep.
    """
    key = request.META.get("HTTP_IDEMPOTENCY_KEY", "").strip()
    try:
        uuid = UUID(key) if key else None
    except ValueError as error:
        raise Invalid(idempotency_key="Must be a UUID.") from error
    try:
        content = orjson.dumps(data, option=orjson.OPT_SORT_KEYS)
    except TypeError as error:  # what can be read may be nested deeper than what can be written
        raise Invalid(body="Nested too deep.") from error
    return {"idempotency_key": uuid, "request_hash": sha256(content).hexdigest()}


def code_or_404(code: str) -> str:
    """Return an invoice code that may exist.

    Raises:
        NotFound: it cannot: malformed answers as unknown does.
    """
    if not CODE.fullmatch(code):
        raise NotFound
    return code


class OrderRequestLimit(SignedInLimit):
    """Order requests: 30 a minute for each buyer."""

    name, uses, seconds = "temp-order", 30, MINUTE


class CheckoutLimit(SignedInLimit):
    """Checkouts: 30 a minute for each buyer."""

    name, uses, seconds = "checkout", 30, MINUTE


class BuyerFileLimit(SignedInLimit):
    """Files given with an order: 20 a minute for each buyer, as each is opened in a process of its
    own.
    """

    name, uses, seconds = "buyer-file", 20, MINUTE


class QuickSearchLimit(SignedInLimit):
    """Quick searches: 60 a minute for each buyer."""

    name, uses, seconds = "quick-search", 60, MINUTE
