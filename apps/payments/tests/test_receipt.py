"""The receipt: issued with the step that makes an order paid; it says what was paid, when, how and
for what.
"""

from datetime import UTC, datetime
from decimal import Decimal

import pytest
from django.db import transaction
from django.test import Client
from django.utils import timezone

from apps.accounts.selectors import Buyer
from apps.accounts.tests.factories import buyer_of
from apps.common.money import ZERO
from apps.common.testing import ContractClient
from apps.orders.documents.content import money
from apps.orders.models import IssuedDocument, Order
from apps.orders.selectors.orders import due_of
from apps.orders.services.moves import record_money_received, start_preparing
from apps.orders.status import OrderStatus
from apps.orders.tests.document_files import documents_of, file_of, words_of
from apps.orders.tests.factories import SHIPPING_FEE, confirm, make_sales
from apps.payments.models import Payment
from apps.payments.receivers import issue_receipt
from apps.payments.states import PaymentState
from apps.payments.tests.factories import (
    arrive,
    book,
    make_announced_balance,
    make_confirmed_order,
    make_wire_order,
)
from apps.payments.tests.test_states import make_payment

NOW = datetime.now(UTC)
Method, Kind = Payment.Method, Payment.Kind


def name_of(order: Order) -> str:
    return f"Receipt_{order.invoice_code}.pdf"


def receipt_of(order: Order) -> str:
    return words_of(file_of(order, name_of(order)))


def make_paid_order(buyer: Buyer) -> Order:
    order = make_announced_balance(buyer)
    arrive(order)
    return Order.objects.get(pk=order.pk)


@transaction.atomic
def pay(
    order: Order,
    amount: Decimal,
    method: Payment.Method,
    *,
    fee: Decimal = ZERO,
    sale_id: str | None = None,
) -> None:
    """Let a balance payment arrive."""
    locked = Order.objects.select_for_update().get(pk=order.pk)
    money = {"base": amount, "fee": fee, "amount": amount + fee, "received": amount}
    told = {"method": method, "kind": Kind.BALANCE, "sale_id": sale_id, "settled_at": NOW}
    made = {"order": locked, "invoice_code": order.invoice_code, **money, **told}
    make_payment(buyer_of(order.user), PaymentState.CAPTURED, **made)
    record_money_received(
        order=locked, amount=amount, is_deposit=False, actor=None, note="Test", now=NOW
    )


def test_it_says_what_was_paid_when_how_and_for_what(buyer: Buyer) -> None:
    order, today = make_paid_order(buyer), timezone.localtime().date()
    words = receipt_of(order)
    for text in (
        "SELLER Test Shipper Seoul +82 2 0 sales@portal.test",
        f"{order.invoice_code} Ordered {today} Paid in full {today}",
        (
            f"{today} Bank wire From Glow Trading Deposit {money(str(order.deposit))} "
            f"{today} Bank wire From Glow Trading Balance 50.00 "
            f"Total {money(str(order.received))} Confirmed"
        ),
        f"Confirmed products {money(str(order.real_total))} Shipping fee 50.00",
        f"Received {money(str(-order.received))} Balance due 0.00",
        f"{buyer.manager}, {buyer.email}",
    ):
        assert text in words


def test_paypals_fee_is_paid_on_top(buyer: Buyer) -> None:
    order = make_confirmed_order(buyer)
    pay(order, SHIPPING_FEE, Method.PAYPAL, fee=Decimal("1.75"), sale_id="8XY12345")
    words = receipt_of(Order.objects.get(pk=order.pk))
    assert "PayPal Transaction 8XY12345 Balance 50.00 1.75 51.75" in words
    received = order.deposit + SHIPPING_FEE
    assert f"Total {money(str(received))} 1.75 {money(str(received + Decimal('1.75')))}" in words
    assert f"Received {money(str(-received))}" in words


def test_a_balance_in_parts_is_on_one_receipt(buyer: Buyer) -> None:
    order = make_confirmed_order(buyer)
    pay(order, Decimal("20.00"), Method.WALLET)
    assert not IssuedDocument.objects.filter(kind=IssuedDocument.Kind.RECEIPT).exists()
    book(order, "30.00", depositor="Łukasz 박")
    words = receipt_of(order)
    assert "Wallet credit Balance 20.00 " in words
    assert "Bank wire From Łukasz 박 Balance 30.00 " in words


def test_what_was_let_go_and_what_was_too_much_is_said(buyer: Buyer) -> None:
    short, much = make_announced_balance(buyer), make_announced_balance(buyer)
    arrive(short, Decimal("45.00"), write_off_reason="Bank charges")
    arrive(much, Decimal("60.00"))
    for order, text in ((short, "Written off −5.00"), (much, "Credited to your wallet 10.00")):
        assert due_of(Order.objects.get(pk=order.pk)) == ZERO
        assert f"{text} Balance due 0.00" in receipt_of(order)


def test_an_order_with_nothing_due_at_its_confirmation_has_both_documents(buyer: Buyer) -> None:
    order = make_wire_order(buyer)
    arrive(order, order.deposit + SHIPPING_FEE)
    start_preparing(order_id=order.pk, actor=make_sales(), now=NOW)
    confirm(order)
    order.refresh_from_db()
    assert order.status == OrderStatus.PAID
    shown = {document.issued.kind for document in documents_of(order).values() if document.issued}
    assert shown == {"proforma", "receipt"}
    assert "Balance due 0.00" in receipt_of(order)


def test_it_is_listed_from_the_payment_on(api: ContractClient, buyer: Buyer) -> None:
    order = make_announced_balance(buyer)
    address = f"/api/details/{order.invoice_code}"
    assert name_of(order) not in [file["name"] for file in api.get(address).json()["fileList"]]
    arrive(order)
    (file,) = [
        file for file in api.get(address).json()["fileList"] if file["name"] == name_of(order)
    ]
    assert Client().get(file["url"]).getvalue().startswith(b"%PDF-")


def test_it_is_issued_once_and_stays_as_it_is(buyer: Buyer) -> None:
    order = make_paid_order(buyer)
    first = receipt_of(order)
    Payment.objects.filter(order=order).update(depositor="Somebody else")
    with transaction.atomic():
        issue_receipt(order=Order.objects.get(pk=order.pk), paid_at=NOW, now=NOW)
    assert order.issued_documents.filter(kind=IssuedDocument.Kind.RECEIPT).count() == 1
    assert receipt_of(order) == first


@pytest.mark.parametrize("amount", ["49.99", "0.01"])
def test_there_is_none_while_a_cent_is_due(buyer: Buyer, amount: str) -> None:
    order = make_announced_balance(buyer)
    arrive(order, Decimal(amount))
    assert not IssuedDocument.objects.filter(kind=IssuedDocument.Kind.RECEIPT).exists()
