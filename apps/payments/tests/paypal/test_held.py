"""Held money that staff give to its order after all (design/admin.md, Payment desk)."""

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest
from post_office.models import Email

from apps.accounts.selectors import Buyer
from apps.catalog.tests.factories import make_product
from apps.common.texts import read
from apps.orders.errors import StaffRefusal
from apps.orders.models import Order, TemporaryOrder
from apps.orders.services.request import cancel_temporary_order
from apps.orders.tests.factories import make_sales, stock_of
from apps.payments.gateway import provider_of
from apps.payments.models import Payment, WalletEntry
from apps.payments.services.held import book_held, held_figures
from apps.payments.tests.factories import cancel
from apps.payments.tests.paypal.support import (
    BALANCE,
    DEPOSIT,
    PENDING,
    REFUSED,
    Desk,
    Journey,
    S,
    audit,
    minutes,
    money,
    outcome,
)
from apps.payments.tests.paypal.test_refunds import refund


def now() -> datetime:
    return datetime.now(UTC)


def hold(journey: Journey, amount: str) -> Payment:
    """Let PayPal take another amount than was asked for."""
    payer = journey.approve()
    journey.desk.paypal.fault("amount_mismatch", "execute", amount=amount)
    assert outcome(journey.come_back(payer)) == REFUSED
    assert journey.payment.state == S.HELD
    return journey.payment


def book(payment: Payment, due: str, **fields: Any) -> Payment:
    given = {"reason": "Agreed by phone", "actor": make_sales(), "now": now(), **fields}
    return book_held(payment_id=payment.pk, asked=Decimal(due), **given)


@pytest.mark.parametrize(("amount", "share"), [("92.00", "88.85"), ("100.00", "96.85")])
def test_a_deposits_order_is_made_with_what_was_taken(desk: Desk, amount: str, share: str) -> None:
    product = make_product(on_hand=20)
    journey = desk.deposit([(product, 20)])
    payment = hold(journey, amount)
    figures = held_figures(payment_id=payment.pk, now=now())
    assert (figures.obstacle, figures.makes_order, figures.pieces_gone) == ("", True, False)
    assert (figures.asked, figures.share) == (money("90.00"), money(share))
    book(payment, "90.00")
    payment, order = journey.payment, journey.order
    assert (payment.state, payment.received, payment.alarm) == (S.CAPTURED, money(share), "")
    assert payment.order == order
    assert (order.status, order.received, order.deposit_received) == (1, money(share), money(share))
    assert order.deposit == 90
    assert stock_of(product) == (20, 20, 0)
    event = payment.events.last()
    assert event is not None
    assert event.source == "admin"
    assert ("Agreed by phone. Was: Not as asked for: amount" in read(event.note)) is True
    assert Email.objects.filter(subject=f"Order received: {order.invoice_code}").count() == 1
    shown = journey.come_back().json()
    assert shown == {"success": 1, "invoice_code": journey.code, "status_id": 1}
    with pytest.raises(StaffRefusal, match="no longer held"):
        book(payment, "90.00")
    assert audit() == ""
    refund(payment, amount)
    assert (journey.payment.state, journey.order.received) == (S.REFUNDED, 0)
    assert audit() == ""


@pytest.mark.parametrize("desk", ["v1"], indirect=True)
@pytest.mark.parametrize(
    ("amount", "write_off", "status", "received", "written_off", "wallet"),
    [
        ("51.00", "", 3, "139.25", 0, 0),
        ("51.00", "A cent or two", 4, "139.25", "0.75", 0),
        ("60.00", "", 4, "148.25", 0, "8.25"),
    ],
)
def test_a_balance(
    desk: Desk,
    amount: str,
    write_off: str,
    status: int,
    received: str,
    written_off: str,
    wallet: str,
) -> None:
    journey = desk.balance()
    payment = hold(journey, amount)
    book(payment, "50.00", write_off_reason=write_off)
    order = journey.order
    assert (order.status, order.received) == (status, money(received))
    assert order.written_off == Decimal(written_off)
    assert sum(WalletEntry.objects.values_list("amount", flat=True)) == Decimal(wallet)
    assert audit() == ""


@pytest.mark.parametrize("desk", ["v1"], indirect=True)
def test_pieces_that_are_gone_are_a_back_order(desk: Desk) -> None:
    product = make_product(on_hand=20)
    payment = hold(journey := desk.deposit([(product, 20)]), "92.00")
    desk.deposit([(product, 20)]).pay()
    assert held_figures(payment_id=payment.pk, now=now()).pieces_gone
    with pytest.raises(StaffRefusal, match="back-order"):
        book(payment, "90.00")
    assert (journey.payment.state, Order.objects.count()) == (S.HELD, 1)
    assert stock_of(product) == (20, 20, 0)
    book(payment, "90.00", back_order=True)
    assert (journey.order.is_back_order, stock_of(product)) == (True, (20, 40, 20))
    assert audit() == ""


@pytest.mark.parametrize("desk", ["v1"], indirect=True)
@pytest.mark.parametrize(
    ("call", "obstacle", "text"),
    [
        (DEPOSIT, "deleted", "no order can be made of it"),
        (DEPOSIT, "another", "Another PayPal payment"),
        (DEPOSIT, "wire", "is announced for it"),
        (DEPOSIT, "refund", "sent back"),
        (DEPOSIT, "reversed", "no longer held: Reversed"),
        (DEPOSIT, "silence", "does not say that it has this money"),
        (DEPOSIT, "amount", ".90.00 is due on the order now"),
        (BALANCE, "cancelled", "Nothing is due on the order: Cancelled"),
    ],
)
def test_what_it_is_refused_for(
    desk: Desk, buyer: Buyer, call: str, obstacle: str, text: str
) -> None:
    lines = [(make_product(on_hand=200), 20)]
    payment = hold(
        journey := desk.deposit(lines) if call == DEPOSIT else desk.balance(lines), "92.00"
    )
    match obstacle:
        case "deleted":
            cancel_temporary_order(buyer=buyer, invoice_code=journey.code, now=now())
        case "another":
            # As evidence finds it that comes after the buyer has paid by a later link.
            Payment.objects.filter(pk=payment.pk).update(state=S.REFUNDED)
            desk.link_deposit(draft_of(journey)).pay()
            Payment.objects.filter(pk=payment.pk).update(state=S.HELD)
        case "wire":
            assert desk.post_wire(draft_of(journey)) == (200, "")
        case "refund":
            refund(payment, "1.00")
        case "reversed":
            desk.paypal.decide(desk.captures()[0].id, "reversed")
        case "silence":
            desk.paypal.fault("503", "get", calls=None)
        case "cancelled":
            cancel(journey.order)
    before = Order.objects.count()
    with pytest.raises(StaffRefusal, match=text):
        book(payment, "89.99" if obstacle == "amount" else "90.00")
    assert (journey.payment.received, Order.objects.count()) == (0, before)
    assert audit() == ""


@pytest.mark.parametrize("call", [DEPOSIT, BALANCE])
def test_while_it_is_held_the_leg_is_not_charged_again(desk: Desk, call: str) -> None:
    lines = [(make_product(on_hand=200), 20)]
    payment = hold(
        journey := desk.deposit(lines) if call == DEPOSIT else desk.balance(lines), "92.00"
    )
    body = desk.body(draft_of(journey)) if call == DEPOSIT else {"invoice_code": journey.code}
    assert desk.post(call, body) == PENDING
    refund(payment, "92.00")
    assert journey.payment.state == S.REFUNDED
    assert desk.api.send("POST", call, body).json()["success"] == 1


def draft_of(journey: Journey) -> TemporaryOrder:
    return next(one for one in TemporaryOrder.objects.all() if one.invoice_code == journey.code)


@pytest.mark.parametrize("desk", ["v1"], indirect=True)
def test_money_that_went_back_by_itself_is_not_booked(desk: Desk) -> None:
    """Late money is sent back at once; only where PayPal refuses that, staff may book it."""
    product = make_product(on_hand=20)
    journey = desk.deposit([(product, 20)])
    journey.give_up()
    desk.deposit([(product, 20)]).pay()
    payment = journey.payment
    payment.payer_id = journey.approve()
    provider_of(payment).execute(payment)
    desk.paypal.fault("refuse", "refund")
    desk.report(desk.paypal.events()[-1])
    desk.wait(minutes(0))
    assert (journey.payment.state, journey.payment.refunds.get().state) == (S.HELD, "failed")
    book(journey.payment, "90.00", back_order=True)
    assert (journey.payment.state, journey.order.received) == (S.CAPTURED, 90)
    assert stock_of(product) == (20, 40, 20)
    assert audit() == ""
