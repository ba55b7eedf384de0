"""What every call shares: the light base view, and the one handler that turns refusals into answers."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from rest_framework import exceptions
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from apps.common.errors import LOGIN_EXPIRED, SOMETHING_WENT_WRONG, Invalid, NotFound, PortalError
from apps.common.http.renderers import json_response
from apps.common.http.serializers import MAX_ID
from apps.common.http.throttles import SignedInLimit
from apps.common.security import log_event
from apps.common.types import Json

THROTTLED = "Too many attempts. Please wait a moment."


class PortalView(APIView):
    """Base of the calls: documented REST framework views with the least work between request and answer."""

    throttle_classes: Sequence[type[BaseThrottle]] = (SignedInLimit,)

    def perform_content_negotiation(self, request: Request, force: bool = False) -> Any:
        """Return the JSON renderer; there is nothing to negotiate."""
        renderer = self.renderer_classes[0]()
        return renderer, renderer.media_type

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Authenticate, authorise and throttle, without versioning."""
        request.accepted_renderer, request.accepted_media_type = self.perform_content_negotiation(request)
        request.version, request.versioning_scheme = None, None
        self.perform_authentication(request)
        self.check_permissions(request)
        self.check_throttles(request)


def id_or_404(text: str) -> int:
    """Return the id that a path names.

    Raises:
        NotFound: it is no id; answered as for the unknown.
    """
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(MAX_ID))) or int(text) > MAX_ID:
        raise NotFound
    return int(text)


def refusal(error: PortalError) -> Response:
    """Return a refusal's answer: success, code, message, and errors where fields are at fault."""
    body: Json = {"success": error.success}
    if error.http_status != 200:
        body |= {"code": error.code, "message": str(error)}
        if error.errors:
            body["errors"] = {name: list(texts) for name, texts in error.errors.items()}
    return Response(body, status=error.http_status)


def _plain(code: str, message: str, status: int, **headers: str) -> Response:
    return Response({"success": 0, "code": code, "message": message}, status=status, headers=headers)


def _field_errors(detail: Any, prefix: str = "") -> dict[str, list[str]]:
    """Flatten a serializer's nested errors to `field.index.field` keys."""
    if isinstance(detail, Mapping):
        found: dict[str, list[str]] = {}
        for name, inner in detail.items():
            found |= _field_errors(inner, f"{prefix}.{name}" if prefix else str(name))
        return found
    if isinstance(detail, list) and any(isinstance(item, Mapping | list) for item in detail):
        found = {}
        for index, inner in enumerate(detail):
            found |= _field_errors(inner, f"{prefix}.{index}")
        return found
    texts = detail if isinstance(detail, list) else [detail]
    return {prefix or "non_field_errors": [str(text) for text in texts]}


def exception_handler(error: Exception, context: Mapping[str, Any]) -> Response | None:
    """Return the answer of api.md's table for every error a view may raise; None for the unforeseen."""
    match error:
        case PortalError():
            return refusal(error)
        case exceptions.NotAuthenticated() | exceptions.AuthenticationFailed():
            # No `success` key: the screens read this, and only this, as "sign in again".
            return Response({"message": LOGIN_EXPIRED}, status=403)
        case Http404() | PermissionDenied() | exceptions.PermissionDenied() | exceptions.NotFound():
            return refusal(NotFound())
        case exceptions.ValidationError():
            return refusal(Invalid(errors=_field_errors(error.detail)))
        case exceptions.ParseError():
            return refusal(Invalid(errors={"body": [str(error.detail)]}))
        case exceptions.MethodNotAllowed():
            return _plain(
                "method_not_allowed", str(error.detail), 405, Allow=", ".join(context["view"].allowed_methods)
            )
        case exceptions.UnsupportedMediaType():
            return _plain("unsupported_media_type", str(error.detail), 415)
        case exceptions.Throttled():
            log_event("throttled", call=type(context["view"]).__name__)
            wait = str(max(1, round(getattr(error, "wait", None) or 1)))
            return _plain("throttled", THROTTLED, 429, **{"Retry-After": wait})
    return None


def server_error(request: HttpRequest) -> HttpResponse:
    """Return the JSON answer of an unforeseen failure: no detail, only the request id to quote."""
    request_id = getattr(request, "request_id", "")
    body = {"success": 0, "code": "error", "message": SOMETHING_WENT_WRONG, "request_id": request_id}
    return json_response(body, 500)
