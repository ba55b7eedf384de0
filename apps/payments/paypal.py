"""PayPal's Payments v1 through paypalrestsdk: the only module that imports it (design/paypal.md,
sections A1 to A3).
"""

import json
import logging
import re
import threading
from collections.abc import Callable, Mapping
from typing import Any, cast

import paypalrestsdk
import requests
from django.conf import settings
from paypalrestsdk import exceptions
from paypalrestsdk.resource import Resource

from apps.common.outward import TimedSession
from apps.common.seller import seller
from apps.common.types import Json
from apps.payments.models import Payment, Refund
from apps.payments.provider import (
    MAX_REASON,
    MAX_TEXT,
    OVER,
    SALE_OUTCOMES,
    Answer,
    Evidence,
    Link,
    Outcome,
    Provider,
    Verdict,
    first,
    link,
    money,
    part,
    parts,
    read_answer,
    refund_of,
    text,
)

logger = logging.getLogger("portal.paypal")
# Below this level the SDK prints credentials, whatever the levels of other loggers are.
logging.getLogger("paypalrestsdk.api").setLevel(logging.WARNING)

VERIFY = "/v1/notifications/verify-webhook-signature"
SIGNATURE = {
    "transmission_id": "PAYPAL-TRANSMISSION-ID",
    "transmission_time": "PAYPAL-TRANSMISSION-TIME",
    "transmission_sig": "PAYPAL-TRANSMISSION-SIG",
    "cert_url": "PAYPAL-CERT-URL",
    "auth_algo": "PAYPAL-AUTH-ALGO",
}
WRONG = {
    "VALIDATION_ERROR",
    "MALFORMED_REQUEST",
    "AUTHENTICATION_FAILURE",
    "NOT_AUTHORIZED",
    "UNPROCESSABLE_ENTITY",
}
REFUND_REFUSALS = {
    "TRANSACTION_ALREADY_REFUNDED",
    "FULL_REFUND_NOT_ALLOWED_AFTER_PARTIAL_REFUND",
    "REFUND_EXCEEDED_TRANSACTION_AMOUNT",
    "REFUND_TIME_LIMIT_EXCEEDED",
    "TRANSACTION_REFUSED",
    *WRONG,
    *OVER,
}
# What a network, a proxy or a broken answer makes of a call: nothing definite.
NO_ANSWER = (
    requests.exceptions.RequestException,
    exceptions.ConnectionError,
    ValueError,
    TypeError,
    KeyError,
)


class PortalApi(paypalrestsdk.Api):  # type: ignore[misc]
    """The SDK's client with time limits, without redirects, and with one repeat at most after a
    refused token.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.response: requests.Response | None = None  # the last one
        self._depth = 0

    def http_call(self, url: str, method: str, **options: Any) -> Any:
        """Call, within the time limits, and follow no redirect: it would make a GET of a POST."""
        self.response = None
        limits = {
            "connect": settings.PAYPAL_CONNECT_TIMEOUT,
            "seconds": settings.PAYPAL_READ_TIMEOUT,
        }
        with TimedSession(**limits) as session:
            response = self.response = session.request(method, url, **options)
        return self.handle_response(response, response.content.decode())

    def request(self, *args: Any, **options: Any) -> Any:
        """Call, with one new token where the first was refused; the SDK alone would go
        on for ever.
        """
        if self._depth >= 2:
            raise exceptions.UnauthorizedAccess(None, None, "token refused twice")
        self._depth += 1
        try:
            return super().request(*args, **options)
        finally:
            self._depth -= 1


_of_thread = threading.local()


def api() -> PortalApi:
    """Return this thread's client: the SDK's is not safe between threads."""
    options = {
        "mode": settings.PAYPAL_MODE,
        "endpoint": settings.PAYPAL_ENDPOINT,
        "client_id": settings.PAYPAL_CLIENT_ID,
        "client_secret": settings.PAYPAL_CLIENT_SECRET,
    }
    if getattr(_of_thread, "made_of", None) != options:
        _of_thread.api, _of_thread.made_of = PortalApi(**options), options
    return cast("PortalApi", _of_thread.api)


class PayPalPayments(Provider):
    """The provider on Payments v1."""

    name = "v1"

    def is_refused(self, answer: Answer) -> bool:
        """Return whether the request was wrong, or we may not make it."""
        return answer.status == 401 or bool(answer.names & WRONG)

    def is_refund_refused(self, answer: Answer) -> bool:
        """Return whether a refund is refused for good."""
        return answer.status == 401 or bool(answer.names & REFUND_REFUSALS)

    def sign_in(self) -> bool:
        """Return whether PayPal gives us a token, or gave one that still holds."""
        try:
            return bool(api().get_access_token())
        except NO_ANSWER as error:
            logger.warning("paypal token: %s", type(error).__name__)
            return False

    def create(self, payment: Payment, return_url: str, cancel_url: str) -> Answer:
        """Ask for a payment under its `create_key`."""
        request = paypalrestsdk.Payment(payment_body(payment, return_url, cancel_url), api=api())
        request.request_id = str(payment.create_key)
        return _ask("create", request.create)

    def take(self, payment: Payment) -> Answer:
        """Ask for the money of an approved payment under its `execute_key`."""
        body = Resource({"payer_id": payment.payer_id}, api=api())
        body.request_id = str(payment.execute_key)
        request = paypalrestsdk.Payment({"id": payment.paypal_payment_id}, api=api())
        return _ask("execute", lambda: request.execute(body))

    def find(self, payment: Payment) -> Answer:
        """Ask for a payment."""
        payment_id = str(payment.paypal_payment_id)
        return _ask("get", lambda: paypalrestsdk.Payment.find(payment_id, api=api()))

    def send_back(self, refund: Refund) -> Answer:
        """Ask for a refund under its key."""
        amount = {"total": f"{refund.amount:.2f}", "currency": refund.payment.currency}
        body = Resource(
            {"amount": amount, "invoice_number": refund.invoice_number, "reason": "Refund"},
            api=api(),
        )
        body.request_id = str(refund.key)
        sale = paypalrestsdk.Sale({"id": refund.payment.sale_id}, api=api())
        return _ask("refund", lambda: sale.refund(body))

    def find_refund(self, refund: Refund) -> Answer:
        """Ask for a refund that has an id."""
        refund_id = str(refund.refund_id)
        return _ask("refund_get", lambda: paypalrestsdk.Refund.find(refund_id, api=api()))

    def link_of(self, body: Json) -> Link:
        """Return the link of a payment; its token stands in the address."""
        url = link(body, "approval_url")
        token = re.search(r"[?&]token=([A-Za-z0-9-]+)", url)
        return Link(url, token=token[1] if token else "")

    def evidence_of(self, body: Json, debug_id: str) -> Evidence:
        """Return what a payment's body says. Approved is not paid: only a completed sale is."""
        transaction = first(body, "transactions")
        related = parts(transaction, "related_resources")
        sale = next((resource for item in related if (resource := part(item, "sale"))), {})
        refunds = [resource for item in related if (resource := part(item, "refund"))]
        payer_id = text(part(part(body, "payer"), "payer_info"), "payer_id")
        amount, state, outcome = part(sale, "amount"), body.get("state"), Outcome.UNKNOWN
        if sale and state == "approved" and sale.get("id"):
            outcome = SALE_OUTCOMES.get(text(sale, "state"), Outcome.UNKNOWN)
        elif not sale and state == "created":
            outcome = Outcome.APPROVED if payer_id else Outcome.WAITING
        elif not sale and state == "failed":
            outcome = Outcome.FAILED
        return Evidence(
            outcome if body.get("id") else Outcome.UNKNOWN,
            payment_id=text(body, "id"),
            attempt=text(transaction, "custom"),
            invoice_number=text(transaction, "invoice_number"),
            payer_id=payer_id,
            sale_id=text(sale, "id"),
            sale_state=text(sale, "state"),
            amount=money(amount, "total"),
            currency=text(amount, "currency"),
            refunds=tuple(refund_of(refund, debug_id) for refund in refunds),
            reason=(text(sale, "reason_code") or text(body, "failure_reason"))[:MAX_REASON],
            debug_id=debug_id,
        )

    def subject_of(self, event: Json) -> tuple[str, str]:
        """Return the payment and the sale of an event; a refund names both."""
        resource = part(event, "resource")
        sale = text(resource, "sale_id") or (
            text(resource, "id") if event.get("resource_type") == "sale" else ""
        )
        return text(resource, "parent_payment"), sale


def _ask(operation: str, call: Callable[[], object]) -> Answer:
    """Call, and return what PayPal answered, of which the SDK hands on a part only."""
    client, failure = api(), "no answer"
    client.response = None
    try:
        call()
    except NO_ANSWER as error:
        failure = type(error).__name__
    answer = read_answer(client.response, failure)
    if not answer.worked:
        logger.warning("paypal %s: %s %s", operation, answer.status, answer.reason)
    return answer


def verify_webhook(headers: Mapping[str, str], raw: bytes) -> Verdict:
    """Return whether PayPal signed an event, of either API. The body is sent on as it came:
    re-encoded it would not verify.
    """
    signature = {name: str(headers.get(header, "")) for name, header in SIGNATURE.items()}
    signature["webhook_id"] = settings.PAYPAL_WEBHOOK_ID
    text = json.dumps(signature)[:-1].encode() + b', "webhook_event": ' + raw + b"}"
    client = api()

    def ask() -> Any:
        return client.http_call(
            client.endpoint + VERIFY, "POST", data=text, headers=client.headers()
        )

    try:
        try:
            answer = ask()
        except exceptions.UnauthorizedAccess:
            client.token_hash = None
            answer = ask()
        status = answer.get("verification_status")
    except exceptions.BadRequest:
        return Verdict.FORGED
    except (*NO_ANSWER, AttributeError) as error:
        logger.warning("paypal verify: %s", type(error).__name__)
        return Verdict.UNKNOWN
    return {"SUCCESS": Verdict.GENUINE, "FAILURE": Verdict.FORGED}.get(str(status), Verdict.UNKNOWN)


def payment_body(payment: Payment, return_url: str, cancel_url: str) -> dict[str, Any]:
    """Return what PayPal is asked for."""
    return {
        "intent": "sale",
        "payer": {"payment_method": "paypal"},
        "redirect_urls": {"return_url": return_url, "cancel_url": cancel_url},
        "transactions": [
            {
                "amount": {
                    "currency": payment.currency,
                    "total": f"{payment.amount:.2f}",
                    "details": {
                        "subtotal": f"{payment.base:.2f}",
                        "handling_fee": f"{payment.fee:.2f}",
                    },
                },
                "description": f"Order {payment.invoice_code}",
                "custom": str(payment.uuid),
                "invoice_number": payment.invoice_number,
                "payment_options": {"allowed_payment_method": "IMMEDIATE_PAY"},
            }
        ],
        "application_context": {
            "brand_name": seller().title[:MAX_TEXT],
            "shipping_preference": "NO_SHIPPING",
            "user_action": "commit",
        },
    }
