"""The conversation on an order: buyers and staff read each other, colleagues' notes
stay with them.
"""

import re
from datetime import UTC, datetime, timedelta
from html import unescape
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.utils.html import strip_tags
from post_office.models import Email

from apps.accounts.selectors import Buyer
from apps.accounts.tests.factories import buyer_of, make_buyer, make_user
from apps.accounts.tests.staff import shown_messages, staff_client
from apps.common.mail import write_texts
from apps.common.notes import TextRefused
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


def thread(api: ContractClient, order: Order, query: str = "") -> Any:
    return api.get(f"/api/order/customer/messages/{order.invoice_code}{query}").json()


def test_both_sides_read_one_thread_with_names_and_times(api: ContractClient, buyer: Buyer) -> None:
    order, sales = (
        make_order(buyer, ship_memo="Rear dock", now=NOW - timedelta(days=1)),
        make_sales(),
    )
    say(buyer, order, "When?")
    keep_note(order_id=order.pk, text="They always ask", actor=sales, now=NOW)
    answer_buyer(
        order_id=order.pk, text=" On Friday.\r\n", actor=sales, now=NOW + timedelta(hours=1)
    )
    say(
        buyer_of(make_user(company_id=buyer.company_id, manager="Piotr")),
        order,
        "Thanks",
        now=NOW + timedelta(hours=2),
    )
    messages = thread(api, order)
    assert [
        (one["kind"], one["name"], one["is_own"], one["text"]) for one in messages["messages"]
    ] == [
        ("shipping", buyer.manager, True, "Rear dock"),
        ("message", buyer.manager, True, "When?"),
        ("answer", "Mina Park", False, "On Friday."),
        ("message", "Piotr", False, "Thanks"),
    ]
    assert messages["messages"][2]["at"].startswith("2026-11-20")
    head = api.get(f"/api/details/{order.invoice_code}").json()["order"]
    assert (head["customer_memo"], head["memo"], head["ship_memo"]) == (
        "Thanks",
        "On Friday.",
        "Rear dock",
    )


def test_an_answer_is_mailed_to_who_wrote_last_and_nothing_waits_any_more(buyer: Buyer) -> None:
    order, piotr = make_order(buyer), buyer_of(make_user(company_id=buyer.company_id))
    say(buyer, order, "When?")
    say(piotr, order, "And how?", now=NOW + timedelta(minutes=1))
    answered = answer_buyer(
        order_id=order.pk, text="By sea <b>", actor=make_sales(), now=NOW + timedelta(hours=1)
    )
    assert not Order.objects.get(pk=order.pk).message_unread
    email = write_texts(Email.objects.latest("id"))
    assert (email.to, email.subject) == (
        [piotr.email],
        f"New message: {order.invoice_code}",
    )
    assert "By sea <b>" in email.message
    assert f"invoice_code={answered.invoice_code}" in email.message
    assert "By sea &lt;b&gt;" in email.html_message


def test_staff_see_when_their_answers_were_read(api: ContractClient, buyer: Buyer) -> None:
    order, sales, page = make_order(buyer), make_sales(), staff_client("Sales")
    url = f"/api/order/customer/read/{order.invoice_code}"

    def answered(text: str) -> int:
        answer_buyer(order_id=order.pk, text=text, actor=sales, now=datetime.now(UTC))
        newest: int = thread(api, order)["unread"]
        assert newest == OrderEvent.objects.latest("id").pk
        return newest

    def subjects() -> list[str]:
        html = page.get(f"/admin/orders/order/{order.pk}/change/").text
        return [unescape(strip_tags(line)) for line in re.findall(r'"sent [^>]*>(.*?)</p>', html)]

    assert thread(api, order)["unread"] is None
    first = answered("On Friday.")
    assert re.fullmatch(r"mailed \d\d:\d\d", subjects()[0])
    page.get(f"/admin/orders/order/{order.pk}/as-buyer/")
    assert api.post(url, {"message_id": first - 1}, content_type="application/json").json() == {
        "success": 1
    }
    assert thread(api, order)["unread"] == first  # staff's look and another message tell nothing
    rows = []
    for _ in range(2):
        assert api.post(url, {"message_id": first}, content_type="application/json").json() == {
            "success": 1
        }
        rows.append(Order.objects.get(pk=order.pk).answer_read_at)
    assert rows[0] == rows[1]
    assert thread(api, order)["unread"] is None
    assert re.fullmatch(r"mailed \d\d:\d\d · read \d\d:\d\d", subjects()[0])
    second = answered("On Monday.")
    assert [line.count("read") for line in subjects()] == [1, 0]
    api.post(url, {"message_id": second}, content_type="application/json")
    assert subjects()[0].endswith("· read")  # when is known of the newest
    assert re.search(r"read \d\d:\d\d$", subjects()[1])


def test_an_answer_is_read_by_its_own_company_alone(api: ContractClient, buyer: Buyer) -> None:
    order = make_order(make_buyer())
    answer_buyer(order_id=order.pk, text="Soon", actor=make_sales(), now=NOW)
    newest = OrderEvent.objects.latest("id").pk
    url = f"/api/order/customer/read/{order.invoice_code}"
    for message_id, status in ((newest, 404), (0, 400)):
        answer = api.post(url, {"message_id": message_id}, content_type="application/json")
        assert answer.status_code == status
    assert Order.objects.get(pk=order.pk).answer_read_at is None


def test_who_has_left_the_company_gets_no_answer(buyer: Buyer) -> None:
    order, colleague = make_order(buyer), make_user(company_id=buyer.company_id)
    say(buyer_of(colleague), order, "When?")
    colleague.is_active = False
    colleague.save()
    answer_buyer(order_id=order.pk, text="Soon", actor=make_sales(), now=NOW)
    assert Email.objects.latest("id").to == [buyer.email]


@pytest.mark.parametrize("service", [answer_buyer, keep_note])
@pytest.mark.parametrize("text", ["", " \n", "x" * 2001])
def test_nothing_and_too_much_are_refused(buyer: Buyer, service: Any, text: str) -> None:
    order = make_order(buyer)
    with pytest.raises(TextRefused):
        service(order_id=order.pk, text=text, actor=make_sales(), now=NOW)
    assert not order.events.filter(kind__in=[Kind.MEMO, Kind.NOTE]).exists()


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
        page = client.get(f"/admin/orders/order/{order.pk}/change/")
        assert "&lt;b&gt;When?&lt;/b&gt;" in page.text
        assert "to answer" in page.text
        entries = [(one.side, one.waits) for one in page.context["thread"]["said"]]
        assert entries == [("buyer", True)]
        assert client.get("/admin/").context["cards"][0]["rows"][0]["count"] == 1
        client.post(f"/admin/orders/order/{order.pk}/answer/", {"text": "Today", "_as": "note"})
        assert Order.objects.get(pk=order.pk).message_unread
        client.post(f"/admin/orders/order/{order.pk}/answer/", {"text": "Friday", "_as": "answer"})
        page = client.get(f"/admin/orders/order/{order.pk}/change/")
        assert [(one.side, one.waits) for one in page.context["thread"]["said"]] == [
            ("buyer", False),
            ("internal", False),
            ("seller", False),
        ]
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
        assert "3 to answer, the oldest first" in page.text
        sidebar = page.context["available_apps"][0]["models"]
        assert [line["name"] for line in sidebar if line["current"]] == ["Messages"]
        texts = {}
        for order in (second, first, third):
            answer = {"text": "On Friday", "_as": "answer"}
            page = client.post(f"/admin/orders/order/{order.pk}/answer/", answer, follow=True)
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
        answer_buyer(order_id=order.pk, text="Soon", actor=make_sales(), now=NOW)
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
        answer_buyer(
            order_id=order.pk, text="Soon", actor=make_sales(), now=now - timedelta(days=19)
        )
        say(buyer, order, "How soon?", now=now)
        page = staff_client("Sales").get("/admin/")
        row = page.context["cards"][0]["rows"][0]
        assert (row["count"], row["late"]) == (1, "–")

    @pytest.mark.parametrize("status", OrderStatus)
    def test_an_answer_is_sent_however_far_the_order_has_moved_on(
        self, buyer: Buyer, status: OrderStatus
    ) -> None:
        order, client = make_order_at(status, buyer), staff_client("Sales")
        fields = {
            "text": "It left this morning.",
            "_as": "answer",
            "_opened": "2026-11-20T10:42:00+09:00",
        }
        answer = client.post(f"/admin/orders/order/{order.pk}/answer/", fields, follow=True)
        assert shown_messages(answer) == [f"{order}: Answer sent."]
        moved = Order.objects.get(pk=order.pk)
        assert (moved.memo, moved.status) == ("It left this morning.", status)
        assert Email.objects.latest("id").to == [buyer.email]

    def test_who_opened_the_page_before_a_colleague_cancelled_the_order_still_answers(
        self, buyer: Buyer
    ) -> None:
        order, client = make_order(buyer), staff_client("Sales")
        say(buyer, order, "When?")
        client.get(f"/admin/orders/order/{order.pk}/change/")
        call_off(order)
        client.post(
            f"/admin/orders/order/{order.pk}/answer/", {"text": "It is cancelled", "_as": "answer"}
        )
        assert order.events.filter(kind=Kind.MEMO).count() == 1

    @pytest.mark.parametrize(("button", "kind"), [("answer", Kind.MEMO), ("note", Kind.NOTE)])
    def test_what_is_sent_twice_from_one_opened_page_is_said_once(
        self, buyer: Buyer, button: str, kind: Kind
    ) -> None:
        order, client = make_order(buyer), staff_client("Sales")
        path, mails = f"/admin/orders/order/{order.pk}/answer/", Email.objects.count()
        assert (
            'name="_opened"'
            in client.get(f"/admin/orders/order/{order.pk}/change/").text.split('class="composer"')[
                1
            ]
        )
        fields = {"text": "Friday", "_as": button, "_opened": "2026-11-20T10:42:00.000001+09:00"}
        client.post(path, fields)
        again = client.post(path, {**fields, "text": " Friday\r\n"})
        assert again.headers["Location"].endswith("#messages")  # the draft is done with
        entries, lines = (
            order.events.filter(kind=kind),
            LogEntry.objects.filter(object_id=str(order.pk)),
        )
        assert (entries.count(), lines.count(), Email.objects.count() - mails) == (
            1,
            1,
            button == "answer",
        )
        client.post(path, {**fields, "text": "Monday"})
        client.post(path, {**fields, "_opened": "2026-11-20T10:43:00.000001+09:00"})
        staff_client("Sales").post(path, fields)
        assert [event.note for event in entries.order_by("pk")] == [
            "Friday",
            "Monday",
            "Friday",
            "Friday",
        ]

    @pytest.mark.parametrize(
        ("text", "error"), [(" ", "Write something."), ("ab" * 1001, "At most 2,000 characters.")]
    )
    def test_what_is_refused_is_told_and_stays_in_its_field(
        self, buyer: Buyer, text: str, error: str
    ) -> None:
        order, client = make_order(buyer), staff_client("Sales")
        page = client.post(
            f"/admin/orders/order/{order.pk}/answer/", {"text": text, "_as": "answer"}
        )
        assert shown_messages(page) == [f"{order}: {error}"]
        assert f">{text}</textarea>" in page.text
        assert 'value="buyer" checked' in page.text
        noted = client.post(
            f"/admin/orders/order/{order.pk}/answer/", {"text": text, "_as": "note"}
        )
        assert 'value="staff" checked' in noted.text, "a note never becomes an answer"
        assert not order.events.filter(kind=Kind.MEMO).exists()

    def test_preparing_that_was_started_before_is_no_refusal(self, buyer: Buyer) -> None:
        order, client = make_order(buyer), staff_client("Sales", manager="Mina Park")
        path = f"/admin/orders/order/{order.pk}/prepare/"
        client.post(path)
        assert (
            shown_messages(client.post(path, follow=True))[-1]
            == f"{order}: it is already being prepared."
        )
