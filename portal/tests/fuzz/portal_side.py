"""The same steps at the portal: buyers by their calls, staff by the services; each says `ok` or the
refusal's code.
"""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from decimal import Decimal
from types import SimpleNamespace
from typing import Any
from urllib.parse import parse_qs, urlsplit
from uuid import uuid4

from apps.accounts.selectors import Buyer
from apps.accounts.services.sessions import issue_token
from apps.accounts.tests.factories import make_buyer
from apps.catalog.models import Product
from apps.catalog.services import stock
from apps.catalog.tests.factories import make_product
from apps.common.errors import PortalError
from apps.common.testing import ContractClient
from apps.common.types import Json
from apps.orders.models import Order
from apps.orders.services.confirm import AddedLine, LineDecision, confirm_order
from apps.orders.services.correct import added_before, before_confirmation, correct_confirmation
from apps.orders.services.moves import start_preparing
from apps.orders.services.packing import complete_packing, ship_order
from apps.orders.tests.factories import DETAILS, TRACKING, make_sales, one_box
from apps.payments.models import Payment
from apps.payments.services.cancel import cancel_order
from apps.payments.services.wire import book_wire, confirm_wire, refuse_wire
from apps.payments.states import PaymentState
from apps.payments.tests.factories import wire_body
from tools.paypal_simulator.simulator import Simulator

BUYERS = {"checked": False, "free": True}
PRICES = {"LIFE-A": Decimal("4.50"), "LIFE-B": Decimal("0.99"), "LIFE-C": Decimal("33.33")}
WIRE, PAYPAL = "/order/checkout-deposit/tt", "/order/checkout-deposit/paypal"


def code_of(response: Any) -> str:
    """Return what a call answered: ok, or the code of its refusal."""
    body = response.json()
    is_done = response.status_code == 200 and body["success"] == 1
    return "ok" if is_done else body.get("code", str(body))


class Portal:
    """Two buyers of two companies, a member of staff, three products on the shelf, and PayPal."""

    def __init__(self, paypal: Simulator, on_hand: Mapping[str, int]) -> None:
        self.paypal = paypal
        self.staff = make_sales()
        self.products: dict[str, Product] = {
            sku: make_product(sku=sku, usd_supply=price, on_hand=on_hand[sku])
            for sku, price in PRICES.items()
        }
        self.buyers = {name: make_buyer(stock_free=is_free) for name, is_free in BUYERS.items()}
        self.clients = {name: self._client(buyer) for name, buyer in self.buyers.items()}

    @staticmethod
    def _client(buyer: Buyer) -> ContractClient:
        now = datetime.now(UTC)
        return ContractClient().sign_in(issue_token(buyer=buyer, signed_in_at=now, now=now))

    def call(
        self, buyer: str, method: str, path: str, body: Json | None = None, **headers: str
    ) -> Any:
        """Make a call as a buyer."""
        return self.clients[buyer].send(method, f"/api{path}", body, headers=headers)

    # The buyer's calls.

    def request(self, buyer: str, basket: Mapping[str, int]) -> tuple[str, str]:
        """Request an order; return the outcome and the invoice code."""
        lines = [{"sku": sku, "count": count} for sku, count in basket.items()]
        body = {"uuid": str(self.buyers[buyer].uuid), "product": lines}
        response = self.call(buyer, "POST", "/temp-order?shop=first", body)
        return code_of(response), response.json().get("invoice_code", "")

    def checkout(self, buyer: str, code: str, amount: Decimal, **fields: Any) -> Json:
        """Return the body of a deposit checkout."""
        draft: Any = SimpleNamespace(invoice_code=code, total=amount)
        return wire_body(self.buyers[buyer], draft, **fields)

    def wire_deposit(self, buyer: str, code: str, amount: Decimal) -> list[str]:
        """Check a deposit out by wire, and once more with the same key: both answers."""
        body, key = self.checkout(buyer, code, amount), str(uuid4())
        return [
            code_of(self.call(buyer, "POST", WIRE, body, **{"Idempotency-Key": key}))
            for _ in range(2)
        ]

    def link_deposit(
        self, buyer: str, code: str, amount: Decimal, *, is_declared: bool
    ) -> tuple[str, str]:
        """Ask for a link to PayPal; return the outcome and its token."""
        way = {"payment_type": "PAYPAL", "export_report": int(is_declared)}
        return self._link(buyer, PAYPAL, self.checkout(buyer, code, amount, **way))

    def link_balance(self, buyer: str, code: str) -> tuple[str, str]:
        """Ask for a link to pay the balance; return the outcome and its token."""
        return self._link(buyer, "/order/paypal", {"invoice_code": code})

    def _link(self, buyer: str, path: str, body: Json) -> tuple[str, str]:
        response = self.call(buyer, "POST", path, body)
        query = parse_qs(urlsplit(response.json().get("link", "")).query)
        return code_of(response), query.get("token", [""])[0]

    def come_back(
        self, buyer: str, code: str, kind: str, token: str, amount: Decimal, *, is_approved: bool
    ) -> str:
        """Come back from PayPal, where the buyer pressed Pay Now or just left."""
        payment = Payment.objects.get(paypal_token=token)
        payer = self.paypal.checkout(token).payer_id
        if is_approved and not payer and payment.state == PaymentState.CREATED:
            payer = self.paypal.approve(token)
        body = {
            "invoice_code": code,
            "payment_type": "PAYPAL",
            "payment_id": payment.paypal_payment_id,
            "token": token,
            "payer_id": payer or "PAYER12345678",
            "amount": f"{amount:.2f}",
        }
        return code_of(self.call(buyer, "POST", f"{self._place(kind)}/success", body))

    def give_up(self, buyer: str, code: str, kind: str, token: str) -> str:
        """Press Cancel at PayPal and come back."""
        body = {"invoice_code": code, "token": token}
        return code_of(self.call(buyer, "POST", f"{self._place(kind)}/failure", body))

    @staticmethod
    def _place(kind: str) -> str:
        return PAYPAL if kind == "deposit" else "/order/paypal"

    # The steps of staff.

    def order(self, code: str) -> Order:
        """Return an order as it stands."""
        return Order.objects.get(invoice_code=code)

    @staticmethod
    def deed(step: Callable[..., object], **arguments: Any) -> str:
        """Do a step of staff; return ok, or the code of the refusal."""
        try:
            step(now=datetime.now(UTC), **arguments)
        except PortalError as refusal:
            return refusal.code
        return "ok"

    def prepare(self, code: str) -> str:
        """Start preparing."""
        return self.deed(start_preparing, order_id=self.order(code).pk, actor=self.staff)

    def confirm(
        self, code: str, confirmed: list[int], fee: Decimal, gift: tuple[str, int] | None
    ) -> str:
        """Confirm each line, as ordered, for so many pieces: what is replaced is no wish
        (test_wishes knows those).
        """
        order = self.order(code)
        lines = list(order.lines.order_by("pk"))
        decisions = [
            LineDecision(line.pk, pieces, "" if pieces == line.quantity else "substitute")
            for line, pieces in zip(lines, confirmed, strict=False)
        ]
        added = (
            [AddedLine(self.products[gift[0]].pk, gift[1], Decimal(0), "free_offer")]
            if gift
            else []
        )
        return self.deed(
            confirm_order,
            order_id=order.pk,
            version=order.version,
            decisions=decisions,
            added=added,
            shipping_fee=fee,
            actor=self.staff,
        )

    def correct(self, code: str, halves: list[int], fee: Decimal) -> str:
        """Confirm so many halves of each line instead, with another fee; what is added stays."""
        order = self.order(code)
        before = before_confirmation(order)
        decisions = [one.now for one in before.lines]
        for place, (one, half) in enumerate(zip(before.lines, halves, strict=False)):
            pieces = one.line.quantity * half // 2
            reason = "" if pieces == one.line.quantity else "substitute"
            decisions[place] = LineDecision(one.line.pk, pieces, reason)
        return self.deed(
            correct_confirmation,
            order_id=order.pk,
            version=order.version,
            decisions=decisions,
            added=added_before(before),
            shipping_fee=fee,
            reason="Weighed again",
            actor=self.staff,
        )

    def pack(self, code: str) -> str:
        """Pack everything into one box."""
        order = self.order(code)
        return self.deed(
            complete_packing,
            order_id=order.pk,
            version=order.version,
            boxes=[one_box(order)],
            details=DETAILS,
            actor=self.staff,
        )

    def ship(self, code: str) -> str:
        """Ship."""
        return self.deed(ship_order, order_id=self.order(code).pk, actor=self.staff, **TRACKING)

    def cancel(self, code: str, *, by_terms: bool) -> str:
        """Cancel by the terms, or at the seller's cost."""
        order_id = self.order(code).pk
        return self.deed(
            cancel_order, order_id=order_id, by_terms=by_terms, reason="Sold out", actor=self.staff
        )

    def _wire(self, code: str) -> int:
        wires = Payment.objects.filter(invoice_code=code, method=Payment.Method.WIRE).order_by("pk")
        waiting = wires.filter(state=PaymentState.ANNOUNCED).first() or wires.last()
        return waiting.pk if waiting else 0

    def confirm_wire(self, code: str, amount: Decimal) -> str:
        """Confirm the oldest announced wire, or one that does not wait any more."""
        return self.deed(
            confirm_wire, payment_id=self._wire(code), received=amount, actor=self.staff
        )

    def refuse_wire(self, code: str) -> str:
        """Refuse the oldest announced wire, or one that does not wait any more."""
        return self.deed(
            refuse_wire, payment_id=self._wire(code), reason="Another bank", actor=self.staff
        )

    def book(self, code: str, amount: Decimal) -> str:
        """Book a wire that nobody announced."""
        return self.deed(
            book_wire,
            order_id=self.order(code).pk,
            amount=amount,
            depositor="Glow Trading",
            actor=self.staff,
        )

    def recount(self, sku: str, pieces: int) -> str:
        """Set the shelf to what was counted."""
        product_id = self.products[sku].pk
        return self.deed(
            stock.recount, product_id=product_id, on_hand=pieces, reason="Counted", actor=self.staff
        )
