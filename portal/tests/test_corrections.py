"""What a corrected order has received is credited once, and a correction against the payment of its
balance.
"""

from contextlib import suppress
from datetime import UTC, datetime
from decimal import Decimal
from threading import Barrier

import pytest
from django.db import DatabaseError

from apps.accounts.selectors import Buyer
from apps.common.errors import PortalError
from apps.common.tests.races import race
from apps.orders.models import Order, Wish
from apps.orders.selectors.orders import due_of, get_order_for_staff
from apps.orders.services import moves
from apps.orders.services.confirm import LineDecision
from apps.orders.status import OrderStatus
from apps.orders.tests.factories import make_sales
from apps.orders.tests.test_correct import correct
from apps.payments.models import WalletEntry
from apps.payments.selectors import check_balance
from apps.payments.services import wire
from apps.payments.services.cancel import cancel_order
from apps.payments.services.wallet import pay_from_wallet
from apps.payments.services.wire import announce_balance_wire
from apps.payments.tests.factories import announced, arrive, make_confirmed_order
from apps.payments.tests.paypal.support import audit

S = OrderStatus


def again(order: Order) -> Order:
    return Order.objects.get(pk=order.pk)


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
