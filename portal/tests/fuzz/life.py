"""The order's life as a state machine: every step at the portal and in the model, then both must
agree.
"""

from collections import Counter
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

from django.core.cache import cache
from django.db import transaction
from django.test import override_settings
from hypothesis import note, strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    initialize,
    invariant,
    multiple,
    precondition,
    rule,
)

from apps.catalog.models import Stock
from apps.common.http.throttles import USES
from apps.payments.sweeps import release_holds
from apps.payments.tests.paypal.support import audit
from portal.tests.fuzz import rows
from portal.tests.fuzz.model import NOT_FOUND, OK, Model
from portal.tests.fuzz.portal_side import BUYERS, PRICES, Portal, code_of
from portal.tests.fuzz.rows import CONFIRMED, DEPOSIT, PREPARING, RECEIVED, Link, Order
from portal.tests.fuzz.size import REQUESTS
from tools.paypal_simulator.simulator import Simulator

STEP = 10
MOST_ORDERS = 5
SKUS = st.sampled_from(sorted(PRICES))
BASKETS = st.dictionaries(SKUS, st.integers(1, 4).map(lambda n: n * STEP), min_size=1, max_size=2)
MONEY = st.sampled_from([Decimal("0.01"), Decimal("20.00"), Decimal("77.77"), Decimal("5000.00")])
FEES = st.sampled_from([Decimal("0.00"), Decimal("50.00"), Decimal("33.33")])
PIECES = st.sampled_from([0, 30, 40, 40, 60, 1000])
SHELVES = st.fixed_dictionaries(dict.fromkeys(sorted(PRICES), PIECES))
STEPS = st.sampled_from([0, 0, 0, 1, 2, 3, 5, 8])  # how far an order goes before others meddle
GIFTS = st.none() | st.tuples(SKUS, st.integers(1, 15))
PARTS = st.lists(st.sampled_from([0, 1, 2, 2, 2]), min_size=2, max_size=2)  # halves of each line
MAYBE_WRONG = st.sampled_from([True, True, True, False])
# What can be done with an order, with what has to be chosen for it.
ACTIONS: dict[str, dict[str, st.SearchStrategy[Any]]] = {
    "go_on": {},
    "wire_deposit": {"is_right_amount": MAYBE_WRONG},
    "link_deposit": {"is_declared": st.booleans()},
    "come_back": {"back": st.sampled_from([0, 0, 1, 2]), "is_approved": MAYBE_WRONG},
    "turn_back": {"back": st.integers(0, 2), "is_all": MAYBE_WRONG.map(lambda usual: not usual)},
    "pay_balance": {"way": st.sampled_from(["wire", "paypal", "wallet", "wallet"])},
    "prepare": {},
    "confirm": {"parts": PARTS, "fee": FEES, "gift": GIFTS},
    "correct": {"parts": PARTS, "fee": FEES},
    "pack": {},
    "ship": {},
    "cancel": {"by_terms": st.booleans()},
    "money_comes": {"amount": st.none() | MONEY},
    "refuse_wire": {},
    "meanwhile": {"counted": st.none() | st.tuples(SKUS, PIECES)},
}
SUGGESTED: dict[int | None, list[str]] = {
    None: [
        "wire_deposit",
        "wire_deposit",
        "link_deposit",
        "come_back",
        "come_back",
        "turn_back",
        "meanwhile",
    ],
    rows.RECEIVED: [
        "prepare",
        "prepare",
        "money_comes",
        "money_comes",
        "refuse_wire",
        "come_back",
        "cancel",
    ],
    rows.PREPARING: [
        "confirm",
        "confirm",
        "confirm",
        "confirm",
        "pack",
        "money_comes",
        "cancel",
        "meanwhile",
    ],
    rows.CONFIRMED: [
        "correct",
        "correct",
        "correct",
        "pay_balance",
        "pay_balance",
        "money_comes",
        "money_comes",
        "come_back",
        "turn_back",
        "cancel",
    ],
    rows.PAID: ["pack", "ship", "ship", "money_comes", "cancel"],
    rows.SHIPPED: ["money_comes", "cancel"],
    rows.CANCELLED: ["money_comes", "come_back", "pay_balance"],
}


class OrderLife(RuleBasedStateMachine):
    """Buyers and staff do whatever they can think of, in any order, again and too late."""

    orders = Bundle("orders")
    paypal: Simulator  # set by the test

    def __init__(self) -> None:
        super().__init__()
        self.paypal.reset()
        cache.clear()
        USES.clear()
        self.stack = ExitStack()
        self.stack.enter_context(transaction.atomic())
        self.codes: list[str] = []
        self.tokens: dict[tuple[int, int], str] = {}
        self.touched: Order | None = None

    def teardown(self) -> None:
        """Undo everything."""
        try:
            assert audit() == ""
        finally:
            transaction.set_rollback(True)
            self.stack.close()

    @initialize(name=st.sampled_from(["v1", "v2"]), on_hand=SHELVES)
    def open_shop(self, name: str, on_hand: dict[str, int]) -> None:
        """Put pieces on the shelf, and choose one of PayPal's two APIs."""
        self.stack.enter_context(override_settings(PAYPAL_API=name, DEPOSIT_RATE=rows.DEPOSIT_RATE))
        self.portal = Portal(self.paypal, on_hand)
        free = frozenset(name for name, is_free in BUYERS.items() if is_free)
        self.model = Model(dict(on_hand), PRICES, free)

    def compare(self, order: Order | None, expected: str, answered: str) -> None:
        """Fail where the portal answered otherwise than the model."""
        self.touched = order
        note(f"{expected}: {self.codes[order.number] if order else '-'}")
        assert answered == expected, f"the model says {expected}, the portal {answered}"

    def code(self, order: Order) -> str:
        """Return an order's invoice code."""
        return self.codes[order.number]

    # Buyers.

    @precondition(lambda self: len(self.codes) < MOST_ORDERS)
    @rule(
        target=orders,
        buyer=st.sampled_from(sorted(BUYERS)),
        basket=BASKETS,
        by_paypal=st.sampled_from([False, False, True]),
        steps=STEPS,
    )
    def request(self, buyer: str, basket: dict[str, int], by_paypal: bool, steps: int) -> Any:
        expected = self.model.request(buyer, basket)
        answered, code = self.portal.request(buyer, basket)
        self.compare(None, expected, answered)
        if expected != OK:
            return multiple()
        self.codes.append(code)
        order = self.touched = self.model.orders[-1]
        if by_paypal:
            self.come_back(order, back=0, is_approved=steps > 0)
        for _ in range(steps):
            self.go_on(order)
        return order

    @rule(order=orders, data=st.data(), is_usual=st.sampled_from([True, True, True, False]))
    def act(self, order: Order, data: st.DataObject, is_usual: bool) -> None:
        """Do something that the order's status suggests, or anything at all."""
        name = data.draw(
            st.sampled_from(SUGGESTED[order.status] if is_usual else sorted(ACTIONS)), "action"
        )
        fields = {
            argument: data.draw(strategy, argument) for argument, strategy in ACTIONS[name].items()
        }
        getattr(self, name)(order, **fields)

    def go_on(self, order: Order) -> None:
        """Take the order's next usual step, so that lives come to their end."""
        match order.status:
            case None if not order.is_dropped:
                self.wire_deposit(order, is_right_amount=True)
            case rows.RECEIVED | rows.CONFIRMED if order.wires:
                self.confirm_wire(order, None)
            case rows.RECEIVED:
                self.prepare(order)
            case rows.PREPARING:
                self.confirm(order, [2, 2], Decimal("50.00"), None)
            case rows.CONFIRMED:
                self.pay_as_usual(order)
            case rows.PAID if order.is_packed:
                self.ship(order)
            case rows.PAID:
                self.pack(order)

    def pay_as_usual(self, order: Order) -> None:
        """Announce the rest of an order declared as paid by wire; pay that of another one with
        PayPal.
        """
        if order.is_declared:
            self.announce(order)
        else:
            self.link_balance(order)
            self.come_back(order, back=0, is_approved=True)

    def wire_deposit(self, order: Order, is_right_amount: bool) -> None:
        expected = self.model.wire_deposit(order, is_right_amount=is_right_amount)
        amount = order.deposit + (0 if is_right_amount else 1)
        first, second = self.portal.wire_deposit(order.buyer, self.code(order), amount)
        self.compare(order, expected, first)
        assert second == first, "a repeat with the same key answers otherwise"

    def link_deposit(self, order: Order, is_declared: bool) -> None:
        expected = self.model.link_deposit(order, is_declared=is_declared)
        amount = Link(DEPOSIT, order.deposit).amount
        answered, token = self.portal.link_deposit(
            order.buyer, self.code(order), amount, is_declared=is_declared
        )
        self.compare(order, expected, answered)
        self.keep(order, token)

    def link_balance(self, order: Order) -> None:
        expected = self.model.link_balance(order)
        answered, token = self.portal.link_balance(order.buyer, self.code(order))
        self.compare(order, expected, answered)
        self.keep(order, token)

    def keep(self, order: Order, token: str) -> None:
        """Keep the token of the newest link."""
        if token:
            self.tokens[order.number, len(order.links) - 1] = token

    def link(self, order: Order, back: int) -> tuple[Link, str]:
        """Return a link of an order, counted from the newest, and its token."""
        place = max(0, len(order.links) - 1 - back)
        return order.links[place], self.tokens[order.number, place]

    def come_back(self, order: Order, back: int, is_approved: bool) -> None:
        if not order.links and order.status is None:
            self.link_deposit(order, is_declared=True)
        elif not order.links:
            self.link_balance(order)
        if order.links:
            link, token = self.link(order, back)
            expected = self.model.come_back(order, link, is_approved=is_approved)
            code = self.code(order)
            answered = self.portal.come_back(
                order.buyer, code, link.kind, token, link.amount, is_approved=is_approved
            )
            self.compare(order, expected, answered)

    def turn_back(self, order: Order, back: int, is_all: bool) -> None:
        """Give up at PayPal, or the whole list."""
        if is_all:
            expected = self.model.drop(order)
            answered = code_of(
                self.portal.call(order.buyer, "DELETE", f"/temp-order/{self.code(order)}")
            )
            self.compare(order, expected, answered)
        elif order.links:
            link, token = self.link(order, back)
            expected = self.model.give_up(order, link)
            self.compare(
                order,
                expected,
                self.portal.give_up(order.buyer, self.code(order), link.kind, token),
            )

    def pay_balance(self, order: Order, way: str) -> None:
        {"wire": self.announce, "paypal": self.link_balance, "wallet": self.pay_from_wallet}[way](
            order
        )

    def announce(self, order: Order) -> None:
        expected = self.model.announce(order)
        body = {"invoice_code": self.code(order), "depositor_name": "Glow Trading"}
        self.compare(
            order, expected, code_of(self.portal.call(order.buyer, "POST", "/order/tt", body))
        )

    def pay_from_wallet(self, order: Order) -> None:
        expected = self.model.pay_from_wallet(order)
        body = {"invoice_code": self.code(order)}
        self.compare(
            order, expected, code_of(self.portal.call(order.buyer, "POST", "/order/wallet", body))
        )

    # Staff, who see no temporary order.

    def prepare(self, order: Order) -> None:
        if order.status is not None:
            self.compare(order, self.model.prepare(order), self.portal.prepare(self.code(order)))

    def confirm(
        self, order: Order, parts: list[int], fee: Decimal, gift: tuple[str, int] | None
    ) -> None:
        if order.status is not None:
            confirmed = [
                line.pieces * half // 2 for line, half in zip(order.lines, parts, strict=False)
            ]
            expected = self.model.confirm(order, confirmed, fee, gift)
            self.compare(
                order, expected, self.portal.confirm(self.code(order), confirmed, fee, gift)
            )

    def correct(self, order: Order, parts: list[int], fee: Decimal) -> None:
        if order.status is not None:
            expected = self.model.correct(order, parts, fee)
            self.compare(order, expected, self.portal.correct(self.code(order), parts, fee))

    def pack(self, order: Order) -> None:
        if order.status is not None:
            self.compare(order, self.model.pack(order), self.portal.pack(self.code(order)))

    def ship(self, order: Order) -> None:
        if order.status is not None:
            self.compare(order, self.model.ship(order), self.portal.ship(self.code(order)))

    def cancel(self, order: Order, by_terms: bool) -> None:
        if order.status is not None:
            expected = self.model.cancel(order, by_terms=by_terms)
            self.compare(order, expected, self.portal.cancel(self.code(order), by_terms=by_terms))

    def money_comes(self, order: Order, amount: Decimal | None) -> None:
        """Confirm the wire that is announced, or book one that nobody announced."""
        if order.status is not None and amount and not order.wires:
            self.compare(
                order, self.model.book(order, amount), self.portal.book(self.code(order), amount)
            )
        elif order.status is not None:
            self.confirm_wire(order, amount)

    def confirm_wire(self, order: Order, amount: Decimal | None) -> None:
        amount = amount or (order.wires[0].amount if order.wires else Decimal("1.00"))
        expected = self.model.confirm_wire(order, amount) if order.has_wire else NOT_FOUND
        self.compare(order, expected, self.portal.confirm_wire(self.code(order), amount))

    def refuse_wire(self, order: Order) -> None:
        if order.status is not None:
            expected = self.model.refuse_wire(order) if order.has_wire else NOT_FOUND
            self.compare(order, expected, self.portal.refuse_wire(self.code(order)))

    def meanwhile(self, order: Order, counted: tuple[str, int] | None) -> None:
        """Count a shelf, or let two hours pass."""
        if counted is None:
            self.model.let_holds_run_out()
            release_holds(datetime.now(UTC) + timedelta(hours=2))
        else:
            self.compare(None, self.model.recount(*counted), self.portal.recount(*counted))

    # What holds after every step.

    @invariant()
    def stock_agrees(self) -> None:
        for sku, product in self.portal.products.items():
            row = Stock.objects.get(product=product)
            expected = self.model.on_hand[sku], self.model.allocated(sku), self.model.short(sku)
            assert (row.on_hand, row.allocated, row.short) == expected, sku

    @invariant()
    def order_agrees(self) -> None:
        """Compare what the buyer reads of the order that the step was about."""
        order, self.touched = self.touched, None
        if order is None or order.status is None:
            return
        answer = self.portal.call(order.buyer, "GET", f"/details/{self.code(order)}").json()
        order_json = answer["order"]
        money = {
            name: Decimal(str(order_json[name]))
            for name in ("total", "real_total", "shipping_fee", "balance_due")
        }
        assert money == {
            "total": order.total,
            "real_total": order.real_total,
            "shipping_fee": order.fee,
            "balance_due": order.due,
        }
        assert Decimal(str(order_json["deposit_received"])) == order.deposit_received
        assert Decimal(str(order_json["paid"])) == order.received - order.deposit_received
        assert order_json["status_id"] == order.status
        assert order_json["payment_pending"] == order.pays_balance
        assert order_json["allowed"]["checkout"] == (
            order.status == CONFIRMED and bool(order.due) and not order.wires
        )
        assert order_json["allowed"]["edit_address"] == (order.status in (RECEIVED, PREPARING))
        lines = Counter(
            (line["sku"], line["count"], line["is_true"], line["order_price"])
            for line in answer["details"]
        )
        assert lines == Counter(
            (line.sku, line.pieces, int(line.is_confirmed), float(line.total))
            for line in order.lines
        )
        wallet = self.portal.call(order.buyer, "GET", "/wallet").json()["balance"]
        assert Decimal(str(wallet)) == self.model.wallets.get(order.buyer, 0)

    @invariant()
    def audit_is_clean(self) -> None:
        """With `make fuzz` after every step, else at the end of a life."""
        assert not REQUESTS or audit() == ""
