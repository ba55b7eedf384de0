"""PayPal gives no link, a late one, no token (design/paypal.md, tests 29 and 30), or is switched
off while payments are under way: they are settled, no new link is made.
"""

from typing import Any

import pytest

from apps.catalog.models import StockHold
from apps.catalog.tests.factories import make_product
from apps.common.errors import SOMETHING_WENT_WRONG
from apps.common.outward import silence
from apps.common.testing import selling
from apps.orders.tests.factories import make_draft, stock_of
from apps.payments.models import Payment
from apps.payments.tests.factories import make_confirmed_order
from apps.payments.tests.paypal.support import (
    BALANCE,
    DEPOSIT,
    NO_LINK,
    REFUSED,
    Desk,
    S,
    audit,
    minutes,
    outcome,
)
from tools.paypal_simulator.records import Checkout


@pytest.mark.parametrize(
    "kind",
    [
        "500_before",
        "503",
        "timeout_before",
        "reset_before",
        "empty_200",
        "malformed_json",
        "html_502",
        "429",
    ],
)
def test_no_link(desk: Desk, kind: str) -> None:
    product = make_product(on_hand=20)
    draft = make_draft(desk.buyer, [(product, 20)])
    desk.paypal.fault(kind, "create", calls=None)
    answer = desk.api.send("POST", DEPOSIT, desk.body(draft))
    assert (outcome(answer), answer.json()["message"]) == (NO_LINK, SOMETHING_WENT_WRONG)
    payment = Payment.objects.get()
    assert (payment.state, payment.approval_url) == (S.FAILED, "")
    assert payment.reason.startswith("no link")
    assert stock_of(product) == (20, 0, 0)
    desk.paypal.faults.clear()
    silence.forget()  # half a minute has passed
    assert desk.link_deposit(draft).pay().json()["success"] == 1


@pytest.mark.parametrize("kind", ["500_after", "timeout_after", "reset_after"])
def test_a_lost_link_is_asked_for_once_more(desk: Desk, kind: str) -> None:
    desk.paypal.fault(kind, "create")
    journey = desk.deposit()
    silence.forget()  # half a minute has passed
    assert journey.pay().json()["success"] == 1
    first, second = (call.request_id for call in desk.paypal.calls("create"))
    assert first == second
    assert len(desk.paypal.store.all(Checkout)) == 1


def test_a_link_of_another_place_is_not_handed_out(desk: Desk, settings: object) -> None:
    settings.PAYPAL_APPROVAL_ORIGINS = ["https://www.paypal.com"]  # type: ignore[attr-defined]
    draft = make_draft(desk.buyer)
    assert desk.post(DEPOSIT, desk.body(draft)) == NO_LINK
    assert Payment.objects.get().state == S.FAILED


def test_a_token_that_expires_early(desk: Desk) -> None:
    desk.paypal.fault("token_expires_early")
    assert desk.deposit().pay().json()["success"] == 1


def test_always_401(desk: Desk) -> None:
    journey = desk.deposit()
    payer = journey.approve()
    desk.paypal.fault("always_401", "execute")
    before = len(desk.paypal.calls("execute"))
    assert outcome(journey.come_back(payer)) == REFUSED
    assert len(desk.paypal.calls("execute")) - before <= 2
    assert (journey.payment.state, bool(journey.payment.alarm)) == (S.FAILED, True)
    assert len(desk.captures()) == 0
    assert not StockHold.objects.exists()


def test_no_token_at_the_return(desk: Desk) -> None:
    """Nothing is changed: the page asks again, and the reconciler finishes what the buyer has
    approved.
    """
    journey = desk.deposit()
    payer = journey.approve()
    desk.paypal.tokens.clear()
    from apps.payments import paypal, paypal_orders

    paypal._of_thread.__dict__.clear()
    paypal_orders._of_thread.__dict__.clear()
    desk.paypal.fault("500_before", "token", calls=None)
    assert journey.come_back(payer).json() == {"success": 0}
    assert journey.payment.state == S.CREATED
    desk.paypal.faults.clear()
    assert journey.come_back(payer).json()["success"] == 1


WIRE_ONLY = (409, "wire_only")


@pytest.mark.parametrize("desk", ["v2"], indirect=True)
def test_what_is_under_way_is_settled_and_no_new_link_is_made(desk: Desk) -> None:
    deposit, balance = desk.deposit(), desk.balance()
    draft, order = make_draft(desk.buyer), make_confirmed_order(desk.buyer)
    body = desk.body(draft)
    holds, calls = StockHold.objects.count(), len(desk.paypal.calls())
    selling(paypal_on=False)
    answers = [
        desk.api.send("POST", DEPOSIT, body),
        desk.api.send("POST", BALANCE, {"invoice_code": order.invoice_code}),
    ]
    assert [outcome(answer) for answer in answers] == [WIRE_ONLY, WIRE_ONLY]
    assert "paypal" not in answers[0].json()["message"].lower()
    assert (StockHold.objects.count(), len(desk.paypal.calls())) == (holds, calls)

    assert deposit.pay().json()["status_id"] == 1
    balance.approve()
    desk.wait(minutes(3))
    assert (deposit.payment.state, balance.payment.state) == (S.CAPTURED, S.CAPTURED)
    assert balance.order.status == 4

    selling(paypal_on=True)
    assert desk.link_deposit(draft).pay().json()["status_id"] == 1
    assert audit() == ""


@pytest.mark.parametrize("desk", ["v2"], indirect=True)
def test_without_an_account_nobody_is_asked(desk: Desk, settings: Any) -> None:
    journey = desk.deposit()
    journey.approve()
    event = desk.paypal.events()[-1]
    calls, settings.PAYPAL_CLIENT_ID = len(desk.paypal.calls()), ""
    assert journey.come_back().json() == {"success": 0}
    assert outcome(desk.deliver(event)) == (503, "provider_unavailable")
    assert desk.wait(minutes(3)) == 0
    assert len(desk.paypal.calls()) == calls
    assert journey.payment.state == S.CREATED
