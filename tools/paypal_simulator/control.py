"""Calls that no PayPal has: faults, the clock, what a buyer or PayPal's reviewers would do. For
tests and tries.
"""

import re
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from tools.paypal_simulator.errors import Refused, error_answer
from tools.paypal_simulator.http import Answer, Request
from tools.paypal_simulator.moves import Moves
from tools.paypal_simulator.pages import approved, cancelled

PREFIX = "/_sim/"
FAULT_FIELDS = (
    "operation",
    "calls",
    "payment",
    "invoice",
    "after",
    "reason",
    "seconds",
    "count",
    "amount",
)
NOT_FOUND = {"error": "not found"}


class Control:
    """The calls under /_sim/: from this machine only, and only where the configuration
    allows them.
    """

    def __init__(self, simulator: Moves, *, allowed: bool) -> None:
        self.simulator = simulator
        self.allowed = allowed
        self.routes: list[tuple[str, str, Callable[[Request, str], Any]]] = [
            ("GET", "calls", self._calls),
            (
                "GET",
                "faults",
                lambda request, name: [asdict(fault) for fault in simulator.faults.all()],
            ),
            ("POST", "faults", self._fault),
            ("DELETE", "faults", lambda request, name: simulator.faults.clear()),
            ("POST", "payments/{}/approve", self._approve),
            ("POST", "payments/{}/cancel", self._cancel),
            ("POST", "sales/{}/state", self._state),
            ("GET", "events", self._events),
            ("POST", "events/{}/resend", lambda request, name: {"id": simulator.resend(name).id}),
            ("POST", "clock", self._clock),
            ("POST", "reset", lambda request, name: simulator.reset()),
        ]

    def answer(self, request: Request) -> Answer | None:
        """Return the answer, or None where the address is none of ours."""
        if not request.path.startswith(PREFIX):
            return None
        if not self.allowed or not request.loopback:
            return Answer(404, NOT_FOUND)
        if request.method == "POST" and not request.headers.get("content-type", "").startswith(
            "application/json"
        ):
            # No other site's form can send it.
            return Answer(415, {"error": "Content-Type must be application/json"})
        for method, path, handler in self.routes:
            match = re.fullmatch(path.replace("{}", "([^/]+)"), request.path.removeprefix(PREFIX))
            if match and method == request.method:
                return _answer_of(handler, request, *(match.groups() or ("",)))
        return Answer(404, NOT_FOUND)

    def _calls(self, request: Request, _: str) -> Any:
        return {
            "calls": [
                asdict(entry) for entry in self.simulator.calls(request.query.get("operation", ""))
            ]
        }

    def _fault(self, request: Request, _: str) -> Any:
        body = request.json()
        unknown = set(body) - {"kind", *FAULT_FIELDS}
        if unknown:
            raise ValueError(f"unknown: {', '.join(sorted(unknown))}")
        more = {name: body[name] for name in FAULT_FIELDS if name in body}
        return asdict(self.simulator.fault(body["kind"], **more))

    def _approve(self, request: Request, name: str) -> Any:
        payer_id = self.simulator.approve(name, (request.json() or {}).get("buyer", "normal"))
        return {"payer_id": payer_id, "return_url": approved(self.simulator.checkout(name))}

    def _cancel(self, _: Request, name: str) -> Any:
        return {"cancel_url": cancelled(self.simulator.checkout(name))}

    def _state(self, request: Request, name: str) -> Any:
        return {"event": self.simulator.decide(name, request.json()["state"]).id}

    def _events(self, request: Request, _: str) -> Any:
        return {
            "events": [
                asdict(event) for event in self.simulator.events(request.query.get("type", ""))
            ]
        }

    def _clock(self, request: Request, _: str) -> Any:
        self.simulator.clock.advance(float(request.json()["advance"]))
        return {"now": self.simulator.clock.now()}


def _answer_of(handler: Callable[[Request, str], Any], request: Request, name: str) -> Answer:
    try:
        return Answer(200, handler(request, name) or {})
    except Refused as refused:
        return error_answer(refused, v2=False, debug_id="")
    except (KeyError, TypeError, ValueError) as error:
        return Answer(400, {"error": str(error)})
