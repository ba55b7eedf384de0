"""Payments v1 through the plain SDK (design/paypal.md, sections A and D, test 35)."""

from concurrent.futures import ThreadPoolExecutor

import paypalrestsdk

from tools.paypal_simulator.tests.support import (
    approved,
    connect,
    find,
    keyed,
    payment,
    sold,
)


def test_a_payment_is_created_approved_executed_found_and_refunded(paypal, sdk):
    payment_made = payment(sdk)
    assert payment_made.create()
    assert payment_made.id.startswith("PAYID-")
    assert payment_made.state == "created"
    assert [link.rel for link in payment_made.links] == ["self", "approval_url", "execute"]

    payer_id = paypal.approve(payment_made.id)
    result = find(sdk, payment_made.id)
    assert (result.state, result.payer.payer_info.payer_id) == ("created", payer_id)

    assert payment_made.execute({"payer_id": payer_id})
    assert payment_made.state == "approved"
    sale = payment_made.transactions[0].related_resources[0].sale
    assert (sale.state, sale.amount.total, sale.amount.currency) == ("completed", "1277.77", "USD")
    assert sale.transaction_fee.value == "45.08"
    assert paypalrestsdk.Sale.find(sale.id, api=sdk).parent_payment == payment_made.id

    refund = sale.refund(keyed(sdk, {}, "refund-1"))
    assert refund.success()
    assert (refund.state, refund.amount.total, refund.sale_id) == ("completed", "1277.77", sale.id)
    assert paypalrestsdk.Sale.find(sale.id, api=sdk).state == "refunded"
    resources = find(sdk, payment_made.id).transactions[0].related_resources
    assert [next(iter(resource.to_dict())) for resource in resources] == ["sale", "refund"]
    assert paypalrestsdk.Refund.find(refund.id, api=sdk).total_refunded_amount.value == "1277.77"
    assert len(paypal.calls("execute")) == 1


def test_an_execution_needs_the_approval_and_the_payer_who_gave_it(paypal, sdk):
    payment_made = payment(sdk)
    payment_made.create()
    assert not payment_made.execute({"payer_id": "ABCDEFGHJKLMN"})
    assert payment_made.error["name"] == "PAYMENT_NOT_APPROVED_FOR_EXECUTION"
    payer = paypal.approve(payment_made.id)
    assert not find(sdk, payment_made.id).execute({"payer_id": "ABCDEFGHJKLMN"})
    assert find(sdk, payment_made.id).execute({"payer_id": payer})


def test_ten_executions_at_once_make_one_sale(paypal, sdk):
    payment_made, payer = approved(paypal, sdk)

    def execute(number):
        mine = find(connect(paypal), payment_made.id)
        return (
            "done"
            if mine.execute(keyed(sdk, {"payer_id": payer}, f"key-{number}"))
            else mine.error["name"]
        )

    with ThreadPoolExecutor(10) as pool:
        outcomes = sorted(pool.map(execute, range(10)))
    assert outcomes == ["PAYMENT_ALREADY_DONE"] * 9 + ["done"]
    assert len(find(sdk, payment_made.id).transactions[0].related_resources) == 1


class TestKeys:
    def test_the_same_key_shows_what_the_first_call_made(self, paypal, sdk):
        first, second = payment(sdk, key="create-1"), payment(sdk, key="create-1")
        assert first.create()
        assert second.create()
        assert first.id == second.id

        payer = paypal.approve(first.id)
        assert first.execute(keyed(sdk, {"payer_id": payer}, "execute-1"))
        assert second.execute(keyed(sdk, {"payer_id": payer}, "execute-1"))
        sale, same = (
            payment_made.transactions[0].related_resources[0].sale
            for payment_made in (first, second)
        )
        assert sale.id == same.id

        refund, replayed = (sale.refund(keyed(sdk, {}, "refund-1")) for _ in range(2))
        assert refund.id == replayed.id
        assert [entry.status for entry in paypal.calls("refund")] == [201, 200]

    def test_a_key_belongs_to_one_call(self, paypal, sdk):
        payment_made, payer = approved(paypal, sdk, key="key-1")
        assert not payment_made.execute(keyed(sdk, {"payer_id": payer}, "key-1"))
        assert payment_made.error["name"] == "DUPLICATE_REQUEST_ID"

    def test_a_refused_call_may_be_repeated_with_its_key(self, paypal, sdk):
        payment_made = payment(sdk)
        payment_made.create()
        payer = "ABCDEFGHJKLMN"
        assert not payment_made.execute(keyed(sdk, {"payer_id": payer}, "execute-1"))
        payer = paypal.approve(payment_made.id)
        assert find(sdk, payment_made.id).execute(keyed(sdk, {"payer_id": payer}, "execute-1"))


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
        refund_made = sale.refund({"amount": {"total": "0.01", "currency": "USD"}})
        assert refund_made.error["name"] == "TRANSACTION_ALREADY_REFUNDED"


def test_an_invoice_number_is_paid_once(paypal, sdk):
    sold(paypal, sdk, invoice="MHW-1-D")
    other, payer = approved(paypal, sdk, invoice="MHW-1-D")
    assert not other.execute({"payer_id": payer})
    assert other.error["name"] == "DUPLICATE_TRANSACTION"
    assert sold(paypal, sdk, invoice="MHW-1-B").state == "completed"


NAMES = {
    "VALIDATION_ERROR": 400,
    "PAYER_CANNOT_PAY": 400,
    "RESOURCE_CONFLICT": 409,
    "INVALID_RESOURCE_ID": 404,
    "AUTHENTICATION_FAILURE": 401,
    "UNPROCESSABLE_ENTITY": 422,
    "RATE_LIMIT_REACHED": 429,
    "INTERNAL_SERVICE_ERROR": 500,
    "SERVICE_UNAVAILABLE": 503,
}
