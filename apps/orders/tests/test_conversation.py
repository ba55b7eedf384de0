"""The conversation on an order: buyers and staff read each other, colleagues' notes
stay with them.
"""

import re
from datetime import UTC, datetime, timedelta
from html import unescape
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client
from django.utils.html import strip_tags
from post_office.models import Email

from apps.accounts.selectors import Buyer
from apps.accounts.tests.factories import buyer_of, make_buyer, make_user
from apps.accounts.tests.staff import shown_messages, staff_client
from apps.common.mail import write_texts
from apps.common.testing import ContractClient
from apps.orders.models import Order, OrderEvent
from apps.orders.selectors.conversation import PAGE_SIZE
from apps.orders.services.conversation import answer_buyer, keep_note, leave_message
from apps.orders.status import OrderStatus
from apps.orders.tests.factories import call_off, make_order, make_order_at, make_sales

Kind = OrderEvent.Kind
NOW = datetime(2026, 11, 20, 8, tzinfo=UTC)


def say(
    buyer: Buyer, order: Order, text: str, kind: Kind = Kind.MESSAGE, *, now: datetime = NOW
) -> None:
    leave_message(buyer=buyer, invoice_code=order.invoice_code, kind=kind, text=text, now=now)


def answer(order: Order, text: str, *, now: datetime = NOW) -> Order:
    return answer_buyer(order_id=order.pk, text=text, actor=make_sales(), now=now)


def post(client: Client, order: Order, text: str, button: str = "answer", **fields: Any) -> Any:
    """Send what is written on the order's page, as an answer or as a note."""
    body = {"text": text, "_as": button, **fields}
    return client.post(f"/admin/orders/order/{order.pk}/answer/", body)


def page_of(client: Client, order: Order) -> Any:
    return client.get(f"/admin/orders/order/{order.pk}/change/")


def thread(api: ContractClient, order: Order, query: str = "") -> Any:
    return api.get(f"/api/order/customer/messages/{order.invoice_code}{query}").json()


def test_both_sides_read_one_thread_with_names_and_times(api: ContractClient, buyer: Buyer) -> None:
    order = make_order(buyer, ship_memo="Rear dock", now=NOW - timedelta(days=1))
    say(buyer, order, "When?")
    keep_note(order_id=order.pk, text="They always ask", actor=make_sales(), now=NOW)
    answer(order, " On Friday.\r\n", now=NOW + timedelta(hours=1))
    piotr = make_buyer(company_id=buyer.company_id, manager="Piotr")
    say(piotr, order, "Thanks", now=NOW + timedelta(hours=2))
    messages = thread(api, order)
    columns = ("kind", "name", "is_own", "text")
    assert [tuple(one[name] for name in columns) for one in messages["messages"]] == [
        ("shipping", buyer.manager, True, "Rear dock"),
        ("message", buyer.manager, True, "When?"),
        ("answer", "Mina Park", False, "On Friday."),
        ("message", "Piotr", False, "Thanks"),
    ]
    assert messages["messages"][2]["at"].startswith("2026-11-20")
    head = api.get(f"/api/details/{order.invoice_code}").json()["order"]
    told = [head[name] for name in ("customer_memo", "memo", "ship_memo")]
    assert told == ["Thanks", "On Friday.", "Rear dock"]


def test_an_answer_is_mailed_to_who_wrote_last_and_nothing_waits_any_more(buyer: Buyer) -> None:
    order, piotr = make_order(buyer), make_buyer(company_id=buyer.company_id)
    say(buyer, order, "When?")
    say(piotr, order, "And how?", now=NOW + timedelta(minutes=1))
    answer(order, "By sea <b>", now=NOW + timedelta(hours=1))
    assert not Order.objects.get(pk=order.pk).message_unread
    email = write_texts(Email.objects.latest("id"))
    assert (email.to, email.subject) == ([piotr.email], f"New message: {order.invoice_code}")
    assert "By sea <b>" in email.message
    assert f"invoice_code={order.invoice_code}" in email.message
    assert "By sea &lt;b&gt;" in email.html_message


def test_staff_see_when_their_answers_were_read(api: ContractClient, buyer: Buyer) -> None:
    order, page = make_order(buyer), staff_client("Sales")

    def read_to(message_id: int) -> None:
        path = f"/api/order/customer/read/{order.invoice_code}"
        assert api.send("POST", path, {"message_id": message_id}).json() == {"success": 1}

    def answered(text: str) -> int:
        answer(order, text, now=datetime.now(UTC))
        newest: int = thread(api, order)["unread"]
        assert newest == OrderEvent.objects.latest("id").pk
        return newest

    def subjects() -> list[str]:
        rows = re.findall(r'"sent [^>]*>(.*?)</p>', page_of(page, order).text)
        return [unescape(strip_tags(line)) for line in rows]

    assert thread(api, order)["unread"] is None
    first = answered("On Friday.")
    assert re.fullmatch(r"mailed \d\d:\d\d", subjects()[0])
    page.get(f"/admin/orders/order/{order.pk}/as-buyer/")
    read_to(first - 1)
    assert thread(api, order)["unread"] == first  # staff's look and another message tell nothing
    rows = []
    for _ in range(2):
        read_to(first)
        rows.append(Order.objects.get(pk=order.pk).answer_read_at)
    assert rows[0] == rows[1]
    assert thread(api, order)["unread"] is None
    assert re.fullmatch(r"mailed \d\d:\d\d · read \d\d:\d\d", subjects()[0])
    second = answered("On Monday.")
    assert [line.count("read") for line in subjects()] == [1, 0]
    read_to(second)
    assert subjects()[0].endswith("· read")  # when is known of the newest
    assert re.search(r"read \d\d:\d\d$", subjects()[1])


def test_an_answer_is_read_by_its_own_company_alone(api: ContractClient, buyer: Buyer) -> None:
    order = make_order(make_buyer())
    answer(order, "Soon")
    path = f"/api/order/customer/read/{order.invoice_code}"
    for message_id, status in ((OrderEvent.objects.latest("id").pk, 404), (0, 400)):
        assert api.send("POST", path, {"message_id": message_id}).status_code == status
    assert Order.objects.get(pk=order.pk).answer_read_at is None


def test_who_has_left_the_company_gets_no_answer(buyer: Buyer) -> None:
    order, colleague = make_order(buyer), make_user(company_id=buyer.company_id)
    say(buyer_of(colleague), order, "When?")
    colleague.is_active = False
    colleague.save()
    answer(order, "Soon")
    assert Email.objects.latest("id").to == [buyer.email]


def test_a_long_thread_is_read_by_pages(api: ContractClient, buyer: Buyer) -> None:
    order = make_order(buyer)
    rows = [
        OrderEvent(order=order, kind=Kind.MESSAGE, note=f"{n}", at=NOW)
        for n in range(PAGE_SIZE + 2)
    ]
    OrderEvent.objects.bulk_create(rows)
    newest = thread(api, order)
    assert [one["text"] for one in newest["messages"]] == [f"{n}" for n in range(2, PAGE_SIZE + 2)]
    older = thread(api, order, f"?before={newest['next']}")
    assert ([one["text"] for one in older["messages"]], older["next"]) == (["0", "1"], None)
    elsewhere = make_order(buyer).events.latest("id").pk
    assert thread(api, order, f"?before={elsewhere}")["messages"] == []
    assert api.get(f"/api/order/customer/messages/{order.invoice_code}?before=x").status_code == 400


class TestStaff:
    def test_what_waits_is_marked_until_it_is_answered(self, buyer: Buyer) -> None:
        order, client = make_order(buyer), staff_client("Sales", manager="Mina Park")
        say(buyer, order, "<b>When?</b>", now=datetime.now(UTC))
        page = page_of(client, order)
        assert "&lt;b&gt;When?&lt;/b&gt;" in page.text
        assert "to answer" in page.text
        entries = [(one.side, one.waits) for one in page.context["thread"]["said"]]
        assert entries == [("buyer", True)]
        assert client.get("/admin/").context["cards"][0]["rows"][0]["count"] == 1
        post(client, order, "Today", "note")
        assert Order.objects.get(pk=order.pk).message_unread
        post(client, order, "Friday")
        said = [(one.side, one.waits) for one in page_of(client, order).context["thread"]["said"]]
        assert said == [("buyer", False), ("internal", False), ("seller", False)]
        assert client.get("/admin/").context["cards"][0]["rows"][0]["count"] == 0

    def test_messages_are_listed_as_they_came_and_an_answer_leads_to_the_next(
        self, buyer: Buyer
    ) -> None:
        first, second, third = make_order(buyer), make_order(buyer), make_order(buyer)
        client = staff_client("Sales")
        for minutes, order in enumerate((second, third, first)):
            say(buyer, order, "When?", now=NOW + timedelta(minutes=minutes))
        page = client.get("/admin/orders/message/")
        words = [message for message, _ in page.context["rows"]]
        assert [message.order for message in words] == [second, third, first]
        assert f'href="/admin/orders/order/{second.pk}/change/#message-{words[0].pk}"' in page.text
        assert "3 to answer (orders: 3), the oldest first" in page.text
        sidebar = page.context["available_apps"][0]["models"]
        assert [line["name"] for line in sidebar if line["current"]] == ["Messages"]
        texts = {}
        for order in (second, first, third):
            page = client.get(post(client, order, "On Friday").headers["Location"])
            texts[order] = shown_messages(page)[1:]
        following = (
            f"Next to answer: {buyer.company}, <a "
            f'href="/admin/orders/order/{third.pk}/change/#message-{words[1].pk}">{third}</a>.'
        )
        assert texts == {second: [following], first: [following], third: []}

    def test_what_was_answered_stands_among_all_messages_alone(
        self, buyer: Buyer, django_assert_num_queries: Any
    ) -> None:
        order, client = make_order(buyer), staff_client("Sales")
        say(buyer, order, "When?")
        answer(order, "Soon")
        say(buyer, order, "How soon?")

        waiting = client.get("/admin/orders/message/")
        assert [message.note for message, _ in waiting.context["rows"]] == ["How soon?"]
        for number in range(49):
            say(buyer, order, f"{number}?")
        with django_assert_num_queries(6):
            newest = client.get("/admin/orders/message/?show=all")
        assert "Answered" not in newest.text
        oldest = client.get("/admin/orders/message/?show=all&page=2")
        assert [message.note for message, _ in oldest.context["rows"]] == ["When?"]
        assert "Answered" in oldest.text

    def test_a_message_after_an_answer_waits_since_it_came(self, buyer: Buyer) -> None:
        order, now = make_order(buyer), datetime.now(UTC)
        say(buyer, order, "When?", now=now - timedelta(days=20))
        answer(order, "Soon", now=now - timedelta(days=19))
        say(buyer, order, "How soon?", now=now)
        page = staff_client("Sales").get("/admin/")
        row = page.context["cards"][0]["rows"][0]
        assert (row["count"], row["late"]) == (1, "–")

    @pytest.mark.parametrize("status", OrderStatus)
    def test_an_answer_is_sent_however_far_the_order_has_moved_on(
        self, buyer: Buyer, status: OrderStatus
    ) -> None:
        order, client = make_order_at(status, buyer), staff_client("Sales")
        opened = {"_opened": "2026-11-20T10:42:00+09:00"}
        fields = post(client, order, "It left this morning.", **opened)
        page = client.get(fields.headers["Location"])
        assert shown_messages(page) == [f"{order}: Answer sent."]
        moved = Order.objects.get(pk=order.pk)
        assert (moved.memo, moved.status) == ("It left this morning.", status)
        assert Email.objects.latest("id").to == [buyer.email]

    def test_who_opened_the_page_before_a_colleague_cancelled_the_order_still_answers(
        self, buyer: Buyer
    ) -> None:
        order, client = make_order(buyer), staff_client("Sales")
        say(buyer, order, "When?")
        page_of(client, order)
        call_off(order)
        post(client, order, "It is cancelled")
        assert order.events.filter(kind=Kind.MEMO).count() == 1

    @pytest.mark.parametrize(("button", "kind"), [("answer", Kind.MEMO), ("note", Kind.NOTE)])
    def test_what_is_sent_twice_from_one_opened_page_is_said_once(
        self, buyer: Buyer, button: str, kind: Kind
    ) -> None:
        order, client, mails = make_order(buyer), staff_client("Sales"), Email.objects.count()
        assert 'name="_opened"' in page_of(client, order).text.split('class="composer"')[1]
        opened = {"_opened": "2026-11-20T10:42:00.000001+09:00"}
        post(client, order, "Friday", button, **opened)
        again = post(client, order, " Friday\r\n", button, **opened)
        assert again.headers["Location"].endswith("#messages")  # the draft is done with
        entries = order.events.filter(kind=kind).order_by("pk")
        assert (entries.count(), LogEntry.objects.filter(object_id=str(order.pk)).count()) == (1, 1)
        assert Email.objects.count() - mails == (button == "answer")
        post(client, order, "Monday", button, **opened)
        post(client, order, "Friday", button, _opened="2026-11-20T10:43:00.000001+09:00")
        post(staff_client("Sales"), order, "Friday", button, **opened)
        assert [event.note for event in entries] == ["Friday", "Monday", "Friday", "Friday"]

    @pytest.mark.parametrize(
        ("text", "error"), [(" ", "Write something."), ("ab" * 1001, "At most 2,000 characters.")]
    )
    def test_what_is_refused_is_told_and_stays_in_its_field(
        self, buyer: Buyer, text: str, error: str
    ) -> None:
        order, client = make_order(buyer), staff_client("Sales")
        page = post(client, order, text)
        assert shown_messages(page) == [f"{order}: {error}"]
        assert f">{text}</textarea>" in page.text
        assert 'value="buyer" checked' in page.text
        noted = post(client, order, text, "note")
        assert 'value="staff" checked' in noted.text, "a note never becomes an answer"
        assert not order.events.filter(kind=Kind.MEMO).exists()

    def test_preparing_that_was_started_before_is_no_refusal(self, buyer: Buyer) -> None:
        order, client = make_order(buyer), staff_client("Sales", manager="Mina Park")
        path = f"/admin/orders/order/{order.pk}/prepare/"
        client.post(path)
        said = shown_messages(client.post(path, follow=True))
        assert said[-1] == f"{order}: it is already being prepared."
