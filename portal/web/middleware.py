"""What wraps every request: its id, the log line, fixed headers, and the staff's session."""

import logging
import re
import time
from collections.abc import Callable
from typing import Any
from uuid import uuid4

from axes.middleware import AxesMiddleware
from csp.middleware import CSPMiddleware
from django.conf import settings
from django.contrib.auth import logout
from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.messages.middleware import MessageMiddleware
from django.contrib.sessions.exceptions import SessionInterrupted
from django.contrib.sessions.middleware import SessionMiddleware
from django.core.exceptions import BadRequest
from django.db import Error as DatabaseFailure
from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.middleware.csrf import CsrfViewMiddleware
from django.middleware.security import SecurityMiddleware
from django.shortcuts import render
from django.utils import translation
from django.utils.cache import patch_cache_control
from rest_framework.exceptions import Throttled

from apps.common.db.failures import gave_way, is_read_only
from apps.common.http.api import THROTTLED
from apps.common.logs import Trace, log_event, route_of, traced
from portal.postgresql.budget import DatabaseBudget
from portal.web.bodies import API

logger = logging.getLogger("portal.request")

GetResponse = Callable[[HttpRequest], HttpResponse]
REQUEST_ID = re.compile(r"[A-Za-z0-9-]{8,64}")
FILES = "/files/"
WATCHED = ("/healthz", "/readyz")
ALWAYS = {"Permissions-Policy": "camera=(self), geolocation=(), microphone=(), payment=(), usb=()"}
API_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
}


class RequestMiddleware:
    """Gives each request an id and its budget, sets the headers of every answer, logs a line."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer the request."""
        request_id = request.META.get("HTTP_X_REQUEST_ID", "")
        id_ = request_id if REQUEST_ID.fullmatch(request_id) else str(uuid4())
        request.request_id = id_  # type: ignore[attr-defined]
        budget = DatabaseBudget(settings.DATABASE_READ_SECONDS, settings.DATABASE_WRITE_SECONDS)
        with traced(Trace(id_, request=request)) as trace, budget:
            response = self.get_response(request)
            response["X-Request-ID"] = id_
            for name, value in ALWAYS.items():
                response[name] = value
            if not request.path.startswith(settings.STATIC_URL):
                self.note(request, response.status_code, trace)
        return response

    def note(self, request: HttpRequest, status: int, trace: Trace) -> None:
        """Log the request, a failure as an error with its cause; note security events."""
        seconds = time.perf_counter() - trace.began
        if status in (403, 404):
            note_refusal(request, status, route_of(request))
        level = logging.ERROR if status >= 500 else logging.INFO
        if logger.isEnabledFor(level):
            route = route_of(request)
            fields = {
                "route": route,
                "status": status,
                "ms": round(seconds * 1000, 1),
                "queries": trace.statements,
            }
            cause = f" {trace.failure}" if trace.failure else ""
            logger.log(level, "%s %s %s%s", request.method, route, status, cause, extra=fields)


def note_refusal(request: HttpRequest, status: int, route: str) -> None:
    """Note a token that is not good (any more), and an object or a page that is not the caller's.

    A call answers 403 only for the first, and 404 for foreign and unknown alike: which it was,
    nobody is told.
    """
    is_signed_in = hasattr(request, "buyer") or getattr(request, "staff", None) is not None
    if request.path_info.startswith(API):
        if status == 403 and request.META.get("HTTP_X_ACCESS_TOKEN"):
            log_event("token_rejected", route=route)
        elif status == 404 and is_signed_in:
            log_event("denied_object", route=route)
    elif (status == 403 and is_signed_in) or request.path_info.startswith(FILES):
        log_event("denied_object", route=route)


class HostMiddleware(SecurityMiddleware):
    """Django's own redirect to HTTPS, for calls too, and its check of the host's name. Those who
    watch ask at the instance itself, by number and without TLS.
    """

    def process_request(self, request: HttpRequest) -> HttpResponsePermanentRedirect | None:
        """Refuse another host, and lead to HTTPS before anything of the request is looked at.

        Raises:
            DisallowedHost: the portal does not answer to this name.
        """
        if request.path_info in WATCHED:
            return None
        request.get_host()
        return super().process_request(request)


class ApiMiddleware:
    """For the calls: one final slash is dropped, fixed headers are set."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer the request."""
        if not request.path_info.startswith(API):
            return self.get_response(request)
        if request.path_info.endswith("/") and len(request.path_info) > len(API):
            request.path_info = request.path_info[:-1]
        response = self.get_response(request)
        for name, value in API_HEADERS.items():
            response.headers.setdefault(name, value)
        return response


def pages_only(middleware: type) -> type:
    """Return the middleware for everything but the calls, which carry a token, no cookie and fixed
    headers.
    """

    class PagesOnly(middleware):  # type: ignore[misc]
        def __call__(self, request: HttpRequest) -> HttpResponse:
            inner = self.get_response if request.path_info.startswith(API) else super().__call__
            response: HttpResponse = inner(request)
            return response

    return PagesOnly


PageCsp = pages_only(CSPMiddleware)
PageAuthentication = pages_only(AuthenticationMiddleware)
PageMessages = pages_only(MessageMiddleware)
PageAxes = pages_only(AxesMiddleware)


class PageSession(pages_only(SessionMiddleware)):  # type: ignore[misc]
    """Django's sessions, for staff. Where the database only reads, a session stays as it was."""

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """Keep what changed in the session, if it can be kept.

        Where somebody else was writing, a page that was only asked for is shown all the same; else
        the database's own error says so, where Django would call it a bad request.
        """
        try:
            answer: HttpResponse = super().process_response(request, response)
        except SessionInterrupted as error:
            # The database's, behind two of Django's.
            hidden = error.__context__ and error.__context__.__context__
            if not isinstance(hidden, DatabaseFailure):
                raise
            is_busy = gave_way(hidden)
            if is_read_only(hidden) or (is_busy and request.method == "GET"):
                return response
            if is_busy:
                raise hidden from hidden.__cause__
            raise
        return answer


class PageCsrf(pages_only(CsrfViewMiddleware)):  # type: ignore[misc]
    """Django's check of forms, for everything but the calls: a token in a header is nothing that a
    browser adds.
    """

    def process_view(self, request: HttpRequest, *view: Any) -> HttpResponse | None:
        """Refuse a form that another site may have sent."""
        if request.path_info.startswith(API):
            return None
        refused: HttpResponse | None = super().process_view(request, *view)
        return refused


class StaffSessionMiddleware:
    """Ends a staff session after an idle hour, shows staff pages in the language that who reads
    them chose once, or the browser's, and keeps them out of caches; all else is English.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer the request."""
        if not request.path_info.startswith(f"/{settings.ADMIN_PATH}"):
            return self.get_response(request)
        if "%00" in request.META["QUERY_STRING"]:
            raise BadRequest  # no text that anybody looks for holds it, and no database takes it
        if request.user.is_authenticated:
            now = int(time.time())
            if now - request.session.get("seen", now) > settings.SESSION_IDLE_SECONDS:
                logout(request)
            elif now - request.session.get("seen", 0) > 60:
                request.session["seen"] = now
        user = request.user
        request.staff = user if user.is_authenticated else None  # type: ignore[attr-defined]
        language = getattr(user, "language", "") or translation.get_language_from_request(request)
        with translation.override(language):
            response = self.get_response(request)
        patch_cache_control(response, private=True, no_store=True)
        return response

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Answer a try to sign in, or to change a password, that is over a limit."""
        if not isinstance(error, Throttled):
            return None
        log_event("throttled", who="staff")
        page = render(request, "staff/locked.html", {"refusal": THROTTLED}, status=429)
        page["Retry-After"] = str(getattr(error, "wait", 1))
        return page
