"""The orders' list and one order's page: what is shown, found and exported."""

import re
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from django.contrib.admin.models import LogEntry
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from apps.accounts.models import Company, PriceGroup, User
from apps.accounts.tests.factories import make_buyer, make_company
from apps.accounts.tests.staff import shown_messages, staff_client, staff_in
from apps.catalog.tests.factories import (
    make_group_price,
    make_price_group,
    make_product,
    make_promotion,
)
from apps.common.staff_lists import figure_text as figure
from apps.common.testing import SMALL_PDF, vectors
from apps.orders.admin.as_buyer import money_rows
from apps.orders.models import Order, OrderDocument, OrderEvent
from apps.orders.selectors.orders import due_of
from apps.orders.services.confirm import AddedLine, LineDecision
from apps.orders.services.conversation import keep_note, leave_message
from apps.orders.services.moves import stale
from apps.orders.status import OrderStatus
from apps.orders.tests.document_files import cells_of
from apps.orders.tests.factories import confirm, make_order, make_order_at, make_sales, pack
from apps.orders.tests.test_uploaded_documents import add

pytestmark = pytest.mark.django_db
LIST = "/admin/orders/order/"


@pytest.fixture
def sales() -> Client:
    return staff_client("Sales", manager="Mina Park")


def page_of(order: Order) -> str:
    return reverse("admin:orders_order_change", args=[order.pk])


def codes(page) -> list[str]:
    return [order.invoice_code for order in page.context["cl"].result_list]


class TestList:
    def test_open_orders_are_listed_with_the_most_overdue_first(self, sales):
        buyer = make_buyer()
        early, late = make_order(buyer), make_order(buyer)
        closed, now = make_order_at(OrderStatus.SHIPPED, buyer), datetime.now(UTC)
        Order.objects.filter(pk=early.pk).update(due_at=now + timedelta(days=1))
        Order.objects.filter(pk=late.pk).update(due_at=now - timedelta(hours=2, minutes=1))
        page = sales.get(LIST)
        assert codes(page) == [late.invoice_code, early.invoice_code]
        assert "2 h late" in page.text
        assert closed.invoice_code in codes(sales.get(LIST, {"status": "all"}))

    @pytest.mark.parametrize(
        ("filters", "field", "value"),
        [
            ({"promise": "late"}, "due_at", datetime(2026, 1, 1, tzinfo=UTC)),
            ({"sign": "message"}, "message_unread", True),
            ({"sign": "ship_memo"}, "ship_memo_unread", True),
            ({"sign": "address"}, "address_changed", True),
            ({"sign": "wire"}, "wire_announced", True),
            ({"sign": "back_order"}, "is_back_order", True),
        ],
    )
    def test_each_filter_finds_its_orders_and_counts_them(self, sales, filters, field, value):
        buyer = make_buyer()
        own, _ = make_order(buyer), make_order(buyer)
        Order.objects.filter(pk=own.pk).update(**{field: value})
        page = sales.get(LIST, filters)
        assert codes(page) == [own.invoice_code]
        listed = page.context["cl"]
        selected = [
            c for spec in listed.filter_specs for c in spec.choices(listed) if c["selected"]
        ]
        assert [c["count"] for c in selected if c["display"] not in ("Open", "Any")] == [1]

    def test_open_orders_are_counted_beside_the_statuses_and_history_is_not(self, sales):
        buyer = make_buyer()
        make_order(buyer), make_order(buyer), make_order_at(OrderStatus.SHIPPED, buyer)
        listed = sales.get(LIST).context["cl"]
        counts = {c["display"]: c["count"] for c in listed.filter_specs[0].choices(listed)}
        none = dict.fromkeys(("Preparing", "Confirmed", "Completed Payment"), 0)
        closed = dict.fromkeys(("Shipment Completed", "Cancelled", "All"))
        assert counts == {"Open": 2, "Received": 2, **none, **closed}

    def test_counts_are_of_what_the_other_filters_leave(self, sales):
        buyer = make_buyer()
        late, _ = make_order(buyer), make_order_at(OrderStatus.PREPARING, buyer)
        Order.objects.filter(pk=late.pk).update(due_at=datetime(2026, 1, 1, tzinfo=UTC))

        def counts(title, query):
            listed = sales.get(LIST, query).context["cl"]
            spec = next(spec for spec in listed.filter_specs if spec.title == title)
            return {c["display"]: c["count"] for c in spec.choices(listed)}

        assert counts("promise", {"status": "2"}) == {"Any": 1, "Late now": 0, "Due today": 0}
        status = counts("status", {"status": "2", "promise": "late"})
        assert (status["Open"], status["Received"], status["Preparing"]) == (1, 1, 0)
        for query in ({"payment": "paid"}, {"q": "MHW"}, {"status": "all"}):
            assert set(counts("promise", query).values()) == {None}

    def test_history_comes_newest_first_however_it_is_asked_for(self, sales):
        buyer = make_buyer()
        orders = [make_order_at(OrderStatus.SHIPPED, buyer), make_order(buyer), make_order(buyer)]
        newest_first = [order.invoice_code for order in reversed(orders)]
        for more in ({}, {"o": "6"}, {"status": "nonsense"}, {"q": orders[0].invoice_code[:4]}):
            page = sales.get(LIST, {"status": "all", **more})
            assert codes(page) == newest_first
            assert page.context["subtitle"] == "3 listed, the newest first"
            assert 'class="sortable' not in page.text
        assert codes(sales.get(LIST, {"status": "5"})) == newest_first[-1:]
        assert 'class="sortable' in sales.get(LIST).text

    def test_a_long_list_is_counted_and_chosen_up_to_a_limit(self, sales, monkeypatch):
        monkeypatch.setattr("apps.common.lists.MOST_COUNTED", 3)
        monkeypatch.setattr("apps.orders.admin.orders.OrderAdmin.list_per_page", 2)
        buyer = make_buyer()
        for _ in range(3):
            make_order(buyer)
        page = sales.get(LIST)
        assert " 3 orders" in " ".join(page.text.split())
        assert "Select all 3 orders" in page.text
        make_order(buyer)
        page = sales.get(LIST)
        assert " 3+ orders" in " ".join(page.text.split())
        assert "across all pages" not in page.text
        assert len(codes(sales.get(LIST, {"p": "2"}))) == 1
        assert sales.get(LIST, {"p": "3"}).status_code == 302

    @pytest.mark.parametrize("value", ["9", "x", "²", "1 OR 1", "99999999999999999999", ""])
    def test_a_filter_with_nonsense_is_no_error(self, sales, value):
        for name in ("status", "promise", "waits", "sign", "country"):
            assert sales.get(LIST, {name: value}).status_code == 200

    @pytest.mark.parametrize("most", [0, 10_000])
    def test_search_finds_by_code_company_email_sku_and_tracking_number(
        self, sales, monkeypatch, most
    ):
        # Beyond it the list's own order is gone through.
        monkeypatch.setattr("apps.common.lists.MAX_MATCHES", most)
        buyer = make_buyer(company=make_company(name="Glow Trading"))
        product = make_product(sku="FIND-ME-1")
        order = make_order(buyer, [(product, 20)])
        make_order(make_buyer())
        Order.objects.filter(pk=order.pk).update(tracking_number="TRACK-77")
        for term in (order.invoice_code.lower(), "glow", buyer.email, "find-me-1", "TRACK-7"):
            assert codes(sales.get(LIST, {"q": term})) == [order.invoice_code], term

    def test_the_sums_are_of_all_that_the_filter_finds(self, sales, monkeypatch):
        monkeypatch.setattr("apps.orders.admin.orders.OrderAdmin.list_per_page", 2)
        buyer = make_buyer()
        orders = [make_order(buyer), make_order(buyer), make_order_at(OrderStatus.CONFIRMED, buyer)]
        for order, days in zip(orders, (-1, 1, 1), strict=True):
            due_at = timezone.now() + timedelta(days=days)
            Order.objects.filter(pk=order.pk).update(due_at=due_at)
        sums = sales.get(LIST).context["sums"]
        orders_now = list(Order.objects.all())
        assert sums == {
            "count": 3,
            "total": sum(order.real_total + order.shipping_fee for order in orders_now),
            "balance": due_of(Order.objects.get(pk=orders[2].pk)),
            "late": 1,
        }
        assert sums["balance"] > 0
        assert sales.get(LIST, {"status": "5"}).context["sums"] is None
        monkeypatch.setattr("apps.common.lists.MOST_COUNTED", 2)
        assert sales.get(LIST).context["sums"] is None

    def test_preparing_several_reports_done_and_refused_with_the_reason(self, sales):
        buyer = make_buyer()
        received, paid = make_order(buyer), make_order_at(OrderStatus.PAID, buyer)
        action = {"action": "prepare_selected", "_selected_action": [received.pk, paid.pk]}
        page = sales.post(f"{LIST}?status=all", action, follow=True)
        assert Order.objects.get(pk=received.pk).status == OrderStatus.PREPARING
        assert Order.objects.get(pk=paid.pk).status == OrderStatus.PAID
        summary, refused = shown_messages(page)
        assert summary == "Preparing started: 1 done, 1 skipped, 0 failed."
        assert paid.invoice_code in refused
        assert "status does not allow it" in refused


class TestPage:
    def test_it_shows_steps_lines_money_and_history(self, sales):
        order = make_order_at(OrderStatus.SHIPPED, make_buyer())
        Company.objects.update(phone="+48 22 555 01 75")
        page = sales.get(page_of(order))
        people = ("+48 22 555 01 75", "Mina Park")
        for text in (order.invoice_code, "Shipment Completed", "DHL-123", "Balance due", *people):
            assert text in page.text

    @pytest.mark.parametrize(
        ("status", "confirmed"),
        [
            (OrderStatus.RECEIVED, False),
            (OrderStatus.PREPARING, False),
            (OrderStatus.CANCELLED, False),
            (OrderStatus.CONFIRMED, True),
        ],
    )
    def test_a_line_is_ordered_until_staff_confirm_it(self, sales, status, confirmed):
        page = sales.get(page_of(make_order_at(status, make_buyer())))
        assert ('<span class="tag ok">Confirmed</span>' in page.text) is confirmed
        assert page.context["was_confirmed"] is confirmed
        assert ("20 of 20 pieces confirmed" in page.text) is confirmed

    @pytest.mark.parametrize(
        ("status", "button"),
        [
            (OrderStatus.RECEIVED, "Start preparing"),
            (OrderStatus.PREPARING, "Open the confirmation sheet"),
            (OrderStatus.CONFIRMED, "Remind the buyer"),
            (OrderStatus.PAID, "Open the packing sheet"),
            *((status, None) for status in (OrderStatus.SHIPPED, OrderStatus.CANCELLED)),
        ],
    )
    def test_the_one_primary_button_is_the_next_step(self, sales, status, button):
        page = sales.get(page_of(make_order_at(status, make_buyer())))
        assert getattr(page.context["next"], "label", None) == button
        assert page.text.count("button primary") == bool(button)

    def test_a_paid_order_that_is_packed_can_ship(self, sales):
        order = make_order_at(OrderStatus.PAID, make_buyer())
        assert "Packing is not complete." in sales.get(page_of(order)).text
        pack(order)
        assert sales.get(page_of(order)).context["next"].label == "Ship this order"

    def test_an_order_is_neither_added_nor_deleted_by_a_superuser(self):
        order, admin = make_order(make_buyer()), staff_client()
        assert admin.get(f"{LIST}add/").status_code == 403
        assert admin.post(f"{LIST}{order.pk}/delete/", {"post": "yes"}).status_code == 403

    def test_the_page_costs_the_same_statements_for_two_lines_and_for_twenty(
        self, sales, django_assert_max_num_queries
    ):
        buyer = make_buyer()
        short = make_order(buyer, [(make_product(), 10) for _ in range(2)])
        long = make_order(buyer, [(make_product(), 10) for _ in range(20)])
        sales.get(page_of(short))
        with django_assert_max_num_queries(18) as few:
            sales.get(page_of(short))
        with django_assert_max_num_queries(18) as many:
            sales.get(page_of(long))
        assert len(few) == len(many)


class TestFiltersAndExport:
    def test_by_how_the_payment_stands(self, sales):
        waiting, paid = make_order(make_buyer()), make_order_at(OrderStatus.PAID, make_buyer())
        part, announced = make_order(make_buyer()), make_order(make_buyer())
        Order.objects.filter(pk=part.pk).update(deposit_received="10.00", received="10.00")
        Order.objects.filter(pk=announced.pk).update(wire_announced=True)

        def codes_for(word):
            page = sales.get(LIST, {"status": "all", "payment": word})
            return {order.pk for order in page.context["cl"].result_list}

        assert (codes_for("waiting"), codes_for("announced")) == ({waiting.pk}, {announced.pk})
        assert (codes_for("part"), codes_for("paid")) == ({part.pk}, {paid.pk})
        assert "part paid" in sales.get(LIST).text

    def test_by_the_sellers_days_of_ordering(self, sales):
        order, other = make_order(make_buyer()), make_order(make_buyer())
        placed_at = datetime(2026, 11, 1, 23, tzinfo=UTC)  # the 2nd in Seoul
        Order.objects.filter(pk=order.pk).update(placed_at=placed_at)
        for days, pks in (
            ({"since": "2026-11-02", "until": "2026-11-02"}, {order.pk}),
            ({"until": "2026-11-01"}, set()),
            ({"since": "no day"}, {order.pk, other.pk}),
        ):
            page = sales.get(LIST, days)
            assert {order.pk for order in page.context["cl"].result_list} == pks

    def test_what_is_found_or_chosen_is_exported_as_text_and_numbers(self, sales):
        order, other = make_order(make_buyer()), make_order_at(OrderStatus.PAID, make_buyer())
        Company.objects.filter(pk=order.company_id).update(name="=1+1")
        file = sales.get(f"{LIST}export.csv", {"payment": "waiting"}).content.decode("utf-8-sig")
        head, row = (line.split(",")[:2] for line in file.splitlines())
        assert (head, row) == (["Invoice", "Company"], [order.invoice_code, "'=1+1"])
        _, *rows = cells_of(sales.get(f"{LIST}export.xlsx", {"status": "all"}).content)
        paid = {row[0].value: row[5].value for row in rows}
        assert (set(paid), paid[other.invoice_code]) == ({row[0].value for row in rows}, "Paid")
        chosen = {"action": "export_selected", "_selected_action": [order.pk]}
        _, (code, company, *cells) = cells_of(sales.post(LIST, chosen).content)
        assert (code.value, company.value, company.data_type) == (order.invoice_code, "=1+1", "s")
        assert Decimal(str(cells[7].value)) == order.total


def test_a_line_says_which_rule_gave_its_price_and_where_that_is_explained(sales):
    company = make_company()
    group = make_price_group(-10, company)
    own, plain, promoted = (make_product(sku=sku) for sku in ("OWN-1", "PER-1", "PRO-1"))
    make_group_price(group, own, Decimal("3.00"))
    make_promotion([promoted], price=Decimal("2.00"))
    buyer = make_buyer(company=company)
    order = make_order_at(
        OrderStatus.PREPARING, buyer, [(one, 20) for one in (own, plain, promoted)]
    )
    added = AddedLine(make_product().pk, 10, Decimal("1.00"), "substitute")
    confirm(order, added=[added])
    PriceGroup.objects.update(percent=50)
    page = sales.get(reverse("admin:orders_order_change", args=[order.pk]))
    prices = [(row.price, str(row.price_from)) for row in page.context["lines"]]
    assert prices == [
        (Decimal("3.00"), "group price"),
        (Decimal("4.05"), "group's percentage"),
        (Decimal("2.00"), "promotion"),
        (Decimal("1.00"), ""),
    ]


# An order as its buyer sees it


@pytest.fixture
def order() -> Order:
    """Return a confirmed order with an unread message."""
    order = make_order_at(OrderStatus.CONFIRMED, make_buyer())
    Order.objects.filter(pk=order.pk).update(message_unread=True)
    said = {"kind": "message", "note": "When does it ship?"}
    OrderEvent.objects.create(order=order, at=order.placed_at, **said)
    keep_note(order_id=order.pk, text="Zzinternal", actor=make_sales(), now=order.placed_at)
    return order


def test_the_page_shows_the_buyers_answers_and_nothing_of_ours(order):
    page = staff_client("Sales").get(f"/admin/orders/order/{order.pk}/as-buyer/")
    words = ("You see what the buyer sees", "Pay the balance", "When does it ship?")
    for text in (*words, order.company.name):
        assert text in page.text
    assert "Zzinternal" not in page.text
    assert Order.objects.get(pk=order.pk).message_unread


def test_its_products_are_counted_as_on_the_buyers_page(sales):
    product = make_product()
    order = make_order_at(OrderStatus.PREPARING, make_buyer(), [(product, 20)])
    gift = AddedLine(make_product().pk, 5, Decimal(0), "free_offer")
    confirm(order, [LineDecision(order.lines.get().pk, 12, "short")], added=[gift])
    page = sales.get(f"/admin/orders/order/{order.pk}/as-buyer/")
    assert len(page.context["lines"]) == 3
    assert page.context["products"] == 1


SUMS = (
    *("total", "real_total", "shipping_fee", "deposit", "deposit_received", "paid", "waived"),
    *("credited", "balance_due"),
)


def written(value: str) -> str:
    """Return a row's value as staff read it."""
    words, _, amount = value.rpartition(" ")
    if not amount[-1:].isdigit():
        return value
    return f"{words} {figure(Decimal(amount))}".strip()


@pytest.mark.parametrize("row", vectors("orders/order_totals"), ids=lambda row: row["source"])
def test_its_money_stands_in_the_rows_of_the_buyers_page(row):
    cents = {name: Decimal(row["order"].get(name, 0)).quantize(Decimal("0.01")) for name in SUMS}
    back = [Decimal(row["refunded"]).quantize(Decimal("0.01"))] if "refunded" in row else []
    step = {"rows": [{"amount": amount} for amount in back]}
    rest = {"weight_kg": None, "products_weight_kg": 30.5, "next_step": step}
    order = {**rest, **row["order"], **cents}
    assert money_rows(order) == [(label, written(value)) for label, value in row["rows"]]


def test_who_looked_stands_in_the_history_once_a_day(order):
    client = staff_client("Sales", manager="Mina Park")
    for _ in range(2):
        client.get(f"/admin/orders/order/{order.pk}/as-buyer/")
    event = OrderEvent.objects.get(order=order, kind=OrderEvent.Kind.SEEN)
    assert event.actor is not None
    assert event.actor.manager == "Mina Park"
    assert "Seen as the buyer sees it" in client.get(f"/admin/orders/order/{order.pk}/change/").text
    assert "Mina Park" not in str(stale(order)), "looking is no change"


def test_the_page_sends_nothing_and_opens_no_door_to_the_buyers_calls(order):
    client = staff_client("Sales")
    page = client.get(f"/admin/orders/order/{order.pk}/as-buyer/")
    main = page.text[page.text.index('id="content"') :]
    assert not re.search(r"<(form|button|input|textarea|script)", main)
    assert str(order.user.uuid) not in page.text
    before = OrderEvent.objects.count()
    assert client.post(f"/admin/orders/order/{order.pk}/as-buyer/").status_code == 302
    assert OrderEvent.objects.count() == before


def test_a_buyer_who_may_not_come_in_sees_nothing(order):
    User.objects.filter(pk=order.user_id).update(is_active=False)
    page = staff_client("Sales").get(f"/admin/orders/order/{order.pk}/as-buyer/", follow=True)
    assert "may not sign in" in shown_messages(page)[0]
    assert not OrderEvent.objects.filter(kind=OrderEvent.Kind.SEEN).exists()


def step(name: str, order: Order) -> str:
    return reverse(f"admin:orders_order_{name}", args=[order.pk])


class TestSteps:
    def test_prepare_moves_the_order_and_writes_who_did_it(self, sales):
        order = make_order(make_buyer())
        page = sales.post(step("prepare", order), follow=True)
        assert Order.objects.get(pk=order.pk).status == OrderStatus.PREPARING
        assert OrderEvent.objects.get(order=order, to_status=2).actor.manager == "Mina Park"
        assert LogEntry.objects.get().get_change_message() == "Preparing started"
        assert shown_messages(page) == [f"{order}: Preparing started."]

    def test_a_step_needs_the_csrf_token(self):
        client = Client(enforce_csrf_checks=True)
        client.force_login(staff_in("Sales"), backend="django.contrib.auth.backends.ModelBackend")
        order = make_order(make_buyer())
        assert client.post(step("prepare", order)).status_code == 403

    def test_a_refused_step_is_a_message(self, sales):
        order = make_order_at(OrderStatus.PAID, make_buyer())
        page = sales.post(step("prepare", order), follow=True)
        assert page.status_code == 200
        assert "status does not allow it" in shown_messages(page)[0]
        assert not LogEntry.objects.exists()

    def test_a_step_that_a_colleague_took_says_so(self, sales):
        order = make_order_at(OrderStatus.SHIPPED, make_buyer())
        fields = {"tracking_number": "DHL-9", "shipping_url": "https://carrier.test/9"}
        page = sales.post(step("ship", order), fields)
        assert "it is Shipment Completed already" in shown_messages(page)[0]

    def test_shipping_needs_a_number_and_an_address(self, sales):
        order = make_order_at(OrderStatus.PAID, make_buyer())
        fields = {"tracking_number": "", "shipping_url": "javascript:alert(1)"}
        page = sales.post(step("ship", order), fields)
        assert set(page.context["form"].errors) == {"tracking_number", "shipping_url"}
        assert Order.objects.get(pk=order.pk).status == OrderStatus.PAID

    def test_shipping_moves_the_order(self, sales):
        order = pack(make_order_at(OrderStatus.PAID, make_buyer()))
        fields = {"tracking_number": " DHL-9 ", "shipping_url": "https://carrier.test/9"}
        assert sales.post(step("ship", order), fields).headers["Location"] == page_of(order)
        shipped = Order.objects.get(pk=order.pk)
        assert (shipped.status, shipped.tracking_number) == (OrderStatus.SHIPPED, "DHL-9")

    def test_shipping_too_early_keeps_the_input_and_says_why(self, sales):
        order = make_order(make_buyer())
        fields = {"tracking_number": "DHL-9", "shipping_url": "https://carrier.test/9"}
        page = sales.post(step("ship", order), fields)
        assert "status does not allow it" in shown_messages(page)[0]
        assert "DHL-9" in page.text

    def test_messages_can_be_marked_read_alone(self, sales):
        buyer = make_buyer()
        order = make_order(buyer)
        code, kind = order.invoice_code, OrderEvent.Kind.MESSAGE
        now = datetime.now(UTC)
        leave_message(buyer=buyer, invoice_code=code, kind=kind, text="Hello", now=now)
        for _ in range(2):  # the second time there is nothing to read
            sales.post(step("read", order))
        assert not Order.objects.get(pk=order.pk).message_unread
        assert order.events.filter(kind=OrderEvent.Kind.READ).count() == 1


class TestDocuments:
    def test_a_document_is_added_opened_and_removed(self, sales):
        order = make_order(make_buyer())
        file = SimpleUploadedFile("any.pdf", SMALL_PDF)
        sales.post(step("document", order), {"title": "Proforma", "file": file})
        document = OrderDocument.objects.get(order=order)
        answer = sales.get(reverse("admin:orders_order_file", args=[order.pk, document.pk]))
        assert b"".join(answer.streaming_content) == SMALL_PDF
        assert "attachment" in answer["Content-Disposition"]
        sales.post(reverse("admin:orders_order_remove", args=[order.pk, document.pk]))
        assert not OrderDocument.objects.exists()

    def test_the_page_sends_the_file_itself(self, sales):
        order = make_order(make_buyer())
        assert 'enctype="multipart/form-data"' in sales.get(step("document", order)).text
        assert "multipart" not in sales.get(step("ship", order)).text

    def test_a_file_of_another_kind_is_refused_at_its_field(self, sales):
        order = make_order(make_buyer())
        file = SimpleUploadedFile("page.pdf", b"<html><script>alert(1)</script>")
        page = sales.post(step("document", order), {"title": "Page", "file": file})
        assert page.status_code == 200
        assert "file" in page.context["form"].errors
        assert not OrderDocument.objects.exists()

    def test_a_document_of_another_order_is_not_found(self, sales):
        buyer = make_buyer()
        order, other = make_order(buyer), make_order(buyer)
        document = add(order)
        for name in ("file", "remove"):
            url = reverse(f"admin:orders_order_{name}", args=[other.pk, document.pk])
            assert sales.post(url).status_code == 404
        assert OrderDocument.objects.exists()
