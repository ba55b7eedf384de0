"""The end of the process at every point (apps.common.tests.kills), then the sweeps.

No point ends with money taken and no order, two charges, two orders, or stock held for nobody
(issue of payments).
"""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

import pytest
from django.db import connection

from apps.catalog.models import Stock, StockHold
from apps.catalog.tests.factories import make_product
from apps.common.tests.kills import Killed, killed_at
from apps.orders.models import Order
from apps.orders.tests.factories import make_draft, make_sales
from apps.payments import rules
from apps.payments.models import Payment, Refund
from apps.payments.services.held import book_held
from apps.payments.services.refunds import OPEN_REFUNDS, refund_payment
from apps.payments.states import OPEN, UNSETTLED
from apps.payments.tests.factories import make_confirmed_order
from apps.payments.tests.paypal.support import Desk, S, audit, minutes, money

SWEEPS = (0.3, 2, 2, 6, 12, 40, 70, 120)


def survive(
    desk: Desk, work: Callable[[], object], monkeypatch: pytest.MonkeyPatch, point: int
) -> bool:
    """Do the work with its end at this point, let the sweeps finish, and return whether the point
    was reached.
    """
    reached, desk.later = False, timedelta()
    with killed_at(point, monkeypatch):
        try:
            work()
        except Killed:
            reached = True
    connection.close()
    for pause in SWEEPS:
        if not is_unfinished():
            break
        desk.wait(minutes(pause))
    return reached


def is_unfinished() -> bool:
    """Return whether a sweep has anything left to do."""
    attempts = Payment.objects.filter(state__in=[*UNSETTLED, *OPEN])
    refunds = Refund.objects.filter(state__in=OPEN_REFUNDS)
    return any(rows.exists() for rows in (attempts, StockHold.objects.all(), refunds))


def check(desk: Desk, code: str, where: int) -> None:
    captures = [
        capture
        for capture in desk.captures()
        if desk.paypal.checkout(capture.checkout).invoice.startswith(code)
    ]
    paid = Payment.objects.filter(invoice_code=code, method="PAYPAL", state=S.CAPTURED)
    assert len(captures) == paid.count() <= 1, where
    assert Order.objects.filter(invoice_code=code).count() <= 1, where
    assert not Payment.objects.filter(state__in=[*UNSETTLED, *OPEN]).exists(), where
    assert not StockHold.objects.exists(), where
    assert audit() == "", where


def test_links_and_returns_of_a_deposit(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    product = make_product(on_hand=10_000)
    for point in count(1):
        draft = make_draft(desk.buyer, [(product, 20)])

        def work(draft: Any = draft) -> None:
            desk.link_deposit(draft).pay()

        reached = survive(desk, work, monkeypatch, point)
        check(desk, draft.invoice_code, point)
        if not reached:
            break
    assert point > 20
    assert Stock.objects.get().allocated == 20 * Order.objects.count()


@pytest.mark.parametrize("desk", ["v1"], indirect=True)
def test_links_and_returns_of_a_balance(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    for point in count(1):
        order = make_confirmed_order(desk.buyer)

        def work(order: Order = order) -> None:
            desk.link_balance(order).pay()

        reached = survive(desk, work, monkeypatch, point)
        check(desk, order.invoice_code, point)
        assert Order.objects.get(pk=order.pk).payment_pending is False
        if not reached:
            break
    assert point > 20


@pytest.mark.parametrize("desk", ["v1"], indirect=True)
def test_the_sweep_that_finishes_for_a_closed_browser(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    product = make_product(on_hand=10_000)
    for point in count(1):
        journey = desk.deposit([(product, 20)])
        journey.approve()
        reached = survive(desk, lambda: desk.wait(minutes(2.1)), monkeypatch, point)
        check(desk, journey.code, point)
        assert journey.payment.state == S.CAPTURED, point
        if not reached:
            break
    assert point > 10


@pytest.mark.parametrize("desk", ["v1"], indirect=True)
def test_a_refund_goes_out_once_if_it_was_asked_for(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    product, sales = make_product(on_hand=10_000), make_sales()
    for point in count(1):
        journey = desk.deposit([(product, 20)])
        journey.pay()
        payment = journey.payment

        def work(payment: Payment = payment) -> None:
            now = datetime.now(UTC)
            refund_payment(
                payment_id=payment.pk, amount=money("93.15"), reason="x", actor=sales, now=now
            )

        reached = survive(desk, work, monkeypatch, point)
        refund_count = payment.refunds.count()
        capture = next(capture for capture in desk.captures() if capture.id == payment.sale_id)
        assert (refund_count, capture.refunded) in ((0, "0.00"), (1, "93.15")), point
        assert journey.payment.state == (S.REFUNDED if refund_count else S.CAPTURED), point
        assert audit() == "", point
        if not reached:
            break
    assert point > 8


@pytest.mark.parametrize("desk", ["v1"], indirect=True)
def test_held_money_is_booked_whole_or_not_at_all(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rules, "MOST_UNPAID_LINKS", 1000)  # each point leaves one
    product, sales = make_product(on_hand=10_000), make_sales()
    for point in count(1):
        journey = desk.deposit([(product, 20)])
        desk.paypal.fault("amount_mismatch", "execute")
        journey.pay()
        payment = journey.payment

        def work(payment: Payment = payment) -> None:
            now = datetime.now(UTC)
            book_held(payment_id=payment.pk, asked=payment.base, reason="x", actor=sales, now=now)

        reached = survive(desk, work, monkeypatch, point)
        orders = Order.objects.filter(invoice_code=journey.code).count()
        assert (journey.payment.state, orders) in ((S.HELD, 0), (S.CAPTURED, 1)), point
        assert audit() == "", point
        if not reached:
            break
    assert (point > 8, journey.payment.state) == (True, S.CAPTURED)
