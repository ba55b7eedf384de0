"""The control calls over HTTP, and what a simulator keeps (design/paypal.md, section D)."""

import dataclasses

import pytest
import requests

from tools.paypal_simulator.http import Request
from tools.paypal_simulator.testing import make_simulator
from tools.paypal_simulator.tests.support import approved, connect, find, payment, sold


def ask(paypal, method, path, body=None):
    answer = requests.request(method, f"{paypal.url}/_sim/{path}", json=body, timeout=5)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_payment_by_hand(paypal, sdk):
    made = payment(sdk)
    made.create()
    assert "token=EC-" in ask(paypal, "POST", f"payments/{made.id}/cancel", {})["cancel_url"]
    given = ask(paypal, "POST", f"payments/{made.id}/approve", {"buyer": "review"})
    assert f"PayerID={given['payer_id']}" in given["return_url"]
    assert made.execute({"payer_id": given["payer_id"]})

    sale = made.transactions[0].related_resources[0].sale
    event = ask(paypal, "POST", f"sales/{sale.id}/state", {"state": "completed"})["event"]
    assert [
        one["id"] for one in ask(paypal, "GET", "events?type=PAYMENT.SALE.COMPLETED")["events"]
    ] == [event]
    assert ask(paypal, "POST", f"events/{event}/resend", {}) == {"id": event}

    [call] = ask(paypal, "GET", "calls?operation=execute")["calls"]
    assert (call["method"], call["status"]) == ("POST", 200)
    assert call["path"].endswith(f"{made.id}/execute")
    assert len(call["request_id"]) == 36


def test_faults_and_the_clock_by_hand(paypal, sdk):
    made, payer = approved(paypal, sdk)
    ask(
        paypal,
        "POST",
        "faults",
        {"kind": "decline", "operation": "execute", "calls": 3, "payment": made.id},
    )
    assert not made.execute({"payer_id": payer})
    assert [fault["calls"] for fault in ask(paypal, "GET", "faults")] == [2]
    ask(paypal, "DELETE", "faults")
    before = paypal.clock.now()
    assert ask(paypal, "POST", "clock", {"advance": 3600})["now"] >= before + 3600
    assert made.execute({"payer_id": payer})
    ask(paypal, "POST", "reset", {})
    assert ask(paypal, "GET", "calls") == {"calls": []}
    with pytest.raises(Exception, match="404"):
        find(sdk, made.id)


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("faults", {"kind": "nonsense"}, 400),
        ("faults", {"kind": "503", "nonsense": 1}, 400),
        ("clock", {"advance": -1}, 400),
        ("payments/PAYID-NONE/approve", {}, 404),
        ("sales/NONE/state", {"state": "completed"}, 404),
        ("nonsense", {}, 404),
    ],
)
def test_mistakes_are_told(paypal, path, body, status):
    assert requests.post(f"{paypal.url}/_sim/{path}", json=body, timeout=5).status_code == status


def test_control_is_for_this_machine_only(paypal):
    request = Request("GET", "/_sim/calls", {}, {}, b"")
    assert paypal.control.answer(request).status == 200
    assert paypal.control.answer(dataclasses.replace(request, loopback=False)).status == 404


def test_control_is_off_unless_it_is_asked_for():
    with make_simulator(control=False) as paypal:
        assert requests.get(f"{paypal.url}/_sim/calls", timeout=5).status_code == 404


def test_a_file_keeps_payments_and_keys_over_a_restart(tmp_path, monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    database = tmp_path / "kept" / "paypal.sqlite3"
    with make_simulator(database=database) as paypal:
        sdk = connect(paypal)
        sale = sold(paypal, sdk)
        created = payment(sdk, invoice="MHW-2-D", key="create-2")
        created.create()
    with make_simulator(database=database) as paypal:
        sdk = connect(paypal)
        assert find(sdk, sale.parent_payment).state == "approved"
        again = payment(sdk, invoice="MHW-2-D", key="create-2")
        assert again.create()
        assert again.id == created.id
        assert paypal.approve(created.id)
