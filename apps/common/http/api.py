"""What every call shares: the base view, and the one handler that turns refusals into answers."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NoReturn
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db import Error as DatabaseFailure
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import URLPattern, path
from django.utils.functional import cached_property
from rest_framework import exceptions, serializers
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from apps.common.db.failures import refusal_of
from apps.common.errors import LOGIN_EXPIRED, SOMETHING_WENT_WRONG, Invalid, NotFound, PortalError
from apps.common.http.renderers import json_response
from apps.common.http.serializers import validate
from apps.common.http.throttles import SignedInLimit
from apps.common.ids import id_in
from apps.common.logs import log_event
from apps.common.types import Json

THROTTLED = "Too many attempts. Please wait a moment."


class PortalView(APIView):
    """Base of the calls: REST framework's view, on Django's own request.

    `dispatch` does what REST framework's does, in its order, without a second request around the
    first.
    """

    request: Any  # Django's; REST framework's annotations name its own
    throttle_classes: Sequence[type[BaseThrottle]] = (SignedInLimit,)

    def dispatch(self, request: Any, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Authenticate, authorise and throttle; then answer by the method's handler, or by what its
        error says.
        """
        self.headers = self.default_response_headers
        try:
            self.perform_authentication(request)
            self.check_permissions(request)
            self.check_throttles(request)
            method, handler = str(request.method).lower(), self.http_method_not_allowed
            if method in self.http_method_names:
                handler = getattr(self, method, handler)
            response = handler(request, *args, **kwargs)
        except Exception as error:
            response = self.get_exception_handler()(error, {"view": self})
            if response is None:
                raise
        return self.finalize_response(request, response)

    def perform_authentication(self, request: Any) -> None:
        """Note on the request who is calling: the first authenticator that knows the caller
        decides.
        """
        callers = (
            authenticator.authenticate(request) for authenticator in self.get_authenticators()
        )
        request.user, request.auth = next(
            (caller for caller in callers if caller is not None), (None, None)
        )

    def check_throttles(self, request: Any) -> None:
        """Count the request by one limit after the other: what one refuses, the next does not
        count.

        Raises:
            Throttled: it is over a limit.
        """
        for throttle in self.get_throttles():
            if not throttle.allow_request(request, self):
                self.throttled(request, throttle.wait() or 0)

    def permission_denied(
        self, request: HttpRequest, message: str | None = None, code: str | None = None
    ) -> NoReturn:
        """Refuse a call that a permission does not allow.

        Raises:
            NotAuthenticated: nobody is signed in, and somebody could be.
            PermissionDenied: the caller may not.
        """
        if self.authentication_classes and request.user is None:
            raise exceptions.NotAuthenticated
        raise exceptions.PermissionDenied(detail=message, code=code)

    @cached_property
    def data(self) -> Json:
        """The body, read once by the view's parser; empty where none was sent.

        Raises:
            ParseError: it cannot be read.
            UnsupportedMediaType: no parser reads its media type.
        """
        if not int(self.request.META.get("CONTENT_LENGTH") or 0):
            return {}
        media_type = self.request.META.get("CONTENT_TYPE", "")
        parser = self.get_content_negotiator().select_parser(self.request, self.get_parsers())
        if parser is None:
            raise exceptions.UnsupportedMediaType(media_type)
        parse: Callable[..., Json] = parser.parse  # type: ignore[assignment]
        return parse(self.request, media_type, {"request": self.request})

    def validated(self, shape: type[serializers.Serializer]) -> Json:
        """Return the values of the body's fields.

        Raises:
            ValidationError: a field is not what it should be.
        """
        return validate(shape, self.data)


def calls(views: Mapping[str, type[PortalView]]) -> list[URLPattern]:
    """Return the addresses of views."""
    return [path(address, view.as_view()) for address, view in views.items()]


def id_or_404(text: str) -> int:
    """Return the id that a path names.

    Raises:
        NotFound: it is no id; answered as for the unknown.
    """
    number = id_in(text)
    if number is None:
        raise NotFound
    return number


def uuid_or_404(text: str) -> UUID:
    """Return the uuid that a path names.

    Raises:
        NotFound: it is none; answered as for the unknown.
    """
    try:
        return UUID(text)
    except ValueError as error:
        raise NotFound from error


def refusal(error: PortalError) -> HttpResponse:
    """Return a refusal's answer: success, code, message, and errors where fields are at fault."""
    body: Json = {"success": error.success}
    if error.http_status != 200:
        body |= {"code": error.code, "message": str(error)}
        if error.errors:
            body["errors"] = {name: list(texts) for name, texts in error.errors.items()}
    response = json_response(body, error.http_status)
    if error.retry_seconds:
        response["Retry-After"] = str(error.retry_seconds)
    return response


def _plain(code: str, message: str, status: int, **headers: str) -> HttpResponse:
    response = json_response({"success": 0, "code": code, "message": message}, status)
    for name, value in headers.items():
        response[name] = value
    return response


def _field_errors(detail: Any, prefix: str = "") -> dict[str, list[str]]:
    """Flatten a serializer's nested errors to `field.index.field` keys."""
    parts: Iterable[tuple[object, Any]]
    texts = detail if isinstance(detail, list) else [detail]
    if isinstance(detail, Mapping):
        parts = detail.items()
    elif any(isinstance(item, Mapping | list) for item in texts):
        parts = enumerate(texts)
    else:
        return {prefix or "non_field_errors": [str(text) for text in texts]}
    errors: dict[str, list[str]] = {}
    for name, inner in parts:
        errors |= _field_errors(inner, f"{prefix}.{name}" if prefix else str(name))
    return errors


def exception_handler(error: Exception, context: Mapping[str, Any]) -> HttpResponse | None:
    """Return the answer of api.md's table for every error a view may raise; None for the
    unforeseen.
    """
    view = context["view"]
    match error:
        case PortalError():
            return refusal(error)
        case Http404() | PermissionDenied() | exceptions.PermissionDenied() | exceptions.NotFound():
            return refusal(NotFound())
        case exceptions.ValidationError():
            return refusal(Invalid(errors=_field_errors(error.detail)))
        case exceptions.ParseError():
            return refusal(Invalid(body=str(error.detail)))
        case DatabaseFailure():
            refused = refusal_of(error)
            return refusal(refused) if refused else None
        case exceptions.NotAuthenticated() | exceptions.AuthenticationFailed():
            # No `success` key: the screens read this, and only this, as "sign in again".
            return json_response({"message": LOGIN_EXPIRED}, 403)
        case exceptions.MethodNotAllowed():
            return _plain(
                "method_not_allowed", str(error.detail), 405, Allow=", ".join(view.allowed_methods)
            )
        case exceptions.UnsupportedMediaType():
            return _plain("unsupported_media_type", str(error.detail), 415)
        case exceptions.Throttled():
            log_event("throttled", call=type(view).__name__)
            wait = str(max(1, round(getattr(error, "wait", None) or 1)))
            return _plain("throttled", THROTTLED, 429, **{"Retry-After": wait})
    return None


def server_error(request: HttpRequest) -> HttpResponse:
    """Return the JSON answer of an unforeseen failure: no detail, only the request id to quote."""
    request_id = getattr(request, "request_id", "")
    body = {
        "success": 0,
        "code": "error",
        "message": SOMETHING_WENT_WRONG,
        "request_id": request_id,
    }
    return json_response(body, 500)
