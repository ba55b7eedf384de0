"""Payments v1 through the plain SDK (design/paypal.md, sections A and D, test 35)."""

import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Barrier, BrokenBarrierError

import paypalrestsdk
import pytest
from paypalrestsdk import exceptions

from tools.paypal_simulator.errors import Refused
from tools.paypal_simulator.testing import CLIENT_ID, CLIENT_SECRET, make_simulator
from tools.paypal_simulator.tests.support import (
    approved,
    bearer,
    connect,
    find,
    keyed,
    payment,
    sold,
)


def test_a_payment_is_created_approved_executed_found_and_refunded(paypal, sdk):
    made = payment(sdk)
    assert made.create()
    assert made.id.startswith("PAYID-")
    assert made.state == "created"
    assert [link.rel for link in made.links] == ["self", "approval_url", "execute"]

    payer_id = paypal.approve(made.id)
    found = find(sdk, made.id)
    assert (found.state, found.payer.payer_info.payer_id) == ("created", payer_id)

    assert made.execute({"payer_id": payer_id})
    assert made.state == "approved"
    sale = made.transactions[0].related_resources[0].sale
    assert (sale.state, sale.amount.total, sale.amount.currency) == ("completed", "1277.77", "USD")
    assert sale.transaction_fee.value == "45.08"
    assert paypalrestsdk.Sale.find(sale.id, api=sdk).parent_payment == made.id

    refund = sale.refund(keyed(sdk, {}, "refund-1"))
    assert refund.success()
    assert (refund.state, refund.amount.total, refund.sale_id) == ("completed", "1277.77", sale.id)
    assert paypalrestsdk.Sale.find(sale.id, api=sdk).state == "refunded"
    resources = find(sdk, made.id).transactions[0].related_resources
    assert [next(iter(resource.to_dict())) for resource in resources] == ["sale", "refund"]
    assert paypalrestsdk.Refund.find(refund.id, api=sdk).total_refunded_amount.value == "1277.77"
    assert len(paypal.calls("execute")) == 1


def test_every_answer_carries_a_debug_id(paypal):
    answer = bearer(paypal).get(f"{paypal.url}/v1/payments/payment/PAYID-NONE")
    assert answer.status_code == 404
    assert answer.headers["PayPal-Debug-Id"] == answer.json()["debug_id"]
    assert answer.json()["name"] == "INVALID_RESOURCE_ID"


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"total": "1277.78"}, "transactions[0].amount.total"),
        ({"total": "1277.7"}, "transactions[0].amount.total"),
        (
            {"total": "12345678.00", "details": {"subtotal": "12345678.00"}},
            "transactions[0].amount.total",
        ),
        ({"description": "x" * 128}, "transactions[0].description"),
        ({"custom": "x" * 128}, "transactions[0].custom"),
        ({"invoice": "x" * 128}, "transactions[0].invoice_number"),
        (
            {
                "item_list": {
                    "items": [{"name": "A", "price": "1.00", "quantity": "2", "currency": "USD"}]
                }
            },
            "transactions[0].item_list.items",
        ),
    ],
)
def test_what_is_invalid_is_named(sdk, change, field):
    made = payment(sdk, **change)
    assert not made.create()
    assert made.error["name"] == "VALIDATION_ERROR"
    assert field in [detail["field"] for detail in made.error["details"]]


def test_addresses_must_be_absolute(sdk):
    made = payment(sdk)
    made["redirect_urls"] = {"return_url": "/checkout/success", "cancel_url": "javascript:1"}
    assert not made.create()
    assert [detail["field"] for detail in made.error["details"]] == [
        "redirect_urls.return_url",
        "redirect_urls.cancel_url",
    ]


def test_malformed_json_is_told_apart(paypal):
    session = bearer(paypal)
    answer = session.post(
        f"{paypal.url}/v1/payments/payment", data=b"{", headers={"Content-Type": "application/json"}
    )
    assert (answer.status_code, answer.json()["name"]) == (400, "MALFORMED_REQUEST")


def test_an_execution_needs_the_approval_and_the_payer_who_gave_it(paypal, sdk):
    made = payment(sdk)
    made.create()
    assert not made.execute({"payer_id": "ABCDEFGHJKLMN"})
    assert made.error["name"] == "PAYMENT_NOT_APPROVED_FOR_EXECUTION"
    payer = paypal.approve(made.id)
    assert not find(sdk, made.id).execute({"payer_id": "ABCDEFGHJKLMN"})
    assert find(sdk, made.id).execute({"payer_id": payer})


def test_a_second_execution_with_another_key_is_refused(paypal, sdk):
    made, payer = approved(paypal, sdk)
    assert made.execute({"payer_id": payer})
    again = find(sdk, made.id)
    assert not again.execute({"payer_id": payer})
    assert again.error["name"] == "PAYMENT_ALREADY_DONE"


def test_ten_executions_at_once_make_one_sale(paypal, sdk):
    made, payer = approved(paypal, sdk)

    def execute(number):
        mine = find(connect(paypal), made.id)
        return (
            "done"
            if mine.execute(keyed(sdk, {"payer_id": payer}, f"key-{number}"))
            else mine.error["name"]
        )

    with ThreadPoolExecutor(10) as pool:
        outcomes = sorted(pool.map(execute, range(10)))
    assert outcomes == ["PAYMENT_ALREADY_DONE"] * 9 + ["done"]
    assert len(find(sdk, made.id).transactions[0].related_resources) == 1


def test_a_checkouts_lock_spans_the_check_and_the_sale(paypal, sdk, monkeypatch):
    made, payer = approved(paypal, sdk)
    checkout, check = paypal.checkout(made.id), paypal.bank._check_executable
    both = Barrier(2, timeout=0.2)

    def check_and_linger(*arguments):
        check(*arguments)
        with suppress(BrokenBarrierError):
            both.wait()

    monkeypatch.setattr(paypal.bank, "_check_executable", check_and_linger)

    def execute(_):
        try:
            return paypal.bank.execute(checkout, payer_id=payer).state
        except Refused as refused:
            return refused.reason

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(execute, range(2))) == ["already_done", "completed"]


class TestBuyers:
    def test_a_declined_source_can_be_exchanged_on_the_same_page(self, paypal, sdk):
        made, payer = approved(paypal, sdk, buyer="declined")
        assert not made.execute({"payer_id": payer})
        assert made.error["name"] == "INSTRUMENT_DECLINED"
        assert find(sdk, made.id).state == "created"
        assert paypal.approve(made.id) == payer
        assert find(sdk, made.id).execute({"payer_id": payer})

    @pytest.mark.parametrize(
        ("buyer", "reason", "mode"),
        [("review", "PAYMENT_REVIEW", "INSTANT_TRANSFER"), ("echeck", "ECHECK", "ECHECK")],
    )
    def test_a_sale_may_wait(self, paypal, sdk, buyer, reason, mode):
        sale = sold(paypal, sdk, buyer=buyer)
        assert (sale.state, sale.reason_code, sale.payment_mode) == ("pending", reason, mode)
        assert sale.transaction_fee is None
        paypal.decide(sale.id, "completed")
        assert paypalrestsdk.Sale.find(sale.id, api=sdk).state == "completed"


class TestKeys:
    def test_the_same_key_shows_what_the_first_call_made(self, paypal, sdk):
        first, second = payment(sdk, key="create-1"), payment(sdk, key="create-1")
        assert first.create()
        assert second.create()
        assert first.id == second.id

        payer = paypal.approve(first.id)
        assert first.execute(keyed(sdk, {"payer_id": payer}, "execute-1"))
        assert second.execute(keyed(sdk, {"payer_id": payer}, "execute-1"))
        sale, same = (made.transactions[0].related_resources[0].sale for made in (first, second))
        assert sale.id == same.id

        refund, replayed = (sale.refund(keyed(sdk, {}, "refund-1")) for _ in range(2))
        assert refund.id == replayed.id
        assert [entry.status for entry in paypal.calls("refund")] == [201, 200]

    def test_a_repeated_execution_shows_the_sale_as_it_is_now(self, paypal, sdk):
        made, payer = approved(paypal, sdk, buyer="review")
        assert made.execute(keyed(sdk, {"payer_id": payer}, "execute-1"))
        paypal.decide(made.transactions[0].related_resources[0].sale.id, "completed")
        assert made.execute(keyed(sdk, {"payer_id": payer}, "execute-1"))
        assert made.transactions[0].related_resources[0].sale.state == "completed"

    def test_a_key_belongs_to_one_call(self, paypal, sdk):
        made, payer = approved(paypal, sdk, key="key-1")
        assert not made.execute(keyed(sdk, {"payer_id": payer}, "key-1"))
        assert made.error["name"] == "DUPLICATE_REQUEST_ID"

    def test_a_refused_call_may_be_repeated_with_its_key(self, paypal, sdk):
        made = payment(sdk)
        made.create()
        payer = "ABCDEFGHJKLMN"
        assert not made.execute(keyed(sdk, {"payer_id": payer}, "execute-1"))
        payer = paypal.approve(made.id)
        assert find(sdk, made.id).execute(keyed(sdk, {"payer_id": payer}, "execute-1"))

    def test_a_key_is_forgotten_after_thirty_days(self, paypal, sdk):
        first, second = payment(sdk, key="create-1"), payment(sdk, key="create-1")
        first.create()
        paypal.clock.advance(30 * 24 * 3600 + 1)
        second.create()
        assert first.id != second.id

    def test_a_key_has_at_most_78_characters(self, sdk):
        made = payment(sdk, key="k" * 79)
        assert not made.create()
        assert made.error["name"] == "VALIDATION_ERROR"

    def test_the_token_call_carries_the_key_in_vain(self, paypal, sdk):
        assert payment(sdk, key="create-1").create()
        assert [entry.request_id for entry in paypal.calls("token")] == ["create-1"]


class TestRefunds:
    def test_parts_up_to_the_whole(self, paypal, sdk):
        sale = sold(paypal, sdk)
        part = {
            "amount": {"total": "277.77", "currency": "USD"},
            "invoice_number": "R-1",
            "reason": "Short",
        }
        refund = sale.refund(part)
        assert (refund.amount.total, refund.invoice_number) == ("277.77", "R-1")
        assert paypalrestsdk.Sale.find(sale.id, api=sdk).state == "partially_refunded"

        full = sale.refund({})
        assert full.error["name"] == "FULL_REFUND_NOT_ALLOWED_AFTER_PARTIAL_REFUND"
        over = sale.refund({"amount": {"total": "1000.01", "currency": "USD"}})
        assert over.error["name"] == "REFUND_EXCEEDED_TRANSACTION_AMOUNT"
        rest = sale.refund({"amount": {"total": "1000.00", "currency": "USD"}})
        assert rest.total_refunded_amount.value == "1277.77"
        done = sale.refund({"amount": {"total": "0.01", "currency": "USD"}})
        assert done.error["name"] == "TRANSACTION_ALREADY_REFUNDED"

    def test_not_after_180_days(self, paypal, sdk):
        sale = sold(paypal, sdk)
        paypal.clock.advance(180 * 24 * 3600 + 1)
        assert sale.refund({}).error["name"] == "REFUND_TIME_LIMIT_EXCEEDED"

    def test_not_while_the_sale_waits(self, paypal, sdk):
        assert sold(paypal, sdk, buyer="review").refund({}).error["name"] == "TRANSACTION_REFUSED"

    @pytest.mark.parametrize(
        "body",
        [
            {"amount": {"total": "1.0", "currency": "USD"}},
            {"amount": {"total": "0.00", "currency": "USD"}},
            {"amount": {"total": "1.00", "currency": "EUR"}},
            {"reason": "x" * 31},
            {"description": "x" * 256},
        ],
    )
    def test_what_is_invalid_is_refused(self, paypal, sdk, body):
        assert sold(paypal, sdk).refund(body).error["name"] == "VALIDATION_ERROR"


def test_a_payment_runs_out(paypal, sdk):
    made, payer = approved(paypal, sdk)
    paypal.clock.advance(3 * 3600 + 1)
    assert not made.execute({"payer_id": payer})
    assert made.error["name"] == "PAYMENT_EXPIRED"
    assert find(sdk, made.id).state == "created"
    paypal.clock.advance(24 * 3600)
    with pytest.raises(exceptions.ResourceNotFound):
        find(sdk, made.id)


def test_an_invoice_number_is_paid_once(paypal, sdk):
    sold(paypal, sdk, invoice="MHW-1-D")
    other, payer = approved(paypal, sdk, invoice="MHW-1-D")
    assert not other.execute({"payer_id": payer})
    assert other.error["name"] == "DUPLICATE_TRANSACTION"
    assert sold(paypal, sdk, invoice="MHW-1-B").state == "completed"


def test_merchants_do_not_see_each_others_payments(monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with make_simulator(credentials={CLIENT_ID: CLIENT_SECRET, "other": "other-secret"}) as paypal:
        mine, other = connect(paypal), connect(paypal, client_id="other", secret="other-secret")
        sale = sold(paypal, mine, invoice="MHW-1-D")
        with pytest.raises(exceptions.ResourceNotFound):
            find(other, sale.parent_payment)
        with pytest.raises(exceptions.ResourceNotFound):
            paypalrestsdk.Sale.find(sale.id, api=other)
        assert sold(paypal, other, invoice="MHW-1-D").state == "completed"
        with pytest.raises(exceptions.UnauthorizedAccess):
            payment(connect(paypal, secret="wrong")).create()


A2_NAMES = [
    ("VALIDATION_ERROR", 400),
    ("MALFORMED_REQUEST", 400),
    ("INSTRUMENT_DECLINED", 400),
    ("PAYER_CANNOT_PAY", 400),
    ("TRANSACTION_REFUSED", 400),
    ("PAYMENT_NOT_APPROVED_FOR_EXECUTION", 400),
    ("INVALID_PAYER_ID", 400),
    ("PAYMENT_ALREADY_DONE", 400),
    ("PAYMENT_STATE_INVALID", 400),
    ("DUPLICATE_REQUEST_ID", 400),
    ("RESOURCE_CONFLICT", 409),
    ("DUPLICATE_TRANSACTION", 400),
    ("PAYMENT_EXPIRED", 400),
    ("INVALID_RESOURCE_ID", 404),
    ("TRANSACTION_ALREADY_REFUNDED", 400),
    ("FULL_REFUND_NOT_ALLOWED_AFTER_PARTIAL_REFUND", 400),
    ("REFUND_EXCEEDED_TRANSACTION_AMOUNT", 400),
    ("REFUND_TIME_LIMIT_EXCEEDED", 400),
    ("AUTHENTICATION_FAILURE", 401),
    ("NOT_AUTHORIZED", 403),
    ("UNPROCESSABLE_ENTITY", 422),
    ("RATE_LIMIT_REACHED", 429),
    ("INTERNAL_SERVICE_ERROR", 500),
    ("INTERNAL_SERVER_ERROR", 500),
    ("SERVICE_UNAVAILABLE", 503),
    ("REDIRECT_REQUIRED", 400),
    ("SOMETHING_NEW", 400),
]


@pytest.mark.parametrize(("name", "status"), A2_NAMES)
def test_each_error_can_be_asked_for_as_in_the_sandbox(paypal, sdk, name, status):
    made, payer = approved(paypal, sdk)
    header = {"PayPal-Mock-Response": json.dumps({"mock_application_codes": name})}
    url = f"{paypal.url}/v1/payments/payment/{made.id}/execute"
    answer = bearer(paypal, **header).post(url, json={"payer_id": payer})
    assert (answer.status_code, answer.json()["name"]) == (status, name)
    assert find(sdk, made.id).state == "created"


@pytest.mark.parametrize(("name", "status"), A2_NAMES[:-1])
def test_each_error_can_be_a_fault(paypal, sdk, name, status):
    made, payer = approved(paypal, sdk)
    paypal.fault(name, payment=made.id)
    url = f"{paypal.url}/v1/payments/payment/{made.id}/execute"
    session = bearer(paypal)
    answer = session.post(url, json={"payer_id": payer})
    assert (answer.status_code, answer.json()["name"]) == (status, name)
    assert session.post(url, json={"payer_id": payer}).status_code == 200
