"""PayPal is switched off while payments are under way: they are settled, no new link is made."""

from math import inf
from typing import Any

from apps.catalog.models import StockHold
from apps.common.models import Seller
from apps.common.seller import Current, remember
from apps.orders.tests.factories import make_draft
from apps.payments.tests.factories import make_confirmed_order
from apps.payments.tests.paypal.support import BALANCE, DEPOSIT, Desk, S, audit, minutes, outcome

REFUSED = (409, "wire_only")


def switch(*, on: bool) -> None:
    remember(Current(Seller(paypal_on=on)), looked_at=inf)


def test_what_is_under_way_is_settled_and_no_new_link_is_made(desk: Desk) -> None:
    deposit, balance = desk.deposit(), desk.balance()
    draft, order = make_draft(desk.buyer), make_confirmed_order(desk.buyer)
    asked = desk.body(draft)
    holds, calls = StockHold.objects.count(), len(desk.paypal.calls())
    switch(on=False)
    answers = [
        desk.api.send("POST", DEPOSIT, asked),
        desk.api.send("POST", BALANCE, {"invoice_code": order.invoice_code}),
    ]
    assert [outcome(answer) for answer in answers] == [REFUSED, REFUSED]
    assert "paypal" not in answers[0].json()["message"].lower()
    assert (StockHold.objects.count(), len(desk.paypal.calls())) == (holds, calls)

    assert deposit.pay().json()["status_id"] == 1
    balance.approve()
    desk.wait(minutes(3))
    assert (deposit.payment.state, balance.payment.state) == (S.CAPTURED, S.CAPTURED)
    assert balance.order.status == 4

    switch(on=True)
    assert desk.link_deposit(draft).pay().json()["status_id"] == 1
    assert audit() == ""


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
