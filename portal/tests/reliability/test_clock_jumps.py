"""A clock that was most of a day ahead, or behind, and was set right: nothing is lost, doubled or
stuck.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.core import mail
from django.utils import timezone
from post_office.models import STATUS, Email

from apps.accounts.selectors import Buyer
from apps.common.testing import ContractClient
from apps.orders.models import Order
from apps.payments.models import Payment, Refund
from apps.payments.services.reconcile import is_due
from apps.payments.states import PaymentState
from apps.payments.tests.factories import make_wire_order
from apps.payments.tests.paypal.support import audit
from portal.ops.sweeps import SWEEPS, due_times, run_sweep

pytestmark = pytest.mark.django_db(transaction=True)

AHEAD = timedelta(hours=23)
JUMPS = [AHEAD, -AHEAD]
now_as_it_is = timezone.now


@contextmanager
def clock_off_by(jump: timedelta, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the portal's clock be wrong inside `with`."""
    with monkeypatch.context() as patch:
        patch.setattr(timezone, "now", lambda: now_as_it_is() + jump)
        yield


@pytest.mark.parametrize("jump", JUMPS)
def test_sweeps_run_while_it_is_wrong_and_afterwards(
    jump: timedelta, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in SWEEPS:
        run_sweep(name)
    with clock_off_by(jump, monkeypatch):
        assert jump < timedelta(0) or due_times(timezone.now())["payments"] <= timezone.now()
        assert [run_sweep(name) for name in ("mails", "payments", "holds")] == [0, 0, 0]
        assert audit() == ""
    soon = timezone.now() + timedelta(minutes=2)
    assert all(due_times(soon)[name] <= soon for name in ("mails", "payments", "holds"))
    assert [run_sweep(name) for name in ("mails", "payments", "holds")] == [0, 0, 0]


@pytest.mark.parametrize("jump", JUMPS)
def test_a_mail_that_was_put_off_meanwhile_goes_out_once(
    buyer: Buyer, jump: timedelta, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = make_wire_order(buyer)

    def away(*_: Any, **__: Any) -> None:
        raise ConnectionRefusedError

    with clock_off_by(jump, monkeypatch), monkeypatch.context() as patch:
        patch.setattr("django.core.mail.backends.locmem.EmailBackend.send_messages", away)
        run_sweep("mails")
    put_off = Email.objects.filter(subject__contains=order.invoice_code)
    assert {email.status for email in put_off.all()} == {STATUS.requeued}
    # Two retries later, by a clock that is right again.
    with clock_off_by(timedelta(minutes=11), monkeypatch):
        run_sweep("mails")
        run_sweep("mails")
    assert {email.status for email in put_off.all()} == {STATUS.sent}
    subjects = [message.subject for message in mail.outbox if order.invoice_code in message.subject]
    assert len(subjects) == put_off.count()


@pytest.mark.parametrize("jump", JUMPS)
def test_an_order_stands_and_its_buyer_stays_signed_in(
    buyer: Buyer, api: ContractClient, jump: timedelta, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = make_wire_order(buyer)
    with clock_off_by(jump, monkeypatch):
        meanwhile = make_wire_order(buyer)
    after = make_wire_order(buyer)
    listed = [order["invoice_code"] for order in api.get("/api/order/0").json()["orderList"]]
    assert listed == [order.invoice_code for order in (after, meanwhile, before)]
    assert (Order.objects.count(), audit()) == (3, "")


def test_an_unknown_payment_is_asked_about_once_the_clock_is_right(
    buyer: Buyer, now: datetime
) -> None:
    order = make_wire_order(buyer)
    payment = Payment.objects.get(order=order)
    calls = {"method": Payment.Method.PAYPAL, "state": PaymentState.UNKNOWN}
    Payment.objects.filter(pk=payment.pk).update(next_check_at=now + AHEAD, **calls)
    assert list(Payment.objects.filter(is_due(now))) == [payment]
    refund = Refund.objects.create(
        payment=payment, amount=1, reason="Broken", created_at=now, next_check_at=now + AHEAD
    )
    assert list(Refund.objects.filter(is_due(now))) == [refund]
    # A link is looked at then.
    Payment.objects.filter(pk=payment.pk).update(next_check_at=now + timedelta(hours=2))
    assert not Payment.objects.filter(is_due(now))
