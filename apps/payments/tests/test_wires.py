"""Balance wires announced by buyers; wires confirmed, booked and refused by staff."""

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest
from django.utils.translation import override
from post_office.models import Email

from apps.accounts.selectors import Buyer
from apps.accounts.tests.staff import staff_client
from apps.common.errors import NotFound, WrongStatus
from apps.common.mail import write_texts
from apps.common.testing import SMALL_PDF, ContractClient
from apps.common.texts import read
from apps.orders.errors import StaffRefusal
from apps.orders.models import BuyerFile, Order, OrderEvent
from apps.orders.services.moves import start_preparing
from apps.orders.status import OrderStatus
from apps.orders.tests.factories import confirm, make_order, make_order_at, make_sales
from apps.orders.tests.test_uploaded_documents import give
from apps.payments.models import Payment, PaymentEvent, WalletEntry
from apps.payments.services.wire import book_wire, confirm_wire, refuse_wire
from apps.payments.tests.factories import (
    announced,
    arrive,
    book,
    make_announced_balance,
    make_confirmed_order,
    make_wire_order,
)

S = OrderStatus
NOW = datetime.now(UTC)
POPUP, WIRE = "/api/order/checkout/", "/api/order/tt"


def fresh(order: Order) -> Order:
    """Return the order as it is stored now."""
    return Order.objects.get(pk=order.pk)


# The popup


def test_the_popup_shows_the_balance(api: ContractClient, buyer: Buyer) -> None:
    order = make_confirmed_order(buyer)
    info = api.send("POST", POPUP, {"invoice_code": order.invoice_code}).json()["info"]
    sums = {"total": 90.0, "real_total": 90.0, "shipping_fee": 50.0, "deposit": 90.0}
    sums |= {"amount": 50.0, "paypal_fee": 1.75, "paypal_total": 51.75}
    assert {**info, **sums} == info
    assert (info["status_id"], info["export_report"], info["country"]) == (3, 1, "Poland")
    assert info["type"] == "ORDER"


def test_a_balance_wire_is_announced_and_waits(api: ContractClient, buyer: Buyer) -> None:
    order = make_confirmed_order(buyer)
    body = {"invoice_code": order.invoice_code, "depositor_name": " Glow Trading "}
    assert api.send("POST", WIRE, body).json() == {"success": 1}
    payment = announced(order)
    assert (payment.kind, payment.amount) == ("balance", Decimal("50.00"))
    assert payment.depositor == "Glow Trading"
    order = fresh(order)
    assert (order.status, order.payment_pending, order.wire_announced) == (3, True, True)
    assert Email.objects.latest("id").to == ["sales@portal.test"]
    shown = api.get(f"/api/details/{order.invoice_code}").json()["order"]
    assert shown["allowed"]["checkout"] is False
    for path, again in ((POPUP, {"invoice_code": order.invoice_code}), (WIRE, body)):
        answer = api.send("POST", path, again)
        assert (answer.status_code, answer.json()["code"]) == (409, "payment_pending")
    assert Payment.objects.filter(order=order, kind="balance").count() == 1


def test_a_balance_that_was_corrected_since_it_was_shown_is_not_announced(
    api: ContractClient, buyer: Buyer
) -> None:
    order = make_confirmed_order(buyer)
    body = {"invoice_code": order.invoice_code, "depositor_name": "Glow Trading"}
    answer = api.send("POST", WIRE, {**body, "amount": 49.99})
    assert (answer.status_code, list(answer.json()["errors"])) == (400, ["amount"])
    assert not Payment.objects.filter(order=order, kind="balance").exists()
    assert api.send("POST", WIRE, {**body, "amount": 50}).status_code == 200
    assert announced(order).amount == Decimal("50.00")


@pytest.mark.parametrize("status", [S.CANCELLED, S.RECEIVED, S.PREPARING, S.PAID, S.SHIPPED])
def test_only_a_confirmed_order_has_a_balance_to_pay(
    api: ContractClient, buyer: Buyer, status: OrderStatus
) -> None:
    code = make_order_at(status, buyer).invoice_code
    for path, body in (
        (POPUP, {"invoice_code": code}),
        (WIRE, {"invoice_code": code, "depositor_name": "A"}),
    ):
        answer = api.send("POST", path, body)
        assert (answer.status_code, answer.json()["code"]) == (409, "wrong_status")


def test_the_popups_wire_terms_have_their_own_texts(api: ContractClient, buyer: Buyer) -> None:
    order = make_confirmed_order(buyer)
    answer = api.send("POST", WIRE, {"invoice_code": order.invoice_code, "depositor_name": "  "})
    assert (answer.status_code, answer.json()["message"]) == (400, "Depositor's name is required")
    Order.objects.update(export_declared=False)
    answer = api.send("POST", WIRE, {"invoice_code": order.invoice_code, "depositor_name": "A"})
    text = "Export Declaration is required for T/T payment. Please Contact to sales@portal.test"
    assert (answer.status_code, answer.json()["message"]) == (400, text)
    assert not Payment.objects.filter(kind="balance").exists()


# What staff do


def test_a_deposit_that_arrives_is_received(buyer: Buyer) -> None:
    order, sales = make_wire_order(buyer), make_sales()
    payment = arrive(order, actor=sales)
    order = fresh(order)
    assert (order.status, order.received) == (1, Decimal("90.00"))
    assert order.deposit_received == Decimal("90.00")
    assert (order.wire_announced, order.payment_pending) == (False, False)
    assert (payment.state, payment.settled_by) == ("captured", sales)
    assert payment.received == Decimal("90.00")
    event = PaymentEvent.objects.get(payment=payment)
    assert (event.from_state, event.to_state, event.actor) == ("announced", "captured", sales)
    assert OrderEvent.objects.filter(order=order, kind="payment", actor=sales).count() == 1


def test_a_balance_that_arrives_pays_the_order(buyer: Buyer) -> None:
    order = make_announced_balance(buyer)
    arrive(order)
    order = fresh(order)
    assert (order.status, order.received, order.payment_pending) == (4, Decimal("140.00"), False)
    assert Email.objects.latest("id").subject == f"Payment completed: {order.invoice_code}"


def test_what_is_missing_stays_due(buyer: Buyer, api: ContractClient) -> None:
    order = make_announced_balance(buyer)
    arrive(order, Decimal("35.00"))
    assert (fresh(order).status, fresh(order).payment_pending) == (3, False)
    info = api.send("POST", POPUP, {"invoice_code": order.invoice_code}).json()["info"]
    assert info["amount"] == 15.0


def test_a_small_rest_can_be_let_go_with_a_reason(buyer: Buyer, api: ContractClient) -> None:
    order = make_announced_balance(buyer)
    arrive(order, Decimal("20.00"), write_off_reason="Bank charges")
    order = fresh(order)
    assert (order.status, order.received) == (4, Decimal("110.00"))
    assert order.written_off == Decimal("30.00")
    assert api.get(f"/api/details/{order.invoice_code}").json()["order"]["balance_due"] == 0.0


@pytest.mark.parametrize("received", ["19.99", "50.00", "60.00"])
def test_only_a_small_rest_can_be_let_go(buyer: Buyer, received: str) -> None:
    order = make_announced_balance(buyer)
    with pytest.raises(StaffRefusal):
        arrive(order, Decimal(received), write_off_reason="Bank charges")
    assert announced(order).state == "announced"


def test_a_deposits_rest_is_never_let_go(buyer: Buyer) -> None:
    late = make_confirmed_order(buyer, deposit=False)  # 140.00 are due of it
    for order, received in ((make_wire_order(buyer), "89.00"), (late, "120.00")):
        with pytest.raises(StaffRefusal):
            arrive(order, Decimal(received), write_off_reason="Bank charges")
        assert fresh(order).received == 0


def test_what_a_balance_wire_brings_too_much_goes_to_the_wallet(buyer: Buyer) -> None:
    order = make_announced_balance(buyer)
    arrive(order, Decimal("70.00"))
    entry = WalletEntry.objects.get()
    assert (entry.company_id, entry.kind) == (buyer.company_id, "overpayment")
    assert entry.amount == Decimal("20.00")
    assert (fresh(order).status, fresh(order).credited) == (4, Decimal("20.00"))


def test_what_a_confirmation_leaves_over_goes_to_the_wallet_once(buyer: Buyer) -> None:
    order = make_wire_order(buyer)
    arrive(order, Decimal("200.00"))
    start_preparing(order_id=order.pk, actor=make_sales(), now=NOW)
    confirm(order)
    order = fresh(order)
    assert (order.status, order.credited) == (4, Decimal("60.00"))
    entry = WalletEntry.objects.get()
    assert (entry.kind, entry.amount, entry.order_id) == ("overpayment", Decimal("60.00"), order.pk)


def test_a_deposit_that_arrives_late_still_counts(buyer: Buyer) -> None:
    order = make_confirmed_order(buyer, deposit=False)
    arrive(order)
    order = fresh(order)
    assert (order.status, order.deposit_received) == (3, Decimal("90.00"))
    book(order)
    assert fresh(order).status == 4


@pytest.mark.parametrize("amount", ["0.00", "-1.00", "0.001", "10000000000.00"])
def test_a_wrong_amount_is_refused(buyer: Buyer, amount: str) -> None:
    order = make_wire_order(buyer)
    with pytest.raises(StaffRefusal):
        arrive(order, Decimal(amount))
    assert fresh(order).received == 0


def test_a_wire_is_confirmed_once(buyer: Buyer) -> None:
    order = make_wire_order(buyer)
    payment = arrive(order)
    which: dict[str, Any] = {"payment_id": payment.pk, "actor": make_sales(), "now": NOW}
    with pytest.raises(StaffRefusal):
        confirm_wire(**which, received=payment.amount)
    with pytest.raises(StaffRefusal):
        refuse_wire(**which, reason="Not ours")
    assert fresh(order).received == Decimal("90.00")


def test_a_refused_wire_lets_the_buyer_pay_again(buyer: Buyer, api: ContractClient) -> None:
    order = make_announced_balance(buyer)
    payment = announced(order)
    refuse_wire(payment_id=payment.pk, reason="Nothing arrived", actor=make_sales(), now=NOW)
    payment.refresh_from_db()
    assert (payment.state, payment.reason) == ("refused", "Nothing arrived")
    assert fresh(order).payment_pending is False
    mail = write_texts(Email.objects.latest("id"))
    assert mail.to == [buyer.email]
    assert "Nothing arrived" in mail.message
    answer = api.send("POST", WIRE, {"invoice_code": order.invoice_code, "depositor_name": "A"})
    assert answer.status_code == 200


@pytest.mark.parametrize(
    ("status", "kind"),
    [(S.RECEIVED, "deposit"), (S.PREPARING, "deposit"), (S.CONFIRMED, "balance")],
)
def test_a_wire_that_nobody_announced_is_booked(
    buyer: Buyer, status: OrderStatus, kind: str
) -> None:
    order = make_order_at(status, buyer)
    payment = book(order, "5.00")
    assert (payment.kind, payment.state) == (kind, "captured")
    after = fresh(order)
    assert after.received - order.received == Decimal("5.00")
    of_deposit = Decimal("5.00") if kind == "deposit" else 0
    assert after.deposit_received - order.deposit_received == of_deposit


@pytest.mark.parametrize("status", [S.CANCELLED, S.PAID, S.SHIPPED])
def test_nothing_is_booked_on_a_paid_or_cancelled_order(buyer: Buyer, status: OrderStatus) -> None:
    order = make_order_at(status, buyer)
    with pytest.raises(WrongStatus):
        book(order, "5.00")


def test_unknown_payments_and_orders(buyer: Buyer) -> None:
    with pytest.raises(NotFound):
        confirm_wire(payment_id=0, received=Decimal("1.00"), actor=make_sales(), now=NOW)
    with pytest.raises(NotFound):
        book_wire(order_id=0, amount=Decimal("1.00"), depositor="Glow", actor=make_sales(), now=NOW)


def attach(client: ContractClient, order: Order, name: str = "slip.pdf") -> int:
    return int(give(client, order, name=name, call="wire-proof").status_code)


def wire_of(client: ContractClient, order: Order) -> Any:
    return client.get(f"/api/order/wire/{order.invoice_code}").json()["wire"]


def test_a_proof_is_attached_seen_replaced_and_removed(api: ContractClient, buyer: Buyer) -> None:
    order = make_wire_order(buyer)
    assert (wire_of(api, order)["kind"], wire_of(api, order)["proof"]) == ("deposit", None)
    assert attach(api, order) == 200
    proof = wire_of(api, order)["proof"]
    assert (proof["name"], proof["seen_on"]) == ("slip.pdf", None)
    opened: Any = api.get(proof["url"])
    assert b"".join(opened.streaming_content) == SMALL_PDF

    client, file = staff_client(), BuyerFile.objects.get()
    url = f"/admin/orders/order/{order.pk}/buyer-files/{file.pk}/"
    wire = f"/admin/payments/payment/{announced(order).pk}"
    pages = ["/admin/payments/payment/desk/", f"{wire}/confirm/", f"{wire}/change/"]
    pages.append(f"/admin/orders/order/{order.pk}/change/")
    assert [page for page in pages if url not in client.get(page).text] == []
    assert client.get(url).status_code == 200
    assert wire_of(api, order)["proof"]["seen_on"] is not None

    assert attach(api, order, "better.pdf") == 200
    assert wire_of(api, order)["proof"]["name"] == "better.pdf"
    assert wire_of(api, order)["proof"]["seen_on"] is None
    assert BuyerFile.objects.count() == 1
    assert api.delete(f"/api/order/wire-proof/{order.invoice_code}").status_code == 200
    assert (wire_of(api, order)["proof"], BuyerFile.objects.count()) == (None, 0)
    notes = order.events.filter(kind=OrderEvent.Kind.DOCUMENT).order_by("-id")
    with override("ko"):
        assert read(notes[0].note) == "송금 증빙 삭제: better.pdf"


def test_a_proof_stays_with_the_wire_that_arrived(api: ContractClient, buyer: Buyer) -> None:
    order = make_announced_balance(buyer)
    assert attach(api, order) == 200
    payment = announced(order)
    arrive(order)
    assert wire_of(api, order) is None
    assert attach(api, order) == 409
    assert api.delete(f"/api/order/wire-proof/{order.invoice_code}").status_code == 409
    page = f"/admin/payments/payment/{payment.pk}/change/"
    assert f"buyer-files/{BuyerFile.objects.get().pk}/" in staff_client().get(page).text


def test_a_refused_wire_keeps_its_proof_and_the_next_has_its_own(
    api: ContractClient, buyer: Buyer
) -> None:
    order = make_announced_balance(buyer)
    attach(api, order)
    refuse_wire(
        payment_id=announced(order).pk, reason="Not ours", actor=make_sales(), now=datetime.now(UTC)
    )
    assert attach(api, order) == 409
    body = {"invoice_code": order.invoice_code, "depositor_name": "Glow"}
    assert api.send("POST", "/api/order/tt", body).status_code == 200
    assert wire_of(api, order)["proof"] is None
    assert attach(api, order, "second.pdf") == 200
    assert BuyerFile.objects.count() == 2


def test_only_an_announced_wire_takes_a_proof(api: ContractClient, buyer: Buyer) -> None:
    assert attach(api, make_order(buyer)) == 409
