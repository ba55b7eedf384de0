"""How the simulator refuses: neutral reasons, each with its name in Payments v1 and its issue in
Orders v2.
"""

from dataclasses import dataclass

from tools.paypal_simulator.http import Answer
from tools.paypal_simulator.records import Json

MORE = "https://developer.paypal.com/docs/api/payments/#errors"


class Refused(Exception):
    """A call that is not done, for a reason of this table (`ERRORS`) or by a name of PayPal's."""

    def __init__(self, reason: str, details: list[Json] | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.details = details or []


@dataclass(frozen=True)
class Error:
    """An error of PayPal's. In v2 `issue` stands for the name, and what v1 calls a bad request is
    mostly a 422.
    """

    status: int
    name: str
    message: str
    issue: str = ""
    v2_status: int = 0

    @property
    def in_v2(self) -> tuple[int, str]:
        """Return v2's HTTP status and issue."""
        return self.v2_status or (
            422 if self.status == 400 else self.status
        ), self.issue or self.name


ERRORS = {
    "invalid": Error(
        400, "VALIDATION_ERROR", "Invalid request - see details", "INVALID_PARAMETER_VALUE", 400
    ),
    "sum": Error(400, "VALIDATION_ERROR", "Should equal the sum of its parts", "AMOUNT_MISMATCH"),
    "malformed": Error(
        400, "MALFORMED_REQUEST", "JSON payload does not map", "MALFORMED_REQUEST_JSON", 400
    ),
    "decline": Error(400, "INSTRUMENT_DECLINED", "The instrument presented was declined"),
    "payer_cannot_pay": Error(400, "PAYER_CANNOT_PAY", "Payer cannot pay for this transaction"),
    "payer_action": Error(
        400, "REDIRECT_REQUIRED", "Payer action is required", "PAYER_ACTION_REQUIRED"
    ),
    "refuse": Error(400, "TRANSACTION_REFUSED", "The request was refused"),
    "not_approved": Error(
        400,
        "PAYMENT_NOT_APPROVED_FOR_EXECUTION",
        "Payer has not approved payment",
        "ORDER_NOT_APPROVED",
    ),
    "wrong_payer": Error(400, "INVALID_PAYER_ID", "Payer ID is invalid"),
    "already_done": Error(
        400,
        "PAYMENT_ALREADY_DONE",
        "Payment has been done already for this cart",
        "ORDER_ALREADY_CAPTURED",
    ),
    "wrong_state": Error(
        400,
        "PAYMENT_STATE_INVALID",
        "The payment's state does not allow this",
        "ORDER_COMPLETED_OR_VOIDED",
    ),
    "key_reused": Error(
        400, "DUPLICATE_REQUEST_ID", "The value of PayPal-Request-Id header has already been used"
    ),
    "key_running": Error(
        409,
        "RESOURCE_CONFLICT",
        "A previous request is in progress",
        "PREVIOUS_REQUEST_IN_PROGRESS",
    ),
    "duplicate": Error(
        400, "DUPLICATE_TRANSACTION", "Duplicate invoice Id detected", "DUPLICATE_INVOICE_ID"
    ),
    "missing": Error(404, "INVALID_RESOURCE_ID", "Requested resource ID was not found"),
    "expired": Error(400, "PAYMENT_EXPIRED", "The payment is expired", "INVALID_RESOURCE_ID", 404),
    "already_refunded": Error(
        400,
        "TRANSACTION_ALREADY_REFUNDED",
        "The transaction has already been refunded",
        "CAPTURE_FULLY_REFUNDED",
    ),
    "full_after_partial": Error(
        400,
        "FULL_REFUND_NOT_ALLOWED_AFTER_PARTIAL_REFUND",
        "Full refund refused - partial refund has already been done on this payment",
        "REFUND_AMOUNT_EXCEEDED",
    ),
    "refund_too_large": Error(
        400,
        "REFUND_EXCEEDED_TRANSACTION_AMOUNT",
        (
            "Refund refused. Refund was requested for an amount greater than the original "
            "transaction amount"
        ),
        "REFUND_AMOUNT_EXCEEDED",
    ),
    "refund_too_late": Error(
        400, "REFUND_TIME_LIMIT_EXCEEDED", "This transaction is too old to refund"
    ),
    "login": Error(
        401, "AUTHENTICATION_FAILURE", "Authentication failed due to invalid credentials"
    ),
    "forbidden": Error(403, "NOT_AUTHORIZED", "Insufficient permissions", "PERMISSION_DENIED"),
    "no_such_call": Error(404, "INVALID_RESOURCE_ID", "The requested resource does not exist"),
    "unprocessable": Error(422, "UNPROCESSABLE_ENTITY", "The request could not be processed"),
    "rate": Error(429, "RATE_LIMIT_REACHED", "Too many requests. Blocked due to rate limiting"),
    "internal": Error(500, "INTERNAL_SERVICE_ERROR", "An internal service error has occurred"),
    "internal_server": Error(500, "INTERNAL_SERVER_ERROR", "An internal server error has occurred"),
    "unavailable": Error(503, "SERVICE_UNAVAILABLE", "Service Unavailable"),
}
REASONS = {
    name: reason
    for reason, error in reversed(ERRORS.items())
    for name in (error.issue, error.name)
    if name
}
V2_NAMES = {
    400: "INVALID_REQUEST",
    401: "AUTHENTICATION_FAILURE",
    403: "NOT_AUTHORIZED",
    404: "RESOURCE_NOT_FOUND",
    409: "RESOURCE_CONFLICT",
    422: "UNPROCESSABLE_ENTITY",
    429: "RATE_LIMIT_REACHED",
    500: "INTERNAL_SERVER_ERROR",
    503: "SERVICE_UNAVAILABLE",
}


def reason_of(name: str) -> str:
    """Return the reason that a name or issue of PayPal's stands for; the name itself where it has
    none.
    """
    return name if name in ERRORS else REASONS.get(name, name)


def error_answer(refused: Refused, *, v2: bool, debug_id: str) -> Answer:
    """Return the answer of a refusal, in the form of its API."""
    entry = ERRORS.get(reason_of(refused.reason))
    error = entry or Error(400, refused.reason, "The request was refused")
    if not v2:
        body: Json = {
            "name": error.name,
            "message": error.message,
            "debug_id": debug_id,
            "information_link": MORE,
        }
        return Answer(
            error.status, body | ({"details": refused.details} if refused.details else {})
        )
    status, issue = error.in_v2
    body = {
        "name": V2_NAMES[status],
        "message": error.message,
        "debug_id": debug_id,
        "details": refused.details or [{"issue": issue, "description": error.message}],
        "links": [{"href": MORE, "rel": "information_link", "method": "GET"}],
    }
    return Answer(status, body)


def oauth_error(error: str, description: str) -> Answer:
    """Return a refusal of the token call or of a token: these look different."""
    return Answer(401, {"error": error, "error_description": description})
