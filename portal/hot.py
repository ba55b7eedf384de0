"""The calls that buyers make most, answered before Django and REST framework begin (decisions 0074 and 0086).

Each of these calls is a documented view. Its plain case is answered here, with the same token check, limits, form and
selector or service; whatever is unusual (another query, a token that is not good, a limit used up, a refusal, a
failure) goes on to Django and the view, which alone decide how that is answered.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from functools import cache
from typing import Any, NamedTuple
from wsgiref.types import StartResponse

import orjson
from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler, WSGIRequest
from django.core.signals import request_finished, request_started
from django.http import HttpRequest, HttpResponse
from django.urls import ResolverMatch, resolve
from django.utils import timezone
from rest_framework.exceptions import AuthenticationFailed, ValidationError

from apps.accounts.authentication import authenticated, recalled
from apps.accounts.remembered import BuyerChanged, unless_changed
from apps.accounts.selectors import Buyer
from apps.catalog.selectors import product_page
from apps.common.errors import PortalError
from apps.common.http.api import id_or_404
from apps.common.http.renderers import dumps
from apps.common.http.throttles import SignedInLimit
from apps.common.logs import traced
from apps.common.types import Json
from apps.orders.api.requests import key_of
from apps.orders.api.views import TemporaryOrdersView, parse_order
from apps.orders.selectors import order_details, order_list
from apps.orders.services import request_order
from apps.orders.status import OrderStatus
from apps.payments.api.views import WireDepositView, parse_wire_checkout
from apps.payments.services import checkout_deposit_by_wire
from portal.web.dashboard import dashboard
from portal.web.middleware import ALWAYS, RequestLog, api_headers, begin_trace

Environ = dict[str, Any]
JSON = "application/json"
ASKED = "portal.request"
AFTER = re.compile(r"(?:after=([A-Za-z0-9_-]{1,2000}))?")


class Asked(NamedTuple):
    """What a hot call was asked: its path, `after` of its query, its body, and the form that the call makes of it."""

    buyer: Buyer
    is_remembered: bool  # the buyer, until the first read has told
    path: re.Match[str]
    after: str
    body: object
    key: str
    form: Any
    now: datetime


class HotCall(NamedTuple):
    """A call whose plain case is answered here.

    `form` judges what was sent, before the database is asked anything; `answer` asks it.
    """

    method: str
    path: re.Pattern[str]
    answer: Callable[[Asked], Json]
    like: str  # a path of the call, whose route the logs name
    query: re.Pattern[str] = AFTER
    form: Callable[[Asked], Any] | None = None
    limits: Sequence[type[SignedInLimit]] = (SignedInLimit,)


def _made(code: str) -> Json:
    return {"success": 1, "invoice_code": code}


CALLS = (
    HotCall(
        "GET",
        re.compile(r"/api/product/stock/(?P<uuid>[0-9a-f-]{36})/([0-9]{1,10})"),
        lambda asked: product_page(
            buyer=asked.buyer,
            brand_id=id_or_404(asked.path[2]),
            after=asked.after,
            now=asked.now,
            seen_first=asked.is_remembered,
        ),
        "/api/product/stock/-/0",
    ),
    HotCall(
        "GET",
        re.compile(r"/api/order/([0-5])"),
        lambda asked: {
            "success": 1,
            **order_list(
                buyer=asked.buyer,
                status=OrderStatus(int(asked.path[1])) if asked.path[1] != "0" else None,
                after=asked.after,
            ),
        },
        "/api/order/0",
    ),
    HotCall(
        "GET",
        re.compile(r"/api/details/([A-Za-z0-9-]{1,40})"),
        lambda asked: {
            "success": 1,
            **order_details(buyer=asked.buyer, invoice_code=asked.path[1], now=asked.now),
        },
        "/api/details/-",
    ),
    HotCall(
        "POST",
        re.compile(r"/api/dashboard"),
        lambda asked: dashboard(buyer=asked.buyer, now=asked.now),
        "/api/dashboard",
    ),
    HotCall(
        "POST",
        re.compile(r"/api/temp-order"),
        lambda asked: _made(request_order(buyer=asked.buyer, now=asked.now, **asked.form).invoice_code),
        "/api/temp-order",
        query=re.compile(r"(?:shop=\w*)?"),
        form=lambda asked: parse_order(buyer=asked.buyer, data=asked.body, key=asked.key),
        limits=TemporaryOrdersView.throttle_classes,
    ),
    HotCall(
        "POST",
        re.compile(r"/api/order/checkout-deposit/tt"),
        lambda asked: _made(checkout_deposit_by_wire(buyer=asked.buyer, form=asked.form, now=asked.now).invoice_code),
        "/api/order/checkout-deposit/tt",
        query=re.compile(r"(?:send=\w*)?"),
        form=lambda asked: parse_wire_checkout(buyer=asked.buyer, data=asked.body, key=asked.key),
        limits=WireDepositView.throttle_classes,
    ),
)


class Answer(NamedTuple):
    """What a hot call is answered with, 200 always."""

    headers: list[tuple[str, str]]
    body: bytes


class HotCalls:
    """Answers the hot calls with the headers, the log line and the limit of a body that the middlewares give others."""

    def __init__(self) -> None:
        self.log = RequestLog()
        vary = [("Vary", "origin")] if settings.CORS_ALLOWED_ORIGINS else []
        self.headers = [("Content-Type", JSON), *api_headers().items(), *ALWAYS.items(), *vary]

    @staticmethod
    def find(request: HttpRequest) -> tuple[HotCall, re.Match[str]] | None:
        """Return the hot call that a request makes, with its path; None for any other request."""
        path, method = request.path_info.removesuffix("/"), request.method
        for call in CALLS:
            if call.method == method and (match := call.path.fullmatch(path)):
                return (call, match) if is_plain(request.META) else None
        return None

    def answer(self, request: HttpRequest, call: HotCall, path: re.Match[str]) -> Answer | None:
        """Return the answer of a hot call; None where Django has to answer."""
        request.resolver_match = _route(call.like)  # for the logs, however it ends; the view's own replaces it
        with traced(begin_trace(request)) as trace:
            body = answer(request, call, path)
            if body is None:
                request.trace = trace  # type: ignore[attr-defined]
                return None
            self.log.note(request, 200, trace)
        return Answer([*self.headers, ("X-Request-ID", trace.id)], body)


class HotHandler(WSGIHandler):
    """Django's handler, which the plain cases of the hot calls never reach."""

    def __init__(self) -> None:
        super().__init__()
        self.hot = HotCalls()

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:  # type: ignore[override]
        """Answer a request; one that is not hot, or not plain, goes Django's way from its beginning."""
        request = WSGIRequest(environ)
        if found := self.hot.find(request):
            request_started.send(sender=type(self), environ=environ)
            if answer := self.hot.answer(request, *found):
                request_finished.send(sender=type(self))
                start_response("200 OK", answer.headers)
                return [answer.body]
        environ[ASKED] = request
        return super().__call__(environ, start_response)

    def request_class(self, environ: Environ) -> WSGIRequest:  # type: ignore[override]
        """Return the request that was looked at already: its body can be read only once."""
        request: WSGIRequest = environ.pop(ASKED)
        return request


class Failures:
    """Middleware that lets a hot call which failed fail in Django, so that it is answered and logged as any other."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer the request.

        Raises:
            Exception: what the hot call raised.
        """
        failure: Exception | None = request.__dict__.pop("failure", None)
        if failure is None:
            return self.get_response(request)
        try:
            raise failure
        finally:
            del failure  # or it would keep this frame, and with it the request, which keep the failure


def is_plain(headers: Mapping[str, Any]) -> bool:
    """Return whether a request is neither another origin's that may call, nor of unknown length or too long."""
    if "HTTP_TRANSFER_ENCODING" in headers or ("HTTP_ORIGIN" in headers and settings.CORS_ALLOWED_ORIGINS):
        return False
    length = headers.get("CONTENT_LENGTH")
    return not length or (length.isdigit() and int(length) <= settings.MAX_BODY_BYTES)


def answer(request: HttpRequest, call: HotCall, path: re.Match[str]) -> bytes | None:
    """Return the answer's body of a hot call; None where the view has to answer, or Django has to fail."""
    query = call.query.fullmatch(request.META.get("QUERY_STRING", ""))
    if query is None:
        return None
    after = query[1] or "" if query.re is AFTER else ""
    try:
        body = _body(request, call, path, after)
        return dumps(body) if body is not None else None
    except (AuthenticationFailed, ValidationError, PortalError):
        return None
    except Exception as failure:
        request.failure = failure  # type: ignore[attr-defined]
        return None


def _body(request: HttpRequest, call: HotCall, path: re.Match[str], after: str) -> Json | None:
    """Return the answer's body, for the buyer as remembered; if that has changed, for the buyer looked up anew."""
    buyer = recalled(request)
    if buyer is not None:
        asked = _asked(request, call, path, after, buyer, is_remembered=True)
        if asked is None:
            return None
        request.buyer = buyer  # type: ignore[attr-defined]
        with suppress(BuyerChanged), unless_changed(buyer):
            return call.answer(asked)
        del request.buyer  # type: ignore[attr-defined]
    buyer = authenticated(request)
    asked = _asked(request, call, path, after, buyer, is_remembered=False) if buyer is not None else None
    return call.answer(asked) if asked is not None else None


def _asked(
    request: HttpRequest, call: HotCall, path: re.Match[str], after: str, buyer: Buyer, *, is_remembered: bool
) -> Asked | None:
    """Return what is asked; None for what is not plainly the buyer's, and over a limit."""
    uuid = str(buyer.uuid)
    body = _json(request) if call.method == "POST" else None
    named = path.groupdict().get("uuid", uuid) if call.method == "GET" else body and body.get("uuid")
    if named != uuid or not all(limit.is_within(request, uuid) for limit in call.limits):
        return None
    asked = Asked(buyer, is_remembered, path, after, body, key_of(request), None, timezone.now())
    return asked._replace(form=call.form(asked)) if call.form is not None else asked


def _json(request: HttpRequest) -> Json | None:
    """Return a request's body if it is plainly a JSON object."""
    if request.content_type != JSON:
        return None
    try:
        body = orjson.loads(request.body)
    except orjson.JSONDecodeError:
        return None
    return body if isinstance(body, dict) else None


@cache
def _route(path: str) -> ResolverMatch:
    return resolve(path)
