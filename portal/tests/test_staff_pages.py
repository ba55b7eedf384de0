"""Staff's sign-in, their sidebar and their mail; test_every_page opens every page."""

from datetime import UTC, datetime

import pytest
from django.contrib.auth.models import Group
from django.template import Context, Template
from django.test import Client
from post_office.models import STATUS, Email

from apps.accounts.tests.factories import PASSWORD, make_buyer, make_staff, make_user
from apps.accounts.tests.registrations import make_registration
from apps.accounts.tests.staff import shown_messages, signed_in, staff_client, staff_in
from apps.common.mail import REGISTRATIONS, Mail, queue, write_texts
from apps.payments.tests.factories import make_wire_order

pytestmark = pytest.mark.django_db


def registration_mail() -> Email:
    """Return a queued mail about a registration."""
    said = ("applicant@wanted.test", "Your registration", "plain", {"body": "Hello"})
    queue([Mail(*said, topic=REGISTRATIONS)])
    return Email.objects.latest("id")


def test_moments_are_shown_in_the_sellers_zone():
    shown = Template("{{ at|stamp }}").render(
        Context({"at": datetime(2026, 11, 29, 23, 30, tzinfo=UTC)})
    )
    assert shown == '<time datetime="2026-11-30T08:30:00+09:00">11-30 08:30</time>'


def test_pages_are_kept_out_of_caches():
    assert "no-store" in staff_client().get("/admin/").headers["Cache-Control"]


def test_staff_of_no_group_find_an_empty_desk():
    make_registration()
    home = signed_in(make_staff()).get("/admin/")
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
        sources = {
            "order",
            "payment",
            "walletentry",
            "stockchange",
            "orderevent",
            "company",
            "user",
            "product",
        }
        assert not deletable & {f"delete_{model}" for model in sources}


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
        order = make_wire_order(make_buyer(email="anna@glow.test", manager="Anna"))
        colleague = make_user(email="piotr@glow.test", manager="Piotr", company=order.company)
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
        context = {"text": "<form action=x>", "facts": [], "link": ""}
        queue([Mail("ines@glow.test", "About <b>it</b>", "order", context)])
        mail = Email.objects.get()
        page = staff_client("Sales").get(f"/admin/post_office/email/{mail.pk}/change/").text
        source = page[page.index("mail-source") : page.index('id="mail"')]
        assert "<form" not in source
        assert "<style" not in source
        assert "&lt;form action=x&gt;" in source
        assert "&lt;!doctype html&gt;" in source.lower()

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
