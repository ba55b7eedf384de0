"""The control calls over HTTP, and what a simulator keeps (design/paypal.md, section D)."""

import dataclasses

import requests

from tools.paypal_simulator.http import Request
from tools.paypal_simulator.testing import make_simulator


def ask(paypal, method, path, body=None):
    answer = requests.request(method, f"{paypal.url}/_sim/{path}", json=body, timeout=5)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_control_is_for_this_machine_only(paypal):
    request = Request("GET", "/_sim/calls", {}, {}, b"")
    assert paypal.control.answer(request).status == 200
    assert paypal.control.answer(dataclasses.replace(request, loopback=False)).status == 404


def test_control_is_off_unless_it_is_asked_for():
    with make_simulator(control=False) as paypal:
        assert requests.get(f"{paypal.url}/_sim/calls", timeout=5).status_code == 404
