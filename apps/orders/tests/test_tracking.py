"""Correcting the tracking number of a shipped order: the old one is kept, the buyer is told."""

from datetime import UTC, datetime

import pytest
from django.core.exceptions import PermissionDenied
from post_office.models import Email

from apps.accounts.tests.factories import make_buyer
from apps.accounts.tests.staff import shown_messages, staff_client, staff_in
from apps.common.errors import WrongStatus
from apps.common.mail import write_texts
from apps.orders.errors import StaffRefusal
from apps.orders.models import FormerTracking, Order, OrderEvent
from apps.orders.services.packing import correct_tracking
from apps.orders.status import OrderStatus
from apps.orders.tests.factories import TRACKING, make_order_at, make_sales, stock_of

pytestmark = pytest.mark.django_db

NEW = {"tracking_number": "DHL-321", "shipping_url": "https://carrier.test/DHL-321"}


def correct(order, **fields):
    given = {
        **NEW,
        "reason": "Two digits swapped",
        "seen": TRACKING["tracking_number"],
        "letter": "",
        **fields,
    }
    return correct_tracking(
        order_id=order.pk, **{"actor": make_sales(), "now": datetime.now(UTC), **given}
    )


@pytest.fixture
def shipped():
    order = make_order_at(OrderStatus.SHIPPED, make_buyer(email="anna@portal.test"))
    Email.objects.all().delete()
    return order


def test_the_order_has_the_new_number_and_the_old_one_is_kept(shipped):
    stock = stock_of(shipped.lines.get().product)
    correct(shipped)
    order = Order.objects.get()
    assert (order.tracking_number, order.shipping_url) == (
        NEW["tracking_number"],
        NEW["shipping_url"],
    )
    assert (order.status, order.status_at, order.received) == (
        shipped.status,
        shipped.status_at,
        shipped.received,
    )
    assert stock_of(shipped.lines.get().product) == stock
    was = FormerTracking.objects.get()
    assert (was.tracking_number, was.shipping_url, was.note) == (
        *TRACKING.values(),
        "Two digits swapped",
    )
    assert OrderEvent.objects.get(kind="tracking").text == "DHL-123 → DHL-321: Two digits swapped"


def test_the_buyer_gets_the_letter_with_both_numbers(shipped):
    correct(shipped, letter="Dear Anna,\r\nplease use the new number.")
    mail = Email.objects.get()
    assert mail.to == ["anna@portal.test"]
    assert mail.subject == f"Shipment details corrected: {shipped.invoice_code}"
    text = write_texts(mail).message
    for part in (
        "please use the new number.",
        "DHL-321",
        "https://carrier.test/DHL-321",
        "DHL-123",
    ):
        assert part in text


def test_without_a_letter_nobody_is_mailed(shipped):
    correct(shipped, letter=None)
    assert not Email.objects.exists()


@pytest.mark.parametrize(
    "fields",
    [
        {"seen": "DHL-1"},
        {"shipping_url": ""},
        TRACKING,
    ],
)
def test_what_is_wrong_changes_nothing(shipped, fields):
    with pytest.raises(StaffRefusal):
        correct(shipped, **fields)
    assert Order.objects.get().tracking_number == "DHL-123"
    assert not FormerTracking.objects.exists()
    assert not Email.objects.exists()


def test_an_order_that_has_not_shipped_has_no_number_to_correct():
    with pytest.raises(WrongStatus):
        correct(make_order_at(OrderStatus.PAID, make_buyer()), seen="")


def test_it_needs_the_right_to_change_orders(shipped):
    with pytest.raises(PermissionDenied):
        correct(shipped, actor=staff_in("Approvers"))


class TestPage:
    def send(self, client, order, **fields):
        given = {
            **NEW,
            "reason": "Swapped",
            "seen": "DHL-123",
            "send": "on",
            "letter": "Dear Anna",
            **fields,
        }
        return client.post(f"/admin/orders/order/{order.pk}/tracking/", given, follow=True)

    def test_it_corrects_and_shows_the_old_number_struck(self, shipped):
        page = self.send(staff_client("Sales"), shipped)
        assert shown_messages(page) == [f"{shipped}: Tracking number corrected to DHL-321."]
        assert "<del>DHL-123</del>" in page.text
        assert Email.objects.count() == 1
        numbers = (
            staff_client("Sales")
            .get(f"/admin/orders/order/{shipped.pk}/tracking/")
            .context["numbers"]
        )
        assert [row["number"] for row in numbers] == ["DHL-321", "DHL-123"]

    def test_an_unticked_mail_is_not_sent(self, shipped):
        self.send(staff_client("Sales"), shipped, send="")
        assert Order.objects.get().tracking_number == "DHL-321"
        assert not Email.objects.exists()

    def test_the_number_of_somebody_quicker_is_shown_and_the_input_kept(self, shipped):
        correct(shipped, letter=None)
        page = self.send(staff_client("Sales"), shipped, tracking_number="DHL-777")
        assert "The tracking number is now DHL-321" in shown_messages(page)[0]
        assert 'value="DHL-777"' in page.text
        assert page.context["form"]["seen"].value() == "DHL-321"

    def test_the_old_number_still_finds_the_order(self, shipped):
        correct(shipped)
        client = staff_client("Sales")
        jump = client.get("/admin/jump/", {"q": "DHL-123"})
        assert jump.headers["Location"] == f"/admin/orders/order/{shipped.pk}/change/"
        assert (
            client.get("/admin/orders/order/", {"status": "all", "q": "DHL-123"})
            .context["cl"]
            .result_count
            == 1
        )
