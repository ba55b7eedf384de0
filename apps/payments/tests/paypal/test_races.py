"""Many at once: one execution, one order, one charge (design/paypal.md, tests 5, 18, 23, 29)."""

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from functools import partial
from threading import Barrier
from typing import Any

import pytest
from django.db import connection

from apps.accounts.selectors import Buyer
from apps.accounts.tests.factories import make_buyer
from apps.catalog.models import StockHold
from apps.catalog.tests.factories import make_product
from apps.common.errors import PortalError
from apps.common.testing import ContractClient
from apps.common.types import Json
from apps.orders.models import Order
from apps.orders.tests.factories import make_draft, stock_of
from apps.payments.models import Payment, WalletEntry
from apps.payments.sweeps import reconcile
from apps.payments.tests.factories import cancel, make_confirmed_order
from apps.payments.tests.paypal.support import BALANCE, DEPOSIT, Desk, S, audit, minutes
from apps.payments.tests.test_wallet import make_credit

SignIn = Callable[[Buyer], ContractClient]


def together(*works: Callable[[], Any]) -> list[Any]:
    """Do all of it at once and return what each gave; a refusal or an interruption is its class's
    name.
    """
    start = Barrier(len(works))

    def one(work: Callable[[], Any]) -> Any:
        try:
            start.wait(timeout=30)
            return work()
        except PortalError as error:
            return type(error).__name__
        finally:
            connection.close()

    with ThreadPoolExecutor(len(works)) as pool:
        return list(pool.map(one, works))


def sent(clients: list[ContractClient], call: str, bodies: list[Json]) -> list[Any]:
    """Return the answers to bodies that were sent at once, each by a client."""
    pairs = zip(clients, bodies, strict=True)
    return together(*[partial(client.send, "POST", call, body) for client, body in pairs])


@pytest.mark.parametrize("call", [DEPOSIT, BALANCE])
def test_twenty_returns_at_once(desk: Desk, call: str) -> None:
    product = make_product(on_hand=20)
    journey = desk.deposit([(product, 20)]) if call == DEPOSIT else desk.balance([(product, 20)])
    body = journey.returned(journey.approve())
    answers = together(*[lambda: desk.api.send("POST", f"{call}/success", body)] * 20)
    assert {answer.status_code for answer in answers} == {200}
    assert Counter(answer.json()["success"] for answer in answers)[1] >= 1
    assert (desk.executions(), Order.objects.count(), stock_of(product)) == (1, 1, (20, 20, 0))
    assert journey.payment.state == S.CAPTURED
    assert audit() == ""


def test_return_event_and_reconciler_at_once(desk: Desk) -> None:
    journey = desk.deposit()
    payer = journey.approve()
    desk.paypal.fault("reset_after", "execute")
    journey.come_back(payer)
    desk.deliver(desk.paypal.events()[-1])
    later = datetime.now(UTC) + minutes(1)
    together(*[lambda: reconcile(later)] * 3, *[lambda: journey.come_back(payer)] * 3)
    desk.wait(minutes(2))
    assert (journey.payment.state, Order.objects.count()) == (S.CAPTURED, 1)
    assert journey.order.received == 90
    assert journey.payment.events.filter(to_state="captured").count() == 1
    assert len(desk.captures()) == 1
    assert audit() == ""


def test_two_buyers_for_the_last_pieces(desk: Desk, sign_in: SignIn) -> None:
    product = make_product(on_hand=20)
    rival = make_buyer()
    desks = [desk, Desk(desk.paypal, rival, sign_in(rival), desk.name)]
    drafts = [make_draft(each.buyer, [(product, 20)]) for each in desks]
    bodies = [each.body(draft) for each, draft in zip(desks, drafts, strict=True)]
    answers = sent([each.api for each in desks], DEPOSIT, bodies)
    assert sorted(answer.status_code for answer in answers) == [200, 409]
    desk.wait(minutes(61))
    journeys = [
        each.link_deposit(draft)
        for each, draft in zip(desks, drafts, strict=True)
        if stock_of(product)[1] == 0
    ]
    assert len(journeys) == 1
    assert journeys[0].pay().json()["success"] == 1
    assert (stock_of(product), len(desk.captures())) == ((20, 20, 0), 1)
    assert audit() == ""


def test_two_buyers_return_when_both_holds_ran_out(desk: Desk, sign_in: SignIn) -> None:
    product = make_product(on_hand=20)
    rival = make_buyer()
    other = Desk(desk.paypal, rival, sign_in(rival), desk.name)
    first = desk.deposit([(product, 20)])
    desk.wait(minutes(61))
    second = other.deposit([(product, 20)])
    other.later = desk.later
    other.wait(minutes(61))
    bodies = [journey.returned(journey.approve()) for journey in (first, second)]
    answers = sent([desk.api, other.api], f"{DEPOSIT}/success", bodies)
    assert sorted(answer.status_code for answer in answers) == [200, 409]
    assert (desk.executions(), stock_of(product)) == (1, (20, 20, 0))
    assert audit() == ""


def test_links_at_once(desk: Desk) -> None:
    product = make_product(on_hand=20)
    body = desk.body(make_draft(desk.buyer, [(product, 20)]))
    answers = together(*[lambda: desk.api.send("POST", DEPOSIT, body)] * 4)
    assert {answer.status_code for answer in answers} <= {200, 502}
    assert (stock_of(product), StockHold.objects.count()) == ((20, 20, 0), 1)
    assert Payment.objects.filter(state=S.CREATED).count() == 1
    desk.wait(minutes(61))
    assert stock_of(product) == (20, 0, 0)


def test_a_wire_and_a_return_at_once(desk: Desk) -> None:
    product = make_product(on_hand=20)
    draft = make_draft(desk.buyer, [(product, 20)])
    journey = desk.link_deposit(draft)
    back = journey.returned(journey.approve())
    wire = {**desk.body(draft, payment_type="T/T", amount=90), "payer_id": "Glow"}
    together(
        lambda: desk.api.send("POST", f"{DEPOSIT}/success", back),
        lambda: desk.api.send("POST", "/api/order/checkout-deposit/tt", wire),
    )
    order = journey.order
    by_paypal = order.payment_type == "PAYPAL"
    assert (len(desk.captures()), order.received) == ((1, 90) if by_paypal else (0, 0))
    assert stock_of(product) == (20, 20, 0)
    assert audit() == ""


def test_a_cancellation_and_a_return_at_once(desk: Desk) -> None:
    journey = desk.balance()
    order = journey.order
    back = journey.returned(journey.approve())
    together(lambda: desk.api.send("POST", f"{BALANCE}/success", back), lambda: cancel(order))
    desk.wait(minutes(2))
    order = journey.order
    captures = len(desk.captures())
    assert order.received == 90 + 50 * captures
    assert order.credited == (order.received if order.status == 0 else 0)
    assert audit() == ""


@pytest.mark.parametrize("desk", ["v1"], indirect=True)
def test_one_credit_is_spent_once(desk: Desk) -> None:
    make_credit(desk.buyer, "60.00")
    orders = [make_confirmed_order(desk.buyer) for _ in range(4)]
    bodies = [{"invoice_code": order.invoice_code} for order in orders]
    answers = sent([desk.api] * 4, "/api/order/wallet", bodies)
    spent = sorted(answer.json().get("amount", 0) for answer in answers)
    assert spent == [0, 0, 10, 50]
    assert sum(WalletEntry.objects.values_list("amount", flat=True)) == 0
    assert audit() == ""


def test_a_token_that_expires_for_two_at_once(desk: Desk) -> None:
    journeys = [desk.deposit(), desk.deposit()]
    bodies = [journey.returned(journey.approve()) for journey in journeys]
    desk.paypal.tokens.clear()
    answers = sent([desk.api] * 2, f"{DEPOSIT}/success", bodies)
    assert [answer.json()["success"] for answer in answers] == [1, 1]
