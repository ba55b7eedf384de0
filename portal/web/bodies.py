"""How large a body may be, and the refusal of one that is larger, without length, or unread."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user
from django.http import HttpRequest, HttpResponse, parse_cookie

from apps.accounts.errors import CertificateTooLarge
from apps.common.errors import Invalid, PortalError, TooLarge
from apps.common.http.api import refusal
from apps.common.logs import log_event
from apps.orders.errors import BuyerFileTooLarge, OrderListTooLarge

API = "/api/"
# What takes a file, and its refusal of a larger one; an address that ends in "/" goes on with an
# order's code.
UPLOADS: dict[str, type[TooLarge]] = {
    "/api/fileupload": CertificateTooLarge,
    "/api/basket/review": OrderListTooLarge,
    "/api/basket/sheet": OrderListTooLarge,
    "/api/order/po-file/": BuyerFileTooLarge,
    "/api/order/wire-proof/": BuyerFileTooLarge,
}
REFUSAL = "portal.refusal"  # in a request's META: why the server did not read the body


def largest_body(meta: dict[str, Any]) -> int:
    """Return how many bytes the body of a request may have."""
    path = meta["PATH_INFO"]
    if path.startswith(f"/{settings.ADMIN_PATH}"):
        return settings.MAX_STAFF_BODY_BYTES if _is_staff(meta) else settings.MAX_FORM_BYTES
    return (
        settings.MAX_BODY_BYTES if _upload_refusal(path) is None else settings.MAX_UPLOAD_BODY_BYTES
    )


def _is_staff(meta: dict[str, Any]) -> bool:
    """Return whether a request comes with a session of staff."""
    key = parse_cookie(meta.get("HTTP_COOKIE", "")).get(settings.SESSION_COOKIE_NAME)
    request = HttpRequest()
    request.session = import_module(settings.SESSION_ENGINE).SessionStore(key)
    user = get_user(request)
    return user.is_active and getattr(user, "is_staff", False)


def _upload_refusal(path: str) -> type[TooLarge] | None:
    """Return the refusal of a larger file by a call that takes one; None for any other address."""
    for call, refusal_of_larger in UPLOADS.items():
        if path.startswith(call) if call.endswith("/") else path.removesuffix("/") == call:
            return refusal_of_larger
    return None


class BodyMiddleware:
    """Refuses a body by its length before anything reads it, and one that the server gave up."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer the request."""
        error = self.error(request)
        if error is None:
            return self.get_response(request)
        if request.path_info.startswith(API):
            return refusal(error)
        response = HttpResponse(
            f"{error}\n", status=error.http_status, content_type="text/plain; charset=utf-8"
        )
        if error.retry_seconds:
            response["Retry-After"] = str(error.retry_seconds)
        return response

    def error(self, request: HttpRequest) -> PortalError | None:
        """Return what is wrong with the body."""
        path, length = request.path_info, request.META.get("CONTENT_LENGTH") or ""
        if REFUSAL in request.META:
            refused: PortalError = request.META[REFUSAL]
            return refused
        if length.isdigit():
            is_small = int(length) <= settings.MAX_FORM_BYTES
            if is_small or int(length) <= largest_body(request.META):
                return None
            upload = _upload_refusal(path)
            if upload is None:
                return TooLarge()
            log_event("upload_rejected", reason="size")
            return upload()
        if path.startswith(API) and (length or request.META.get("HTTP_TRANSFER_ENCODING")):
            return Invalid(body="Content-Length is required.")
        return None
