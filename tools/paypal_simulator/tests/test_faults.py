"""Every fault once, as the plain SDK meets it (design/paypal.md, section D)."""

import json

import pytest
import requests
from paypalrestsdk import exceptions

from tools.paypal_simulator.http import Request
from tools.paypal_simulator.tests.support import approved, connect, find, keyed, payment, sold

SOON = 1  # for what will not come; a busy machine has done the work by then


def execute(api, payment_made, payer, *, seconds=None):
    result = find(api, payment_made.id)
    api.seconds, patience = seconds or api.seconds, api.seconds
    try:
        return result.execute(keyed(api, {"payer_id": payer}, "execute-1"))
    finally:
        api.seconds = patience


# What the SDK makes of a broken execution, and whether the work was done.
BROKEN = [
    ("timeout_before", requests.exceptions.ReadTimeout, False),
    ("timeout_after", requests.exceptions.ReadTimeout, True),
    ("reset_before", requests.exceptions.ConnectionError, False),
    ("reset_after", requests.exceptions.ConnectionError, True),
    ("500_before", exceptions.ServerError, False),
    ("500_after", exceptions.ServerError, True),
    ("503", exceptions.ServerError, False),
    ("429", exceptions.ClientError, False),
    ("malformed_json", json.JSONDecodeError, True),
    ("html_400", json.JSONDecodeError, False),
    ("html_502", exceptions.ServerError, False),
    ("redirect_302", exceptions.Redirection, False),
]


@pytest.mark.parametrize(("kind", "error", "is_executed"), BROKEN)
def test_a_broken_execution_is_done_once_whatever_arrived(paypal, sdk, kind, error, is_executed):
    payment_made, payer = approved(paypal, sdk)
    paypal.fault(kind, payment=payment_made.id)
    with pytest.raises(error):
        execute(sdk, payment_made, payer, seconds=SOON if kind.startswith("timeout") else None)
    assert find(sdk, payment_made.id).state == ("approved" if is_executed else "created")

    assert execute(sdk, payment_made, payer)
    assert len(find(sdk, payment_made.id).transactions[0].related_resources) == 1
    assert [entry.fault for entry in paypal.calls("execute")] == [kind, ""]


def test_an_empty_answer_looks_like_success_to_the_sdk(paypal, sdk):
    payment_made, payer = approved(paypal, sdk)
    paypal.fault("empty_200")
    assert payment_made.execute({"payer_id": payer})
    assert payment_made.state == "created"
    assert find(sdk, payment_made.id).state == "approved"


class TestDecisions:
    def test_decline_final(self, paypal, sdk):
        payment_made, payer = approved(paypal, sdk)
        paypal.fault("decline_final")
        assert not payment_made.execute({"payer_id": payer})
        result = find(sdk, payment_made.id)
        assert (result.state, result.failure_reason) == ("failed", "UNABLE_TO_COMPLETE_TRANSACTION")
        assert not result.execute({"payer_id": payer})
        assert result.error["name"] == "PAYMENT_STATE_INVALID"

    def test_amount_mismatch(self, paypal, sdk):
        paypal.fault("amount_mismatch")
        sale = sold(paypal, sdk)
        assert sale.amount.total == "1276.77"
        assert find(sdk, sale.parent_payment).transactions[0].amount.total == "1277.77"

    def test_vanish(self, paypal, sdk):
        payment_made, _ = approved(paypal, sdk)
        paypal.fault("vanish_404", calls=2)
        for _ in range(2):
            with pytest.raises(exceptions.ResourceNotFound):
                find(sdk, payment_made.id)
        assert find(sdk, payment_made.id).id == payment_made.id


class TestTokens:
    def test_one_refused_token_is_renewed_by_the_sdk(self, paypal, sdk):
        payment_made, payer = approved(paypal, sdk)
        paypal.fault("token_401", "execute")
        assert payment_made.execute({"payer_id": payer})
        assert [entry.status for entry in paypal.calls("execute")] == [401, 200]
        assert len(paypal.calls("token")) == 2

    def test_the_token_call_may_hang(self, paypal):
        paypal.fault("token_hang")
        with pytest.raises(requests.exceptions.ReadTimeout):
            payment(connect(paypal, seconds=SOON)).create()
        assert [entry.status for entry in paypal.calls()] == [None]


class TestAim:
    def test_an_invoice_can_be_aimed_at_before_its_payment_exists(self, paypal, sdk):
        paypal.fault("500_before", "create", invoice="MHW-2-D")
        assert payment(sdk, invoice="MHW-1-D").create()
        with pytest.raises(exceptions.ServerError):
            payment(sdk, invoice="MHW-2-D").create()
        assert payment(sdk, invoice="MHW-2-D").create()

    def test_a_fault_meets_as_many_calls_as_it_says(self, paypal, sdk):
        payment_made, _ = approved(paypal, sdk)
        paypal.fault("500_before", "get", calls=2)
        for _ in range(2):
            with pytest.raises(exceptions.ServerError):
                find(sdk, payment_made.id)
        assert find(sdk, payment_made.id)


def test_a_key_whose_first_call_still_runs_is_refused(paypal, sdk):
    payment_made, payer = approved(paypal, sdk)
    body = json.dumps({"payer_id": payer}).encode()
    path = f"/v1/payments/payment/{payment_made.id}/execute"
    running = Request("POST", path, {}, {"paypal-request-id": "execute-1"}, body)
    with paypal.api.replies.once("portal", running), pytest.raises(exceptions.ResourceConflict):
        payment_made.execute(keyed(sdk, {"payer_id": payer}, "execute-1"))
    assert payment_made.execute(keyed(sdk, {"payer_id": payer}, "execute-1"))
