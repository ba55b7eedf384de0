"""PayPal gives no link, a late one, no token (design/paypal.md, tests 29 and 30)."""

import pytest

from apps.catalog.models import StockHold
from apps.catalog.tests.factories import make_product
from apps.common.errors import SOMETHING_WENT_WRONG
from apps.common.outward import silence
from apps.orders.tests.factories import make_draft, stock_of
from apps.payments.models import Payment
from apps.payments.tests.paypal.support import DEPOSIT, NO_LINK, REFUSED, Desk, S, outcome
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
