"""Promises kept and broken: counted on the day they were done, by the same due times as everything
else.
"""

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from apps.accounts.models import RegistrationEvent
from apps.accounts.tests.factories import make_buyer
from apps.accounts.tests.registrations import make_registration
from apps.accounts.tests.staff import staff_client
from apps.orders.models import Order, OrderEvent
from apps.orders.status import OrderStatus
from apps.orders.tests.factories import make_order_at
from apps.payments.models import Payment, PaymentEvent
from apps.payments.tests.factories import announced, make_wire_order
from portal.models import PromiseTally
from portal.ops.promises import count_promises

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
# A Wednesday at noon in Seoul, and no holiday near.
NOW = datetime(2026, 11, 18, 3, 0, tzinfo=UTC)
DAY = timedelta(days=1)
PAGE = "/admin/orders/salestally/promises/?since=2026-11-01&until=2026-11-30"


def found() -> set[tuple[str, bool, int, int]]:
    return set(PromiseTally.objects.values_list("promise", "is_kept", "hours", "count"))


def shipped(**steps: timedelta) -> Order:
    """Return a shipped order whose steps were so long ago."""
    order = make_order_at(OrderStatus.SHIPPED, make_buyer())
    for name, ago in steps.items():
        step = OrderEvent.objects.filter(order=order, kind="status", to_status=OrderStatus[name])
        step.update(at=NOW - ago)
    return order


def test_each_step_is_kept_or_broken_by_its_own_promise():
    shipped(RECEIVED=6 * DAY, PREPARING=2 * DAY, CONFIRMED=DAY, PAID=DAY, SHIPPED=timedelta(0))
    count_promises(NOW)
    assert found() == {
        ("prepare", False, 96, 1),
        ("confirm", True, 24, 1),
        ("balance", True, 0, 1),
        ("ship", True, 24, 1),
    }
    assert set(PromiseTally.objects.values_list("promise", "day")) == {
        (promise, timezone.localdate(NOW - ago))
        for promise, ago in (
            ("prepare", 2 * DAY),
            ("confirm", DAY),
            ("balance", DAY),
            ("ship", timedelta(0)),
        )
    }
    report = staff_client("Sales").get(PAGE).context["report"]
    by_name = {row.name: (row.kept, row.broken, row.half) for row in report.rows}
    assert by_name["Start preparing"] == (0, 1, "4 d")
    assert by_name["Ship after payment"] == (1, 0, "1 d 1 h")
    assert (report.count, report.broken_count) == (4, 1)


def behind(promise: str, *, group: str = "Sales") -> list[tuple[str, str, str]]:
    """Return what a broken promise's figure in the report leads to: its name, where it leads and
    how late it was.
    """
    page = f"/admin/orders/salestally/promises/{promise}/?since=2026-11-01&amp;until=2026-11-30"
    assert f'href="{page}"' in staff_client(group).get(PAGE).text
    rows = staff_client(group).get(page.replace("&amp;", "&")).context["report"].rows
    return [(row.name, row.url, row.over) for row in rows]


def test_broken_promises_lead_to_what_was_late():
    order = shipped(
        RECEIVED=6 * DAY, PREPARING=2 * DAY, CONFIRMED=DAY, PAID=DAY, SHIPPED=timedelta(0)
    )
    user = make_registration(email="new@wanted.test")
    type(user).objects.filter(pk=user.pk).update(registered_at=NOW - 4 * DAY)
    RegistrationEvent.objects.create(user_id=user.pk, kind="approved", at=NOW)
    count_promises(NOW)
    page = f"/admin/orders/order/{order.pk}/change/"
    assert behind("prepare") == [(order.invoice_code, page, "1 business day")]
    # A registration's page is not for Sales.
    assert behind("approval") == [("Registration", "", "1 d")]
    kept = "/admin/orders/salestally/promises/ship/?since=2026-11-01&until=2026-11-30"
    client = staff_client("Sales")
    assert "This promise was not broken in these days." in client.get(kept).text
    assert client.get("/admin/orders/salestally/promises/nothing/").status_code == 404
    lines = (
        client.get(f"{kept.replace('ship', 'prepare')}&format=csv")
        .content.decode("utf-8-sig")
        .splitlines()
    )
    assert lines[0] == "Of,Customer,Waited since,Due,Done,Took,Late by"
    assert lines[1].startswith(order.invoice_code)


def test_words_wires_and_registrations_are_promises_too():
    order = make_wire_order(make_buyer())
    for kind, ago in (("message", 9), ("message", 8), ("memo", 2), ("message", 1), ("read", 0)):
        OrderEvent.objects.create(order=order, kind=kind, note="Words", at=NOW - ago * DAY)
    wire = announced(order)
    Payment.objects.filter(pk=wire.pk).update(created_at=NOW - timedelta(hours=5))
    PaymentEvent.objects.create(
        payment=wire, from_state="announced", to_state="captured", source="admin", at=NOW
    )
    user = make_registration(email="new@wanted.test")
    type(user).objects.filter(pk=user.pk).update(registered_at=NOW - 4 * DAY)
    RegistrationEvent.objects.create(user_id=user.pk, kind="approved", at=NOW)
    count_promises(NOW)
    assert found() == {
        ("message", False, 7 * 24, 1),
        ("message", True, 24, 1),
        ("wire", True, 5, 1),
        ("approval", False, 96, 1),
    }


def test_counting_again_changes_nothing_and_goes_on_from_the_last_day():
    shipped(RECEIVED=9 * DAY, PREPARING=9 * DAY, CONFIRMED=8 * DAY, PAID=8 * DAY, SHIPPED=8 * DAY)
    assert count_promises(NOW) == 2
    before = found()
    assert count_promises(NOW) == 1
    assert found() == before
    shipped(
        RECEIVED=DAY, PREPARING=timedelta(0), CONFIRMED=-2 * DAY, PAID=-2 * DAY, SHIPPED=-2 * DAY
    )
    count_promises(NOW)
    assert sum(PromiseTally.objects.values_list("count", flat=True)) == 5


def test_nothing_done_says_so():
    assert (
        "Nothing that was promised was done in these days." in staff_client("Sales").get(PAGE).text
    )
    lines = staff_client("Sales").get(f"{PAGE}&format=csv").content.decode("utf-8-sig").splitlines()
    assert lines[0].startswith("Promise,Promised,Kept,Broken")
    assert len(lines) == 9
