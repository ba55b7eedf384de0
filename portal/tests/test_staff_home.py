"""Staff's home and the box that jumps: what waits, what is late, and the way to a thing by its
name.
"""

from datetime import timedelta

import pytest
from django.utils import timezone

from apps.accounts.models import Company, User
from apps.accounts.tests.factories import make_buyer, make_staff, make_user
from apps.accounts.tests.staff import staff_client
from apps.catalog.models import Product
from apps.catalog.tests.import_files import sent
from apps.orders.models import Order, OrderEvent, Wish
from apps.orders.status import OrderStatus
from apps.orders.tests.factories import make_order_at, make_sales
from apps.payments.models import Payment, Refund
from apps.payments.tests.bank.statement_desk import import_statement
from apps.payments.tests.factories import make_wire_order

pytestmark = pytest.mark.django_db


def rows_by_label(page):
    return {row["label"]: row for card in page.context["cards"] for row in card["rows"]}


class TestHome:
    def test_what_is_at_zero_is_folded_away(self):
        page = staff_client("Sales").get("/admin/")
        visible, folded = page.text.split("Show all</summary>")
        assert "Announced wires" not in visible
        assert "Announced wires" in folded

    def test_background_tasks_are_for_superusers(self):
        for client, sees in ((staff_client(), True), (staff_client("Sales"), False)):
            names = [card["name"] for card in client.get("/admin/").context["cards"]]
            assert ("Background tasks" in names) is sees
            assert ("Background tasks" in client.get("/admin/records/").text) is sees
            answer = client.get("/admin/portal/sweeprun/?state=failing")
            assert answer.status_code == (200 if sees else 403)

    def test_a_wish_that_waited_for_long_is_overdue_and_not_among_what_is_late(self):
        buyer = make_buyer()
        who = {"company_id": buyer.company_id, "user_id": buyer.id}
        since = timezone.now() - timedelta(days=40)
        Wish.objects.create(**who, code="X-1", why=Wish.Why.UNKNOWN_SKU, pieces=5, since=since)
        page = staff_client("Sales").get("/admin/")
        row = rows_by_label(page)["Wanted and not available"]
        assert (row["count"], row["late"], row["tone"]) == (1, "1 overdue", "soon")
        assert "Nothing is late." in page.text

    def test_an_app_has_no_page_of_its_own(self):
        assert staff_client().get("/admin/accounts/").headers["Location"] == "/admin/"

    def test_its_counts_have_separators(self):
        rows = "".join(f"2026-11-20,{n}.00,Payer {n}\n" for n in range(1, 1002))
        content = f"Date,Amount USD,Name\n{rows}".encode()
        import_statement(content=content, name="x.csv", actor=make_sales(), now=timezone.now())
        assert ">1,001</td>" in staff_client("Sales").get("/admin/").text

    def test_it_counts_what_waits_and_names_what_is_late(self, django_assert_max_num_queries):
        order = make_wire_order(make_buyer())
        past = timezone.now() - timedelta(days=9)
        Order.objects.filter(pk=order.pk).update(due_at=past)
        Payment.objects.filter(order=order).update(created_at=past)
        client = staff_client("Sales")
        client.get("/admin/")
        with django_assert_max_num_queries(14):  # nine of its own; session, user and rights besides
            page = client.get("/admin/")
        received = page.context["steps"][0][2]
        assert (received.count, received.late) == (1, 1)
        late = page.context["late"]["rows"]
        assert [row.title for row in late] == [order.invoice_code, f"Wire {order.deposit:,.2f}"]

    def test_refunds_and_buyers_words_are_late_too(self):
        now = timezone.now()
        order, other = make_wire_order(make_buyer()), make_wire_order(make_buyer())
        Order.objects.update(due_at=now + timedelta(days=30))
        Payment.objects.update(state="failed", method="PAYPAL")
        given = {"amount": "12.50", "reason": "Damaged"}
        for one, days in ((order, 40), (other, 1)):
            at = now - timedelta(days=days)
            Refund.objects.create(payment=one.payments.get(), created_at=at, **given)
        for days in (20, 10, 1):  # read after the first; the promise counts from the second
            said = {"kind": "message", "note": "When?", "at": now - timedelta(days=days)}
            OrderEvent.objects.create(order=order, **said)
        OrderEvent.objects.create(order=order, kind="read", at=now - timedelta(days=15))
        Order.objects.filter(pk=order.pk).update(message_unread=True)
        client = staff_client("Sales")
        page = client.get("/admin/")
        assert [(row.title, row.step) for row in page.context["late"]["rows"]] == [
            ("Refund 12.50", "Refund"),
            (f"Message, {order.invoice_code}", "Answer"),
        ]
        rows = rows_by_label(page)
        refunds, unread = rows["Refunds on their way"], rows["To answer"]
        assert (refunds["count"], refunds["late"]) == (2, "1 late")
        assert (unread["count"], unread["late"], unread["oldest"]) == (1, "1 late", "10 d")
        for address, count in ((refunds["url"], 2), (refunds["late_url"], 1)):
            assert client.get(address).context["cl"].result_count == count

    def test_all_late_things_are_listed_whatever_their_number_and_kind(self):
        for _ in range(6):
            make_wire_order(make_buyer())
        past = timezone.now() - timedelta(days=9)
        Order.objects.update(due_at=past)
        Payment.objects.update(created_at=past)
        client = staff_client("Sales")
        page = client.get("/admin/")
        assert len(page.context["late"]["rows"]) == 8
        assert "All 12</a>" in page.text
        assert len(client.get("/admin/late/").context["late"]) == 12
        wires = rows_by_label(page)["Announced wires"]
        assert wires["late"] == "6 late"
        assert len(client.get(wires["late_url"]).context["late"]) == 6
        assert len(client.get("/admin/").context["late"]["rows"]) == 8
        assert staff_client("Approvers").get("/admin/late/").context["late"] == []

    def test_packing_and_what_has_arrived_are_counted_and_each_count_leads_to_its_list(self):
        for status in (OrderStatus.PAID, OrderStatus.PAID, OrderStatus.SHIPPED):
            order = make_order_at(status, make_buyer())
        now, content = timezone.now(), b"Date,Amount USD\n2026-11-20,5.00\n"
        packed = {"packing_status": Order.Packing.COMPLETE, "due_at": now}
        Order.objects.filter(pk=order.pk - 1).update(**packed)
        sent(("A-1", "5.00", 1))
        import_statement(content=content, name="x.csv", actor=make_sales(), now=now)
        client = staff_client("Sales")
        rows = rows_by_label(client.get("/admin/"))
        for label, count, late in (
            ("Paid, to pack", 1, "–"),
            ("Packed, no tracking number", 1, "1 late"),
            ("Imports to review", 1, "–"),
        ):
            assert (rows[label]["count"], rows[label]["late"]) == (count, late), label
            assert client.get(rows[label]["url"]).context["cl"].result_count == count, label
        assert rows["Statement lines not booked"]["count"] == 1

    def test_with_nothing_late_the_next_due_is_named(self):
        order = make_wire_order(make_buyer())
        Order.objects.update(due_at=timezone.now() + timedelta(minutes=5))
        page = staff_client("Sales").get("/admin/")
        assert page.context["late"]["next_due"].title == order.invoice_code
        assert "Nothing is late. Next due" in page.text

    def test_an_action_shows_in_the_last_actions_and_in_the_counts_at_once(self):
        client, order = staff_client("Sales"), make_wire_order(make_buyer())
        client.get("/admin/")
        client.post(f"/admin/orders/order/{order.pk}/prepare/")
        page = client.get("/admin/")
        assert "Preparing started" in page.text
        assert [waiting.count for _, _, waiting, _ in page.context["steps"]] == [0, 1, 0, 0]

    def test_nothing_late_says_so(self):
        assert "Nothing is late." in staff_client("Sales").get("/admin/").text


def found(client, term):
    """Return the titles that the box finds by their kind."""
    kinds = client.get("/admin/jump/", {"q": term}).context["kinds"]
    return {kind["name"]: [row["title"] for row in kind["rows"]] for kind in kinds}


class TestJump:
    def test_an_exact_code_goes_straight_there(self):
        client = staff_client()
        order = make_order_at(OrderStatus.SHIPPED, make_buyer(email="who@portal.test"))
        Product.objects.update(ean="9528804087689")
        product, user = Product.objects.get(), order.user
        for term, page in (
            (order.invoice_code.lower(), f"orders/order/{order.pk}"),
            ("DHL-123", f"orders/order/{order.pk}"),
            (" WHO@portal.test ", f"accounts/user/{user.pk}"),
            (product.sku.lower(), f"catalog/product/{product.pk}"),
            (product.ean or "", f"catalog/product/{product.pk}"),
        ):
            answer = client.get("/admin/jump/", {"q": term})
            assert answer.headers["Location"] == f"/admin/{page}/change/", term

    def test_an_order_is_found_by_its_last_digits_and_a_person_by_a_part_of_the_name(self):
        order = make_order_at(OrderStatus.SHIPPED, make_buyer(manager="Anna Hartwig"))
        make_staff(manager="박지호")
        root, sales = staff_client(), staff_client("Sales")
        digits = order.invoice_code.rpartition("-")[2]
        assert found(sales, digits)["Orders"] == [order.invoice_code]
        assert found(sales, "hartwig") == {"Customers": [order.company.name]}
        assert found(root, "지호") == {"Users": ["박지호"]}
        assert found(staff_client("Approvers"), "지호") == {}

    def test_a_buyers_address_leads_sales_to_the_company(self):
        company = make_buyer(email="who@portal.test").company_id
        answer = staff_client("Sales").get("/admin/jump/", {"q": "who@portal.test"})
        assert answer.headers["Location"] == f"/admin/accounts/company/{company}/change/"

    def test_words_list_hits_of_the_kinds_that_the_group_may_view(self):
        make_wire_order(make_buyer(email="glow@portal.test"), depositor="Glow Trading")
        assert set(found(staff_client(), "glow")) == {"Depositors", "Users"}
        assert set(found(staff_client("Approvers"), "glow")) == {"Users"}

    def test_a_company_is_a_customer_once_it_is_let_in(self):
        for email, name, approval in (
            ("a@portal.test", "Glow One", User.Approval.APPROVED),
            ("b@portal.test", "Glow Two", User.Approval.PENDING),
        ):
            user = make_user(email=email, approval=approval)
            Company.objects.filter(users=user).update(name=name)
        assert found(staff_client("Approvers"), "glow")["Customers"] == ["Glow One"]

    @pytest.mark.parametrize("term", ["", " ", "%", "x" * 500, "'; --", "<script>"])
    def test_odd_words_are_no_error(self, term):
        page = staff_client().get("/admin/jump/", {"q": term})
        assert page.status_code == 200
        assert "<script>" not in page.text
