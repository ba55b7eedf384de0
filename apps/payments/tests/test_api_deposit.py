"""GET /temp-order-info/stock and POST /order/checkout-deposit/tt."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from post_office.models import Email

from apps.accounts.selectors import Buyer
from apps.catalog.errors import OutOfStock
from apps.catalog.models import Stock
from apps.catalog.tests.factories import make_product, make_products
from apps.common.mail import write_texts
from apps.common.money import ZERO
from apps.common.testing import ContractClient, selling
from apps.common.types import Json
from apps.orders.errors import OrderExists
from apps.orders.models import Order, OrderEvent, OrderTally
from apps.orders.proposal_rules import deadline_text
from apps.orders.selectors.orders import due_of
from apps.orders.selectors.progress import PAYMENT
from apps.orders.services.moves import start_preparing
from apps.orders.tests.factories import confirm, make_draft, make_sales, stock_of
from apps.payments.errors import DeclarationRequired, DepositorRequired
from apps.payments.models import Payment
from apps.payments.tests.factories import wire_body

SignIn = Callable[[Buyer], ContractClient]
URL = "/api/order/checkout-deposit/tt?send=0"


def counted(queries: CaptureQueriesContext) -> int:
    """Return the statements, transaction control left out."""
    control = ("SAVEPOINT", "RELEASE", "BEGIN", "COMMIT")
    return len([query for query in queries if not query["sql"].startswith(control)])


# The quote


def test_the_quote_has_all_that_the_screen_shows(api: ContractClient, buyer: Buyer) -> None:
    product = make_product(sku="A", eng_name="Serum", minimum=24, weight_g=101, on_hand=30)
    draft = make_draft(buyer, [(product, 24)])
    Stock.objects.update(allocated=20)
    answer = api.get(f"/api/temp-order-info/stock/{draft.invoice_code}")
    assert answer.status_code == 200
    result = answer.json()["result"]
    figures = {
        name: result["temp_order"][name] for name in ("total", "count", "weight", "weight_kg")
    }
    assert figures == {"total": 108.0, "count": 1, "weight": 2424, "weight_kg": 2.5}
    sums = {name: result["temp_order"][name] for name in ("deposit", "paypal_fee", "paypal_total")}
    assert sums == {"deposit": 108.0, "paypal_fee": 3.78, "paypal_total": 111.78}
    assert result["temp_order"]["ship_city"] == "Warszawa"
    assert result["temp_order"]["payment_pending"] is False
    assert result["temp_order"]["prices_until"] == deadline_text(draft.expires_at)
    line = {"sku": "A", "eng_name": "Serum", "image": product.image, "weight": 101, "minimum": 24}
    line |= {"usd_price": 12.0, "usd_supply": 4.5, "count": 24, "order_price": 108.0}
    line |= {"qty": 10, "expect_qty": 10, "moq": 24, "step": 24}
    assert result["temp_order_details"] == [line]
    assert {"address_id", "content"} == set(result["country"][0])
    assert "Mazowieckie" in [entry["content"] for entry in result["state"]]


def test_prices_stay_frozen(api: ContractClient, buyer: Buyer) -> None:
    product = make_product()
    draft = make_draft(buyer, [(product, 20)])
    product.usd_supply = Decimal("9.99")
    product.save()
    result = api.get(f"/api/temp-order-info/stock/{draft.invoice_code}").json()["result"]
    assert result["temp_order"]["total"] == 90.0
    assert result["temp_order_details"][0]["usd_supply"] == 4.5


def test_the_quote_costs_the_same_for_10_and_100_lines(api: ContractClient, buyer: Buyer) -> None:
    used = []
    for number in (10, 100):
        draft = make_draft(buyer, [(product, 10) for product in make_products(number)])
        api.get(f"/api/temp-order-info/stock/{draft.invoice_code}")
        with CaptureQueriesContext(connection) as queries:
            api.get(f"/api/temp-order-info/stock/{draft.invoice_code}")
        used.append(counted(queries))
    assert used[0] == used[1] <= 5


def test_an_old_list_has_expired(api: ContractClient, buyer: Buyer) -> None:
    draft = make_draft(buyer, now=datetime.now(UTC) - timedelta(days=7, seconds=1))
    for answer in (
        api.get(f"/api/temp-order-info/stock/{draft.invoice_code}"),
        api.send("POST", URL, wire_body(buyer, draft)),
    ):
        assert (answer.status_code, answer.json()["code"]) == (409, "expired")
    assert not Order.objects.exists()


# The checkout


def test_a_wire_checkout_makes_the_order(api: ContractClient, buyer: Buyer) -> None:
    one, two = make_product(on_hand=100), make_product(on_hand=50)
    draft = make_draft(buyer, [(one, 20), (two, 50)])
    answer = api.send("POST", URL, wire_body(buyer, draft))
    assert answer.status_code == 200
    assert answer.json() == {"success": 1, "invoice_code": draft.invoice_code}
    order = Order.objects.get()
    assert (order.invoice_code, order.status) == (draft.invoice_code, 1)
    assert (order.company_id, order.user_id) == (buyer.company_id, buyer.id)
    assert (order.total, order.real_total) == (Decimal("315.00"), Decimal("315.00"))
    assert (order.deposit, order.received) == (Decimal("315.00"), Decimal("0.00"))
    assert (order.payment_type, order.export_declared) == ("T/T", True)
    assert order.ship_memo == "Before noon,\nplease"
    flags = (order.wire_announced, order.payment_pending, order.is_back_order)
    assert flags == (True, False, False)
    lines = order.lines.order_by("id").values_list(
        "sku", "quantity", "allocated", "is_confirmed", "price", "usrp"
    )
    assert list(lines) == [
        (one.sku, 20, 20, True, Decimal("4.50"), Decimal("12.00")),
        (two.sku, 50, 50, True, Decimal("4.50"), Decimal("12.00")),
    ]
    assert (stock_of(one), stock_of(two)) == ((100, 20, 0), (50, 50, 0))
    payment = Payment.objects.get()
    assert (payment.kind, payment.state) == ("deposit", "announced")
    assert (payment.amount, payment.depositor) == (Decimal("315.00"), "Glow Trading")
    assert OrderEvent.objects.get(kind="status").to_status == 1
    tallies = OrderTally.objects.filter(company_id=buyer.company_id).values_list(
        "bucket", "count", "total"
    )
    assert sorted(tallies) == [
        (f"month:{order.month}", 1, Decimal("315.00")),
        ("status:1", 1, Decimal("315.00")),
    ]
    shown = sorted(mail.to[0] for mail in Email.objects.all())
    assert shown == sorted([buyer.email, "sales@portal.test"])
    text = write_texts(Email.objects.get(to=buyer.email)).message
    assert "Test Bank" in text
    assert order.invoice_code in text


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"payer_id": " "}, DepositorRequired.message),
        ({"payer_id": None}, DepositorRequired.message),
        ({"payer_id": "", "export_report": 0}, DepositorRequired.message),
        ({"export_report": 0}, DeclarationRequired.message),
    ],
)
def test_wire_terms(api: ContractClient, buyer: Buyer, change: Json, message: str) -> None:
    answer = api.send("POST", URL, wire_body(buyer, make_draft(buyer), **change))
    assert (answer.status_code, answer.json()["message"]) == (400, message)
    assert not Order.objects.exists()


@pytest.mark.parametrize(
    "change",
    [
        {"amount": 90.01},
        {"amount": 89.99},
        {"amount": 0},
        {"amount": -90},
        {"amount": "90.00"},
        {"amount": 90.001},
        {"amount": None},
        {"ship_country": None},
        {"ship_country": ""},
        {"ship_city": " "},
        {"ship_zipcode": ""},
        {"ship_address1": ""},
        {"ship_phone": ""},
        {"type": "SAMPLE"},
        {"payment_type": "PAYPAL"},
        {"export_report": "YES"},
        {"ship_memo": "a\x00b"},
        {"payer_id": "a\nb"},
        {"payer_id": "x" * 121},
        {"uuid": None},
    ],
)
def test_wrong_fields_are_refused(api: ContractClient, buyer: Buyer, change: Json) -> None:
    answer = api.send("POST", URL, wire_body(buyer, make_draft(buyer), **change))
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid")
    assert not Order.objects.exists()
    assert set(Stock.objects.values_list("allocated", flat=True)) == {0}


def test_stock_that_went_meanwhile_refuses_everything(api: ContractClient, buyer: Buyer) -> None:
    plenty, scarce = make_product(on_hand=100), make_product(on_hand=20)
    draft = make_draft(buyer, [(plenty, 20), (scarce, 20)])
    Stock.objects.filter(product=scarce).update(allocated=1)
    answer = api.send("POST", URL, wire_body(buyer, draft))
    assert (answer.status_code, answer.json()["code"]) == (409, "out_of_stock")
    assert answer.json()["message"] == OutOfStock.message
    assert list(answer.json()["errors"]) == [scarce.sku]
    assert (stock_of(plenty), Order.objects.count(), Payment.objects.count()) == ((100, 0, 0), 0, 0)
    assert Email.objects.count() == 0
    Stock.objects.filter(product=scarce).update(allocated=0)
    assert api.send("POST", URL, wire_body(buyer, draft)).status_code == 200


def test_a_second_checkout_is_refused(api: ContractClient, buyer: Buyer) -> None:
    draft = make_draft(buyer)
    api.send("POST", URL, wire_body(buyer, draft))
    again = api.send("POST", URL, wire_body(buyer, draft))
    assert (again.status_code, again.json()["code"]) == (409, "order_exists")
    assert again.json()["message"] == OrderExists.message
    assert api.get(f"/api/temp-order-info/stock/{draft.invoice_code}").status_code == 409
    assert (Order.objects.count(), Payment.objects.count()) == (1, 1)


def test_a_repeat_with_the_same_key_gets_the_first_answer(
    api: ContractClient, buyer: Buyer
) -> None:
    draft, key = make_draft(buyer), {"Idempotency-Key": str(uuid4())}
    first = api.send("POST", URL, wire_body(buyer, draft), headers=key)
    again = api.send("POST", URL, wire_body(buyer, draft), headers=key)
    assert (again.status_code, again.json()) == (200, first.json())
    assert (Order.objects.count(), Payment.objects.count(), Email.objects.count()) == (1, 1, 2)


def test_the_same_key_with_another_body_is_refused(api: ContractClient, buyer: Buyer) -> None:
    draft, other, key = make_draft(buyer), make_draft(buyer), {"Idempotency-Key": str(uuid4())}
    api.send("POST", URL, wire_body(buyer, draft), headers=key)
    for body in (wire_body(buyer, draft, ship_city="Radom"), wire_body(buyer, other)):
        answer = api.send("POST", URL, body, headers=key)
        assert (answer.status_code, answer.json()["code"]) == (400, "invalid")
    assert Order.objects.count() == 1


def test_a_key_holds_for_a_day(api: ContractClient, buyer: Buyer) -> None:
    draft, other, key = make_draft(buyer), make_draft(buyer), {"Idempotency-Key": str(uuid4())}
    api.send("POST", URL, wire_body(buyer, draft), headers=key)
    Order.objects.update(placed_at=datetime.now(UTC) - timedelta(hours=25))
    assert api.send("POST", URL, wire_body(buyer, other), headers=key).status_code == 200
    assert api.send("POST", URL, wire_body(buyer, draft), headers=key).status_code in (400, 409)
    assert Order.objects.count() == 2


def test_it_costs_the_same_statements_however_many_lines(api: ContractClient, buyer: Buyer) -> None:
    used = []
    for number in (1, 10, 100):
        draft = make_draft(buyer, [(product, 10) for product in make_products(number)])
        body, key = wire_body(buyer, draft), {"Idempotency-Key": str(uuid4())}
        api.get(
            f"/api/temp-order-info/stock/{draft.invoice_code}"
        )  # the tree of addresses is read once
        with CaptureQueriesContext(connection) as queries:
            answer = api.send("POST", URL, body, headers=key)
        assert answer.status_code == 200
        used.append(counted(queries))
    # One is for the request for shipping; on SQLite one more is for the basket.
    assert used == [10 if connection.vendor == "postgresql" else 11] * 3
    assert Order.objects.latest("id").lines.count() == 100


def test_without_a_deposit_the_order_is_received_at_once(api: ContractClient, buyer: Buyer) -> None:
    selling(deposit_rate=ZERO)
    draft = make_draft(buyer)
    quote = api.get(f"/api/temp-order-info/stock/{draft.invoice_code}").json()["result"]
    assert quote["temp_order"]["deposit"] == 0
    assert "paypal_total" not in quote["temp_order"]
    body = wire_body(buyer, draft, amount=0, payer_id="")
    assert api.send("POST", URL, body).json()["success"] == 1
    order = Order.objects.get()
    assert (order.deposit, order.wire_announced, Payment.objects.count()) == (ZERO, False, 0)
    step = api.get(f"/api/details/{order.invoice_code}").json()["order"]["next_step"]
    assert step["title"] == "Order received"
    assert payment_of(order) == "No deposit due"
    mails = [write_texts(mail).message for mail in Email.objects.order_by("id")]
    assert "Deposit: $0.00" in mails[0]
    assert "Account number" not in mails[0]
    start_preparing(order_id=order.pk, actor=make_sales(), now=datetime.now(UTC))
    confirmed = confirm(order)
    assert due_of(confirmed) == confirmed.real_total + confirmed.shipping_fee
    assert payment_of(order) == "Balance due"


def payment_of(order: Order) -> str:
    return str(Order.objects.annotate(said=PAYMENT).get(pk=order.pk).said)
