"""The calls that buyers make most, answered before routing and REST framework begin (decision 0074).

Each of these calls is a documented view. Its plain case is answered here, with the same token check, limits, form and
selector or service; whatever is unusual (another query, a token that is not good, a limit used up, a refusal) goes on
to the view, which alone decides how that is answered.
"""

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime
from functools import cache
from typing import Any, NamedTuple

import orjson
from django.http import HttpRequest, HttpResponse
from django.urls import ResolverMatch, resolve
from django.utils import timezone
from rest_framework.exceptions import AuthenticationFailed, ValidationError

from apps.accounts.authentication import authenticated, recalled
from apps.accounts.remembered import BuyerChanged, unless_changed
from apps.accounts.selectors import Buyer
from apps.catalog.selectors import product_page
from apps.common.api import id_or_404
from apps.common.errors import PortalError
from apps.common.renderers import Json, json_response
from apps.common.throttles import SignedInLimit
from apps.orders.api.requests import key_of
from apps.orders.api.views import TemporaryOrdersView, wanted_order
from apps.orders.selectors import order_details, order_list
from apps.orders.services import request_order
from apps.orders.status import OrderStatus
from apps.payments.api.views import WireDepositView, wire_checkout
from apps.payments.services import checkout_deposit_by_wire
from portal.dashboard import dashboard

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
        form=lambda asked: wanted_order(buyer=asked.buyer, data=asked.body, key=asked.key),
        limits=TemporaryOrdersView.throttle_classes,
    ),
    HotCall(
        "POST",
        re.compile(r"/api/order/checkout-deposit/tt"),
        lambda asked: _made(checkout_deposit_by_wire(buyer=asked.buyer, form=asked.form, now=asked.now).invoice_code),
        "/api/order/checkout-deposit/tt",
        query=re.compile(r"(?:send=\w*)?"),
        form=lambda asked: wire_checkout(buyer=asked.buyer, data=asked.body, key=asked.key),
        limits=WireDepositView.throttle_classes,
    ),
)


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
    query = call.query.fullmatch(request.META.get("QUERY_STRING", ""))
    if request.method != call.method or query is None:
        return None
    after = query[1] or "" if query.re is AFTER else ""
    request.resolver_match = _route(call.like)  # for the logs, however it ends; the view's own replaces it
    try:
        body = _body(request, call, path, after)
    except (AuthenticationFailed, ValidationError, PortalError):
        return None
    return json_response(body) if body is not None else None


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
    if request.content_type != "application/json":
        return None
    try:
        body = orjson.loads(request.body)
    except orjson.JSONDecodeError:
        return None
    return body if isinstance(body, dict) else None


@cache
def _route(path: str) -> ResolverMatch:
    return resolve(path)
