"""PayPal's Payments v1 through paypalrestsdk: the only module that imports it (design/paypal.md,
sections A1 to A3).
"""

import json
import logging
import re
import threading
from collections.abc import Mapping
from typing import Any, cast

import paypalrestsdk
import requests
from django.conf import settings
from paypalrestsdk import exceptions
from paypalrestsdk.resource import Resource

from apps.common.outward import TimedSession
from apps.common.seller import seller
from apps.common.types import Json
from apps.payments.bodies import first, link, money, part, parts, text
from apps.payments.models import Payment, Refund
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
# Below this level the SDK prints credentials, whatever the levels of other loggers are.
logging.getLogger("paypalrestsdk.api").setLevel(logging.WARNING)

MAX_TEXT = 127
VERIFY = "/v1/notifications/verify-webhook-signature"
SIGNATURE = {
    "transmission_id": "PAYPAL-TRANSMISSION-ID",
    "transmission_time": "PAYPAL-TRANSMISSION-TIME",
    "transmission_sig": "PAYPAL-TRANSMISSION-SIG",
    "cert_url": "PAYPAL-CERT-URL",
    "auth_algo": "PAYPAL-AUTH-ALGO",
}
DECLINED = {"INSTRUMENT_DECLINED", "PAYER_CANNOT_PAY", "TRANSACTION_REFUSED", "REDIRECT_REQUIRED"}
NOT_APPROVED = {"PAYMENT_NOT_APPROVED_FOR_EXECUTION", "INVALID_PAYER_ID"}
DONE_PERHAPS = {
    "PAYMENT_ALREADY_DONE",
    "PAYMENT_STATE_INVALID",
    "DUPLICATE_REQUEST_ID",
    "RESOURCE_CONFLICT",
}
OVER = {"PAYMENT_EXPIRED", "INVALID_RESOURCE_ID"}
WRONG = {
    "VALIDATION_ERROR",
    "MALFORMED_REQUEST",
    "AUTHENTICATION_FAILURE",
    "NOT_AUTHORIZED",
    "UNPROCESSABLE_ENTITY",
}
NOTHING_TAKEN = {Outcome.WAITING, Outcome.APPROVED, Outcome.FAILED, Outcome.GONE}
SALE_OUTCOMES = {
    "completed": Outcome.CAPTURED,
    "partially_refunded": Outcome.CAPTURED,
    "refunded": Outcome.CAPTURED,
    "pending": Outcome.PENDING,
    "denied": Outcome.DENIED,
    "reversed": Outcome.REVERSED,
}
REFUND_OUTCOMES = {
    "completed": RefundOutcome.COMPLETED,
    "pending": RefundOutcome.PENDING,
    "failed": RefundOutcome.FAILED,
    "cancelled": RefundOutcome.FAILED,
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
        self.debug_id = ""
        self._depth = 0

    def http_call(self, url: str, method: str, **options: Any) -> Any:
        """Call, within the time limits, and follow no redirect: it would make a GET of a POST."""
        self.debug_id = ""
        limits = {
            "connect": settings.PAYPAL_CONNECT_TIMEOUT,
            "seconds": settings.PAYPAL_READ_TIMEOUT,
        }
        with TimedSession(**limits) as session:
            response = session.request(method, url, **options)
        return self.handle_response(response, response.content.decode())

    def handle_response(self, response: Any, content: str) -> Any:
        """Keep what PayPal calls the call, for its support."""
        self.debug_id = str(response.headers.get("PayPal-Debug-Id") or "")[:64]
        return super().handle_response(response, content)

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


class PayPalPayments:
    """The provider on Payments v1."""

    name = "v1"

    def sign_in(self) -> bool:
        """Return whether PayPal gives us a token, or gave one that still holds."""
        try:
            return bool(api().get_access_token())
        except NO_ANSWER as error:
            log_failure("token", error)
            return False

    def create_link(self, payment: Payment, *, return_url: str, cancel_url: str) -> Link:
        """Ask for a payment under its `create_key`; repeated once where the answer is
        not definite.
        """
        body = payment_body(payment, return_url, cancel_url)
        client, reason = api(), ""
        for _ in range(2):
            request = paypalrestsdk.Payment(body, api=client)
            request.request_id = str(payment.create_key)
            try:
                request.create()
            except NO_ANSWER as error:
                reason = log_failure("create", error)
                if isinstance(error, exceptions.ClientError):
                    break
                continue
            if request.error:
                reason = _name(request.error)
                break
            answer, reason = request.to_dict(), "no link in the answer"
            url = link(answer, "approval_url")
            token = re.search(r"[?&]token=([A-Za-z0-9-]+)", url)
            if answer.get("id") and token:
                return Link(url, str(answer["id"]), token[1], debug_id=client.debug_id)
        return Link(reason=reason, debug_id=client.debug_id)

    def execute(self, payment: Payment) -> Evidence:
        """Take the money of an approved payment under its `execute_key`; a repeat takes nothing
        twice.
        """
        client = api()
        body = Resource({"payer_id": payment.payer_id}, api=client)
        body.request_id = str(payment.execute_key)
        request = paypalrestsdk.Payment({"id": payment.paypal_payment_id}, api=client)
        try:
            request.execute(body)
        except NO_ANSWER as error:
            name, reason = _named(error), log_failure("execute", error)
            if name in WRONG or isinstance(error, exceptions.UnauthorizedAccess):
                return Evidence(Outcome.REFUSED, reason=reason, debug_id=client.debug_id)
            return self._refused(payment, name, reason)
        if request.error:
            return self._refused(payment, _name(request.error), _name(request.error))
        return evidence_of(request.to_dict(), debug_id=client.debug_id)

    def _refused(self, payment: Payment, name: str, reason: str) -> Evidence:
        """Return what a refused execution means, by its name; some names mean only that PayPal must
        be asked.
        """
        debug_id = api().debug_id
        if name in DECLINED:
            return Evidence(Outcome.DECLINED, reason=name, debug_id=debug_id)
        if name in NOT_APPROVED:
            return Evidence(Outcome.WAITING, reason=name, debug_id=debug_id)
        if name in WRONG:
            return Evidence(Outcome.REFUSED, reason=name, debug_id=debug_id)
        if name not in {*DONE_PERHAPS, *OVER, "DUPLICATE_TRANSACTION"}:
            return Evidence(Outcome.UNKNOWN, reason=reason, debug_id=debug_id)
        found = self.fetch(payment)
        if found.outcome not in NOTHING_TAKEN:
            return found
        outcome = (
            Outcome.UNKNOWN
            if name in DONE_PERHAPS
            else Outcome.GONE
            if name in OVER
            else Outcome.DUPLICATE
        )
        return Evidence(outcome, reason=name, debug_id=debug_id)

    def fetch(self, payment: Payment) -> Evidence:
        """Return what PayPal knows of a payment now."""
        client = api()
        try:
            found = paypalrestsdk.Payment.find(str(payment.paypal_payment_id), api=client)
        except NO_ANSWER as error:
            reason = log_failure("get", error)
            outcome = Outcome.GONE if _named(error) in OVER else Outcome.UNKNOWN
            return Evidence(outcome, reason=reason, debug_id=client.debug_id)
        if found.error:
            outcome = Outcome.GONE if _name(found.error) in OVER else Outcome.UNKNOWN
            return Evidence(outcome, reason=_name(found.error), debug_id=client.debug_id)
        return evidence_of(found.to_dict(), debug_id=client.debug_id)

    def refund(self, refund: Refund) -> RefundResult:
        """Send money back under the refund's key; a repeat sends nothing twice."""
        client = api()
        amount = {"total": f"{refund.amount:.2f}", "currency": refund.payment.currency}
        body = Resource(
            {"amount": amount, "invoice_number": refund.invoice_number, "reason": "Refund"},
            api=client,
        )
        body.request_id = str(refund.key)
        try:
            result = paypalrestsdk.Sale({"id": refund.payment.sale_id}, api=client).refund(body)
        except NO_ANSWER as error:
            name, reason = _named(error), log_failure("refund", error)
            is_definite = name in REFUND_REFUSALS or isinstance(
                error, exceptions.UnauthorizedAccess
            )
            outcome = RefundOutcome.FAILED if is_definite else RefundOutcome.UNKNOWN
            return RefundResult(outcome, reason=reason, debug_id=client.debug_id)
        if result.error:
            name = _name(result.error)
            outcome = RefundOutcome.FAILED if name in REFUND_REFUSALS else RefundOutcome.UNKNOWN
            return RefundResult(outcome, reason=name, debug_id=client.debug_id)
        return refund_of(result.to_dict(), debug_id=client.debug_id)

    def fetch_refund(self, refund: Refund) -> RefundResult:
        """Return what PayPal knows of a refund that has an id."""
        client = api()
        try:
            found = paypalrestsdk.Refund.find(str(refund.refund_id), api=client)
        except NO_ANSWER as error:
            return RefundResult(
                RefundOutcome.UNKNOWN,
                reason=log_failure("refund_get", error),
                debug_id=client.debug_id,
            )
        return refund_of(found.to_dict(), debug_id=client.debug_id)

    def verify_webhook(self, headers: Mapping[str, str], raw: bytes) -> Verdict:
        """Return whether PayPal signed an event. The body is sent on as it came: re-encoded it
        would not verify.
        """
        given = {name: str(headers.get(header, "")) for name, header in SIGNATURE.items()}
        given["webhook_id"] = settings.PAYPAL_WEBHOOK_ID
        fields = "".join(
            f"{json.dumps(name)}: {json.dumps(value)}, " for name, value in given.items()
        )
        text = b"{" + fields.encode() + b'"webhook_event": ' + raw + b"}"
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
            log_failure("verify", error)
            return Verdict.UNKNOWN
        return {"SUCCESS": Verdict.GENUINE, "FAILURE": Verdict.FORGED}.get(
            str(status), Verdict.UNKNOWN
        )

    def subject_of(self, event: Json) -> Subject:
        """Return the payment and the sale of an event; a refund names both."""
        resource = part(event, "resource")
        sale = text(resource, "sale_id") or (
            text(resource, "id") if event.get("resource_type") == "sale" else ""
        )
        return Subject(payment_id=text(resource, "parent_payment"), sale_id=sale)


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


def evidence_of(body: Json, *, debug_id: str) -> Evidence:
    """Return what a payment's body says. Approved is not paid: only a completed sale is."""
    transaction = first(body, "transactions")
    related = parts(transaction, "related_resources")
    sale = next((found for item in related if (found := part(item, "sale"))), {})
    refunds = [found for item in related if (found := part(item, "refund"))]
    payer_id = text(part(part(body, "payer"), "payer_info"), "payer_id")
    amount, state, outcome = part(sale, "amount"), body.get("state"), Outcome.UNKNOWN
    if sale and state == "approved" and sale.get("id"):
        outcome = SALE_OUTCOMES.get(str(sale.get("state")), Outcome.UNKNOWN)
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
        refunds=tuple(refund_of(refund, debug_id=debug_id) for refund in refunds),
        reason=(text(sale, "reason_code") or text(body, "failure_reason"))[:200],
        debug_id=debug_id,
    )


def refund_of(body: Json, *, debug_id: str) -> RefundResult:
    """Return what a refund's body says."""
    outcome = REFUND_OUTCOMES.get(text(body, "state"), RefundOutcome.UNKNOWN)
    return RefundResult(
        outcome if body.get("id") else RefundOutcome.UNKNOWN,
        refund_id=text(body, "id"),
        amount=money(part(body, "amount"), "total"),
        invoice_number=text(body, "invoice_number"),
        reason=""
        if outcome is RefundOutcome.COMPLETED
        else text(body, "reason_code") or text(body, "state"),
        debug_id=debug_id,
    )


def log_failure(operation: str, error: Exception) -> str:
    """Log what came instead of an answer, by names alone, and return it as a reason."""
    reason = _named(error) or type(error).__name__
    logger.warning("paypal %s: %s", operation, reason)
    return reason[:200]


def _named(error: Exception) -> str:
    """Return the name in the body of an error answer; nothing where the body is no such thing."""
    try:
        return _name(json.loads(getattr(error, "content", "") or ""))
    except ValueError:
        return ""


def _name(body: object) -> str:
    name = (body.get("name") or body.get("error") or "") if isinstance(body, dict) else ""
    return str(name)[:200]
