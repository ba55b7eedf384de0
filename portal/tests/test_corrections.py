"""Orders through the desk, weighed before the fee, some confirmed wrong and corrected; a
correction against the payment of its balance.
"""

import random
from contextlib import suppress
from datetime import UTC, datetime
from decimal import Decimal
from threading import Barrier

import pytest
from django.db import DatabaseError
from django.test import Client

from apps.accounts.selectors import Buyer
from apps.accounts.tests.staff import staff_client
from apps.catalog.models import Product
from apps.catalog.tests.factories import make_products
from apps.common.errors import PortalError
from apps.common.tests.races import race
from apps.orders.models import IssuedDocument, Order, ShippingRate, Wish
from apps.orders.selectors.orders import due_of, get_order_for_staff
from apps.orders.selectors.packing import lines_to_pack
from apps.orders.services import moves
from apps.orders.services.confirm import LineDecision
from apps.orders.services.packing import ship_order
from apps.orders.status import OrderStatus
from apps.orders.tests.factories import TRACKING, make_sales
from apps.orders.tests.test_admin_packing import body as packing_of
from apps.orders.tests.test_admin_sheet import filled
from apps.orders.tests.test_correct import correct
from apps.payments.models import WalletEntry
from apps.payments.selectors import check_balance
from apps.payments.services import wire
from apps.payments.services.cancel import cancel_order
from apps.payments.services.wallet import pay_from_wallet
from apps.payments.services.wire import announce_balance_wire
from apps.payments.tests.factories import announced, arrive, make_confirmed_order, make_wire_order
from apps.payments.tests.paypal.support import audit

S = OrderStatus
ORDERS, CORRECTED = 6, 2
SEED = 20261127


def again(order: Order) -> Order:
    return Order.objects.get(pk=order.pk)


def pay(order: Order, buyer: Buyer) -> None:
    now = datetime.now(UTC)
    announce_balance_wire(buyer=buyer, invoice_code=order.invoice_code, depositor="Glow", now=now)
    arrive(order)


class Desk:
    """A member of staff at the pages of one order after the other."""

    def __init__(self, client: Client, buyer: Buyer, chance: random.Random) -> None:
        self.client, self.buyer, self.chance = client, buyer, chance

    def post(self, order: Order, page: str, body: dict) -> None:
        answer = self.client.post(f"/admin/orders/order/{order.pk}/{page}/", body)
        assert answer.status_code == 302, answer.context["faults"]

    def order(self, products: list[Product]) -> Order:
        """Take an order from its deposit to Preparing."""
        some = self.chance.sample(products, self.chance.randint(2, 6))
        lines = [(product, self.chance.randrange(20, 100, 10)) for product in some]
        order = make_wire_order(self.buyer, lines)
        arrive(order)
        self.post(order, "prepare", {})
        return order

    def decide(self, order: Order) -> list[tuple[int, str, str]]:
        """Cut some lines."""
        found = []
        for line in order.lines.all():
            pieces = line.quantity - self.chance.choice([0, 0, 0, 10])
            found.append((pieces, "short" if pieces < line.quantity else "", ""))
        return found

    def confirm(self, order: Order, *, slip: bool) -> None:
        """Save the sheet, pack what it sends, confirm with the fee that the weight proposes; with a
        slip the fee is half of it.
        """
        decisions = self.decide(order)
        self.post(order, "confirm", {**filled(order, *decisions, shipping_fee=""), "save": "1"})
        self.pack(order)
        page = self.client.get(f"/admin/orders/order/{order.pk}/confirm/")
        fee = page.context["fee"].amount
        body = filled(order, *decisions, shipping_fee=fee / 2 if slip else fee)
        self.post(order, "confirm", body)
        assert again(order).packing_status == Order.Packing.COMPLETE

    def pack(self, order: Order) -> None:
        """Pack what the order sends into one box."""
        lines = lines_to_pack(order_id=order.pk)
        kilograms = Decimal(sum(line.pieces * line.weight_g for line in lines)) * 110 / 100 / 1000
        head = f"1\t1\t{kilograms:.3f}\t52\t40\t34"
        rows = "\n".join(
            f"{head if not place else chr(9) * 5}\t{line.sku}\t{line.pieces}"
            for place, line in enumerate(lines)
        )
        self.post(order, "packing", packing_of(order, rows, complete="1"))

    def correct(self, order: Order) -> None:
        """Give the order its right fee, and a line back what was cut."""
        page = self.client.get(f"/admin/orders/order/{order.pk}/correct/")
        sheet = page.context["decisions"]
        before = page.context["fee"].amount
        body = {
            "version": again(order).version,
            "revision": 0,
            "shipping_fee": before,
            "why": "Half of the freight was missing",
            "line-TOTAL_FORMS": len(sheet.forms),
            "line-INITIAL_FORMS": len(sheet.forms),
            "added-TOTAL_FORMS": 0,
            "added-INITIAL_FORMS": 0,
        }
        for form in sheet:
            for name in ("line_id", "confirmed", "reason", "comment"):
                body[form.add_prefix(name)] = str(form[name].value() or "")
        cut = next((form for form in sheet if form["reason"].value()), None)
        if cut:
            pieces = order.lines.get(pk=cut["line_id"].value()).quantity + 5
            body[cut.add_prefix("confirmed")] = pieces
        self.post(order, "correct", body)
        assert again(order).shipping_fee == before
        if cut:
            assert again(order).packing_status == Order.Packing.EDITED
            self.pack(order)


@pytest.mark.django_db
def test_orders_are_weighed_before_their_fee_and_some_corrected(buyer: Buyer) -> None:
    ShippingRate.objects.create(country=None, per_kg="6.00", at_least="25.00")
    products = make_products(20, on_hand=100_000)
    desk = Desk(staff_client("Sales"), buyer, random.Random(SEED))
    slips = set(desk.chance.sample(range(ORDERS), CORRECTED))
    for number in range(ORDERS):
        order = desk.order(products)
        desk.confirm(order, slip=number in slips)
        if number in slips and again(order).status == S.CONFIRMED:
            desk.correct(order)
        if due_of(again(order)):
            pay(order, buyer)
        ship_order(order_id=order.pk, actor=make_sales(), now=datetime.now(UTC), **TRACKING)
    assert set(Order.objects.values_list("status", flat=True)) == {S.SHIPPED}
    revisions = IssuedDocument.objects.filter(kind="proforma", revision=2).count()
    assert revisions == Order.objects.filter(events__kind="lines").distinct().count() > 0
    assert audit() == ""


@pytest.mark.django_db
def test_what_wallet_and_deposit_paid_beyond_a_corrected_order_is_credited_once(
    buyer: Buyer,
) -> None:
    other, order = make_confirmed_order(buyer), make_confirmed_order(buyer)
    now, sales = datetime.now(UTC), make_sales()
    cancel_order(order_id=other.pk, by_terms=False, reason="Ours", actor=sales, now=now)
    correct(order, shipping_fee=Decimal("150.00"))
    pay_from_wallet(buyer=buyer, invoice_code=order.invoice_code, now=now)
    assert (again(order).status, due_of(again(order))) == (S.CONFIRMED, Decimal("60.00"))
    line = order.lines.get()
    corrected = correct(
        order,
        decisions=[LineDecision(line.pk, line.quantity - 10, "short")],
        shipping_fee=Decimal("20.00"),
    )
    assert (corrected.status, again(order).credited) == (S.PAID, Decimal("115.00"))
    kinds = WalletEntry.objects.filter(order=order).values_list("kind", "amount")
    assert set(kinds) == {("use", Decimal("-90.00")), ("overpayment", Decimal("115.00"))}
    assert audit() == ""


@pytest.mark.django_db
def test_a_corrected_order_is_cancelled_by_what_it_received(buyer: Buyer) -> None:
    order = make_confirmed_order(buyer)
    line = order.lines.get()
    correct(order, decisions=[LineDecision(line.pk, 10, "short")], shipping_fee=Decimal("90.00"))
    now = datetime.now(UTC)
    cancel_order(order_id=order.pk, by_terms=False, reason="Ours", actor=make_sales(), now=now)
    assert (again(order).status, again(order).credited) == (S.CANCELLED, order.received)
    assert not Wish.objects.filter(closed_at=None).exists()
    assert audit() == ""


def corrected_while_paid(order: Order, buyer: Buyer) -> list[str]:
    """Correct an order's fee while its buyer announces the wire of the balance."""
    sales = make_sales()

    def step(number: int) -> str:
        with suppress(PortalError, DatabaseError):
            if number:
                now, code = datetime.now(UTC), order.invoice_code
                wire = announce_balance_wire(
                    buyer=buyer, invoice_code=code, depositor="Glow", now=now
                )
                return f"announced {wire.amount}"
            correct(order, actor=sales, shipping_fee=Decimal("70.00"))
            return "corrected"
        return "refused"

    return race(step, times=2)


@pytest.mark.django_db(transaction=True)
def test_what_is_announced_is_what_is_due_whoever_was_first(buyer: Buyer) -> None:
    order = make_confirmed_order(buyer)
    outcome = corrected_while_paid(order, buyer)
    assert outcome in (["corrected", "announced 70.00"], ["refused", "announced 50.00"])
    assert announced(order).amount == due_of(again(order))
    arrive(order)
    assert (again(order).status, audit()) == (S.PAID, "")


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_control_without_the_lock_another_amount_is_announced_than_is_due(
    buyer: Buyer, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = make_confirmed_order(buyer)
    everybody_looked = Barrier(2)

    def careless(*, order_id: int, lock: bool) -> Order:
        found = get_order_for_staff(order_id=order_id)
        everybody_looked.wait(timeout=30)
        return found

    def patient(order: Order) -> Decimal:
        due = check_balance(order)
        everybody_looked.wait(timeout=30)
        return due

    monkeypatch.setattr(moves, "get_order_for_staff", careless)
    monkeypatch.setattr(wire, "check_balance", patient)
    assert corrected_while_paid(order, buyer) == ["corrected", "announced 50.00"]
    assert announced(order).amount != due_of(again(order))
