"""PayPal's Orders v2 through paypal-server-sdk: the only module that imports it (design/paypal.md,
section F).

An order stands for v1's payment, and is its token too; a capture stands for the sale.
"""

import json
import logging
import threading
from collections.abc import Callable, Mapping
from typing import Any, cast

import requests
from django.conf import settings
from paypalserversdk.configuration import Configuration, Environment, Server
from paypalserversdk.exceptions.api_exception import ApiException
from paypalserversdk.http.auth.o_auth_2 import ClientCredentialsAuthCredentials
from paypalserversdk.paypal_serversdk_client import PaypalServersdkClient

from apps.common.outward import TimedSession
from apps.common.seller import seller
from apps.common.types import Json
from apps.payments.bodies import first, link, money, part, parts, text
from apps.payments.models import Payment, Refund
from apps.payments.paypal import MAX_TEXT, NOTHING_TAKEN, REFUND_OUTCOMES, PayPalPayments
from apps.payments.provider import (
    Evidence,
    Link,
    Outcome,
    RefundOutcome,
    RefundResult,
    Subject,
    Verdict,
)

logger = logging.getLogger("portal.paypal")

FULL_ANSWER = "return=representation"
DECLINED = {
    "INSTRUMENT_DECLINED",
    "PAYER_CANNOT_PAY",
    "TRANSACTION_REFUSED",
    "PAYER_ACCOUNT_RESTRICTED",
}
NOT_APPROVED = {"ORDER_NOT_APPROVED", "PAYER_ACTION_REQUIRED"}
DONE_PERHAPS = {
    "ORDER_ALREADY_CAPTURED",
    "ORDER_ALREADY_COMPLETED",
    "DUPLICATE_REQUEST_ID",
    "RESOURCE_CONFLICT",
}
OVER = {"ORDER_EXPIRED", "INVALID_RESOURCE_ID", "RESOURCE_NOT_FOUND"}
DUPLICATE = {"DUPLICATE_INVOICE_ID"}
WRONG_STATUS = (400, 401, 403, 422)
CAPTURE_OUTCOMES = {
    "COMPLETED": Outcome.CAPTURED,
    "PARTIALLY_REFUNDED": Outcome.CAPTURED,
    "REFUNDED": Outcome.CAPTURED,
    "PENDING": Outcome.PENDING,
    "DECLINED": Outcome.DENIED,
    "DENIED": Outcome.DENIED,
    "FAILED": Outcome.DENIED,
    "REVERSED": Outcome.REVERSED,
}
ORDER_OUTCOMES = {
    "CREATED": Outcome.WAITING,
    "SAVED": Outcome.WAITING,
    "PAYER_ACTION_REQUIRED": Outcome.WAITING,
    "APPROVED": Outcome.APPROVED,
    "VOIDED": Outcome.FAILED,
}
# What a network, a proxy or a broken answer makes of a call: nothing definite.
NO_ANSWER = (
    ApiException,
    requests.exceptions.RequestException,
    ValueError,
    TypeError,
    KeyError,
    AttributeError,
)


class PortalSession(TimedSession):
    """A session with PayPal's time limits, for answers that are plain JSON."""

    def __init__(self) -> None:
        super().__init__(
            connect=settings.PAYPAL_CONNECT_TIMEOUT, seconds=settings.PAYPAL_READ_TIMEOUT
        )

    def request(self, method: Any, url: Any, *args: Any, **options: Any) -> requests.Response:
        """Call, within the time limits.

        Raises:
            RequestException: there is no answer, or none in time.
            ValueError: the answer is no plain JSON object. The SDK would hand it to jsonpickle,
                which makes whatever objects a text names.
        """
        response = super().request(method, url, *args, **options)
        if response.content and not isinstance(
            json.loads(response.content, object_pairs_hook=_plain), dict
        ):
            raise ValueError("no JSON object")
        return response


def _plain(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if any(name.startswith("py/") for name, _ in pairs):
        raise ValueError("an object of Python's")
    return dict(pairs)


class PortalConfiguration(Configuration):  # type: ignore[misc]
    """The SDK's configuration with the address of PAYPAL_ENDPOINT."""

    def get_base_uri(self, server: Server = Server.DEFAULT) -> str:
        """Return the address."""
        return str(settings.PAYPAL_ENDPOINT)


_of_thread = threading.local()


def client() -> PaypalServersdkClient:
    """Return this thread's client."""
    account = (settings.PAYPAL_MODE, settings.PAYPAL_CLIENT_ID, settings.PAYPAL_CLIENT_SECRET)
    made_of = (
        settings.PAYPAL_ENDPOINT,
        *account,
        settings.PAYPAL_CONNECT_TIMEOUT,
        settings.PAYPAL_READ_TIMEOUT,
    )
    if getattr(_of_thread, "made_of", None) != made_of:
        configuration = PortalConfiguration(
            http_client_instance=PortalSession(),
            environment=Environment.PRODUCTION
            if settings.PAYPAL_MODE == "live"
            else Environment.SANDBOX,
            client_credentials_auth_credentials=ClientCredentialsAuthCredentials(
                o_auth_client_id=settings.PAYPAL_CLIENT_ID,
                o_auth_client_secret=settings.PAYPAL_CLIENT_SECRET,
            ),
        )
        _of_thread.client, _of_thread.made_of = PaypalServersdkClient(config=configuration), made_of
    return cast("PaypalServersdkClient", _of_thread.client)


class Answer:
    """What a call brought: a body, or the names of a refusal, or nothing definite (status 0)."""

    def __init__(self, status: int, body: Json, debug_id: str, reason: str = "") -> None:
        self.status, self.body, self.debug_id = status, body, debug_id
        issues = [text(detail, "issue") for detail in parts(body, "details")]
        self.names = {text(body, "name") or text(body, "error"), *issues} - {""}
        issue = next(filter(None, issues), "")
        self.reason = (issue or next(iter(self.names), "") or reason)[:200]

    @property
    def worked(self) -> bool:
        """Return whether it is the body of what was asked for."""
        return 200 <= self.status < 300 and bool(self.body.get("id"))


def _call(operation: str, ask: Callable[[PaypalServersdkClient], Any]) -> Answer:
    """Call, with one new token where the first was refused."""
    answer = _ask(operation, ask)
    if answer.status == 401 and getattr(_of_thread, "client", None) is not None:
        _of_thread.made_of = None
        answer = _ask(operation, ask)
    return answer


def _ask(operation: str, ask: Callable[[PaypalServersdkClient], Any]) -> Answer:
    try:
        made = ask(client())
    except ApiException as error:
        answer = _read(error.response)
        logger.warning("paypal %s: %s %s", operation, answer.status, answer.reason)
        return answer
    except NO_ANSWER as error:
        logger.warning("paypal %s: %s", operation, type(error).__name__)
        return Answer(0, {}, "", type(error).__name__)
    return _read(made)


def _read(response: Any) -> Answer:
    """Return an answer by its status and its text; a text that is no JSON object is no answer."""
    headers = {
        str(name).lower(): str(value) for name, value in dict(response.headers or {}).items()
    }
    debug_id = headers.get("paypal-debug-id", "")[:64]
    try:
        body = json.loads(response.text or "null")
    except ValueError:
        body = None
    if not isinstance(body, dict):
        return Answer(
            response.status_code if response.status_code == 401 else 0, {}, debug_id, "no answer"
        )
    return Answer(response.status_code, body, debug_id)


class PayPalOrders:
    """The provider on Orders v2."""

    name = "v2"

    def sign_in(self) -> bool:
        """Return whether PayPal gives us a token, or gave one that still holds."""
        try:
            return bool(client().oauth_2.is_valid())
        except NO_ANSWER as error:
            logger.warning("paypal token: %s", type(error).__name__)
            return False

    def create_link(self, payment: Payment, *, return_url: str, cancel_url: str) -> Link:
        """Ask for an order under the attempt's `create_key`; repeated once where the answer is not
        definite.
        """
        request = {
            "body": order_body(payment, return_url, cancel_url),
            "paypal_request_id": str(payment.create_key),
            "prefer": FULL_ANSWER,
        }
        for _ in range(2):
            answer = _call("create", lambda made: made.orders.create_order(request))
            if answer.worked or 400 <= answer.status < 500:
                break
        url = link(answer.body, "payer-action") or link(answer.body, "approve")
        if not answer.worked or not url:
            return Link(reason=answer.reason or "no link in the answer", debug_id=answer.debug_id)
        order_id = text(answer.body, "id")
        return Link(url=url, payment_id=order_id, token=order_id, debug_id=answer.debug_id)

    def execute(self, payment: Payment) -> Evidence:
        """Capture an approved order under the attempt's `execute_key`; a repeat takes nothing
        twice.
        """
        request = {
            "id": payment.paypal_payment_id,
            "paypal_request_id": str(payment.execute_key),
            "prefer": FULL_ANSWER,
        }
        answer = _call("execute", lambda made: made.orders.capture_order(request))
        if answer.worked:
            return evidence_of(answer)
        names, outcome = answer.names, Outcome.UNKNOWN
        if names & DECLINED:
            outcome = Outcome.DECLINED
        elif names & NOT_APPROVED:
            outcome = Outcome.WAITING
        elif names & {*DONE_PERHAPS, *OVER, *DUPLICATE}:  # PayPal must be asked what they mean
            found = self.fetch(payment)
            if found.outcome not in NOTHING_TAKEN:
                return found
            if not names & DONE_PERHAPS:
                outcome = Outcome.GONE if names & OVER else Outcome.DUPLICATE
        elif answer.status == 401 or (answer.status in WRONG_STATUS and names):
            outcome = Outcome.REFUSED
        return _nothing(answer, outcome)

    def fetch(self, payment: Payment) -> Evidence:
        """Return what PayPal knows of an order now."""
        answer = _call("get", lambda made: made.orders.get_order({"id": payment.paypal_payment_id}))
        if answer.worked:
            return evidence_of(answer)
        return _nothing(answer, Outcome.GONE if answer.names & OVER else Outcome.UNKNOWN)

    def refund(self, refund: Refund) -> RefundResult:
        """Send money back under the refund's key; a repeat sends nothing twice."""
        body = {
            "amount": {"value": f"{refund.amount:.2f}", "currency_code": refund.payment.currency},
            "invoice_id": refund.invoice_number,
        }
        request = {
            "capture_id": refund.payment.sale_id,
            "paypal_request_id": str(refund.key),
            "prefer": FULL_ANSWER,
            "body": body,
        }
        answer = _call("refund", lambda made: made.payments.refund_captured_payment(request))
        if answer.worked:
            return refund_of(answer.body, debug_id=answer.debug_id)
        is_refused = answer.status == 401 or (
            answer.status in (*WRONG_STATUS, 404) and answer.names
        )
        outcome = RefundOutcome.FAILED if is_refused else RefundOutcome.UNKNOWN
        return RefundResult(outcome, reason=answer.reason, debug_id=answer.debug_id)

    def fetch_refund(self, refund: Refund) -> RefundResult:
        """Return what PayPal knows of a refund that has an id."""
        answer = _call(
            "refund_get", lambda made: made.payments.get_refund({"refund_id": refund.refund_id})
        )
        if answer.worked:
            return refund_of(answer.body, debug_id=answer.debug_id)
        return RefundResult(RefundOutcome.UNKNOWN, reason=answer.reason, debug_id=answer.debug_id)

    def verify_webhook(self, headers: Mapping[str, str], raw: bytes) -> Verdict:
        """Return whether PayPal signed an event; the SDK of v2 lacks this call, which both APIs
        share.
        """
        return PayPalPayments().verify_webhook(headers, raw)

    def subject_of(self, event: Json) -> Subject:
        """Return the order and the capture of an event; a refund names its capture by a link."""
        resource, kind = part(event, "resource"), text(event, "event_type")
        own = text(resource, "id")
        if kind.startswith("CHECKOUT.ORDER."):
            return Subject(payment_id=own)
        order = text(part(part(resource, "supplementary_data"), "related_ids"), "order_id")
        above = link(resource, "up")
        is_refund = kind.endswith((".REFUNDED", ".REVERSED")) and "/captures/" in above
        return Subject(
            payment_id=order, sale_id=above.rpartition("/captures/")[2] if is_refund else own
        )


def order_body(payment: Payment, return_url: str, cancel_url: str) -> dict[str, Any]:
    """Return what PayPal is asked for."""

    def usd(amount: object) -> dict[str, str]:
        return {"currency_code": payment.currency, "value": f"{amount:.2f}"}

    return {
        "intent": "CAPTURE",
        "purchase_units": [
            {
                "amount": {
                    **usd(payment.amount),
                    "breakdown": {
                        "item_total": usd(payment.base),
                        "handling": usd(payment.fee),
                    },
                },
                "description": f"Order {payment.invoice_code}",
                "custom_id": str(payment.uuid),
                "invoice_id": payment.invoice_number,
            }
        ],
        "payment_source": {
            "paypal": {
                "experience_context": {
                    "brand_name": seller().title[:MAX_TEXT],
                    "return_url": return_url,
                    "cancel_url": cancel_url,
                    "user_action": "PAY_NOW",
                    "shipping_preference": "NO_SHIPPING",
                    "payment_method_preference": "IMMEDIATE_PAYMENT_REQUIRED",
                }
            }
        },
    }


def _nothing(answer: Answer, outcome: Outcome) -> Evidence:
    return Evidence(outcome, reason=answer.reason, debug_id=answer.debug_id)


def evidence_of(answer: Answer) -> Evidence:
    """Return what an order's body says: its money is that of its capture."""
    body = answer.body
    unit = first(body, "purchase_units")
    payments = part(unit, "payments")
    capture = first(payments, "captures")
    amount = part(capture, "amount")
    outcome = ORDER_OUTCOMES.get(text(body, "status"), Outcome.UNKNOWN)
    if capture:
        state = text(capture, "status") if capture.get("id") else ""
        outcome = CAPTURE_OUTCOMES.get(state, Outcome.UNKNOWN)
    return Evidence(
        outcome,
        payment_id=text(body, "id"),
        attempt=text(capture, "custom_id") or text(unit, "custom_id"),
        invoice_number=text(capture, "invoice_id") or text(unit, "invoice_id"),
        payer_id=text(part(body, "payer"), "payer_id"),
        sale_id=text(capture, "id"),
        sale_state=text(capture, "status").lower(),
        amount=money(amount, "value"),
        currency=text(amount, "currency_code"),
        refunds=tuple(
            refund_of(refund, debug_id=answer.debug_id) for refund in parts(payments, "refunds")
        ),
        reason=text(part(capture, "status_details"), "reason")[:200],
        debug_id=answer.debug_id,
    )


def refund_of(body: Json, *, debug_id: str) -> RefundResult:
    """Return what a refund's body says."""
    state = text(body, "status").lower()
    return RefundResult(
        REFUND_OUTCOMES.get(state, RefundOutcome.UNKNOWN),
        refund_id=text(body, "id"),
        amount=money(part(body, "amount"), "value"),
        invoice_number=text(body, "invoice_id"),
        reason="" if state == "completed" else state,
        debug_id=debug_id,
    )
