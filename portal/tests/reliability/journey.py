"""A buyer's way through the portal, by its calls."""

from typing import Any
from uuid import uuid4

from apps.accounts.models import User
from apps.accounts.tests.factories import PASSWORD
from apps.catalog.models import Product
from apps.common.testing import ContractClient
from apps.common.types import Json
from apps.orders.tests.factories import ship_body


class Journey:
    """A buyer who signs in, fills a basket and pays its deposit by wire; every call
    must succeed.
    """

    def __init__(self, user: User, product: Product) -> None:
        """Prepare the journey of a user, whose password is the factories', for 20 pieces of a
        product.
        """
        self.user, self.product, self.client = user, product, ContractClient()
        self.uuid, self.code, self.total = str(user.uuid), "", 0.0

    def call(self, method: str, path: str, body: Json | None = None, **options: Any) -> Json:
        """Make a call and return its answer."""
        answer = self.client.send(method, f"/api/{path}", body, **options)
        assert answer.status_code == 200, (path, answer.status_code)
        found: Json = answer.json()
        assert found.get("success", 1) in (0, 1), (path, found)
        return found

    def sign_in(self) -> None:
        """Sign in, and look around as the screens do."""
        body = {"email": self.user.email, "password": PASSWORD}
        self.client.sign_in(self.call("POST", "login", body)["token"])
        self.call("POST", "check", {"token": self.client.token})
        self.call("POST", "dashboard", {"uuid": self.uuid})
        self.call("GET", f"brand/{self.uuid}")
        self.call("GET", f"product/stock/{self.uuid}/0")
        lines = [{"sku": self.product.sku, "count": 20}]
        self.call("POST", "product/cart/stock", {"uuid": self.uuid, "skuData": lines})

    def request(self) -> None:
        """Request the order and read its quote."""
        lines = [{"sku": self.product.sku, "count": 20}]
        body = {"uuid": self.uuid, "export_report": 0, "product": lines, **ship_body()}
        key = {"Idempotency-Key": str(uuid4())}
        self.code = self.call("POST", "temp-order", body, headers=key)["invoice_code"]
        quote = self.call("GET", f"temp-order-info/stock/{self.code}")["result"]["temp_order"]
        self.total = quote["deposit"]
        self.call("POST", "order/check", {"invoice_code": self.code})

    def check_out(self) -> None:
        """Pay the deposit by wire and look at the order."""
        head = {"uuid": self.uuid, "email": self.user.email, "type": "ORDER", "payment_type": "T/T"}
        money = {"invoice_code": self.code, "export_report": 1, "amount": self.total}
        body = {**head, **money, "payer_id": "Glow", **ship_body()}
        key = {"Idempotency-Key": str(uuid4())}
        self.call("POST", "order/checkout-deposit/tt", body, headers=key)
        self.call("GET", f"order/1/{self.code}")
        self.call("GET", f"details/{self.code}")

    def whole(self) -> None:
        """Go all the way."""
        self.sign_in()
        self.request()
        self.check_out()
