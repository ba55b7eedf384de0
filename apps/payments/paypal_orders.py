"""PayPal's Orders v2 through paypal-server-sdk: the only module that imports it (design/paypal.md,
section F).

An order stands for v1's payment, and is its token too; a capture stands for the sale.
"""

import json
import logging
import threading
from collections.abc import Callable
from decimal import Decimal
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
from apps.payments.models import Payment, Refund
from apps.payments.provider import (
    MAX_REASON,
    MAX_TEXT,
    SALE_OUTCOMES,
    Answer,
    Evidence,
    Link,
    Outcome,
    Provider,
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

FULL_ANSWER = "return=representation"
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
    options = (
        settings.PAYPAL_ENDPOINT,
        *account,
        settings.PAYPAL_CONNECT_TIMEOUT,
        settings.PAYPAL_READ_TIMEOUT,
    )
    if getattr(_of_thread, "made_of", None) != options:
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
        _of_thread.client, _of_thread.made_of = PaypalServersdkClient(config=configuration), options
    return cast("PaypalServersdkClient", _of_thread.client)


def _call(operation: str, ask: Callable[[PaypalServersdkClient], Any]) -> Answer:
    """Call, with one new token where the first was refused."""
    answer = _ask(operation, ask)
    if answer.status == 401 and getattr(_of_thread, "client", None) is not None:
        _of_thread.made_of = None
        answer = _ask(operation, ask)
    return answer


def _ask(operation: str, ask: Callable[[PaypalServersdkClient], Any]) -> Answer:
    try:
        response = ask(client())
    except ApiException as error:
        answer = read_answer(error.response)
        logger.warning("paypal %s: %s %s", operation, answer.status, answer.reason)
        return answer
    except NO_ANSWER as error:
        logger.warning("paypal %s: %s", operation, type(error).__name__)
        return Answer(0, {}, reason=type(error).__name__)
    return read_answer(response)


class PayPalOrders(Provider):
    """The provider on Orders v2."""

    name = "v2"

    def sign_in(self) -> bool:
        """Return whether PayPal gives us a token, or gave one that still holds."""
        try:
            return bool(client().oauth_2.is_valid())
        except NO_ANSWER as error:
            logger.warning("paypal token: %s", type(error).__name__)
            return False

    def create(self, payment: Payment, return_url: str, cancel_url: str) -> Answer:
        """Ask for an order under the attempt's `create_key`."""
        request = {
            "body": order_body(payment, return_url, cancel_url),
            "paypal_request_id": str(payment.create_key),
            "prefer": FULL_ANSWER,
        }
        return _call("create", lambda client: client.orders.create_order(request))

    def take(self, payment: Payment) -> Answer:
        """Ask for the money of an approved order under the attempt's `execute_key`."""
        request = {
            "id": payment.paypal_payment_id,
            "paypal_request_id": str(payment.execute_key),
            "prefer": FULL_ANSWER,
        }
        return _call("execute", lambda client: client.orders.capture_order(request))

    def find(self, payment: Payment) -> Answer:
        """Ask for an order."""
        request = {"id": payment.paypal_payment_id}
        return _call("get", lambda client: client.orders.get_order(request))

    def send_back(self, refund: Refund) -> Answer:
        """Ask for a refund under its key."""
        request = {
            "capture_id": refund.payment.sale_id,
            "paypal_request_id": str(refund.key),
            "prefer": FULL_ANSWER,
            "body": {
                "amount": usd(refund.amount, refund.payment),
                "invoice_id": refund.invoice_number,
            },
        }
        return _call("refund", lambda client: client.payments.refund_captured_payment(request))

    def find_refund(self, refund: Refund) -> Answer:
        """Ask for a refund that has an id."""
        request = {"refund_id": refund.refund_id}
        return _call("refund_get", lambda client: client.payments.get_refund(request))

    def link_of(self, body: Json) -> Link:
        """Return the link of an order; its token is its id."""
        url = link(body, "payer-action") or link(body, "approve")
        return Link(url, token=text(body, "id"))

    def evidence_of(self, body: Json, debug_id: str) -> Evidence:
        """Return what an order's body says: its money is that of its capture."""
        unit = first(body, "purchase_units")
        payments = part(unit, "payments")
        capture = first(payments, "captures")
        amount, sale_state = part(capture, "amount"), text(capture, "status").lower()
        outcome = ORDER_OUTCOMES.get(text(body, "status"), Outcome.UNKNOWN)
        if capture:
            state = sale_state if capture.get("id") else ""
            outcome = SALE_OUTCOMES.get(state, Outcome.UNKNOWN)
        return Evidence(
            outcome,
            payment_id=text(body, "id"),
            attempt=text(capture, "custom_id") or text(unit, "custom_id"),
            invoice_number=text(capture, "invoice_id") or text(unit, "invoice_id"),
            payer_id=text(part(body, "payer"), "payer_id"),
            sale_id=text(capture, "id"),
            sale_state=sale_state,
            amount=money(amount, "value"),
            currency=text(amount, "currency_code"),
            refunds=tuple(refund_of(refund, debug_id) for refund in parts(payments, "refunds")),
            reason=text(part(capture, "status_details"), "reason")[:MAX_REASON],
            debug_id=debug_id,
        )

    def subject_of(self, event: Json) -> tuple[str, str]:
        """Return the order and the capture of an event; a refund names its capture by a link."""
        resource, kind = part(event, "resource"), text(event, "event_type")
        own = text(resource, "id")
        if kind.startswith("CHECKOUT.ORDER."):
            return own, ""
        order = text(part(part(resource, "supplementary_data"), "related_ids"), "order_id")
        above = link(resource, "up")
        is_refund = kind.endswith((".REFUNDED", ".REVERSED")) and "/captures/" in above
        return order, above.rpartition("/captures/")[2] if is_refund else own


def order_body(payment: Payment, return_url: str, cancel_url: str) -> dict[str, Any]:
    """Return what PayPal is asked for."""
    return {
        "intent": "CAPTURE",
        "purchase_units": [
            {
                "amount": {
                    **usd(payment.amount, payment),
                    "breakdown": {
                        "item_total": usd(payment.base, payment),
                        "handling": usd(payment.fee, payment),
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


def usd(amount: Decimal, payment: Payment) -> Json:
    """Return money as PayPal is told it, in the payment's currency."""
    return {"currency_code": payment.currency, "value": f"{amount:.2f}"}
