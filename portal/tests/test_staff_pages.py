"""Every staff page for every group: who may open it, and that it runs under the content policy."""

import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import Group
from django.test import Client
from django.utils import timezone
from post_office.models import STATUS, Email

from apps.accounts.tests.factories import PASSWORD, make_buyer, make_staff, make_user
from apps.accounts.tests.registrations import make_registration
from apps.accounts.tests.staff import shown_messages, staff_client, staff_in
from apps.catalog.models import Product, Promotion
from apps.catalog.tests.factories import make_product, make_promotion
from apps.catalog.tests.import_files import sent
from apps.notices.models import Notice
from apps.orders.models import Order, OrderEvent
from apps.orders.status import OrderStatus
from apps.orders.tests.factories import make_order_at, make_sales
from apps.payments.models import Payment, Refund
from apps.payments.services.statements import import_statement
from apps.payments.tests.factories import announced, arrive, make_wire_order

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

EVERYBODY, SALES, APPROVERS, SUPERUSER = {"sales", "approvers"}, {"sales"}, {"approvers"}, set[str]()
PAGES = {
    "": EVERYBODY,
    "jump/?q=a": EVERYBODY,
    "password_change/": EVERYBODY,
    "orders/order/": SALES,
    "orders/order/{order}/change/": SALES,
    "orders/order/{order}/confirm/": SALES,
    "orders/order/{order}/products/?q=p": SALES,
    "orders/order/{confirmed}/packing/": SALES,
    "orders/order/{confirmed}/packing/sheet.xlsx": SALES,
    "orders/order/{confirmed}/invoice/": SALES,
    "orders/order/{order}/ship/": SALES,
    "orders/order/{shipped}/tracking/": SALES,
    "orders/order/{order}/note/": SALES,
    "orders/order/{order}/documents/add/": SALES,
    "orders/orderevent/": SALES,
    "orders/orderdocument/": SALES,
    "payments/payment/": SALES,
    "payments/payment/desk/": SALES,
    "payments/payment/{wire}/confirm/": SALES,
    "payments/payment/{wire}/refuse/": SALES,
    "payments/payment/order/{order}/book/": SALES,
    "payments/payment/order/{order}/cancel/": SALES,
    "payments/payment/{wire}/change/": SALES,
    "payments/payment/{booked}/move/?to=MHW-1": SALES,
    "payments/payment/desk/statements/": SALES,
    "payments/payment/desk/statements/{statement}/": SALES,
    "payments/payment/desk/credits/{credit}/": SALES,
    "payments/payment/desk/claims/?q=a": SALES,
    "payments/walletentry/company/{company}/": SALES,
    "payments/walletentry/company/{company}/correct/": SUPERUSER,
    "payments/walletentry/": SALES,
    "catalog/product/": SALES,
    "catalog/product/add/": SALES,
    "catalog/product/{product}/change/": SALES,
    "catalog/product/{product}/recount/": SALES,
    "catalog/product/{product}/receive/": SALES,
    "catalog/product/export/": SALES,
    "catalog/import/": SALES,
    "catalog/import/send/": SALES,
    "catalog/import/{import}/change/": SALES,
    "catalog/import/{import}/progress/": SALES,
    "catalog/import/{import}/diff/": SALES,
    "catalog/import/{import}/undo/": SALES,
    "catalog/brand/": SALES,
    "catalog/stock/": SALES,
    "catalog/stockchange/": SALES,
    "catalog/promotion/": SALES,
    "catalog/promotion/{promotion}/change/": SALES,
    "notices/notice/": SALES,
    "notices/notice/{notice}/change/": SALES,
    "notices/notice/{notice}/readers/": SALES,
    "admin/logentry/": SALES,
    "accounts/company/": EVERYBODY,
    "accounts/company/{company}/change/": EVERYBODY,
    "accounts/company/add/": APPROVERS,
    "accounts/user/": APPROVERS,
    "accounts/user/{user}/change/": APPROVERS,
    "accounts/user/{user}/withdraw/": APPROVERS,
    "accounts/user/{user}/password/": SUPERUSER,
    "accounts/user/add/": SUPERUSER,
    "accounts/registration/": APPROVERS,
    "accounts/registration/?decision=all&hint=double&age=late": APPROVERS,
    "accounts/registration/{registration}/change/": APPROVERS,
    "accounts/registration/{user}/change/": APPROVERS,
    "post_office/email/": EVERYBODY,
    "post_office/email/{email}/change/": EVERYBODY,
}
POSTS = {
    "catalog/import/{import}/apply/": SALES,
    "catalog/import/{import}/undo/": SALES,
    "catalog/import/{import}/discard/": SALES,
    "payments/payment/desk/statements/{statement}/book/": SALES,
    "payments/payment/desk/statements/{statement}/away/": SALES,
    "orders/order/{order}/prepare/": SALES,
    "orders/order/{order}/read/": SALES,
    "post_office/email/{email}/again/": EVERYBODY,
    "accounts/registration/{registration}/note/": APPROVERS,
    "accounts/user/{user}/password-mail/": APPROVERS,
    "accounts/user/{user}/end-sign-ins/": APPROVERS,
}


@pytest.fixture
def things() -> dict[str, int]:
    """Return one of everything, by name."""
    user = make_user()
    order = make_order_at(OrderStatus.PREPARING, make_buyer())
    statement = import_statement(
        content=b"Date,Amount USD\n2026-11-20,5.00\n", name="x.csv", actor=make_sales(), now=timezone.now()
    )
    return {
        "order": order.pk,
        "confirmed": make_order_at(OrderStatus.CONFIRMED, make_buyer()).pk,
        "shipped": make_order_at(OrderStatus.SHIPPED, make_buyer()).pk,
        "booked": arrive(make_wire_order(make_buyer())).pk,
        "wire": announced(make_wire_order(make_buyer())).pk,
        "product": Product.objects.all()[0].pk,
        "promotion": make_promotion([make_product()]).pk,
        "notice": Notice.objects.create(title="News", content="<p>New</p>", published_at=timezone.now()).pk,
        "company": user.company_id,
        "user": user.pk,
        "registration": make_registration().pk,
        "email": Email.objects.all()[0].pk,
        "statement": statement.pk,
        "import": sent(("A-1", "5.00", 1)).pk,
        "credit": statement.credits.get().pk,
    }


@pytest.mark.parametrize("group", ["Sales", "Approvers", None])
def test_each_group_opens_its_own_pages_and_no_others(group, things):
    client = staff_client(group)
    for page, groups in PAGES.items():
        expected = 200 if group is None or group.lower() in groups else 403
        assert client.get(f"/admin/{page.format(**things)}").status_code == expected, page


@pytest.mark.parametrize("group", ["Sales", "Approvers", None])
def test_each_group_presses_its_own_buttons_and_no_others(group, things):
    client = staff_client(group)
    for page, groups in POSTS.items():
        expected = 302 if group is None or group.lower() in groups else 403
        assert client.post(f"/admin/{page.format(**things)}").status_code == expected, page


@pytest.mark.parametrize("signed_in", [True, False])
def test_buyers_and_strangers_are_led_to_the_sign_in(signed_in, things):
    client = Client()
    if signed_in:
        client.force_login(make_user(), backend="django.contrib.auth.backends.ModelBackend")
    for page in [*PAGES, *POSTS]:
        answer = client.post(f"/admin/{page.format(**things)}")
        assert answer.status_code == 302, page
        assert answer.headers["Location"].startswith("/admin/login/"), page
    assert Order.objects.filter(status=OrderStatus.PREPARING).count() == 1


def test_staff_of_no_group_find_an_empty_desk():
    client = Client()
    client.force_login(make_staff(), backend="django.contrib.auth.backends.ModelBackend")
    home = client.get("/admin/")
    assert home.status_code == 200
    assert "Orders" not in home.text


def test_no_page_needs_more_than_the_content_policy_allows(things):
    client = staff_client()
    for page in PAGES:
        answer = client.get(f"/admin/{page.format(**things)}")
        if not answer.headers["Content-Type"].startswith("text/html"):
            continue
        policy = answer.headers["Content-Security-Policy"]
        assert "script-src 'self'" in policy
        assert "unsafe" not in policy
        html = answer.text
        assert not re.search(r"<style|\sstyle=|\son[a-z]+=\"|href=\"javascript:", html), page
        assert not re.search(r"<script(?![^>]*\bsrc=)(?![^>]*application/json)", html), page
        assert not re.search(r"type=.?number", html), f"{page}: the wheel turns its numbers"


def test_enter_presses_nothing_where_a_deed_is_for_good_even_without_the_script(things):
    client = staff_client()
    for page in (
        "orders/order/{order}/confirm/",
        "orders/order/{order}/ship/",
        "orders/order/{shipped}/tracking/",
        "payments/payment/{wire}/confirm/",
        "payments/payment/{wire}/refuse/",
        "payments/payment/order/{order}/book/",
        "payments/payment/order/{order}/cancel/",
        "payments/walletentry/company/{company}/correct/",
        "accounts/registration/{registration}/change/",
    ):
        html = client.get(f"/admin/{page.format(**things)}").text
        forms = re.findall(r'<form method="post"(.*?)</form>', html, re.DOTALL)
        typed = next(form for form in forms if 'type="text"' in form)
        buttons = re.finditer(r"<(button|input type=.submit)[^>]*>", typed)
        assert next(buttons).group() == '<button type="submit" disabled hidden>', page


def test_pages_are_kept_out_of_caches():
    assert "no-store" in staff_client().get("/admin/").headers["Cache-Control"]


def test_the_sidebar_has_the_groups_own_entries_only():
    def entries(group):
        sections = staff_client(group).get("/admin/").context["available_apps"]
        return {section["name"]: [entry["name"] for entry in section["models"]] for section in sections}

    assert entries("Approvers") == {
        "Work": ["Work that waits", "Registrations", "Mail"],
        "Buyers": ["Companies", "Users"],
    }
    sales = entries("Sales")
    assert list(sales) == ["Work", "Catalogue", "Buyers", "Content", "Records"]
    assert sales["Work"] == ["Work that waits", "Orders", "Payment desk", "Messages", "Mail"]
    assert "Users" not in sales["Buyers"]


def test_the_groups_hold_no_right_to_delete_what_must_stay():
    for group in Group.objects.all():
        deletable = set(group.permissions.filter(codename__startswith="delete_").values_list("codename", flat=True))
        kept = {"order", "payment", "walletentry", "stockchange", "orderevent", "company", "user", "product"}
        assert not deletable & {f"delete_{model}" for model in kept}


def test_another_value_is_declared_by_the_group_of_that_right_alone():
    holders = Group.objects.filter(permissions__codename="declare_value").values_list("name", flat=True)
    assert list(holders) == ["Declared values"]


class TestHome:
    def test_it_counts_what_waits_and_names_what_is_late(self, django_assert_max_num_queries):
        order = make_wire_order(make_buyer())
        past = timezone.now() - timedelta(days=9)
        Order.objects.filter(pk=order.pk).update(due_at=past)
        Payment.objects.filter(order=order).update(created_at=past)
        client = staff_client("Sales")
        client.get("/admin/")
        with django_assert_max_num_queries(13):  # eight of its own; session, user and rights besides
            page = client.get("/admin/")
        received = page.context["steps"][0]
        assert (received["count"], received["late"]) == (1, 1)
        late = page.context["late"].rows
        assert [row.title for row in late] == [order.invoice_code, f"Wire {order.deposit:,.2f}"]

    def test_refunds_and_buyers_words_are_late_too(self):
        now = timezone.now()
        order, other = make_wire_order(make_buyer()), make_wire_order(make_buyer())
        Order.objects.update(due_at=now + timedelta(days=30))
        Payment.objects.update(state="failed", method="PAYPAL")
        for payment, days in ((order.payments.get(), 40), (other.payments.get(), 1)):
            Refund.objects.create(
                payment=payment, amount="12.50", reason="Damaged", created_at=now - timedelta(days=days)
            )
        for days in (20, 10, 1):  # read after the first; the promise counts from the second
            OrderEvent.objects.create(order=order, kind="message", note="When?", at=now - timedelta(days=days))
        OrderEvent.objects.create(order=order, kind="read", at=now - timedelta(days=15))
        Order.objects.filter(pk=order.pk).update(message_unread=True)
        client = staff_client("Sales")
        page = client.get("/admin/")
        assert [(row.title, row.step) for row in page.context["late"].rows] == [
            ("Refund 12.50", "Refund"),
            (f"Message, {order.invoice_code}", "Answer"),
        ]
        rows = {row["label"]: row for card in page.context["cards"] for row in card["rows"]}
        refunds, unread = rows["Refunds on their way"], rows["Unread from buyers"]
        assert (refunds["count"], refunds["late"]) == (2, "1 late")
        assert (unread["count"], unread["late"], unread["oldest"]) == (1, "1 late", "10 d")
        for address, count in ((refunds["url"], 2), (refunds["late_url"], 1)):
            assert client.get(address).context["cl"].result_count == count

    def test_with_nothing_late_the_next_due_is_named(self):
        order = make_wire_order(make_buyer())
        Order.objects.update(due_at=timezone.now() + timedelta(minutes=5))
        page = staff_client("Sales").get("/admin/")
        assert page.context["late"].next_due.title == order.invoice_code
        assert "Nothing is late. Next due" in page.text

    def test_an_action_shows_in_the_last_actions_and_in_the_counts_at_once(self):
        client, order = staff_client("Sales"), make_wire_order(make_buyer())
        client.get("/admin/")
        client.post(f"/admin/orders/order/{order.pk}/prepare/")
        page = client.get("/admin/")
        assert "Preparing started" in page.text
        assert [step["count"] for step in page.context["steps"]] == [0, 1, 0, 0]

    def test_nothing_late_says_so(self):
        assert "Nothing is late." in staff_client("Sales").get("/admin/").text


class TestJump:
    def test_an_exact_code_goes_straight_there(self):
        client, order = staff_client(), make_order_at(OrderStatus.SHIPPED, make_buyer(email="who@portal.test"))
        product, user = Product.objects.get(), order.user
        for term, page in (
            (order.invoice_code.lower(), f"orders/order/{order.pk}"),
            ("DHL-123", f"orders/order/{order.pk}"),
            (" WHO@portal.test ", f"accounts/user/{user.pk}"),
            (product.sku.lower(), f"catalog/product/{product.pk}"),
        ):
            assert client.get("/admin/jump/", {"q": term}).headers["Location"] == f"/admin/{page}/change/", term

    def test_a_buyers_address_leads_sales_to_the_company(self):
        company = make_buyer(email="who@portal.test").company_id
        answer = staff_client("Sales").get("/admin/jump/", {"q": "who@portal.test"})
        assert answer.headers["Location"] == f"/admin/accounts/company/{company}/change/"

    def test_words_list_hits_of_the_kinds_that_the_group_may_view(self):
        make_wire_order(make_buyer(email="glow@portal.test"), depositor="Glow Trading")
        kinds = {kind["name"] for kind in staff_client().get("/admin/jump/", {"q": "glow"}).context["kinds"]}
        assert kinds == {"Depositors", "Users"}
        kinds = {kind["name"] for kind in staff_client("Approvers").get("/admin/jump/", {"q": "glow"}).context["kinds"]}
        assert kinds == {"Users"}

    @pytest.mark.parametrize("term", ["", " ", "\0", "%", "x" * 500, "'; --", "<script>"])
    def test_odd_words_are_no_error(self, term):
        page = staff_client().get("/admin/jump/", {"q": term})
        assert page.status_code == 200
        assert "<script>" not in page.text


class TestSignIn:
    def sign_in(self, email, password):
        return Client().post("/admin/login/?next=/admin/", {"username": email, "password": password})

    def test_staff_enter_however_they_write_the_address(self):
        user = staff_in("Sales")
        assert self.sign_in(f" {user.email.upper()} ", PASSWORD).status_code == 302

    def test_a_buyer_does_not(self):
        buyer = make_user(password=PASSWORD)
        page = self.sign_in(buyer.email, PASSWORD)
        assert page.status_code == 200
        assert page.context["form"].errors

    def test_five_wrong_passwords_lock_every_spelling_and_say_so(self):
        user = staff_in("Sales")
        for attempt in range(5):
            page = self.sign_in(user.email.upper() if attempt % 2 else user.email, "wrong")
        page = self.sign_in(user.email, PASSWORD)
        assert page.status_code == 429
        assert "locked" in page.text


class TestMail:
    def test_a_failed_mail_is_first_and_sent_again_by_a_button(self):
        client = staff_client("Sales")
        make_wire_order(make_buyer())
        failed = Email.objects.order_by("id")[0]
        Email.objects.filter(pk=failed.pk).update(status=STATUS.failed, number_of_retries=9)
        page = client.get("/admin/post_office/email/")
        assert page.context["cl"].result_list[0].pk == failed.pk
        page = client.post(f"/admin/post_office/email/{failed.pk}/again/", follow=True)
        failed.refresh_from_db()
        assert (failed.status, failed.number_of_retries) == (STATUS.queued, None)
        assert "Sent again" in shown_messages(page)[0]


def test_promotions_can_be_deleted_by_sales(things):
    staff_client("Sales").post(f"/admin/catalog/promotion/{things['promotion']}/delete/", {"post": "yes"})
    assert not Promotion.objects.exists()
