"""A wire on the wrong order: moved by a counter-entry, and everything that hangs on it with it."""

from datetime import UTC, datetime
from decimal import Decimal

import pytest
from django.core.management import call_command
from django.db import DatabaseError, transaction
from post_office.models import Email

from apps.accounts.tests.factories import buyer_of, make_buyer
from apps.accounts.tests.staff import shown_messages, staff_client
from apps.common.errors import WrongStatus
from apps.common.money import ZERO
from apps.common.texts import read
from apps.orders.errors import StaffRefusal
from apps.orders.models import Order, OrderDocument
from apps.orders.selectors.details import order_details
from apps.orders.selectors.orders import OPEN_MONEY, due_of
from apps.orders.services.packing import ship_order
from apps.orders.status import OrderStatus
from apps.orders.tests.factories import SHIPPING_FEE, TRACKING, make_sales, pack
from apps.payments.admin.desk import _today
from apps.payments.bank.matching import open_claims
from apps.payments.models import Payment, WireMove
from apps.payments.services.receive import due_without, move_wire, part_for
from apps.payments.services.refunds import movable
from apps.payments.services.wire import announce_balance_wire
from apps.payments.states import PaymentState
from apps.payments.tests.factories import (
    announced,
    book,
    cancel,
    make_confirmed_order,
    unexplained,
)

pytestmark = pytest.mark.django_db
NOW = datetime.now(UTC)


def again(order: Order) -> Order:
    return Order.objects.get(pk=order.pk)


def move(wire: Payment, to: Order, amount: Decimal = SHIPPING_FEE, **fields):
    wire = Payment.objects.get(pk=wire.pk)
    part = part_for(again(to), amount)
    given = {"part": part, "seen": movable(wire), "reason": "Booked on the wrong order", **fields}
    return move_wire(
        payment_id=wire.pk, **{"actor": make_sales(), "now": datetime.now(UTC), **given}
    )


@pytest.fixture
def orders():
    """Two confirmed orders of a company that ask for the same; the wire of the second was booked on
    the first.
    """
    buyer = make_buyer(email="anna@portal.test")
    wrong, right = make_confirmed_order(buyer), make_confirmed_order(buyer)
    wire = book(wrong)
    assert again(wrong).status == OrderStatus.PAID
    Email.objects.all().delete()
    return wrong, right, wire


def test_the_right_order_is_paid_and_the_wrong_one_asks_again(orders):
    wrong, right, wire = orders
    before = Payment.objects.values().get(pk=wire.pk)
    target = move(wire, right)
    assert Payment.objects.values().get(pk=wire.pk) == before, "the booking is never edited"
    wrong, right = again(wrong), again(right)
    assert (right.status, due_of(right)) == (OrderStatus.PAID, ZERO)
    assert (wrong.status, due_of(wrong)) == (OrderStatus.PAID, SHIPPING_FEE)
    entry = WireMove.objects.get()
    assert (entry.source, entry.target, entry.amount) == (wire, target, SHIPPING_FEE)
    assert (target.order, target.state) == (right, PaymentState.CAPTURED)
    assert target.depositor == "Glow Trading"
    assert read(wire.events.last().note) == f"$50.00 moved to {right}: Booked on the wrong order"
    assert unexplained(wrong.company_id) == {}
    call_command("audit", without_mails=True)


def test_what_went_to_the_wallet_pays_no_order(orders):
    _, right, _ = orders
    far = make_confirmed_order(make_buyer())
    wire = book(far, SHIPPING_FEE + 127)
    assert (again(far).credited, due_of(again(far))) == (127, ZERO)
    assert due_without(again(far), SHIPPING_FEE) == SHIPPING_FEE
    move(wire, right)
    source = again(far)
    assert (source.status, due_of(source)) == (OrderStatus.PAID, SHIPPING_FEE)
    assert Order.objects.annotate(open=OPEN_MONEY).get(pk=far.pk).open == SHIPPING_FEE
    details = order_details(buyer=buyer_of(far.user), invoice_code=far.invoice_code, now=NOW)[
        "order"
    ]
    assert (details["balance_due"], details["payment"]) == (SHIPPING_FEE, "Partly paid")
    pack(source)
    with pytest.raises(StaffRefusal, match="due again"):
        ship_order(order_id=far.pk, actor=make_sales(), now=NOW, **TRACKING)
    assert (far.pk, SHIPPING_FEE) in [(claim.order_id, claim.amount) for claim in open_claims()]
    book(far)
    assert due_of(again(far)) == ZERO
    call_command("audit", without_mails=True)


def test_its_buyer_is_told_and_the_receipt_withdrawn(orders):
    wrong, right, wire = orders
    move(wire, right)
    subjects = set(Email.objects.values_list("subject", flat=True))
    assert subjects == {f"Balance due again: {wrong}", f"Payment completed: {right}"}
    receipts = OrderDocument.objects.filter(issued__kind="receipt")
    assert not receipts.filter(order=wrong, replaced_at__isnull=True).exists()
    assert receipts.filter(order=right, replaced_at__isnull=True).count() == 1


def test_the_wrong_order_does_not_ship_until_it_is_paid_once_more(orders):
    wrong, right, wire = orders
    pack(again(wrong))
    move(wire, right)
    with pytest.raises(StaffRefusal, match="due again"):
        ship_order(order_id=wrong.pk, actor=make_sales(), now=NOW, **TRACKING)
    assert [(claim.order_id, claim.amount) for claim in open_claims()] == [(wrong.pk, SHIPPING_FEE)]
    Email.objects.all().delete()
    book(wrong)
    assert Email.objects.get().subject == f"Payment completed: {wrong}"
    receipt = OrderDocument.objects.get(
        order=wrong, issued__kind="receipt", replaced_at__isnull=True
    )
    assert receipt.issued.revision == 2
    found = len(receipt.issued.content["table"]["rows"])
    assert found == 2  # the deposit, and the wire that came since
    ship_order(order_id=wrong.pk, actor=make_sales(), now=NOW, **TRACKING)
    assert again(wrong).status == OrderStatus.SHIPPED
    call_command("audit", without_mails=True)


def test_an_announced_wire_of_the_right_order_is_confirmed_by_it(orders):
    _, right, wire = orders
    announce_balance_wire(
        buyer=buyer_of(right.user), invoice_code=right.invoice_code, depositor="Anna", now=NOW
    )
    waiting = announced(right)
    assert move(wire, right).pk == waiting.pk
    assert again(right).status == OrderStatus.PAID


def test_a_part_is_moved_and_the_rest_stays(orders):
    wrong, right, wire = orders
    move(wire, right, Decimal("20.00"))
    assert (due_of(again(wrong)), due_of(again(right))) == (Decimal("20.00"), Decimal("30.00"))
    assert movable(Payment.objects.get(pk=wire.pk)) == Decimal("30.00")
    move(wire, right, Decimal("30.00"))
    assert again(right).status == OrderStatus.PAID
    call_command("audit", without_mails=True)


def test_it_is_moved_back_by_another_counter_entry(orders):
    wrong, right, wire = orders
    target = move(wire, right)
    move(target, wrong)
    assert (due_of(again(wrong)), due_of(again(right))) == (ZERO, SHIPPING_FEE)
    call_command("audit", without_mails=True)


def test_todays_bookings_count_a_moved_wire_once(orders):
    _, right, wire = orders
    before = _today(paypal=True)
    move(wire, right)
    assert _today(paypal=True) == before


@pytest.mark.parametrize(
    "fields", [{"seen": Decimal(49)}, {"amount": Decimal("50.01")}, {"amount": Decimal(0)}]
)
def test_what_is_wrong_changes_nothing(orders, fields):
    wrong, right, wire = orders
    with pytest.raises(StaffRefusal):
        move(wire, right, **fields)
    assert again(wrong).received == wrong.received + SHIPPING_FEE
    assert again(right).received == right.received
    assert not WireMove.objects.exists()


def test_only_a_booked_wire_of_a_living_order_is_moved(orders):
    wrong, right, wire = orders
    with pytest.raises(StaffRefusal, match="booked on this order"):
        move(wire, wrong)
    cancel(wrong)
    with pytest.raises(StaffRefusal, match="amount is wrong"):
        move(wire, right)


def test_an_order_that_asks_for_nothing_takes_nothing(orders):
    _, right, wire = orders
    book(right)
    with pytest.raises(WrongStatus):
        move(wire, right)


def test_a_counter_entry_is_never_changed(orders):
    _, right, wire = orders
    move(wire, right)
    for change in (
        lambda: WireMove.objects.update(amount=1),
        lambda: WireMove.objects.all()._raw_delete("default"),
    ):
        with pytest.raises(DatabaseError), transaction.atomic():
            change()


class TestPage:
    def page(self, wire):
        return f"/admin/payments/payment/{wire.pk}/move/"

    def test_it_asks_where_to_shows_what_happens_and_moves(self, orders):
        wrong, right, wire = orders
        client = staff_client("Sales")
        answer = client.get(f"/admin/orders/order/{wrong.pk}/change/")
        assert f'href="{self.page(wire)}"' in answer.text
        response = client.get(self.page(wire), {"to": right.invoice_code.lower()})
        assert f"Move 50.00 to {right}" in response.text
        assert ("Its receipt", "withdrawn, kept for staff") in response.context["effects"]
        assert not WireMove.objects.exists()
        initial = response.context["form"].initial
        page = client.post(
            self.page(wire), {**initial, "reason": "Two orders of 50.00"}, follow=True
        )
        assert shown_messages(page) == [f"{right}: 50.00 of a wire moved from {wrong} to {right}."]
        assert f"moved from {wrong}" in page.text
        wrong_page = client.get(f"/admin/orders/order/{wrong.pk}/change/").text
        assert f"Moved to {right}" in wrong_page
        assert "A balance is due again" in wrong_page

    def test_a_second_press_moves_nothing_more(self, orders):
        _, right, wire = orders
        client = staff_client("Sales")
        query = {"to": right.invoice_code, "amount": "20"}
        fields = client.get(self.page(wire), query).context["form"].initial
        for _ in range(2):
            page = client.post(self.page(wire), {**fields, "reason": "Wrong order"}, follow=True)
        assert WireMove.objects.count() == 1
        assert "is left now" in shown_messages(page)[0]

    @pytest.mark.parametrize(
        ("query", "fault"),
        [
            ({"to": "MHW-1"}, "There is no such order."),
            ({"to": "{wrong}"}, "It is booked on this order."),
            ({"to": "{right}", "amount": "50.01"}, "At most 50.00"),
            ({"to": "{right}", "amount": "86,40"}, "Write the amount as 402.00"),
        ],
    )
    def test_a_place_that_cannot_be_is_said(self, orders, query, fault):
        wrong, right, wire = orders
        query = {name: text.format(wrong=wrong, right=right) for name, text in query.items()}
        page = staff_client("Sales").get(self.page(wire), query)
        assert fault in page.text
        assert "target" not in page.context

    def test_what_is_far_too_much_is_shown_and_asked_once(self, orders):
        _, right, wire = orders
        Order.objects.filter(pk=right.pk).update(shipping_fee=SHIPPING_FEE - 40)
        client = staff_client("Sales")
        response = client.get(self.page(wire), {"to": right.invoice_code})
        assert (f"Wallet of {right.company}", "+ 40.00") in response.context["effects"]
        answer_page = client.post(
            self.page(wire), {**response.context["form"].initial, "reason": "Wrong order"}
        )
        assert (
            f"Is it right that 40.00 USD go to the wallet of {right.company}?" in answer_page.text
        )
        assert 'form="move" disabled' in answer_page.text

    def test_another_company_is_pointed_out(self, orders):
        other = make_confirmed_order(make_buyer())
        page = staff_client("Sales").get(self.page(orders[2]), {"to": other.invoice_code})
        assert "Another company:" in page.text
