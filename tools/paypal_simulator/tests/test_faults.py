"""Every fault once, as the plain SDK meets it (design/paypal.md, section D)."""

import json
import time

import pytest
import requests
from paypalrestsdk import exceptions

from tools.paypal_simulator.faults import AFTER, BEFORE, TOKEN, WEBHOOK, WORK, Fault
from tools.paypal_simulator.http import Request
from tools.paypal_simulator.tests.support import approved, connect, find, keyed, payment, sold

SOON = 1  # for what will not come; a busy machine has done the work by then


def execute(api, made, payer, *, seconds=None):
    found = find(api, made.id)
    api.seconds, patience = seconds or api.seconds, api.seconds
    try:
        return found.execute(keyed(api, {"payer_id": payer}, "execute-1"))
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


@pytest.mark.parametrize(("kind", "error", "done"), BROKEN)
def test_a_broken_execution_is_done_once_whatever_arrived(paypal, sdk, kind, error, done):
    made, payer = approved(paypal, sdk)
    paypal.fault(kind, payment=made.id)
    with pytest.raises(error):
        execute(sdk, made, payer, seconds=SOON if kind.startswith("timeout") else None)
    assert find(sdk, made.id).state == ("approved" if done else "created")

    assert execute(sdk, made, payer)
    assert len(find(sdk, made.id).transactions[0].related_resources) == 1
    assert [entry.fault for entry in paypal.calls("execute")] == [kind, ""]


def test_an_empty_answer_looks_like_success_to_the_sdk(paypal, sdk):
    made, payer = approved(paypal, sdk)
    paypal.fault("empty_200")
    assert made.execute({"payer_id": payer})
    assert made.state == "created"
    assert find(sdk, made.id).state == "approved"


def test_a_dripping_answer_comes_whole_one_byte_after_the_other(paypal, sdk):
    paypal.fault("drip", "token", seconds=0.001)
    began = time.monotonic()
    assert payment(sdk).create()
    assert time.monotonic() - began > 0.2  # some three hundred bytes
    assert [entry.fault for entry in paypal.calls("token")] == ["drip"]


def test_a_fault_before_the_work_can_be_moved_behind_it(paypal, sdk):
    made, payer = approved(paypal, sdk)
    paypal.fault("503", after=True)
    with pytest.raises(exceptions.ServerError):
        made.execute({"payer_id": payer})
    assert find(sdk, made.id).state == "approved"


class TestDecisions:
    def test_decline(self, paypal, sdk):
        made, payer = approved(paypal, sdk)
        paypal.fault("decline")
        assert not made.execute({"payer_id": payer})
        assert made.error["name"] == "INSTRUMENT_DECLINED"
        assert find(sdk, made.id).execute({"payer_id": payer})

    def test_decline_final(self, paypal, sdk):
        made, payer = approved(paypal, sdk)
        paypal.fault("decline_final")
        assert not made.execute({"payer_id": payer})
        found = find(sdk, made.id)
        assert (found.state, found.failure_reason) == ("failed", "UNABLE_TO_COMPLETE_TRANSACTION")
        assert not found.execute({"payer_id": payer})
        assert found.error["name"] == "PAYMENT_STATE_INVALID"

    def test_pending_for_a_reason(self, paypal, sdk):
        paypal.fault("pending", reason="REGULATORY_REVIEW")
        sale = sold(paypal, sdk)
        assert (sale.state, sale.reason_code) == ("pending", "REGULATORY_REVIEW")

    def test_amount_mismatch(self, paypal, sdk):
        paypal.fault("amount_mismatch")
        sale = sold(paypal, sdk)
        assert sale.amount.total == "1276.77"
        assert find(sdk, sale.parent_payment).transactions[0].amount.total == "1277.77"

    @pytest.mark.parametrize(
        ("kind", "name"),
        [("not_approved", "PAYMENT_NOT_APPROVED_FOR_EXECUTION"), ("expired", "PAYMENT_EXPIRED")],
    )
    def test_refusals(self, paypal, sdk, kind, name):
        made, payer = approved(paypal, sdk)
        paypal.fault(kind)
        assert not made.execute({"payer_id": payer})
        assert made.error["name"] == name
        assert find(sdk, made.id).execute({"payer_id": payer})

    def test_vanish(self, paypal, sdk):
        made, _ = approved(paypal, sdk)
        paypal.fault("vanish_404", calls=2)
        for _ in range(2):
            with pytest.raises(exceptions.ResourceNotFound):
                find(sdk, made.id)
        assert find(sdk, made.id).id == made.id


class TestTokens:
    def test_one_refused_token_is_renewed_by_the_sdk(self, paypal, sdk):
        made, payer = approved(paypal, sdk)
        paypal.fault("token_401", "execute")
        assert made.execute({"payer_id": payer})
        assert [entry.status for entry in paypal.calls("execute")] == [401, 200]
        assert len(paypal.calls("token")) == 2

    def test_always_401_lasts_until_it_is_lifted(self, paypal, sdk):
        sold(paypal, sdk)
        paypal.fault("always_401", "get")
        token = sdk.get_access_token()
        for _ in range(3):
            answer = requests.get(
                f"{paypal.url}/v1/payments/payment/PAYID-X",
                headers={"Authorization": f"Bearer {token}"},
                timeout=5,
            )
            assert answer.status_code == 401
            assert answer.json()["error"] == "invalid_token"
        paypal.faults.clear()
        with pytest.raises(exceptions.ResourceNotFound):
            find(sdk, "PAYID-X")

    def test_a_token_may_end_before_its_time(self, paypal, sdk):
        paypal.fault("token_expires_early")
        assert payment(sdk).create()
        assert len(paypal.calls("token")) == 2

    def test_tokens_end(self, paypal, sdk):
        made, payer = approved(paypal, sdk)
        paypal.clock.advance(2 * 3600)
        assert made.execute({"payer_id": payer})
        paypal.clock.advance(8 * 3600)
        find(sdk, made.id)
        assert [entry.status for entry in paypal.calls("get")] == [401, 200]

    def test_the_token_call_may_hang(self, paypal):
        paypal.fault("token_hang")
        with pytest.raises(requests.exceptions.ReadTimeout):
            payment(connect(paypal, seconds=SOON)).create()
        assert [entry.status for entry in paypal.calls()] == [None]

    def test_wrong_credentials_are_refused_at_once(self, paypal):
        with pytest.raises(exceptions.UnauthorizedAccess):
            payment(connect(paypal, secret="wrong")).create()
        assert [entry.operation for entry in paypal.calls()] == ["token"]


class TestAim:
    def test_an_invoice_can_be_aimed_at_before_its_payment_exists(self, paypal, sdk):
        paypal.fault("500_before", "create", invoice="MHW-2-D")
        assert payment(sdk, invoice="MHW-1-D").create()
        with pytest.raises(exceptions.ServerError):
            payment(sdk, invoice="MHW-2-D").create()
        assert payment(sdk, invoice="MHW-2-D").create()

    def test_a_fault_meets_as_many_calls_as_it_says(self, paypal, sdk):
        made, _ = approved(paypal, sdk)
        paypal.fault("500_before", "get", calls=2)
        for _ in range(2):
            with pytest.raises(exceptions.ServerError):
                find(sdk, made.id)
        assert find(sdk, made.id)

    @pytest.mark.parametrize(("kind", "operation"), [("nonsense", ""), ("503", "nonsense")])
    def test_unknown_faults_are_refused(self, kind, operation):
        with pytest.raises(ValueError, match="unknown"):
            Fault(kind, operation)


BROKEN_OTHERWISE = {"empty_200", "drip", "always_401", "token_401"}
WEBHOOKS = "drop duplicate late before_response out_of_order bad_signature wrong_id"


def test_every_fault_is_met_once_in_these_tests():
    assert {*BEFORE, *AFTER} == {kind for kind, _, _ in BROKEN} | BROKEN_OTHERWISE | {"token_hang"}
    decided = "decline decline_final not_approved pending amount_mismatch vanish_404 expired"
    assert set(WORK) == set(decided.split(" "))
    assert set(TOKEN) == {"token_hang", "token_expires_early"}
    assert set(WEBHOOK) == {f"webhook_{kind}" for kind in WEBHOOKS.split(" ")}


def test_a_key_whose_first_call_still_runs_is_refused(paypal, sdk):
    made, payer = approved(paypal, sdk)
    body = json.dumps({"payer_id": payer}).encode()
    path = f"/v1/payments/payment/{made.id}/execute"
    running = Request("POST", path, {}, {"paypal-request-id": "execute-1"}, body)
    with paypal.api.replies.once("portal", running), pytest.raises(exceptions.ResourceConflict):
        made.execute(keyed(sdk, {"payer_id": payer}, "execute-1"))
    assert made.execute(keyed(sdk, {"payer_id": payer}, "execute-1"))
