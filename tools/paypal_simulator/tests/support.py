"""How the simulator's tests ask it: the plain SDKs, and requests where no SDK has the call."""

import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import ClassVar

import paypalrestsdk
import requests
from paypalrestsdk.resource import Resource
from paypalserversdk.configuration import Configuration, Environment, Server
from paypalserversdk.http.auth.o_auth_2 import ClientCredentialsAuthCredentials
from paypalserversdk.paypal_serversdk_client import PaypalServersdkClient

from tools.paypal_simulator.testing import CLIENT_ID, CLIENT_SECRET


class ImpatientApi(paypalrestsdk.Api):  # type: ignore[misc]
    """The SDK with a timeout, which it lacks, and without following redirects."""

    seconds = 5.0

    def http_call(self, url, method, **kwargs):
        kwargs.setdefault("timeout", self.seconds)
        kwargs.setdefault("allow_redirects", False)
        return super().http_call(url, method, **kwargs)


def connect(paypal, *, client_id=CLIENT_ID, secret=CLIENT_SECRET, seconds=5.0):
    api = ImpatientApi(
        mode="sandbox", endpoint=paypal.url, client_id=client_id, client_secret=secret
    )
    api.seconds = seconds
    return api


def payment(api, *, total="1277.77", details=None, invoice="MHW-1-D", key=None, **transaction):
    payment_made = paypalrestsdk.Payment(
        {
            "intent": "sale",
            "payer": {"payment_method": "paypal"},
            "application_context": {"brand_name": "Maren & Holt", "user_action": "commit"},
            "redirect_urls": {
                "return_url": "http://portal.test/checkout/success/MHW-1/1?amount=1277.77",
                "cancel_url": "http://portal.test/checkout/failure/MHW-1/1",
            },
            "transactions": [
                {
                    "amount": {
                        "total": total,
                        "currency": "USD",
                        "details": details or {"subtotal": "1234.56", "handling_fee": "43.21"},
                    },
                    "description": "Order MHW-1",
                    "custom": "attempt-1",
                    "invoice_number": invoice,
                    **transaction,
                }
            ],
        },
        api=api,
    )
    payment_made.request_id = key
    return payment_made


def approved(paypal, api, *, buyer="normal", **more):
    """Return a payment that its buyer approved, and the PayerID."""
    payment_made = payment(api, **more)
    assert payment_made.create(), payment_made.error
    return payment_made, paypal.approve(payment_made.id, buyer)


def sold(paypal, api, **more):
    """Return the sale of a payment that was executed."""
    payment_made, payer = approved(paypal, api, **more)
    assert payment_made.execute({"payer_id": payer}), payment_made.error
    return payment_made.transactions[0].related_resources[0].sale


def keyed(api, body, key):
    resource = Resource(body, api=api)
    resource.request_id = key
    return resource


def find(api, identifier):
    return paypalrestsdk.Payment.find(identifier, api=api)


def bearer(paypal, **headers):
    """Return a session of requests that carries a token."""
    session = requests.Session()
    session.trust_env = False
    token = session.post(
        f"{paypal.url}/v1/oauth2/token",
        data={"grant_type": "client_credentials"},
        auth=(CLIENT_ID, CLIENT_SECRET),
    ).json()["access_token"]
    session.headers.update({"Authorization": f"Bearer {token}", **headers})
    return session


class Shop:
    """A merchant's listener: remembers what arrived and answers as told."""

    def __init__(self):
        self.arrived: list[tuple[dict[str, str], bytes]] = []
        self.answers: list[int] = []
        shop = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                shop.arrived.append((dict(self.headers), body))
                self.send_response(shop.answers.pop(0) if shop.answers else 200)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                """Say nothing."""

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/api/paypal/webhook"

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


def orders_client(paypal):
    """Return the SDK of Orders v2, turned to the simulator; it has no other way to say so."""

    class Local(Configuration):  # type: ignore[misc]
        environments: ClassVar = {Environment.SANDBOX: {Server.DEFAULT: paypal.url}}

    credentials = ClientCredentialsAuthCredentials(
        o_auth_client_id=CLIENT_ID, o_auth_client_secret=CLIENT_SECRET
    )
    return PaypalServersdkClient(
        config=Local(
            timeout=5,
            environment=Environment.SANDBOX,
            client_credentials_auth_credentials=credentials,
        )
    )


def order_body(*, value="1277.77", parts=("1234.56", "43.21"), invoice="MHW-1-D"):
    def money(amount):
        return {"currency_code": "USD", "value": amount}

    return {
        "intent": "CAPTURE",
        "purchase_units": [
            {
                "amount": {
                    **money(value),
                    "breakdown": {"item_total": money(parts[0]), "handling": money(parts[1])},
                },
                "description": "Order MHW-1",
                "custom_id": "attempt-1",
                "invoice_id": invoice,
            }
        ],
        "payment_source": {
            "paypal": {
                "experience_context": {
                    "brand_name": "Maren & Holt",
                    "return_url": "http://portal.test/checkout/success/MHW-1/1?amount=1277.77",
                    "cancel_url": "http://portal.test/checkout/failure/MHW-1/1",
                    "user_action": "PAY_NOW",
                    "shipping_preference": "NO_SHIPPING",
                }
            }
        },
    }


def captured(paypal, client, *, buyer="normal", **more):
    """Return an order that was captured, and its capture."""
    order = client.orders.create_order({"body": order_body(**more)}).body
    paypal.approve(order.id, buyer)
    order = client.orders.capture_order({"id": order.id, "prefer": "return=representation"}).body
    return order, order.purchase_units[0].payments.captures[0]
