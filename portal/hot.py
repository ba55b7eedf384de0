"""The reads that buyers make most, answered before routing and REST framework begin (decision 0074).

Each of these calls is a documented view. Its plain case is answered here, with the same token check, limit and
selector; whatever is unusual (another query, a token that is not good, a limit used up, a refusal) goes on to the view,
which alone decides how that is answered.
"""

import re
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from functools import cache
from typing import NamedTuple

import orjson
from django.http import HttpRequest, HttpResponse
from django.urls import ResolverMatch, resolve
from django.utils import timezone
from rest_framework.exceptions import AuthenticationFailed

from apps.accounts.authentication import authenticated, recalled
from apps.accounts.remembered import BuyerChanged, unless_changed
from apps.accounts.selectors import Buyer
from apps.catalog.selectors import product_page
from apps.common.api import id_or_404
from apps.common.errors import PortalError
from apps.common.renderers import Json, json_response
from apps.common.throttles import SignedInLimit
from apps.orders.selectors import order_details, order_list
from apps.orders.status import OrderStatus
from portal.dashboard import dashboard


class HotCall(NamedTuple):
    """A call whose plain case is answered here: `read` gets the buyer, the path's match, `after` and the time."""

    method: str
    path: re.Pattern[str]
    read: Callable[[Buyer, re.Match[str], str, datetime], Json]
    like: str  # a path of the call, whose route the logs name


CALLS = (
    HotCall(
        "GET",
        re.compile(r"/api/product/stock/(?P<uuid>[0-9a-f-]{36})/([0-9]{1,10})"),
        lambda buyer, path, after, now: product_page(buyer=buyer, brand_id=id_or_404(path[2]), after=after, now=now),
        "/api/product/stock/-/0",
    ),
    HotCall(
        "GET",
        re.compile(r"/api/order/([0-5])"),
        lambda buyer, path, after, now: {
            "success": 1,
            **order_list(buyer=buyer, status=OrderStatus(int(path[1])) if path[1] != "0" else None, after=after),
        },
        "/api/order/0",
    ),
    HotCall(
        "GET",
        re.compile(r"/api/details/([A-Za-z0-9-]{1,40})"),
        lambda buyer, path, after, now: {"success": 1, **order_details(buyer=buyer, invoice_code=path[1], now=now)},
        "/api/details/-",
    ),
    HotCall(
        "POST",
        re.compile(r"/api/dashboard"),
        lambda buyer, path, after, now: dashboard(buyer=buyer, now=now),
        "/api/dashboard",
    ),
)
QUERY = re.compile(r"(?:after=([A-Za-z0-9_-]{1,2000}))?")


class HotCalls:
    """Answers the hot calls; everything else passes through."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer the request."""
        for call in CALLS:
            if path := call.path.fullmatch(request.path_info):
                return answer(request, call, path) or self.get_response(request)
        return self.get_response(request)


def answer(request: HttpRequest, call: HotCall, path: re.Match[str]) -> HttpResponse | None:
    """Return the answer of a hot call; None where the view has to answer."""
    query = QUERY.fullmatch(request.META.get("QUERY_STRING", ""))
    if request.method != call.method or query is None:
        return None
    try:
        body = _body(request, call, path, query[1] or "")
    except (AuthenticationFailed, PortalError):
        return None
    if body is None:
        return None
    request.resolver_match = _route(call.like)
    return json_response(body)


def _body(request: HttpRequest, call: HotCall, path: re.Match[str], after: str) -> Json | None:
    """Return the answer's body, read for the buyer as remembered; if that has changed, for the buyer looked up anew."""
    buyer = recalled(request)
    if buyer is not None:
        with suppress(BuyerChanged):
            with unless_changed(buyer):
                body = _read(request, call, path, after, buyer)
            if body is not None:
                request.buyer = buyer  # type: ignore[attr-defined]
            return body
    buyer = authenticated(request)
    return _read(request, call, path, after, buyer) if buyer is not None else None


def _read(request: HttpRequest, call: HotCall, path: re.Match[str], after: str, buyer: Buyer) -> Json | None:
    """Return the answer's body; None for what is not plainly the buyer's, and over the limit."""
    uuid = str(buyer.uuid)
    if not _is_own(request, path, uuid) or not SignedInLimit.is_within(request, uuid):
        return None
    return call.read(buyer, path, after, timezone.now())


@cache
def _route(path: str) -> ResolverMatch:
    return resolve(path)


def _is_own(request: HttpRequest, path: re.Match[str], uuid: str) -> bool:
    """Return whether the uuid that the call names, in its path or body, is plainly the caller's."""
    if request.method == "GET":
        return path.groupdict().get("uuid", uuid) == uuid
    if request.content_type != "application/json":
        return False
    try:
        body = orjson.loads(request.body)
    except orjson.JSONDecodeError:
        return False
    return isinstance(body, dict) and body.get("uuid") == uuid
