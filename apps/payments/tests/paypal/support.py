"""A buyer at PayPal: the steps of the journeys, through the calls, the SDK and the simulator over
HTTP.
"""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from io import StringIO
from typing import Any
from urllib.parse import parse_qs, urlsplit

from django.core.management import CommandError, call_command

from apps.accounts.selectors import Buyer
from apps.catalog.tests.factories import make_product
from apps.common.testing import ContractClient
from apps.common.types import Json
from apps.orders.models import Order, TemporaryOrder
from apps.orders.tests.factories import Lines, make_draft
from apps.payments.models import Payment
from apps.payments.selectors import deposit_of, with_fee
from apps.payments.states import PaymentState
from apps.payments.sweeps import reconcile, release_holds
from apps.payments.tests.factories import make_confirmed_order, wire_body
from tools.paypal_simulator.records import Capture
from tools.paypal_simulator.simulator import Simulator

DEPOSIT, BALANCE = "/api/order/checkout-deposit/paypal", "/api/order/paypal"
REFUSED, PENDING = (409, "payment_refused"), (409, "payment_pending")
NOT_FOUND, INVALID = (404, "not_found"), (400, "invalid")
NO_LINK = (502, "provider_unavailable")
S = PaymentState


def minutes(number: float) -> timedelta:
    return timedelta(minutes=number)


@dataclass
class Desk:
    """A signed-in buyer, PayPal's simulator, and the clock of the sweeps."""

    paypal: Simulator
    buyer: Buyer
    api: ContractClient
    name: str
    later: timedelta = field(default_factory=timedelta)

    def body(self, draft: TemporaryOrder, **fields: Any) -> Json:
        amount = float(with_fee(deposit_of(draft)).get("paypal_total", 0))
        way = {"payment_type": "PAYPAL", "ship_memo": "Before noon", "amount": amount}
        return wire_body(self.buyer, draft, **{**way, **fields})

    def link_deposit(self, draft: TemporaryOrder, **fields: Any) -> "Journey":
        answer = self.api.send("POST", f"{DEPOSIT}?send=0", self.body(draft, **fields))
        assert answer.status_code == 200, answer.json()
        return Journey(self, draft.invoice_code, DEPOSIT, answer.json()["link"])

    def link_balance(self, order: Order) -> "Journey":
        answer = self.api.send("POST", BALANCE, {"invoice_code": order.invoice_code})
        assert answer.status_code == 200, answer.json()
        return Journey(self, order.invoice_code, BALANCE, answer.json()["link"])

    def deposit(self, lines: Lines | None = None) -> "Journey":
        """Return a journey with the link of a new list's deposit."""
        return self.link_deposit(make_draft(self.buyer, lines))

    def balance(self, lines: Lines | None = None) -> "Journey":
        """Return a journey with the link of a confirmed order's balance."""
        return self.link_balance(make_confirmed_order(self.buyer, lines))

    def wait(self, time: timedelta) -> int:
        """Let time pass and the sweeps run."""
        self.later += time
        now = datetime.now(UTC) + self.later
        release_holds(now)
        return reconcile(now)

    def post(self, call: str, body: Json) -> tuple[int, str]:
        """Send a body and return the status and the code of the answer."""
        return outcome(self.api.send("POST", call, body))

    def post_wire(self, draft: TemporaryOrder) -> tuple[int, str]:
        """Pay the deposit of a list by wire."""
        wire = self.body(draft, payment_type="T/T", amount=90, payer_id="Glow")
        return self.post("/api/order/checkout-deposit/tt", wire)

    def report(self, event: Any) -> None:
        """Bring an event, and let the portal look into it."""
        self.deliver(event)
        self.wait(minutes(0))

    def executions(self) -> int:
        return len(self.paypal.calls("execute"))

    def captures(self) -> list[Capture]:
        return self.paypal.store.all(Capture)

    def deliver(self, event: Any, **changes: Any) -> Any:
        """Bring an event to the portal as PayPal signs it."""
        message = self.paypal.message(event.body.encode(), **changes)
        return self.hand_in(message.body, message.headers)

    def hand_in(self, body: bytes, headers: Any) -> Any:
        fields = {name: one for name, one in headers.items() if name.upper().startswith("PAYPAL-")}
        path, kind = "/api/paypal/webhook", "application/json"
        return ContractClient().generic("POST", path, body, kind, headers=fields)


@dataclass
class Journey:
    """One way to PayPal and back."""

    desk: Desk
    code: str
    call: str
    link: str

    @property
    def token(self) -> str:
        return parse_qs(urlsplit(self.link).query)["token"][0]

    @property
    def payment(self) -> Payment:
        return Payment.objects.get(paypal_token=self.token)

    @property
    def order(self) -> Order:
        return Order.objects.get(invoice_code=self.code)

    def approve(self) -> str:
        """Press Pay Now."""
        return self.desk.paypal.approve(self.token)

    def returned(self, payer_id: str = "PAYER12345678", **fields: Any) -> Json:
        """Return what the success page sends."""
        body = {
            "invoice_code": self.code,
            "payment_type": "PAYPAL",
            "payment_id": self.payment.paypal_payment_id if self.desk.name == "v1" else "",
            "token": self.token,
            "payer_id": payer_id,
            "amount": f"{self.payment.amount:.2f}",
        }
        return {**body, **fields}

    def come_back(self, payer_id: str = "PAYER12345678", **fields: Any) -> Any:
        return self.desk.api.send("POST", f"{self.call}/success", self.returned(payer_id, **fields))

    def pay(self) -> Any:
        """Press Pay Now and come back."""
        return self.come_back(self.approve())

    def give_up(self, token: str | None = None) -> Any:
        """Press Cancel at PayPal and come back."""
        body = {"invoice_code": self.code, "token": token or self.token}
        return self.desk.api.send("POST", f"{self.call}/failure", body)


def outcome(answer: Any) -> tuple[int, str]:
    """Return a refusal's status and code."""
    return answer.status_code, answer.json().get("code", "")


def audit() -> str:
    """Return what is broken, nothing if all rules hold."""
    errors = StringIO()
    try:
        call_command("audit", stdout=StringIO(), stderr=errors)
    except CommandError:
        return errors.getvalue()
    return ""


def money(text: str) -> Decimal:
    return Decimal(text)


def journey_of(desk: Desk, call: str) -> Journey:
    """Return a journey with the link of a deposit or of a balance, by the call that gives it."""
    return desk.deposit([(make_product(on_hand=20), 20)]) if call == DEPOSIT else desk.balance()
