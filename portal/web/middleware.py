"""What wraps every request: its id, the log line, the limits of a body, and the staff's session."""

import logging
import re
import time
from collections.abc import Callable
from uuid import uuid4

from axes.middleware import AxesMiddleware
from csp.middleware import CSPMiddleware
from django.conf import settings
from django.contrib.auth import logout
from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.messages.middleware import MessageMiddleware
from django.contrib.sessions.middleware import SessionMiddleware
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import CsrfViewMiddleware
from django.middleware.security import SecurityMiddleware
from django.utils.cache import patch_cache_control

from apps.accounts.errors import CertificateTooLarge
from apps.catalog.errors import OrderListTooLarge
from apps.common import security
from apps.common.errors import Invalid, PortalError, TooLarge
from apps.common.http.renderers import json_response
from apps.common.logs import Trace, failure_text, route_of, traced

logger = logging.getLogger("portal.request")

GetResponse = Callable[[HttpRequest], HttpResponse]
REQUEST_ID = re.compile(r"[A-Za-z0-9-]{8,64}")
API, FILES = "/api/", "/files/"
# What takes a file, and its refusal of a larger one.
UPLOADS: dict[str, type[TooLarge]] = {"/api/fileupload": CertificateTooLarge, "/api/basket/review": OrderListTooLarge}
ALWAYS = {"Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()"}
API_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}


def api_headers() -> dict[str, str]:
    """Return the fixed headers of the calls."""
    hsts = f"max-age={settings.SECURE_HSTS_SECONDS}; includeSubDomains" if settings.SECURE_HSTS_SECONDS else ""
    return {**API_HEADERS, **({"Strict-Transport-Security": hsts} if hsts else {})}


def begin_trace(request: HttpRequest) -> Trace:
    """Return the trace of a request, under the id that it brought along or a new one."""
    given = request.META.get("HTTP_X_REQUEST_ID", "")
    id_ = given if given and REQUEST_ID.fullmatch(given) else str(uuid4())
    request.request_id = id_  # type: ignore[attr-defined]
    return Trace(id_, request=request)


class RequestLog:
    """Logs a line of each request and counts it."""

    def __init__(self) -> None:
        self.count: Callable[..., None] | None = None
        if settings.METRICS_TOKEN:
            from portal.ops.metrics import (
                count_request,  # here, so that a portal without metrics never loads the client
            )

            self.count = count_request

    def note(self, request: HttpRequest, status: int, trace: Trace) -> None:
        """Write the request's line, a failure's as an error with its cause; count it, and note security events."""
        seconds = time.perf_counter() - trace.began
        if status in (403, 404):
            note_refusal(request, status, route_of(request))
        if self.count is not None:
            try:
                self.count(
                    route=route_of(request),
                    method=request.method,
                    status=status,
                    seconds=seconds,
                    statements=trace.statements,
                )
            except (OSError, RuntimeError) as error:  # what was answered is not taken back for a figure
                logger.warning("not counted: %s", failure_text(error))
        level = logging.ERROR if status >= 500 else logging.INFO
        if logger.isEnabledFor(level):
            route = route_of(request)
            fields = {"route": route, "status": status, "ms": round(seconds * 1000, 1), "queries": trace.statements}
            cause = f" {trace.failure}" if trace.failure else ""
            logger.log(level, "%s %s %s%s", request.method, route, status, cause, extra=fields)


class RequestMiddleware:
    """Gives each request an id, sets the headers that every answer carries, logs a line and counts it."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response
        self.log = RequestLog()

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer the request; one that `portal.hot` has looked at brings its trace along."""
        with traced(request.__dict__.pop("trace", None) or begin_trace(request)) as trace:
            response = self.get_response(request)
            response["X-Request-ID"] = trace.id
            for name, value in ALWAYS.items():
                response[name] = value
            if not request.path.startswith(settings.STATIC_URL):
                self.log.note(request, response.status_code, trace)
        return response


def note_refusal(request: HttpRequest, status: int, route: str) -> None:
    """Note a token that is not good (any more), and an object or a page that is not the caller's.

    A call answers 403 only for the first, and 404 for foreign and unknown alike: which it was, nobody is told.
    """
    known = hasattr(request, "buyer") or getattr(request, "staff", None) is not None
    if request.path_info.startswith(API):
        if status == 403 and request.META.get("HTTP_X_ACCESS_TOKEN"):
            security.log_event("token_rejected", route=route)
        elif status == 404 and known:
            security.log_event("denied_object", route=route)
    elif (status == 403 and known) or request.path_info.startswith(FILES):
        security.log_event("denied_object", route=route)


def _refuse(error: PortalError) -> HttpResponse:
    body = {"success": 0, "code": error.code, "message": str(error), "errors": error.errors}
    return json_response({k: v for k, v in body.items() if v is not None}, error.http_status)


class ApiMiddleware:
    """For the calls: one final slash is dropped, a body is measured before it is read, fixed headers are set."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response
        self.headers = api_headers()

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer the request."""
        if not request.path_info.startswith(API):
            return self.get_response(request)
        if request.path_info.endswith("/") and len(request.path_info) > len(API):
            request.path_info = request.path_info[:-1]
        response = self.measure(request) or self.get_response(request)
        for name, value in self.headers.items():
            response.headers.setdefault(name, value)
        return response

    def measure(self, request: HttpRequest) -> HttpResponse | None:
        """Refuse a body without a length, or over its limit, before anything reads it."""
        if request.method not in ("POST", "PUT", "PATCH", "DELETE"):
            return None
        length = request.META.get("CONTENT_LENGTH") or ""
        if not length.isdigit():
            if not length and not request.META.get("HTTP_TRANSFER_ENCODING"):
                return None
            return _refuse(Invalid(errors={"body": ["Content-Length is required."]}))
        refusal = UPLOADS.get(request.path_info)
        if int(length) > (settings.MAX_UPLOAD_BODY_BYTES if refusal else settings.MAX_BODY_BYTES):
            if refusal:
                security.log_event("upload_rejected", reason="size")
            return _refuse((refusal or TooLarge)())
        return None


def pages_only(middleware: type) -> type:
    """Return the middleware for everything but the calls, which carry a token, no cookie and fixed headers."""

    class PagesOnly(middleware):  # type: ignore[misc]
        def __call__(self, request: HttpRequest) -> HttpResponse:
            inner = self.get_response if request.path_info.startswith(API) else super().__call__
            response: HttpResponse = inner(request)
            return response

    return PagesOnly


PageSecurity = pages_only(SecurityMiddleware)
PageCsp = pages_only(CSPMiddleware)
PageSession = pages_only(SessionMiddleware)
PageCsrf = pages_only(CsrfViewMiddleware)
PageAuthentication = pages_only(AuthenticationMiddleware)
PageMessages = pages_only(MessageMiddleware)
PageAxes = pages_only(AxesMiddleware)


class StaffSessionMiddleware:
    """Ends a staff session after an idle hour, and keeps staff pages out of caches."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer the request."""
        if not request.path_info.startswith(f"/{settings.ADMIN_PATH}"):
            return self.get_response(request)
        if request.user.is_authenticated:
            now = int(time.time())
            if now - request.session.get("seen", now) > settings.SESSION_IDLE_SECONDS:
                logout(request)
            elif now - request.session.get("seen", 0) > 60:
                request.session["seen"] = now
        request.staff = request.user if request.user.is_authenticated else None  # type: ignore[attr-defined]
        response = self.get_response(request)
        patch_cache_control(response, private=True, no_store=True)
        return response
