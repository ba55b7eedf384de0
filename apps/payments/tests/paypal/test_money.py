"""Right to the cent, from the quote to PayPal and the ledger (design/paypal.md, section C, test
32).
"""

from decimal import ROUND_HALF_UP, Decimal
from random import Random

from django.conf import settings

from apps.common.testing import vectors
from apps.common.types import Json
from apps.orders.models import Order
from apps.payments import paypal, paypal_orders
from apps.payments.models import Payment
from apps.payments.rules import MAX_PAYPAL_TOTAL, paypal_amount, paypal_fee
from apps.payments.tests.factories import make_confirmed_order
from apps.payments.tests.paypal.support import BALANCE, REFUSED, Desk
from tools.paypal_simulator.records import Checkout

LARGEST = Decimal("9661835.74")


def test_any_base() -> None:
    chance = Random(35)
    for cents in (*range(1, 1001), *(chance.randint(1, int(LARGEST * 100)) for _ in range(10_000))):
        check_base(cents)


def check_base(cents: int) -> None:
    base = Decimal(cents) / 100
    fee = paypal_fee(base=base, rate=settings.PAYPAL_FEE_RATE)
    assert fee == Decimal((cents * 35 + 500) // 1000) / 100
    assert fee == (base * Decimal("0.035")).quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)
    total = base + fee
    assert total <= MAX_PAYPAL_TOTAL
    payment = Payment(
        invoice_code="MHW-1", invoice_number="MHW-1-D", base=base, fee=fee, amount=total
    )
    amount = paypal.payment_body(payment, "https://a", "https://b")["transactions"][0]["amount"]
    value = paypal_orders.order_body(payment, "https://a", "https://b")["purchase_units"][0][
        "amount"
    ]
    assert (
        amount["total"]
        == value["value"]
        == f"{cents + fee * 100:.0f}".rjust(3, "0")[:-2] + "." + f"{total:.2f}"[-2:]
    )
    details = amount["details"]
    shown = Decimal(details["subtotal"]) + Decimal(details["handling_fee"])
    assert shown == Decimal(amount["total"])
    # What a screen makes of the JSON number, and of the text in the address, is the amount again.
    assert paypal_amount(float(total)) == paypal_amount(f"{total:.2f}") == total


ROWS = [row for row in vectors("payments/paypal_fee") if Decimal(row["base"]) > 0]


def test_the_same_figure_everywhere(desk: Desk) -> None:
    for row in ROWS:
        pay_balance(desk, row)


def pay_balance(desk: Desk, row: Json) -> None:
    """Pay a balance of a vector by PayPal, and compare its figures wherever they stand."""
    base, fee = Decimal(row["base"]), Decimal(row["fee"])
    order = make_confirmed_order(desk.buyer)
    Order.objects.filter(pk=order.pk).update(shipping_fee=base)
    answer = desk.api.send("POST", "/api/order/checkout", {"invoice_code": order.invoice_code})
    text = answer.content.decode()
    if base + fee > MAX_PAYPAL_TOTAL:
        before = len(desk.paypal.calls())
        assert desk.post(BALANCE, {"invoice_code": order.invoice_code}) == REFUSED
        assert len(desk.paypal.calls()) == before
        return
    info = answer.json()["info"]
    assert (Decimal(str(info["amount"])), Decimal(str(info["paypal_fee"]))) == (base, fee)
    amount = f"{base + fee:.2f}"
    assert f'"paypal_total":{float(amount)!r}' in text
    journey = desk.link_balance(order)
    checkout = desk.paypal.store.all(Checkout)[-1]
    assert checkout.total == amount
    assert f"?amount={amount}" in checkout.return_url
    assert journey.pay().json()["success"] == 1
    payment = journey.payment
    assert (f"{payment.amount:.2f}", payment.received) == (amount, base)
    assert desk.captures()[-1].amount == amount


def test_above_the_largest_amount(desk: Desk) -> None:
    order = make_confirmed_order(desk.buyer)
    for base, refused in ((LARGEST, False), (LARGEST + Decimal("0.01"), True)):
        Order.objects.filter(pk=order.pk).update(shipping_fee=base)
        answer = desk.api.send("POST", BALANCE, {"invoice_code": order.invoice_code})
        assert (answer.status_code == 409) is refused
