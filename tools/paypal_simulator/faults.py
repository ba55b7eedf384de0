"""Faults on demand: what goes wrong, in which operation, for how many calls."""

import threading
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from tools.paypal_simulator.bank import Effect
from tools.paypal_simulator.errors import (
    ERRORS,
    REASONS,
    Refused,
    error_answer,
    oauth_error,
    reason_of,
)
from tools.paypal_simulator.http import Answer, Request
from tools.paypal_simulator.records import Checkout

HANG_SECONDS = 120.0
DRIP_SECONDS = 0.25
# Before the work: nothing was done when the answer goes wrong.
BEFORE = (
    "timeout_before",
    "reset_before",
    "500_before",
    "503",
    "429",
    "html_400",
    "html_502",
    "redirect_302",
    "token_401",
    "always_401",
    "token_hang",
)
# After the work: it was done, only the answer goes wrong.
AFTER = ("timeout_after", "reset_after", "500_after", "drip", "malformed_json", "empty_200")
# In the work: what PayPal decides.
WORK = (
    "decline",
    "decline_final",
    "pending",
    "amount_mismatch",
    "not_approved",
    "expired",
    "vanish_404",
)
TOKEN = ("token_hang", "token_expires_early")
WEBHOOK = (
    "webhook_drop",
    "webhook_duplicate",
    "webhook_late",
    "webhook_before_response",
    "webhook_out_of_order",
    "webhook_bad_signature",
    "webhook_wrong_id",
)
REFUSALS = {"vanish_404": "missing", "not_approved": "not_approved", "expired": "expired"}
OPERATIONS = (
    "token",
    "create",
    "get",
    "execute",
    "sale",
    "refund",
    "refund_get",
    "verify",
    "webhook",
    "any",
)
PAGE = "<html><head><title>Error</title></head><body><h1>We are sorry</h1></body></html>"


@dataclass
class Fault:
    """One fault. `calls` counts down, None lasts; `payment` and `invoice` narrow it to one
    checkout.

    `after` moves a fault of `BEFORE` behind the work. `reason`, `seconds`, `count` and `amount`
    belong to single kinds.
    """

    kind: str
    operation: str = ""
    calls: int | None = 1
    payment: str = ""
    invoice: str = ""
    after: bool = False
    reason: str = "PAYMENT_REVIEW"
    seconds: float | None = None
    count: int = 2
    amount: str = ""

    def __post_init__(self) -> None:
        if self.kind not in (*BEFORE, *AFTER, *WORK, *TOKEN, *WEBHOOK, *ERRORS, *REASONS):
            raise ValueError(f"unknown kind of fault: {self.kind}")
        if not self.operation:
            self.operation = _usual_operation(self.kind)
        if self.operation not in OPERATIONS:
            raise ValueError(f"unknown operation: {self.operation}")
        if self.kind == "always_401":
            self.calls = None

    @property
    def spoils(self) -> bool:
        """Return whether it is a matter of the answer's way, not of what PayPal decides."""
        return self.kind in BEFORE or self.kind in AFTER

    @property
    def before(self) -> bool:
        """Return whether the work is left undone."""
        return self.kind in BEFORE and not self.after

    def meets(self, operation: str, about: list[str]) -> bool:
        """Return whether a call of this operation, about these ids, is the fault's."""
        if self.operation != operation and (
            self.operation != "any" or operation in ("token", "webhook")
        ):
            return False
        return all(condition in about for condition in (self.payment, self.invoice) if condition)

    def refuse(self) -> None:
        """Raise Refused if the fault is a refusal."""
        if self.kind in REFUSALS:
            raise Refused(REFUSALS[self.kind])
        if self.kind not in WORK and (self.kind in ERRORS or self.kind in REASONS):
            raise Refused(reason_of(self.kind))

    def spoil(self, answer: Answer, *, v2: bool, debug_id: str) -> Answer:
        """Return what leaves in an answer's place; its events stay."""
        name = self.kind.removesuffix("_before").removesuffix("_after")
        spoilt = self._spoilt(name, answer, v2=v2, debug_id=debug_id)
        spoilt.events = answer.events
        return spoilt

    def _spoilt(self, name: str, answer: Answer, *, v2: bool, debug_id: str) -> Answer:
        reasons = {"500": "internal", "503": "unavailable", "429": "rate"}
        if name in reasons:
            return error_answer(Refused(reasons[name]), v2=v2, debug_id=debug_id)
        if name in ("token_401", "always_401"):
            if self.operation == "token":
                return oauth_error("invalid_client", "Client Authentication failed")
            return oauth_error("invalid_token", "Access Token not found in cache")
        if name in ("timeout", "token_hang"):
            return Answer(act="hang", seconds=self._seconds(HANG_SECONDS))
        if name == "drip":
            dripped = Answer(answer.status, answer.content, act="drip")
            dripped.seconds = self._seconds(DRIP_SECONDS)
            return dripped
        if name == "malformed_json":
            return Answer(answer.status, answer.content[: len(answer.content) // 2] or b"{")
        bare = {
            "reset": Answer(act="reset"),
            "empty_200": Answer(200),
            "redirect_302": Answer(302, headers={"Location": "/"}),
        }
        if name in bare:
            return bare[name]
        return Answer(int(name.removeprefix("html_")), PAGE, {"Content-Type": "text/html"})

    def _seconds(self, usual: float) -> float:
        return usual if self.seconds is None else self.seconds


def _usual_operation(kind: str) -> str:
    if kind in TOKEN:
        return "token"
    if kind in WEBHOOK:
        return "webhook"
    return "any" if kind in ("always_401", "token_401", "vanish_404") else "execute"


class FaultBook:
    """The faults in force, oldest first."""

    def __init__(self) -> None:
        self._faults: list[Fault] = []
        self._lock = threading.Lock()

    def add(self, fault: Fault) -> None:
        """Put a fault in force."""
        with self._lock:
            self._faults.append(fault)

    def all(self) -> list[Fault]:
        """Return those in force."""
        with self._lock:
            return list(self._faults)

    def clear(self) -> None:
        """Lift them all."""
        with self._lock:
            self._faults.clear()

    def take(
        self,
        operation: str,
        about: list[str],
        *,
        kinds: tuple[str, ...] = (),
        but: tuple[str, ...] = (),
    ) -> Fault | None:
        """Return the fault that meets this call and count it down; `kinds` and `but` choose among
        them.
        """
        with self._lock:
            for fault in self._faults:
                if (
                    (kinds and fault.kind not in kinds)
                    or fault.kind in but
                    or not fault.meets(operation, about)
                ):
                    continue
                if fault.calls is not None:
                    fault.calls -= 1
                    if fault.calls <= 0:
                        self._faults.remove(fault)
                return fault
        return None


@dataclass
class Call:
    """A call under way: who calls, about what, with which fault."""

    operation: str
    request: Request
    account: str = ""
    identifier: str = ""
    body: Any = None
    fault: Fault | None = None
    about: list[str] = field(default_factory=list)

    def effect(self, checkout: Checkout) -> Effect:
        """Return what the fault makes of a capture."""
        fault = self.fault
        if fault is None or fault.spoils:
            return Effect()
        return Effect(
            pending=fault.reason if fault.kind == "pending" else "",
            amount=_other_amount(fault, checkout) if fault.kind == "amount_mismatch" else "",
            decline=fault.kind == "decline"
            or (fault.kind == "decline_final" and checkout.api == "v1"),
            final=fault.kind == "decline_final",
            # Orders v2 has no failed order: it keeps the capture that was declined.
            denied=fault.kind == "decline_final" and checkout.api == "v2",
        )


def _other_amount(fault: Fault, checkout: Checkout) -> str:
    total = Decimal(checkout.total)
    return fault.amount or str(total - 1 if total > 1 else total + 1)
