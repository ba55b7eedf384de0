"""What changes between link and return: shelf, order, terms, another way to pay (design/paypal.md,
tests 23 to 26).
"""

from datetime import timedelta

from django.db.models import F

from apps.accounts.tests.factories import make_buyer
from apps.catalog.errors import OutOfStock
from apps.catalog.tests.factories import make_product
from apps.orders.errors import OrderExists
from apps.orders.models import Order
from apps.orders.tests.factories import make_draft, stock_of
from apps.payments.models import Payment
from apps.payments.tests.factories import cancel, make_confirmed_order, wire_body
from apps.payments.tests.paypal.support import (
    BALANCE,
    DEPOSIT,
    NOT_FOUND,
    PENDING,
    REFUSED,
    Desk,
    S,
    audit,
    minutes,
    money,
    outcome,
)

# 23, 24: the shelf


def test_the_last_pieces_go_to_who_holds_them(desk: Desk, sign_in: object) -> None:
    product = make_product(on_hand=20)
    mine, theirs = make_draft(desk.buyer, [(product, 20)]), None
    other = make_buyer()
    theirs = make_draft(other, [(product, 20)])
    journey = desk.link_deposit(mine)
    rival = Desk(desk.paypal, other, sign_in(other), desk.name)  # type: ignore[operator]
    refused = rival.api.send("POST", DEPOSIT, rival.body(theirs))
    assert outcome(refused) == (409, "out_of_stock")
    assert refused.json()["message"] == OutOfStock.message
    info = desk.api.get(f"/api/temp-order-info/stock/{mine.invoice_code}").json()["result"][
        "temp_order_details"
    ][0]
    assert (info["qty"], info["expect_qty"]) == (0, 20)
    desk.wait(minutes(61))
    assert stock_of(product) == (20, 0, 0)
    won = rival.link_deposit(theirs)
    assert won.pay().json()["success"] == 1
    lost = journey.pay()
    assert (outcome(lost), lost.json()["message"]) == ((409, "out_of_stock"), OutOfStock.message)
    assert outcome(journey.come_back()) == (409, "out_of_stock")
    assert (journey.payment.state, journey.payment.reason) == (S.FAILED, "out_of_stock")
    assert desk.executions() == 1
    assert stock_of(product) == (20, 20, 0)
    assert audit() == ""


def test_a_stock_free_buyer_pays_a_back_order(desk: Desk, sign_in: object) -> None:
    buyer = make_buyer(stock_free=True)
    free = Desk(desk.paypal, buyer, sign_in(buyer), desk.name)  # type: ignore[operator]
    product = make_product(on_hand=5)
    journey = free.deposit([(product, 20)])
    assert stock_of(product) == (5, 20, 15)
    assert journey.pay().json()["success"] == 1
    assert (stock_of(product), journey.order.is_back_order) == ((5, 20, 15), True)
    assert audit() == ""


def test_links_hold_pieces_ten_times_a_week_where_none_is_paid(desk: Desk, sign_in: object) -> None:
    product = make_product(on_hand=100)
    draft = make_draft(desk.buyer, [(product, 20)])
    for _ in range(9):
        desk.link_deposit(draft)
    desk.deposit([(product, 20)]).give_up()
    colleague = make_buyer(company_id=desk.buyer.company_id)
    for buyer in (desk.buyer, colleague):
        api = sign_in(buyer)  # type: ignore[operator]
        asking = Desk(desk.paypal, buyer, api, desk.name)
        refused = api.send("POST", DEPOSIT, asking.body(make_draft(buyer, [(product, 20)])))
        assert outcome(refused) == REFUSED
        assert "bank wire" in refused.json()["message"]
    desk.wait(minutes(61))
    assert stock_of(product) == (100, 0, 0)
    stranger = make_buyer()
    Desk(desk.paypal, stranger, sign_in(stranger), desk.name).deposit()  # type: ignore[operator]
    Payment.objects.update(created_at=F("created_at") - timedelta(days=7))
    assert desk.link_deposit(draft).pay().json()["success"] == 1
    Payment.objects.update(created_at=F("created_at") + timedelta(days=7))
    desk.deposit()  # the nine of what is paid now are no matter


def test_links_that_paypal_does_not_give_are_not_counted(desk: Desk) -> None:
    draft = make_draft(desk.buyer)
    desk.paypal.fault("500_after", "create", calls=None)
    for _ in range(10):
        assert desk.api.send("POST", DEPOSIT, desk.body(draft)).status_code == 502
    desk.paypal.faults.clear()
    desk.link_deposit(draft)


# 25, 26: what changed between link and return


def test_an_order_cancelled_meanwhile(desk: Desk) -> None:
    order = make_confirmed_order(desk.buyer, [(make_product(on_hand=100), 100)])
    journey = desk.link_balance(order)
    payer = journey.approve()
    cancel(order, by_terms=True)
    assert outcome(journey.come_back(payer)) == REFUSED
    assert (journey.payment.state, journey.payment.reason) == (S.FAILED, "order_cancelled")
    assert desk.executions() == 0
    assert audit() == ""


def test_a_due_that_changed_meanwhile(desk: Desk) -> None:
    order = make_confirmed_order(desk.buyer)
    journey = desk.link_balance(order)
    Order.objects.filter(pk=order.pk).update(shipping_fee=money("60.00"))
    assert outcome(journey.pay()) == REFUSED
    assert (journey.payment.state, journey.payment.reason) == (S.EXPIRED, "changed")
    assert desk.executions() == 0
    assert desk.link_balance(order).pay().json()["status_id"] == 4
    assert journey.order.received == 150


def test_a_requested_order_keeps_its_share_of_the_deposit(desk: Desk, settings: object) -> None:
    journey = desk.deposit()
    amount = journey.payment.base
    settings.DEPOSIT_RATE = money("0.5")  # type: ignore[attr-defined]
    assert journey.pay().json()["success"] == 1
    assert (journey.order.deposit, desk.executions()) == (amount, 1)


def test_two_tabs_the_newer_link_counts(desk: Desk) -> None:
    product = make_product(on_hand=20)
    draft, order = make_draft(desk.buyer, [(product, 20)]), make_confirmed_order(desk.buyer)
    pairs = [
        (desk.link_deposit(draft), desk.link_deposit(draft)),
        (desk.link_balance(order), desk.link_balance(order)),
    ]
    assert stock_of(product) == (20, 20, 0)
    for old, new in pairs:
        assert outcome(old.pay()) == REFUSED
        assert (old.payment.state, old.payment.reason) == (S.EXPIRED, "superseded")
        assert new.pay().json()["success"] == 1
    assert desk.executions() == 2
    assert not Payment.objects.filter(checkout__isnull=False).exists(), "the order has the address"
    old = pairs[0][0]
    answer = old.come_back()
    assert outcome(answer) == (409, "order_exists")
    assert answer.json()["message"] == OrderExists.message
    assert audit() == ""


def test_a_wire_placed_in_between(desk: Desk) -> None:
    product = make_product(on_hand=20)
    draft = make_draft(desk.buyer, [(product, 20)])
    journey = desk.link_deposit(draft)
    wire = desk.api.send("POST", "/api/order/checkout-deposit/tt", wire_body(desk.buyer, draft))
    assert wire.status_code == 200
    assert stock_of(product) == (20, 20, 0)
    answer = journey.pay()
    assert outcome(answer) == (409, "order_exists")
    assert answer.json()["message"] == OrderExists.message
    assert (journey.payment.state, journey.payment.checkout) == (S.EXPIRED, None)
    assert desk.executions() == 0
    assert desk.post(DEPOSIT, desk.body(draft)) == (409, "order_exists")
    assert audit() == ""


def test_a_balance_wire_announced_in_between(desk: Desk) -> None:
    journey = desk.balance()
    body = {"invoice_code": journey.code, "depositor_name": "Glow"}
    assert desk.api.send("POST", "/api/order/tt", body).status_code == 200
    assert outcome(journey.pay()) == REFUSED
    assert desk.executions() == 0
    assert desk.post(BALANCE, {"invoice_code": journey.code}) == PENDING


def test_a_list_that_was_deleted(desk: Desk) -> None:
    product = make_product(on_hand=20)
    journey = desk.deposit([(product, 20)])
    assert desk.api.send("DELETE", f"/api/temp-order/{journey.code}").json() == {"success": 1}
    assert stock_of(product) == (20, 0, 0)
    assert outcome(journey.come_back()) == NOT_FOUND
    assert (journey.payment.state, journey.payment.checkout) == (S.EXPIRED, None)
    assert desk.executions() == 0
