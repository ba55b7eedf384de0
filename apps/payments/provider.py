"""What the portal knows of PayPal: five calls, and answers in its own words (design/paypal.md,
sections A2 and F).

No call raises for what PayPal or a network does: an answer that is not definite is
`Outcome.UNKNOWN`.
"""

import json
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from typing import Any

from apps.common.types import Json
from apps.payments.models import Payment, Refund

MAX_TEXT = 127
MAX_REASON = 200
# What the names in a refusal mean, whichever API says them.
DECLINED = {
    "INSTRUMENT_DECLINED",
    "PAYER_CANNOT_PAY",
    "PAYER_ACCOUNT_RESTRICTED",
    "TRANSACTION_REFUSED",
    "REDIRECT_REQUIRED",
}
NOT_APPROVED = {
    "PAYMENT_NOT_APPROVED_FOR_EXECUTION",
    "INVALID_PAYER_ID",
    "ORDER_NOT_APPROVED",
    "PAYER_ACTION_REQUIRED",
}
DONE_PERHAPS = {
    "PAYMENT_ALREADY_DONE",
    "PAYMENT_STATE_INVALID",
    "ORDER_ALREADY_CAPTURED",
    "ORDER_ALREADY_COMPLETED",
    "DUPLICATE_REQUEST_ID",
    "RESOURCE_CONFLICT",
}
OVER = {"PAYMENT_EXPIRED", "ORDER_EXPIRED", "INVALID_RESOURCE_ID", "RESOURCE_NOT_FOUND"}
DUPLICATE = {"DUPLICATE_TRANSACTION", "DUPLICATE_INVOICE_ID"}
WRONG_STATUS = (400, 401, 403, 422)


class Outcome(StrEnum):
    """What PayPal says of a payment."""

    WAITING = "waiting"  # the buyer has not approved it
    APPROVED = "approved"  # the buyer has, nothing is taken
    CAPTURED = "captured"  # the money is ours
    PENDING = "pending"  # executed, the money is under review
    DENIED = "denied"  # executed, the review ended without money
    REVERSED = "reversed"  # the money was taken back
    FAILED = "failed"  # closed at the provider, nothing taken
    GONE = "gone"  # unknown to the provider, or too old
    DECLINED = "declined"  # not executed: the buyer's means did not do
    REFUSED = "refused"  # not executed: the request was wrong, or we may not
    DUPLICATE = "duplicate"  # not executed: another payment has this invoice number
    UNKNOWN = "unknown"  # no definite answer


SALE_OUTCOMES = {
    "completed": Outcome.CAPTURED,
    "partially_refunded": Outcome.CAPTURED,
    "refunded": Outcome.CAPTURED,
    "pending": Outcome.PENDING,
    "denied": Outcome.DENIED,
    "declined": Outcome.DENIED,
    "failed": Outcome.DENIED,
    "reversed": Outcome.REVERSED,
}
NOTHING_TAKEN = {Outcome.WAITING, Outcome.APPROVED, Outcome.FAILED, Outcome.GONE}


class RefundOutcome(StrEnum):
    """What PayPal says of a refund."""

    COMPLETED = "completed"
    PENDING = "pending"
    FAILED = "failed"
    UNKNOWN = "unknown"


REFUND_OUTCOMES = {
    "completed": RefundOutcome.COMPLETED,
    "pending": RefundOutcome.PENDING,
    "failed": RefundOutcome.FAILED,
    "cancelled": RefundOutcome.FAILED,
}


class Verdict(StrEnum):
    """What PayPal says of an event's signature."""

    GENUINE = "genuine"
    FORGED = "forged"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Link:
    """Where the buyer approves a payment; without an address, why there is none."""

    url: str = ""
    payment_id: str = ""
    token: str = ""
    reason: str = ""
    debug_id: str = ""


@dataclass(frozen=True)
class RefundResult:
    """A refund as the provider knows it, in US dollars."""

    outcome: RefundOutcome
    refund_id: str = ""
    amount: Decimal | None = None
    invoice_number: str = ""
    reason: str = ""
    debug_id: str = ""


@dataclass(frozen=True)
class Evidence:
    """What PayPal says of a payment, with what identifies it. The amount is the one taken, in
    `currency`.
    """

    outcome: Outcome
    payment_id: str = ""
    attempt: str = ""
    invoice_number: str = ""
    payer_id: str = ""
    sale_id: str = ""
    sale_state: str = ""
    amount: Decimal | None = None
    currency: str = ""
    refunds: tuple[RefundResult, ...] = ()
    reason: str = ""
    debug_id: str = ""


class Answer:
    """What a call brought: a body, or the names of a refusal, or nothing definite (status 0)."""

    def __init__(self, status: int, body: Json, debug_id: str = "", reason: str = "") -> None:
        self.status, self.body, self.debug_id = status, body, debug_id
        issues = [text(detail, "issue") for detail in parts(body, "details")]
        self.names = {text(body, "name") or text(body, "error"), *issues} - {""}
        issue = next(filter(None, issues), "")
        self.reason = (issue or next(iter(self.names), "") or reason)[:MAX_REASON]

    @property
    def worked(self) -> bool:
        """Return whether it is the body of what was asked for."""
        return 200 <= self.status < 300 and bool(self.body.get("id"))


def read_answer(response: Any, reason: str = "no answer") -> Answer:
    """Return an answer by its status and its text; a text that is no JSON object is no answer."""
    if response is None:
        return Answer(0, {}, reason=reason)
    headers = {str(name).lower(): value for name, value in dict(response.headers or {}).items()}
    debug_id = str(headers.get("paypal-debug-id", ""))[:64]
    try:
        body = json.loads(response.text or "null")
    except ValueError:
        body = None
    if not isinstance(body, dict):
        status = response.status_code if response.status_code == 401 else 0
        return Answer(status, {}, debug_id, reason)
    return Answer(response.status_code, body, debug_id)


class Provider:
    """An API of PayPal: a subclass makes the calls and reads their bodies; what a refusal means is
    the same in both. Every call ends within its time limits, outside of any transaction.
    """

    name: str

    def sign_in(self) -> bool:
        """Return whether PayPal gives us a token, or gave one that still holds."""
        raise NotImplementedError

    def create(self, payment: Payment, return_url: str, cancel_url: str) -> Answer:
        """Ask for a payment under its `create_key`."""
        raise NotImplementedError

    def take(self, payment: Payment) -> Answer:
        """Ask for the money of an approved payment under its `execute_key`."""
        raise NotImplementedError

    def find(self, payment: Payment) -> Answer:
        """Ask for a payment."""
        raise NotImplementedError

    def send_back(self, refund: Refund) -> Answer:
        """Ask for a refund under its key."""
        raise NotImplementedError

    def find_refund(self, refund: Refund) -> Answer:
        """Ask for a refund that has an id."""
        raise NotImplementedError

    def link_of(self, body: Json) -> Link:
        """Return the link of a payment that was made."""
        raise NotImplementedError

    def evidence_of(self, body: Json, debug_id: str) -> Evidence:
        """Return what a payment's body says."""
        raise NotImplementedError

    def subject_of(self, event: Json) -> tuple[str, str]:
        """Return what an event is about: the provider's payment, and its sale; empty if unknown."""
        raise NotImplementedError

    def is_refused(self, answer: Answer) -> bool:
        """Return whether the request was wrong, or we may not make it."""
        return answer.status == 401 or (answer.status in WRONG_STATUS and bool(answer.names))

    def is_refund_refused(self, answer: Answer) -> bool:
        """Return whether a refund is refused for good."""
        return self.is_refused(answer) or (answer.status == 404 and bool(answer.names))

    def create_link(self, payment: Payment, *, return_url: str, cancel_url: str) -> Link:
        """Ask for a payment; repeated once where the answer is not definite."""
        for _ in range(2):
            answer = self.create(payment, return_url, cancel_url)
            if answer.worked or 400 <= answer.status < 500:
                break
        link = self.link_of(answer.body) if answer.worked else Link()
        if not (link.url and link.token):
            return Link(reason=answer.reason or "no link in the answer", debug_id=answer.debug_id)
        return replace(link, payment_id=text(answer.body, "id"), debug_id=answer.debug_id)

    def execute(self, payment: Payment) -> Evidence:
        """Take the money of an approved payment; a repeat takes nothing twice. Some names mean only
        that PayPal must be asked.
        """
        answer = self.take(payment)
        if answer.worked:
            return self.evidence_of(answer.body, answer.debug_id)
        names, outcome = answer.names, Outcome.UNKNOWN
        if names & DECLINED:
            outcome = Outcome.DECLINED
        elif names & NOT_APPROVED:
            outcome = Outcome.WAITING
        elif names & {*DONE_PERHAPS, *OVER, *DUPLICATE}:
            evidence = self.fetch(payment)
            if evidence.outcome not in NOTHING_TAKEN:
                return evidence
            if not names & DONE_PERHAPS:
                outcome = Outcome.GONE if names & OVER else Outcome.DUPLICATE
        elif self.is_refused(answer):
            outcome = Outcome.REFUSED
        return Evidence(outcome, reason=answer.reason, debug_id=answer.debug_id)

    def fetch(self, payment: Payment) -> Evidence:
        """Return what PayPal knows of a payment now."""
        answer = self.find(payment)
        if answer.worked:
            return self.evidence_of(answer.body, answer.debug_id)
        outcome = Outcome.GONE if answer.names & OVER else Outcome.UNKNOWN
        return Evidence(outcome, reason=answer.reason, debug_id=answer.debug_id)

    def refund(self, refund: Refund) -> RefundResult:
        """Send money back; a repeat sends nothing twice."""
        answer = self.send_back(refund)
        if answer.worked:
            return refund_of(answer.body, answer.debug_id)
        is_refused = self.is_refund_refused(answer)
        outcome = RefundOutcome.FAILED if is_refused else RefundOutcome.UNKNOWN
        return RefundResult(outcome, reason=answer.reason, debug_id=answer.debug_id)

    def fetch_refund(self, refund: Refund) -> RefundResult:
        """Return what PayPal knows of a refund that has an id."""
        answer = self.find_refund(refund)
        if answer.worked:
            return refund_of(answer.body, answer.debug_id)
        return RefundResult(RefundOutcome.UNKNOWN, reason=answer.reason, debug_id=answer.debug_id)


def refund_of(body: Json, debug_id: str) -> RefundResult:
    """Return what a refund's body says, in the words of either API."""
    state, amount = (text(body, "state") or text(body, "status")).lower(), part(body, "amount")
    outcome = REFUND_OUTCOMES.get(state, RefundOutcome.UNKNOWN)
    return RefundResult(
        outcome if body.get("id") else RefundOutcome.UNKNOWN,
        refund_id=text(body, "id"),
        amount=money(amount, "total" if "total" in amount else "value"),
        invoice_number=text(body, "invoice_number") or text(body, "invoice_id"),
        reason="" if state == "completed" else text(body, "reason_code") or state,
        debug_id=debug_id,
    )


# Parts of the JSON bodies, whatever their shape: what is missing or of another type is empty.


def part(body: Json, name: str) -> Json:
    """Return an object of a body."""
    value = body.get(name)
    return value if isinstance(value, dict) else {}


def parts(body: Json, name: str) -> list[Json]:
    """Return the objects of a list of a body."""
    value = body.get(name)
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def first(body: Json, name: str) -> Json:
    """Return the first object of a list of a body."""
    return next(iter(parts(body, name)), {})


def text(body: Json, name: str) -> str:
    """Return a text of a body."""
    return str(body.get(name) or "")


def link(body: Json, rel: str) -> str:
    """Return the address of a body's link."""
    return next((text(item, "href") for item in parts(body, "links") if item.get("rel") == rel), "")


def money(amount: Json, name: str) -> Decimal | None:
    """Return the money of an amount, without its sign: a refund's may be negative."""
    try:
        value = Decimal(str(amount.get(name)))
    except InvalidOperation:
        return None
    return abs(value) if value.is_finite() else None
