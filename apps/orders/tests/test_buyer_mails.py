"""Mails to a buyer whose order stands still: prepared, sent once, written into the history."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone
from post_office.models import Email

from apps.accounts.selectors import Buyer
from apps.accounts.tests.factories import make_buyer
from apps.accounts.tests.staff import shown_messages, staff_client
from apps.common.mail import write_texts
from apps.orders.errors import AlreadyMailed, NotLate, StaffRefusal
from apps.orders.models import Order, OrderEvent
from apps.orders.services.conversation import mail_late_shipment, remind_buyer
from apps.orders.status import OrderStatus
from apps.orders.tests.factories import make_order_at, make_sales

S = OrderStatus
PAID_AT = datetime(
    2026, 9, 22, 6, 0, tzinfo=UTC
)  # a Tuesday: with Chuseok from Thursday on, due on Monday
DUE = datetime(2026, 9, 28, 6, 0, tzinfo=UTC)


@pytest.fixture
def paid(buyer: Buyer) -> Order:
    order = make_order_at(S.PAID, buyer)
    Order.objects.filter(pk=order.pk).update(status_at=PAID_AT, due_at=DUE)
    Email.objects.all().delete()
    return Order.objects.get(pk=order.pk)


def to_pay(buyer: Buyer) -> Order:
    order = make_order_at(S.CONFIRMED, buyer)
    Email.objects.all().delete()
    return order


def mail_late(order: Order, **fields: Any) -> None:
    mail_late_shipment(order_id=order.pk, actor=make_sales(), **{"seen": 0, "now": DUE, **fields})


def events(order: Order) -> list[OrderEvent]:
    return list(order.events.filter(kind="mail").order_by("id"))


class TestLateShipment:
    def test_the_buyer_is_told_when_it_was_promised(self, paid):
        mail_late(paid, now=DUE + timedelta(hours=1))
        email = write_texts(Email.objects.get())
        assert email.to == [paid.user.email]
        assert email.subject == f"Your order is delayed: {paid.invoice_code}"
        promised = "paid on 22 September 2026. We promised to ship it by 28 September 2026"
        for words in (promised, "within 2 business days", "To ship by: 28 September 2026"):
            assert words in email.message
        assert f"/invoice/0?invoice_code={paid.invoice_code}" in email.html_message
        (event,) = events(paid)
        assert event.text.startswith(f"Late-shipment mail to {paid.user.email}: Your order")
        assert event.actor.manager == "Mina Park"

    def test_before_it_is_late_the_mail_says_that_it_will_be(self, paid):
        mail_late(paid, now=DUE - timedelta(days=1))
        message = write_texts(Email.objects.get()).message
        assert "We promised to ship it by 28 September 2026" in message
        assert "It will ship later than that." in message

    def test_the_text_is_staffs_own(self, paid):
        text = "The pump broke.\r\nTomorrow <b>it</b> ships."
        mail_late(paid, text=text)
        email = write_texts(Email.objects.get())
        assert "The pump broke.\nTomorrow <b>it</b> ships." in email.message
        assert "&lt;b&gt;it" in email.html_message

    def test_a_second_press_sends_nothing(self, paid):
        mail_late(paid)
        said = "Mina Park has mailed the buyer already, at 2026-09-28 15:00"
        with pytest.raises(AlreadyMailed, match=said):
            mail_late(paid)
        mail_late(paid, seen=1)
        assert Email.objects.count() == len(events(paid)) == 2

    def test_the_database_refuses_the_same_mail_twice(self, paid):
        mail_late(paid)
        with pytest.raises(IntegrityError), transaction.atomic():
            OrderEvent.objects.create(order=paid, kind="mail", key="late:1", at=DUE)

    @pytest.mark.parametrize("status", [S.RECEIVED, S.CONFIRMED, S.SHIPPED, S.CANCELLED])
    def test_only_a_paid_order_waits_for_its_shipment(self, buyer, status):
        order = make_order_at(status, buyer)
        with pytest.raises(StaffRefusal, match="only a paid order"):
            mail_late(order)

    def test_an_order_in_time_is_left_out_where_only_late_ones_are_meant(self, paid):
        with pytest.raises(NotLate, match="In time until 2026-09-28 15:00"):
            mail_late(paid, only_late=True, now=DUE - timedelta(seconds=1))
        assert not Email.objects.exists()


class TestReminder:
    def test_the_buyer_is_told_what_to_pay_and_how(self, buyer, settings):
        settings.BANK = {**settings.BANK, "bank": "Woori Bank"}
        order = to_pay(buyer)
        remind_buyer(order_id=order.pk, actor=make_sales(), now=DUE)
        email = write_texts(Email.objects.get())
        assert email.subject == f"Balance due: {order.invoice_code}"
        for text in (
            "$50.00 is still outstanding",
            "Balance due: $50.00",
            "Bank: Woori Bank",
            f"Reference: {order.invoice_code}",
        ):
            assert text in email.message
        assert events(order)[0].text.startswith("Reminder to")

    def test_once_a_day_of_the_seller_is_enough(self, buyer):
        order, sales = to_pay(buyer), make_sales()
        evening = datetime(2026, 11, 19, 14, 30, tzinfo=UTC)  # 23:30 in Seoul
        remind_buyer(order_id=order.pk, actor=sales, now=evening)
        with pytest.raises(AlreadyMailed, match="Once a day is enough"):
            remind_buyer(order_id=order.pk, actor=sales, now=evening + timedelta(minutes=29))
        remind_buyer(order_id=order.pk, actor=sales, now=evening + timedelta(minutes=30))
        assert Email.objects.count() == 2

    @pytest.mark.parametrize(
        ("change", "reason"),
        [
            ({"received": Decimal("99999")}, "No balance is due"),
            ({"status": S.PREPARING}, "No balance is due"),
            ({"wire_announced": True}, "announced a wire"),
            ({"payment_pending": True}, "A payment is under way"),
        ],
    )
    def test_nobody_is_reminded_of_what_is_not_owed(self, buyer, change, reason):
        order = to_pay(buyer)
        Order.objects.filter(pk=order.pk).update(**change)
        with pytest.raises(StaffRefusal, match=reason):
            remind_buyer(order_id=order.pk, actor=make_sales(), now=DUE)
        assert not Email.objects.exists()


class TestPages:
    def test_the_late_mail_is_shown_changed_and_sent_once(self, paid):
        sales, page = staff_client("Sales"), f"/admin/orders/order/{paid.pk}/late/"
        assert page in sales.get(f"/admin/orders/order/{paid.pk}/change/").text
        response = sales.get(page)
        assert "We promised to ship it by 28 September 2026" in response.text
        form = {"text": "It ships on Monday.", "seen": 0}
        assert sales.post(page, form).status_code == 302
        again = sales.post(page, form)
        assert "has mailed the buyer already" in again.text
        assert Email.objects.count() == 1
        assert int(again.context["form"]["seen"].value()) == 1
        assert sales.post(page, {**form, "seen": 1}).status_code == 302
        assert "It ships on Monday." in sales.get(f"/admin/orders/order/{paid.pk}/change/").text

    def test_a_reminder_is_the_next_step_of_a_confirmed_order(self, buyer):
        order, sales = to_pay(buyer), staff_client("Sales")
        page = f"/admin/orders/order/{order.pk}"
        step = sales.get(f"{page}/change/").context["next"]
        assert (step.label, step.url) == ("Remind the buyer", f"{page}/remind/")
        prepared = sales.get(step.url).context["form"]["text"].value()
        assert sales.post(step.url, {"text": prepared, "seen": 0}).status_code == 302
        assert "$50.00" in write_texts(Email.objects.get()).message
        Order.objects.filter(pk=order.pk).update(wire_announced=True)
        assert sales.get(step.url).status_code == 302

    def test_the_action_reports_done_skipped_and_failed(self, paid):
        late = paid
        mailed, in_time, shipped = (
            make_order_at(status, make_buyer()) for status in (S.PAID, S.PAID, S.SHIPPED)
        )
        now = timezone.now()
        Order.objects.filter(pk=mailed.pk).update(due_at=now - timedelta(days=3))
        Order.objects.filter(pk=in_time.pk).update(due_at=now + timedelta(days=1))
        mail_late(mailed, now=now)
        Email.objects.all().delete()
        order_ids = [order.pk for order in (late, mailed, in_time, shipped)]
        answer = staff_client("Sales").post(
            "/admin/orders/order/?status=all",
            {"action": "mail_late_selected", "_selected_action": order_ids},
            follow=True,
        )
        summary, *reasons = shown_messages(answer)
        assert summary == "Late-shipment mail sent: 1 done, 2 skipped, 1 failed."
        assert len(reasons) == 3
        assert [email.to for email in Email.objects.all()] == [[late.user.email]]
