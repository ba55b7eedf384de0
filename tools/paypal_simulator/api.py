"""From a request to an answer: the table of calls, who may make them, keys and faults."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from tools.paypal_simulator import identifiers
from tools.paypal_simulator.calls import CallLog
from tools.paypal_simulator.clock import Clock
from tools.paypal_simulator.courier import BEFORE_RESPONSE, Courier
from tools.paypal_simulator.errors import Refused, error_answer, oauth_error, reason_of
from tools.paypal_simulator.faults import Call, Fault, FaultBook
from tools.paypal_simulator.http import Answer, Request
from tools.paypal_simulator.records import Capture, Checkout, Reply
from tools.paypal_simulator.replies import Replies
from tools.paypal_simulator.store import Store
from tools.paypal_simulator.tokens import LIFETIME_SECONDS, SCOPE, Tokens

LOGIN_PATH = "/v1/oauth2/token"
IDENTIFIER = r"(?P<id>[A-Za-z0-9-]+)"
LONGEST_KEYS = {"v1": 78, "v2": 108}

Handler = Callable[[Call], Answer]
Replay = Callable[[str, str, str], Answer]


@dataclass(frozen=True)
class Route:
    """A call: its operation is what faults and counts name. With `replay` it may be repeated under
    its key.
    """

    method: str
    path: str
    operation: str
    handler: Handler
    replay: Replay | None = None

    @cached_property
    def pattern(self) -> "re.Pattern[str]":
        """Return what its paths look like; PayPal's own SDK adds a slash to some."""
        return re.compile(self.path.replace("{id}", IDENTIFIER) + "/?")


class Api:
    """Answers the calls of merchants."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        tokens: Tokens,
        faults: FaultBook,
        courier: Courier,
        routes: list[Route],
    ) -> None:
        self.store = store
        self.clock = clock
        self.tokens = tokens
        self.faults = faults
        self.courier = courier
        self.routes = routes
        self.replies = Replies(store, clock)
        self.log = CallLog()

    def answer(self, request: Request) -> Answer:
        """Answer a call, write it down, and give the answer the id by which PayPal
        finds it again.
        """
        debug_id = identifiers.debug_id()
        route, identifier = self._find(request)
        operation = (
            "token" if request.path == LOGIN_PATH else route.operation if route else "unknown"
        )
        call = Call(operation, request, identifier=identifier)
        entry = self.log.begin(request, operation, self.clock.now())
        answer = (
            self._token(call, debug_id)
            if operation == "token"
            else self._call(route, call, debug_id)
        )
        entry.fault = call.fault.kind if call.fault else ""
        entry.status = answer.status if answer.act in ("send", "drip") else None
        answer.headers["PayPal-Debug-Id"] = debug_id
        return answer

    def _find(self, request: Request) -> tuple[Route | None, str]:
        for route in self.routes:
            matches = (
                route.pattern.fullmatch(request.path) if route.method == request.method else None
            )
            if matches:
                return route, matches.groupdict().get("id", "")
        return None, ""

    def _token(self, call: Call, debug_id: str) -> Answer:
        fault = call.fault = self.faults.take("token", [])
        if fault and fault.before:
            return fault.spoil(Answer(), v2=False, debug_id=debug_id)
        account = self.tokens.login(call.request)
        if account is None:
            return oauth_error("invalid_client", "Client Authentication failed")
        if call.request.form().get("grant_type") != "client_credentials":
            return Answer(
                400, {"error": "unsupported_grant_type", "error_description": "Grant Type is NULL"}
            )
        token = self.tokens.issue(account, seconds=_lifetime(fault))
        body = {
            "scope": SCOPE,
            "access_token": token.text,
            "token_type": "Bearer",
            "app_id": "APP-80W284485P519543T",
            "expires_in": LIFETIME_SECONDS,
            "nonce": f"{identifiers.debug_id()}{identifiers.debug_id()}",
        }
        answer = Answer(200, body)
        return (
            fault.spoil(answer, v2=False, debug_id=debug_id) if fault and fault.spoils else answer
        )

    def _call(self, route: Route | None, call: Call, debug_id: str) -> Answer:
        v2 = call.request.path.startswith("/v2/")
        account = self.tokens.account(call.request)
        if account is None:
            return oauth_error("invalid_token", "Token signature verification failed")
        call.account = account
        try:
            if route is None:
                raise Refused("no_such_call")
            call.body = _json(call.request)
            self._look_up(call)
            call.fault = self.faults.take(call.operation, call.about)
            if call.fault and call.fault.before:
                return call.fault.spoil(Answer(), v2=v2, debug_id=debug_id)
            answer = self._work(route, call, v2=v2)
        except Refused as refused:
            answer = error_answer(refused, v2=v2, debug_id=debug_id)
        return (
            call.fault.spoil(answer, v2=v2, debug_id=debug_id)
            if call.fault and call.fault.spoils
            else answer
        )

    def _work(self, route: Route, call: Call, *, v2: bool) -> Answer:
        _mocked(call.request)
        if call.fault:
            call.fault.refuse()
        if route.replay is None:
            return route.handler(call)
        if len(call.request.request_id) > LONGEST_KEYS["v2" if v2 else "v1"]:
            raise Refused(
                "invalid",
                [{"field": "PayPal-Request-Id", "issue": "Too long", "location": "header"}],
            )
        with self.replies.once(call.account, call.request) as earlier:
            if earlier is not None:
                return self._again(route.replay, earlier, call)
            answer = route.handler(call)
            self.replies.keep(call.account, call.request, answer)
        if answer.events and self.faults.take("webhook", call.about, kinds=(BEFORE_RESPONSE,)):
            for event in answer.events:
                self.courier.send_now(event)
            answer.events = []
        return answer

    @staticmethod
    def _again(replay: Replay, earlier: Reply, call: Call) -> Answer:
        return replay(earlier.kind, earlier.subject, call.account)

    def _look_up(self, call: Call) -> None:
        """Note by which ids and invoice number a fault may find this call."""
        capture = self.store.get(Capture, call.identifier)
        checkout = self.store.get(Checkout, capture.checkout if capture else call.identifier)
        call.about = [
            call.identifier,
            *([checkout.id, checkout.token, checkout.invoice] if checkout else []),
        ]
        if call.operation == "create":
            call.about += _invoices(call.body)


def _lifetime(fault: Fault | None) -> float:
    if fault is not None and fault.kind == "token_expires_early":
        return fault.seconds or 0.0
    return LIFETIME_SECONDS


def _invoices(body: object) -> list[str]:
    """Return the invoice numbers that a new payment or order names."""
    units = (
        (body.get("transactions") or body.get("purchase_units")) if isinstance(body, dict) else None
    )
    purchase_units = (
        [unit for unit in units if isinstance(unit, dict)] if isinstance(units, list) else []
    )
    return [
        str(unit[name])
        for unit in purchase_units
        for name in ("invoice_number", "invoice_id")
        if unit.get(name)
    ]


def _json(request: Request) -> object:
    try:
        return request.json()
    except ValueError:
        raise Refused("malformed") from None


def _mocked(request: Request) -> None:
    """Raise Refused by the error that PayPal-Mock-Response asks for, as the sandbox does."""
    header = request.headers.get("paypal-mock-response")
    if not header:
        return
    try:
        names = json.loads(header)["mock_application_codes"]
    except (ValueError, KeyError, TypeError):
        raise Refused("invalid") from None
    raise Refused(reason_of(str(names[0] if isinstance(names, list) and names else names)))
