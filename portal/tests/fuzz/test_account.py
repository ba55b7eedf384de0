"""Random lives of orders: every cent of a company's account is explained by a line of its
statement.
"""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.core.cache import cache
from django.db import transaction
from django.test import override_settings
from hypothesis import given, strategies as st

from apps.common.http.throttles import USES
from apps.common.money import ZERO
from apps.orders.models import Order
from apps.orders.selectors.orders import due_of, seller_date
from apps.orders.status import OrderStatus
from apps.payments.account import Line, lines_of_orders, statement_of
from apps.payments.models import BankTransfer, Payment
from apps.payments.selectors import wallet_balance
from apps.payments.services.receive import move_wire, part_for
from apps.payments.services.refunds import movable, refund_payment, refundable
from apps.payments.services.wallet import pay_out_wallet
from apps.payments.services.wire import confirm_wire
from apps.payments.states import PaymentState
from apps.payments.tests import factories
from apps.payments.tests.factories import open_by_columns, unexplained
from apps.payments.tests.paypal.support import audit
from portal.tests.fuzz.portal_side import PRICES, Portal
from portal.tests.fuzz.rows import DEPOSIT_RATE
from portal.tests.fuzz.size import LIVES, trying
from tools.paypal_simulator.simulator import Simulator
from tools.paypal_simulator.testing import paypal  # noqa: F401 - a fixture

pytestmark = pytest.mark.django_db
BUYER = "free"
MOST_ORDERS = 4
AMOUNTS = st.sampled_from([Decimal("0.01"), Decimal("12.34"), Decimal("44.55"), Decimal("500.00")])
# Steps of staff and buyers, the usual ones more often; where one cannot be taken the portal refuses
# it.
USUAL = ["go_on"] * 14
ODD = ["arrive", "confirm_short", "announce", "pay", "wallet", "book", *["let_go", "refund"] * 2]
ODD += ["refund_all", *["move", "pay_out"] * 2, "cancel", "cancel_in_full"]
STEPS = st.sampled_from([*USUAL, *ODD])
ORDERS = st.lists(st.sampled_from(["wire", "paypal"]), min_size=MOST_ORDERS, max_size=MOST_ORDERS)
STEPS_OF_LIVES = st.lists(
    st.tuples(STEPS, st.integers(0, MOST_ORDERS - 1), AMOUNTS), min_size=10, max_size=40
)


class Lives:
    """Orders of one company that live at random."""

    def __init__(self, paypal: Simulator) -> None:  # noqa: F811
        self.portal = Portal(paypal, dict.fromkeys(PRICES, 1000))
        self.buyer = self.portal.buyers[BUYER]
        self.codes: list[str] = []

    def take(self, step: str, place: int, amount: Decimal) -> None:
        """Take a step with one of the orders."""
        if step in ("wire", "paypal"):
            self.order(by_paypal=step == "paypal")
            return
        code = self.codes[place % len(self.codes)]
        deeds: dict[str, Callable[[], object]] = {
            "go_on": lambda: self.go_on(code, amount),
            "arrive": lambda: self.arrive(code, amount),
            "confirm_short": lambda: self.portal.confirm(code, [10, 0], Decimal("9.99"), None),
            "announce": lambda: self.call("/order/tt", code, depositor_name="Glow Trading"),
            "pay": lambda: self.pay(code),
            "wallet": lambda: self.call("/order/wallet", code),
            "let_go": lambda: self.let_go(code, amount),
            "book": lambda: self.portal.book(code, amount),
            "refund": lambda: self.refund(code, amount),
            "refund_all": lambda: self.refund(code, None),
            "move": lambda: self.move(code, amount),
            "pay_out": lambda: self.pay_out(amount),
            "cancel": lambda: self.portal.cancel(code, by_terms=True),
            "cancel_in_full": lambda: self.portal.cancel(code, by_terms=False),
        }
        deeds[step]()

    def call(self, path: str, code: str, **fields: str) -> None:
        self.portal.call(BUYER, "POST", path, {"invoice_code": code, **fields})

    def go_on(self, code: str, amount: Decimal) -> None:
        """Take the order's next usual step."""
        order = self.portal.order(code)
        match OrderStatus(order.status):
            case _ if order.wire_announced:
                self.arrive(code, amount)
            case OrderStatus.RECEIVED:
                self.portal.prepare(code)
            case OrderStatus.PREPARING:
                self.portal.confirm(code, [40, 10], Decimal("50.00"), None)
            case OrderStatus.CONFIRMED:
                self.call("/order/tt", code, depositor_name="Glow Trading")
            case OrderStatus.PAID if order.packing_status == Order.Packing.COMPLETE:
                self.portal.ship(code)
            case OrderStatus.PAID:
                self.portal.pack(code)

    def order(self, *, by_paypal: bool) -> None:
        _, code = self.portal.request(BUYER, {"LIFE-A": 40, "LIFE-C": 10})
        draft_deposit = (Decimal("513.30") * DEPOSIT_RATE).quantize(Decimal("0.01"))
        if by_paypal:
            amount = draft_deposit + (draft_deposit * Decimal("0.035")).quantize(Decimal("0.01"))
            _, token = self.portal.link_deposit(BUYER, code, amount, is_declared=True)
            self.portal.come_back(BUYER, code, "deposit", token, amount, is_approved=True)
        else:
            self.portal.wire_deposit(BUYER, code, draft_deposit)
        assert Order.objects.filter(invoice_code=code).exists()
        self.codes.append(code)

    def pay(self, code: str) -> None:
        _, token = self.portal.link_balance(BUYER, code)
        if token:
            amount = Payment.objects.get(paypal_token=token).amount
            self.portal.come_back(BUYER, code, "balance", token, amount, is_approved=True)

    def arrive(self, code: str, amount: Decimal) -> None:
        """Let an announced wire arrive, now and then with other than what was announced."""
        wire = Payment.objects.filter(invoice_code=code, state=PaymentState.ANNOUNCED).first()
        if wire is not None:
            self.portal.confirm_wire(code, amount if amount == Decimal("12.34") else wire.amount)

    def let_go(self, code: str, amount: Decimal) -> None:
        """Let a small rest of an announced balance go."""
        order = self.portal.order(code)
        wire = Payment.objects.filter(order=order, state=PaymentState.ANNOUNCED).first()
        if wire is not None and due_of(order) > amount:
            fields = {"received": due_of(order) - amount, "write_off_reason": "Bank charges"}
            self.portal.deed(confirm_wire, payment_id=wire.pk, actor=self.portal.staff, **fields)

    def refund(self, code: str, amount: Decimal | None) -> None:
        """Send some of a PayPal payment back, or all of it."""
        payments = Payment.objects.filter(invoice_code=code, method=Payment.Method.PAYPAL)
        if payment := payments.filter(sale_id__isnull=False).first():
            fields = {"amount": amount or refundable(payment), "reason": "Damaged"}
            self.portal.deed(
                refund_payment, payment_id=payment.pk, actor=self.portal.staff, **fields
            )

    def move(self, code: str, amount: Decimal) -> None:
        """Move some of a booked wire to the next order."""
        wires = Payment.objects.filter(invoice_code=code, method=Payment.Method.WIRE)
        to = self.portal.order(self.codes[(self.codes.index(code) + 1) % len(self.codes)])
        if wire := wires.filter(received__gt=0).first():
            fields = {"part": part_for(to, amount), "seen": movable(wire), "reason": "Wrong order"}
            self.portal.deed(move_wire, payment_id=wire.pk, actor=self.portal.staff, **fields)

    def pay_out(self, amount: Decimal) -> None:
        """Send some of the company's credit back by bank."""
        whose: dict[str, Any] = {"company_id": self.buyer.company_id}
        fields = {**whose, "amount": amount, "seen": wallet_balance(**whose), "reason": "Asked for"}
        self.portal.deed(pay_out_wallet, actor=self.portal.staff, **fields)


def live(paypal: Simulator, steps: list[tuple[str, int, Decimal]]) -> None:  # noqa: F811
    """Let orders live, and compare the statement of account with the columns and the audit."""
    lives = Lives(paypal)
    for step in steps:
        lives.take(*step)
    company_id = lives.buyer.company_id
    assert audit() == ""
    assert unexplained(company_id) == {}
    orders = Order.objects.filter(company_id=company_id)
    total = sum(map(open_by_columns, orders), ZERO)
    owed = BankTransfer.objects.filter(company_id=company_id, sent_on=None)
    total -= sum(transfer.amount for transfer in owed)
    today = seller_date(datetime.now(UTC))
    statement = statement_of(buyer=lives.buyer, since=today - timedelta(days=1), until=today)
    assert statement.closing == total
    assert statement.opening + statement.charges + statement.credits == statement.closing
    tomorrow = today + timedelta(days=1)
    later = statement_of(buyer=lives.buyer, since=tomorrow, until=tomorrow)
    assert (later.opening, later.lines, later.closing) == (total, [], total)


def live_apart(
    paypal: Simulator,  # noqa: F811
    steps: list[tuple[str, int, Decimal]],
    *,
    name: str = "v2",
) -> None:
    """Let orders live in a portal of their own, with one of PayPal's APIs; nothing of it stays."""
    paypal.reset()
    cache.clear()
    USES.clear()
    with (
        transaction.atomic(),
        override_settings(PAYPAL_API=name, DEPOSIT_RATE=DEPOSIT_RATE, THROTTLE_FACTOR=1000),
    ):
        try:
            live(paypal, steps)
        finally:
            transaction.set_rollback(True)


def test_every_cent_is_explained(paypal: Simulator) -> None:  # noqa: F811
    @trying(6, is_long=True, exactly=-(-LIVES // MOST_ORDERS))
    @given(orders=ORDERS, steps=STEPS_OF_LIVES, name=st.sampled_from(["v1", "v2"]))
    def lives(orders: list[str], steps: list[tuple[str, int, Decimal]], name: str) -> None:
        live_apart(paypal, [*((by, 0, ZERO) for by in orders), *steps], name=name)

    lives()


def test_the_control_finds_a_cent_that_no_line_explains(
    paypal: Simulator,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def one_cent_more(*, company_id: int) -> dict[str, list[Line]]:
        accounts = lines_of_orders(company_id=company_id)
        for lines in accounts.values():
            lines[0] = lines[0]._replace(amount=lines[0].amount + Decimal("0.01"))
        return accounts

    usual = [("wire", 0, ZERO), *[("go_on", 0, ZERO)] * 3]
    live_apart(paypal, usual)
    monkeypatch.setattr(factories, "lines_of_orders", one_cent_more)
    with pytest.raises(AssertionError, match=r"Decimal\('-0\.01'\)"):
        live_apart(paypal, usual)
