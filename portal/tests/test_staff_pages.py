"""Every staff page for every group: who may open it, and that it runs under the content policy."""

import re
from html.parser import HTMLParser
from typing import Any

import pytest
from django.contrib.auth.models import Group, Permission
from django.test import Client
from django.utils import timezone
from post_office.models import STATUS, Email

from apps.accounts.tests.factories import PASSWORD, make_buyer, make_staff, make_user
from apps.accounts.tests.registrations import make_registration
from apps.accounts.tests.staff import shown_messages, staff_client, staff_in
from apps.catalog.models import Product, Promotion
from apps.catalog.tests.factories import make_product, make_promotion
from apps.catalog.tests.import_files import sent
from apps.common.mail import REGISTRATIONS, Mail, queue, write_texts
from apps.notices.models import Notice
from apps.orders.status import OrderStatus
from apps.orders.tests.factories import make_order_at, make_sales
from apps.payments.models import BankTransfer, WalletEntry
from apps.payments.tests.bank.statement_desk import import_statement
from apps.payments.tests.factories import announced, arrive, make_wire_order

pytestmark = pytest.mark.django_db

EVERYBODY, SALES, APPROVERS, SUPERUSER = (
    {"sales", "approvers"},
    {"sales"},
    {"approvers"},
    set[str](),
)
PAGES = {
    "": EVERYBODY,
    "jump/?q=a": EVERYBODY,
    "password_change/": EVERYBODY,
    "late/": EVERYBODY,
    "records/": EVERYBODY,
    "settings/": SUPERUSER,
    "settings/paper.pdf": SUPERUSER,
    "accounts/company/export.xlsx": EVERYBODY,
    "orders/wish/": SALES,
    "orders/wish/?by=brand": SALES,
    "orders/wish/?by=customer&overdue=1": SALES,
    "orders/wish/?by=wish&q=a": SALES,
    "orders/wish/?format=xlsx": SALES,
    "orders/salestally/": SALES,
    "orders/salestally/?rows=product&columns=company&all=1": SALES,
    "orders/salestally/?format=xlsx": SALES,
    "orders/salestally/receivables/": SALES,
    "orders/salestally/receivables/?by=orders": SALES,
    "orders/salestally/stock/": SALES,
    "orders/order/": SALES,
    "orders/order/{order}/change/": SALES,
    "orders/order/{order}/confirm/": SALES,
    "orders/order/{order}/as-buyer/": SALES,
    "accounts/company/{company}/price-group/": SALES,
    "orders/order/{order}/products/?q=p": SALES,
    "orders/order/{confirmed}/packing/": SALES,
    "orders/order/{confirmed}/packing/sheet.xlsx": SALES,
    "orders/order/{confirmed}/invoice/": SALES,
    "orders/order/{order}/ship/": SALES,
    "orders/order/{shipped}/tracking/": SALES,
    "orders/order/{order}/documents/add/": SALES,
    "orders/orderevent/": SALES,
    "payments/payment/": SALES,
    "payments/payment/desk/": SALES,
    "payments/payment/{wire}/confirm/": SALES,
    "payments/payment/{wire}/refuse/": SALES,
    "orders/order/{order}/book-wire/": SALES,
    "orders/order/{order}/cancel/": SALES,
    "payments/payment/{wire}/change/": SALES,
    "payments/payment/{booked}/move/?to=MHW-1": SALES,
    "payments/payment/{booked}/refund-wire/": SALES,
    "payments/payment/{booked}/refund-wire/?amount=1.00&way=wallet&reason=x": SALES,
    "payments/payment/desk/transfers/{transfer}/sent/": SALES,
    "payments/payment/desk/statements/": SALES,
    "payments/payment/desk/statements/{statement}/": SALES,
    "payments/payment/desk/credits/{credit}/": SALES,
    "payments/payment/desk/credits/{credit}/back/": SALES,
    "payments/payment/desk/claims/?q=a": SALES,
    "payments/walletentry/company/{company}/": SALES,
    "payments/walletentry/company/{company}/correct/": SUPERUSER,
    "payments/walletentry/company/{company}/pay-out/": SALES,
    "payments/walletentry/company/{company}/pay-out/?amount=1.00&reason=x": SALES,
    "payments/walletentry/": SALES,
    "payments/walletentry/export.xlsx": SALES,
    "payments/walletentry/balances/": SALES,
    "payments/walletentry/balances/?q=a": SALES,
    "catalog/product/": SALES,
    "catalog/product/add/": SALES,
    "catalog/product/{product}/change/": SALES,
    "catalog/product/{product}/recount/": SALES,
    "catalog/product/{product}/receive/": SALES,
    "catalog/product/{product}/expect/": SALES,
    "catalog/product/{product}/picture/": SALES,
    "catalog/product/export/": SALES,
    "catalog/import/": EVERYBODY,
    "catalog/import/send/": EVERYBODY,
    "catalog/import/{import}/change/": SALES,
    "catalog/import/{import}/progress/": SALES,
    "catalog/import/{import}/diff/": SALES,
    "catalog/import/{import}/undo/": SALES,
    "orders/shippingrate/": SALES,
    "orders/shippingrate/add/": SALES,
    "catalog/brand/": SALES,
    "catalog/stockchange/": SALES,
    "catalog/promotion/": SALES,
    "catalog/promotion/{promotion}/change/": SALES,
    "catalog/promotion/{promotion}/prices/": SALES,
    "catalog/promotionitem/": SALES,
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
    "accounts/user/add/": SUPERUSER,
    "accounts/user/{seller}/second-factor/": SUPERUSER,
    "accounts/registration/": APPROVERS,
    "accounts/registration/?decision=all&hint=double&age=late": APPROVERS,
    "accounts/registration/{registration}/change/": APPROVERS,
    "accounts/registration/{user}/change/": APPROVERS,
    "post_office/email/": EVERYBODY,
    "post_office/email/{trade}/change/": SALES,
    "post_office/email/{applied}/change/": APPROVERS,
    "orders/order/{order}/resend/": SALES,
}
POSTS = {
    "catalog/product/{product}/picture/off/": SALES,
    "catalog/import/{import}/apply/": SALES,
    "catalog/import/{import}/undo/": SALES,
    "catalog/import/{import}/discard/": SALES,
    "payments/payment/desk/statements/{statement}/book/": SALES,
    "payments/payment/desk/statements/{statement}/away/": SALES,
    "payments/payment/desk/statements/columns/": SALES,
    "payments/payment/desk/credits/{credit}/keep/": SALES,
    "orders/order/{order}/prepare/": SALES,
    "orders/order/{order}/read/": SALES,
    "post_office/email/{trade}/again/": SALES,
    "post_office/email/{applied}/again/": APPROVERS,
    "accounts/registration/{registration}/note/": APPROVERS,
    "accounts/user/{user}/password-mail/": APPROVERS,
    "accounts/user/{user}/end-sign-ins/": APPROVERS,
}


def registration_mail() -> Email:
    """Return a queued mail about a registration."""
    queue(
        [
            Mail(
                "applicant@wanted.test",
                "Your registration",
                "plain",
                {"body": "Hello"},
                topic=REGISTRATIONS,
            )
        ]
    )
    return Email.objects.latest("id")


def one_of_everything(*, applicant: str = "applicant@wanted.test") -> dict[str, int]:
    """Return one of everything that staff have a page for, by name."""
    user = make_user()
    order, seller = make_order_at(OrderStatus.PREPARING, make_buyer()), make_sales()
    statement = import_statement(
        content=b"Date,Amount USD\n2026-11-20,5.00\n",
        name="x.csv",
        actor=seller,
        now=timezone.now(),
    )
    credit = {"kind": WalletEntry.Kind.CORRECTION, "amount": 80, "at": timezone.now()}
    assert user.company is not None
    entry = WalletEntry.objects.create(company=user.company, **credit)
    transfer = {"payee": "Glow", "amount": 80, "owed_at": timezone.now()}
    return {
        "order": order.pk,
        "confirmed": make_order_at(OrderStatus.CONFIRMED, make_buyer()).pk,
        "shipped": make_order_at(OrderStatus.SHIPPED, make_buyer()).pk,
        "booked": arrive(make_wire_order(make_buyer())).pk,
        "wire": announced(make_wire_order(make_buyer())).pk,
        "product": Product.objects.all()[0].pk,
        "promotion": make_promotion([make_product()]).pk,
        "notice": Notice.objects.create(
            title="News", content="<p>New</p>", published_at=timezone.now()
        ).pk,
        "company": user.company_id,
        "user": user.pk,
        "seller": seller.pk,
        "registration": make_registration(email=applicant).pk,
        "trade": Email.objects.all()[0].pk,
        "applied": registration_mail().pk,
        "statement": statement.pk,
        "import": sent(("A-1", "5.00", 1)).pk,
        "credit": statement.credits.get().pk,
        "transfer": BankTransfer.objects.create(entry=entry, company=user.company, **transfer).pk,
    }


@pytest.fixture
def things() -> dict[str, int]:
    """Return one of everything, by name."""
    return one_of_everything()


def check_policy(page, answer):
    """A page needs no more than its content policy allows."""
    policy = answer.headers["Content-Security-Policy"]
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
    html = re.sub(r"<pre.*?</pre>", "", answer.text, flags=re.DOTALL)  # a mail's source is text
    assert not re.search(r"<style|\sstyle=|\son[a-z]+=\"|href=\"javascript:", html), page
    assert not re.search(r"<script(?![^>]*\bsrc=)(?![^>]*application/json)", html), page
    assert not re.search(r"type=.?number", html), f"{page}: the wheel turns its numbers"


def check_enter(page, html):
    """Enter in a field sends no form, even where no script has run; return how many forms."""
    forms = [form for form in Forms(html).forms.values() if form["fields"]]
    for form in forms:
        assert form["first"].get("formmethod") == "dialog", (page, form)
    return len(forms)


def test_what_is_gone_is_said_in_the_frame_at_each_of_its_addresses():
    client = staff_client()
    for page in PAGES:
        if "{" in page:
            gone = client.get(f"/admin/{re.sub('{[a-z]+}', '999999', page)}")
            assert (gone.status_code, 'id="nav-sidebar"' in gone.text) == (404, True), page


def test_who_may_only_look_is_shown_or_refused_each_page_and_changes_nothing(things):
    viewer = make_staff()
    viewer.user_permissions.set(Permission.objects.filter(codename__startswith="view_"))
    client = Client()
    client.force_login(viewer, backend="django.contrib.auth.backends.ModelBackend")
    desks = {"late/", "orders/order/{order}/ship/", "payments/payment/desk/"}
    things_and_lists = {page for page in PAGES if page.endswith("/change/") or page.count("/") == 2}
    shown = {
        page
        for page in desks | things_and_lists
        if client.get(f"/admin/{page.format(**things)}").status_code == 200
    }
    assert shown >= {
        "late/",
        "orders/order/",
        "orders/order/{order}/change/",
        "catalog/product/",
    }
    assert shown & desks == {"late/"}
    for page in POSTS:
        assert client.post(f"/admin/{page.format(**things)}").status_code == 403, page


class Forms(HTMLParser):
    """Collects the forms of a page that send: what is filled in there, and the first button."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.forms: dict[str, dict[str, Any]] = {}
        self._open = ""
        for _ in range(2):  # a field may stand before the form that it names
            self.feed(html)

    def handle_starttag(self, tag: str, pairs: list[tuple[str, str | None]]) -> None:
        attrs = dict(pairs)
        if tag == "form":
            self._open = attrs.get("id") or str(self.getpos())
            if attrs.get("method") == "post" and attrs.get("data-enter") != "send":
                self.forms.setdefault(self._open, {"fields": set(), "first": None})
        form = self.forms.get(attrs.get("form") or self._open)
        kind = attrs.get("type") or ("submit" if tag == "button" else "text")
        if form is None or tag not in ("input", "select", "textarea", "button"):
            return
        if kind in ("submit", "image"):
            form["first"] = form["first"] or attrs
        elif tag != "button" and kind != "hidden":
            form["fields"].add(attrs.get("name"))

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._open = ""


def test_pages_are_kept_out_of_caches():
    assert "no-store" in staff_client().get("/admin/").headers["Cache-Control"]


def test_staff_of_no_group_find_an_empty_desk():
    client = Client()
    client.force_login(make_staff(), backend="django.contrib.auth.backends.ModelBackend")
    make_registration()
    home = client.get("/admin/")
    assert "Orders" not in home.text
    assert home.context["role"] == "no group yet"
    assert [card["name"] for card in home.context["cards"]] == ["Mail"]


def test_the_sidebar_has_the_groups_own_entries_only():
    def entries(group):
        sections = staff_client(group).get("/admin/").context["available_apps"]
        return {
            section["name"]: [entry["name"] for entry in section["models"]] for section in sections
        }

    assert entries("Approvers") == {
        "Work": ["To do", "Registrations"],
        "Catalogue": ["Imports"],
        "Buyers": ["Customers"],
        "Business": ["Records"],
    }
    assert entries("Sales") == {
        "Work": ["To do", "Orders", "Messages", "Payment desk"],
        "Catalogue": ["Products", "Imports", "Wanted"],
        "Buyers": ["Customers", "Notices"],
        "Business": ["Reports", "Records"],
    }
    assert sum(map(len, entries(None).values())) <= 12


def test_the_records_have_the_groups_own_lists_and_stay_marked_in_the_sidebar():
    client = staff_client("Approvers")
    lists = client.get("/admin/records/").context["lists"]
    assert [entry["name"] for section in lists for entry in section["models"]] == ["Users", "Mail"]
    for page, name in (("accounts/user/", "Records"), ("accounts/company/", "Customers")):
        sidebar = client.get(f"/admin/{page}").context["available_apps"]
        current = [
            one["name"] for section in sidebar for one in section["models"] if one["current"]
        ]
        assert current == [name]


def test_the_groups_hold_no_right_to_delete_what_must_stay():
    for group in Group.objects.all():
        deletable = set(
            group.permissions.filter(codename__startswith="delete_").values_list(
                "codename", flat=True
            )
        )
        kept = {
            "order",
            "payment",
            "walletentry",
            "stockchange",
            "orderevent",
            "company",
            "user",
            "product",
        }
        assert not deletable & {f"delete_{model}" for model in kept}


def test_another_value_is_declared_by_the_group_of_that_right_alone():
    holders = Group.objects.filter(permissions__codename="declare_value").values_list(
        "name", flat=True
    )
    assert list(holders) == ["Declared values"]


class TestSignIn:
    def sign_in(self, email, password):
        return Client().post(
            "/admin/login/?next=/admin/", {"username": email, "password": password}
        )

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
        assert page.text[page.text.index("What happened") :].count("Sent again <") == 1
        assert page.context["kind"]
        assert failed.subject == f"{page.context['kind']}: {page.context['about']}"

    def test_a_mail_of_an_order_is_sent_again_to_somebody_of_its_company(self):
        order = make_wire_order(make_buyer(email="anna@glow.test"))
        colleague = make_user(email="piotr@glow.test", company=order.company)
        stranger = make_user(email="else@other.test")
        first = Email.objects.get(to="anna@glow.test")
        first = write_texts(first)
        first.save()
        client, address = (
            staff_client("Sales"),
            f"/admin/orders/order/{order.pk}/resend/",
        )
        assert f'href="{address}"' in client.get(f"/admin/orders/order/{order.pk}/change/").text
        page = client.get(address, {"mail": first.pk})
        assert 'aria-current="page">Orders</a>' in page.text
        assert f'<iframe src="/admin/post_office/email/{first.pk}/html/"' in page.text
        assert [one.email for one in page.context["form"].fields["person"].queryset] == [
            "anna@glow.test",
            colleague.email,
        ]
        assert client.post(address, {"mail": first.pk, "person": stranger.pk}).status_code == 200
        page = client.post(address, {"mail": first.pk, "person": colleague.pk}, follow=True)
        assert shown_messages(page) == [
            f"{order}: “{first.subject}” sent again to piotr@glow.test."
        ]
        again = Email.objects.get(to="piotr@glow.test")
        assert (again.status, again.html_message, again.subject) == (
            STATUS.queued,
            first.html_message,
            first.subject,
        )
        assert again.message_id != first.message_id
        sender = page.context["user"].get_short_name()
        assert again.context["by"] == sender
        assert (
            f"<dt>By</dt><dd>{sender}</dd>"
            in client.get(f"/admin/post_office/email/{again.pk}/change/").text
        )
        assert "<dt>By</dt>" not in client.get(f"/admin/post_office/email/{first.pk}/change/").text

    def test_its_page_says_once_that_it_was_sent(self):
        make_wire_order(make_buyer())
        mail = Email.objects.order_by("id")[0]
        mail.logs.create(status=STATUS.sent)
        Email.objects.filter(pk=mail.pk).update(status=STATUS.sent)
        page = staff_client("Sales").get(f"/admin/post_office/email/{mail.pk}/change/").text
        assert page[page.index("What happened") :].count("Sent</span>") == 1

    def test_its_text_and_source_are_shown_as_text(self):
        said = {"text": "<form action=x>", "facts": [], "link": ""}
        queue([Mail("ines@glow.test", "About <b>it</b>", "order", said)])
        mail = Email.objects.get()
        page = staff_client("Sales").get(f"/admin/post_office/email/{mail.pk}/change/").text
        shown = page[page.index("mail-source") : page.index('id="mail"')]
        assert "<form" not in shown
        assert "<style" not in shown
        assert "&lt;form action=x&gt;" in shown
        assert "&lt;!doctype html&gt;" in shown.lower()

    def test_it_is_shown_as_it_went_out_in_a_frame_where_nothing_runs(self):
        mail, client = registration_mail(), staff_client("Approvers")
        page = client.get(f"/admin/post_office/email/{mail.pk}/change/")
        assert f'<iframe src="/admin/post_office/email/{mail.pk}/html/"' in page.text
        assert " sandbox " in page.text
        assert "frame-src 'self'" in page.headers["Content-Security-Policy"]
        framed = client.get(f"/admin/post_office/email/{mail.pk}/html/")
        policy = framed.headers["Content-Security-Policy"]
        assert policy.startswith("sandbox; default-src 'none';")
        assert "script-src" not in policy
        assert "Hello" in framed.text
        assert (
            staff_client("Sales").get(f"/admin/post_office/email/{mail.pk}/html/").status_code
            == 403
        )

    def test_a_private_link_is_not_shown_nor_framed(self):
        queue(
            [
                Mail(
                    "who@wanted.test",
                    "Confirm",
                    "plain",
                    {"body": "SECRET"},
                    private=True,
                    topic=REGISTRATIONS,
                )
            ]
        )
        mail, client = Email.objects.latest("id"), staff_client("Approvers")
        page = client.get(f"/admin/post_office/email/{mail.pk}/change/")
        assert "SECRET" not in page.text
        assert "<iframe" not in page.text
        assert client.get(f"/admin/post_office/email/{mail.pk}/html/").status_code == 404


def test_promotions_can_be_deleted_by_sales(things):
    staff_client("Sales").post(
        f"/admin/catalog/promotion/{things['promotion']}/delete/", {"post": "yes"}
    )
    assert not Promotion.objects.exists()
