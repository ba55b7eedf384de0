"""The buyer's ways to PayPal and back (design/paypal.md, tests 1 to 10)."""

from collections.abc import Callable
from typing import Any

import pytest
from django.conf import settings
from post_office.models import Email

from apps.accounts.selectors import Buyer
from apps.accounts.tests.factories import make_buyer
from apps.catalog.models import Stock, StockHold
from apps.catalog.tests.factories import make_product
from apps.common.errors import SOMETHING_WENT_WRONG
from apps.common.outward import silence
from apps.common.testing import ContractClient
from apps.common.texts import read
from apps.common.types import Json
from apps.orders.models import Order, OrderEvent
from apps.orders.tests.factories import make_draft, stock_of
from apps.payments.errors import DECLINED
from apps.payments.models import Payment, PaymentEvent
from apps.payments.tests.factories import make_confirmed_order
from apps.payments.tests.paypal.support import (
    BALANCE,
    DEPOSIT,
    INVALID,
    NOT_FOUND,
    REFUSED,
    Desk,
    S,
    audit,
    journey_of,
    minutes,
    money,
    outcome,
)
from tools.paypal_simulator.records import Checkout

# 1 to 5: the way itself


def test_a_deposit(desk: Desk) -> None:
    product = make_product(on_hand=100)
    journey = desk.deposit([(product, 20)])
    assert stock_of(product) == (100, 20, 0)
    answer = journey.pay()
    assert answer.json() == {"success": 1, "invoice_code": journey.code, "status_id": 1}
    assert desk.executions() == 1
    order, payment = journey.order, journey.payment
    assert (order.status, order.received, order.deposit_received) == (1, 90, 90)
    assert order.payment_type == "PAYPAL"
    assert (order.payment_pending, order.ship_memo) == (False, "Before noon")
    assert order.ship_city == "Warszawa"
    assert (payment.state, payment.base, payment.fee) == (S.CAPTURED, 90, money("3.15"))
    assert payment.amount == money("93.15")
    assert payment.received == 90
    assert payment.order == order
    capture = desk.captures()[0]
    assert (capture.amount, capture.id) == ("93.15", payment.sale_id)
    assert stock_of(product) == (100, 20, 0)
    assert not StockHold.objects.exists()
    steps = list(PaymentEvent.objects.values_list("from_state", "to_state", "source"))
    assert steps == [
        ("", "created", "buyer"),
        ("created", "approved", "return"),
        ("approved", "executing", "return"),
        ("executing", "captured", "return"),
    ]
    (note,) = OrderEvent.objects.filter(kind="payment").values_list("note", flat=True)
    assert read(note) == "Deposit of $90.00 by PayPal, fee $3.15"
    subjects = sorted(Email.objects.values_list("subject", flat=True))
    assert subjects == [f"New order: {order.invoice_code}", f"Order received: {order.invoice_code}"]
    assert audit() == ""


@pytest.mark.parametrize("call", [DEPOSIT, BALANCE])
@pytest.mark.parametrize("lost", [{"payer_id": ""}, {"payer_id": None}])
def test_a_return_that_lost_the_payers_id(desk: Desk, call: str, lost: Json) -> None:
    early, journey = journey_of(desk, call), journey_of(desk, call)
    assert early.come_back(**lost).json() == {"success": 0}
    journey.approve()
    body = {name: value for name, value in journey.returned(**lost).items() if value is not None}
    assert desk.api.send("POST", f"{call}/success", body).json()["success"] == 1
    assert journey.payment.state == S.CAPTURED
    early.approve()
    desk.wait(minutes(3))
    assert early.payment.state == S.CAPTURED
    assert audit() == ""


def test_paypal_that_was_silent_is_not_asked_at_once_again(desk: Desk) -> None:
    journey = desk.deposit()
    payer, draft = journey.approve(), make_draft(desk.buyer)
    silence.begin(settings.PAYPAL_ENDPOINT, seconds=600)
    calls = len(desk.paypal.calls())
    refused = desk.api.send("POST", DEPOSIT, desk.body(draft))
    assert outcome(refused) == (503, "provider_unavailable")
    assert refused["Retry-After"] == "30"
    shown = desk.post(BALANCE, {"invoice_code": make_confirmed_order(desk.buyer).invoice_code})
    assert shown == (503, "provider_unavailable")
    assert journey.come_back(payer).json() == {"success": 0}
    assert Payment.objects.get(method=Payment.Method.PAYPAL) == journey.payment
    assert StockHold.objects.values("invoice_code").distinct().count() == 1
    assert len(desk.paypal.calls()) == calls
    silence.forget()
    assert journey.come_back(payer).json()["success"] == 1


def test_what_paypal_is_told(desk: Desk) -> None:
    journey = desk.deposit()
    checkout = desk.paypal.store.all(Checkout)[0]
    assert (checkout.total, checkout.currency) == ("93.15", "USD")
    assert checkout.custom == str(journey.payment.uuid)
    assert checkout.invoice == f"{journey.code}-D"
    assert checkout.description == f"Order {journey.code}"
    shown = checkout.return_url
    assert shown == f"http://testserver/checkout/success/{journey.code}/1?amount=93.15"
    assert checkout.cancel_url == f"http://testserver/checkout/failure/{journey.code}/1"


def test_a_balance(desk: Desk) -> None:
    order = make_confirmed_order(desk.buyer)
    journey = desk.link_balance(order)
    shown = journey.pay().json()
    assert shown == {"success": 1, "invoice_code": order.invoice_code, "status_id": 4}
    order.refresh_from_db()
    assert (order.status, order.received, order.deposit_received) == (4, 140, 90)
    assert journey.payment.invoice_number == f"{order.invoice_code}-B"
    assert desk.captures()[0].amount == "51.75"
    assert Email.objects.filter(subject=f"Payment completed: {order.invoice_code}").count() == 1
    assert audit() == ""


@pytest.mark.parametrize("call", [DEPOSIT, BALANCE])
def test_cancelled_at_paypal(desk: Desk, call: str) -> None:
    product = make_product(on_hand=100)
    journey = desk.deposit([(product, 20)]) if call == DEPOSIT else desk.balance([(product, 20)])
    for _ in range(2):
        assert journey.give_up().json() == {"success": 1}
    assert (journey.payment.state, journey.payment.reason) == (S.FAILED, "cancelled")
    assert stock_of(product) == (100, 0 if call == DEPOSIT else 20, 0)
    assert outcome(journey.come_back(journey.approve())) == REFUSED
    assert desk.executions() == 0
    assert journey.payment.events.count() == 2


def test_a_cancelled_deposit_can_be_paid_with_a_new_link(desk: Desk) -> None:
    draft = make_draft(desk.buyer)
    desk.link_deposit(draft).give_up()
    info = desk.api.get(f"/api/temp-order-info/stock/{draft.invoice_code}")
    assert info.status_code == 200
    assert info.json()["result"]["temp_order"]["payment_pending"] is False
    assert desk.link_deposit(draft).pay().json()["success"] == 1


def test_a_second_return_answers_as_the_first(desk: Desk) -> None:
    for journey in (desk.deposit(), desk.balance()):
        first, second = journey.pay(), journey.come_back()
        assert first.json() == second.json()
    assert desk.executions() == 2
    assert journey.give_up().json() == {"success": 1}
    assert journey.payment.state == S.CAPTURED
    assert Order.objects.count() == 2


# 6 to 8: what is not the attempt's


OTHER_AMOUNTS = (
    *("93.16", "93.150", "9.315e1", "1e3", "NaN", "-93.15", "", " 93.15", "93,15", "+93.15"),
    *("93.", 93, 93.2, -93.15, "٩٣.15"),
)


def test_another_amount(desk: Desk) -> None:
    journey = desk.deposit()
    payer = journey.approve()
    before = len(desk.paypal.calls())
    for amount in OTHER_AMOUNTS:
        assert outcome(journey.come_back(payer, amount=amount)) == REFUSED, amount
        assert (len(desk.paypal.calls()), journey.payment.state) == (before, S.CREATED), amount


def test_what_is_no_amount_at_all(desk: Desk) -> None:
    journey = desk.deposit()
    amounts: tuple[Any, ...] = ({}, [], None, True)
    for amount in amounts:
        assert outcome(journey.come_back(amount=amount)) == INVALID, amount


ALTERED = (
    *({"payment_id": one} for one in ("PAYID-OTHER", "\\", "../../v1/oauth2/token")),
    *({"token": one} for one in ("EC-12345678901234567", "")),
    *({"payer_id": one} for one in ("payer", "A", "A" * 21, "PAYER-1234567")),
    {"payment_type": "T/T"},
)


def test_altered_data(desk: Desk) -> None:
    journey = desk.deposit()
    payer = journey.approve()
    before = len(desk.paypal.calls())
    for change in ALTERED:
        answer = journey.come_back(**{"payer_id": payer, **change})
        assert outcome(answer) in (REFUSED, INVALID), change
        assert answer.json()["message"] == SOMETHING_WENT_WRONG, change
        assert (len(desk.paypal.calls()), journey.payment.state) == (before, S.CREATED), change
    assert journey.come_back(payer).json()["success"] == 1


def test_data_of_another_attempt_order_kind_or_buyer(desk: Desk, sign_in: object) -> None:
    journey, other, balance = desk.deposit(), desk.deposit(), desk.balance()
    payer = journey.approve()
    before = len(desk.paypal.calls())
    mixed = other.payment
    payment_id = mixed.paypal_payment_id
    assert outcome(journey.come_back(payer, payment_id=payment_id)) == REFUSED
    assert outcome(journey.come_back(payer, token=mixed.paypal_token)) == REFUSED
    assert outcome(journey.come_back(payer, invoice_code=other.code)) == REFUSED
    assert outcome(journey.come_back(payer, invoice_code=balance.code)) == REFUSED
    assert outcome(journey.come_back(payer, invoice_code="MHW-260101-999999")) == NOT_FOUND
    body = journey.returned(payer)
    assert desk.post(f"{BALANCE}/success", body) == NOT_FOUND
    assert desk.post(f"{DEPOSIT}/success", balance.returned(payer)) == REFUSED
    stranger = make_buyer()
    for body in (journey.returned(payer), balance.returned(payer)):
        client = sign_in(stranger)  # type: ignore[operator]
        call = DEPOSIT if body["invoice_code"] == journey.code else BALANCE
        assert outcome(client.send("POST", f"{call}/success", body)) == NOT_FOUND
        failure = {"invoice_code": body["invoice_code"], "token": body["token"]}
        assert outcome(client.send("POST", f"{call}/failure", failure)) == NOT_FOUND
    assert outcome(journey.give_up(token=mixed.paypal_token)) == REFUSED
    assert len(desk.paypal.calls()) == before
    shown = set(Payment.objects.filter(method="PAYPAL").values_list("state", flat=True))
    assert shown == {S.CREATED}


@pytest.mark.parametrize("desk", ["v1"], indirect=True)
def test_a_colleague_neither_confirms_nor_cancels_the_payment_of_another_user(
    desk: Desk, sign_in: Callable[[Buyer], ContractClient]
) -> None:
    colleague = sign_in(make_buyer(company_id=desk.buyer.company_id))
    refusals = ((desk.deposit(), NOT_FOUND), (desk.balance(), REFUSED))
    for journey, refusal in refusals:
        payer = journey.approve()
        cancelled = {"invoice_code": journey.code, "token": journey.token}
        shown = outcome(colleague.send("POST", f"{journey.call}/success", journey.returned(payer)))
        assert shown == refusal
        assert outcome(colleague.send("POST", f"{journey.call}/failure", cancelled)) == refusal
        assert journey.payment.state == S.CREATED
        assert journey.come_back(payer).json()["success"] == 1


@pytest.mark.parametrize("desk", ["v1"], indirect=True)
def test_another_payer_is_not_executed(desk: Desk) -> None:
    journey = desk.deposit()
    payer = journey.approve()
    assert outcome(journey.come_back("ANOTHERPAYER1")) == REFUSED
    assert (journey.payment.state, len(desk.captures())) == (S.CREATED, 0)
    assert journey.come_back(payer).json()["success"] == 1


@pytest.mark.parametrize("desk", ["v1"], indirect=True)
def test_the_first_api_names_its_payment(desk: Desk) -> None:
    journey = desk.deposit()
    assert outcome(journey.come_back(journey.approve(), payment_id="")) == REFUSED


@pytest.mark.parametrize("desk", ["v2"], indirect=True)
def test_the_second_api_may_name_its_order(desk: Desk) -> None:
    journey = desk.deposit()
    assert journey.come_back(journey.approve(), payment_id=journey.token).json()["success"] == 1


def test_a_payment_stays_with_its_api(desk: Desk, settings: object) -> None:
    journey = desk.deposit()
    settings.PAYPAL_API = {"v1": "v2", "v2": "v1"}[desk.name]  # type: ignore[attr-defined]
    assert journey.pay().json()["success"] == 1
    assert journey.payment.provider == desk.name


# 9, 10: not captured


def test_back_before_approval(desk: Desk) -> None:
    product = make_product(on_hand=20)
    for journey in (desk.deposit([(product, 20)]), desk.balance()):
        key = journey.payment.execute_key
        assert outcome(journey.come_back()) == REFUSED
        assert (journey.payment.state, len(desk.captures())) == (S.CREATED, journey.call == BALANCE)
        assert journey.payment.execute_key != key
        assert stock_of(product) == (20, 20, 0)
        assert journey.pay().json()["success"] == 1
    assert audit() == ""


@pytest.mark.parametrize("kind", ["decline", "decline_final"])
def test_declined(desk: Desk, kind: str) -> None:
    product = make_product(on_hand=20)
    draft = make_draft(desk.buyer, [(product, 20)])
    journey = desk.link_deposit(draft)
    desk.paypal.fault(kind, "execute")
    answer = journey.pay()
    assert (outcome(answer), answer.json()["message"]) == (REFUSED, SOMETHING_WENT_WRONG)
    assert answer.json()["errors"] == {"payment_type": [DECLINED]}
    assert journey.payment.state == S.FAILED
    reasons = ("INSTRUMENT_DECLINED", "declined", "DECLINED_BY_RISK_FRAUD_FILTERS")
    assert journey.payment.reason in reasons
    assert (journey.payment.alarm, journey.payment.received) == ("", 0)
    assert stock_of(product) == (20, 0, 0)
    assert desk.link_deposit(draft).pay().json()["success"] == 1
    assert audit() == ""


def test_a_declined_balance(desk: Desk) -> None:
    order = make_confirmed_order(desk.buyer)
    desk.paypal.fault("decline", "execute")
    answer = desk.link_balance(order).pay()
    assert (outcome(answer), answer.json()["errors"]) == (REFUSED, {"payment_type": [DECLINED]})
    order.refresh_from_db()
    assert (order.status, order.payment_pending) == (3, False)
    assert desk.link_balance(order).pay().json()["status_id"] == 4


# What the calls refuse besides


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"amount": 93.16}, "invalid"),
        ({"amount": 90}, "invalid"),
        ({"payment_type": "T/T"}, "invalid"),
        ({"ship_city": ""}, "invalid"),
        ({"uuid": "0b6c9d52-8d0e-4a55-9b1e-0d6a4f3f7a11"}, "not_found"),
        ({"invoice_code": "MHW-260101-999999"}, "not_found"),
    ],
)
def test_a_wrong_form(desk: Desk, change: dict[str, object], code: str) -> None:
    answer = desk.api.send("POST", DEPOSIT, desk.body(make_draft(desk.buyer), **change))
    assert answer.json()["code"] == code
    assert not Payment.objects.exists()
    assert set(Stock.objects.values_list("allocated", flat=True)) == {0}


def test_export_no_may_be_paid_by_paypal(desk: Desk) -> None:
    journey = desk.link_deposit(make_draft(desk.buyer), export_report=0)
    assert journey.pay().json()["success"] == 1
    assert journey.order.export_declared is False


def test_what_paypal_cannot_take(desk: Desk) -> None:
    for price, pieces in (("999.99", 100_000), ("0.00", 20)):
        product = make_product(on_hand=1_000_000, usd_supply=money(price))
        draft = make_draft(desk.buyer, [(product, pieces)])
        answer = desk.api.send("POST", DEPOSIT, desk.body(draft))
        assert outcome(answer) == REFUSED
    assert not desk.paypal.calls()
    assert not StockHold.objects.exists()
