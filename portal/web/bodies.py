"""How large a body may be, and the refusal of one that is larger, has no length, or came too
slowly.
"""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from apps.accounts.errors import CertificateTooLarge
from apps.catalog.errors import OrderListTooLarge
from apps.common import security
from apps.common.errors import Invalid, PortalError, TooLarge, TooSlow
from apps.common.http.api import refusal
from apps.orders.errors import BuyerFileTooLarge

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
LATE = "portal.body_is_late"  # in a request's META: the body was given up


def largest_body(path: str) -> int:
    """Return how many bytes the body of a request to an address may have."""
    if path.startswith(f"/{settings.ADMIN_PATH}"):
        return settings.MAX_STAFF_BODY_BYTES
    return (
        settings.MAX_BODY_BYTES if _upload_refusal(path) is None else settings.MAX_UPLOAD_BODY_BYTES
    )


def _upload_refusal(path: str) -> type[TooLarge] | None:
    """Return the refusal of a larger file by a call that takes one; None for any other address."""
    for call, refusal_of_larger in UPLOADS.items():
        if path.startswith(call) if call.endswith("/") else path.removesuffix("/") == call:
            return refusal_of_larger
    return None


class BodyMiddleware:
    """Refuses a body by its length before anything reads it, and one that did not come in time."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer the request."""
        error = self.error(request)
        if error is None:
            return self.get_response(request)
        if request.path_info.startswith(API):
            return refusal(error)
        return HttpResponse(
            f"{error}\n", status=error.http_status, content_type="text/plain; charset=utf-8"
        )

    def error(self, request: HttpRequest) -> PortalError | None:
        """Return what is wrong with the body."""
        path, length = request.path_info, request.META.get("CONTENT_LENGTH") or ""
        if LATE in request.META:
            return TooSlow()
        if length.isdigit():
            return _too_large(path) if int(length) > largest_body(path) else None
        if path.startswith(API) and (length or request.META.get("HTTP_TRANSFER_ENCODING")):
            return Invalid(errors={"body": ["Content-Length is required."]})
        return None


def _too_large(path: str) -> PortalError:
    upload = _upload_refusal(path)
    if upload is None:
        return TooLarge()
    security.log_event("upload_rejected", reason="size")
    return upload()
