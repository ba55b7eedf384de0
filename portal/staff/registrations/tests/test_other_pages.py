"""Registrations elsewhere in admin: a user's page, home, the search field, the list of mails."""

import pytest
from django.contrib.auth.models import Group
from django.utils import timezone
from post_office.models import Email

from apps.accounts import mail as account_mails
from apps.accounts.models import RegistrationEvent, User
from apps.accounts.services.approval import ask_for_more
from apps.accounts.tests.factories import PASSWORD, make_user
from apps.accounts.tests.registrations import decision, make_registration
from apps.accounts.tests.staff import shown_messages, signed_in, staff_client, staff_in
from apps.common.mail import write_texts
from portal.staff.registrations.tests.pages import LIST, companies, form_of, page_of

pytestmark = pytest.mark.django_db


def address_of(user, tail):
    return f"/admin/accounts/user/{user.pk}/{tail}/"


def test_a_password_mail(approver):
    user = make_user(password=PASSWORD)
    page = approver.post(address_of(user, "password-mail"), follow=True)
    assert shown_messages(page) == [f"{user.email}: Password link mailed."]
    assert "#reset=" in write_texts(Email.objects.get()).message
    assert RegistrationEvent.objects.get(user=user).kind == "password_mail"


def test_ending_the_sign_ins(approver):
    user = make_user()
    approver.post(address_of(user, "end-sign-ins"))
    assert User.objects.get(pk=user.pk).session_version == user.session_version + 1


def test_withdrawing_an_approval_asks_why(approver):
    user = make_user()
    assert approver.post(address_of(user, "withdraw"), {"reason": " "}).status_code == 200
    assert User.objects.get(pk=user.pk).approval == "approved"
    approver.post(address_of(user, "withdraw"), {"reason": "Closed its shop"})
    assert User.objects.get(pk=user.pk).approval == "pending"
    assert companies(approver.get(LIST)) == [user.company.name]


def test_the_buttons_are_where_they_can_be_pressed(approver):
    buyer = make_user(password=PASSWORD)
    assert "Mail a password link" in approver.get(address_of(buyer, "change")).text
    assert "Send the invitation" in approver.get(address_of(make_user(), "change")).text
    waiting = approver.get(address_of(make_registration(), "change")).text
    assert "Mail a password link" not in waiting
    assert "Withdraw approval" not in waiting


@pytest.mark.parametrize("tail", ["password-mail", "end-sign-ins", "withdraw"])
def test_staff_accounts_are_out_of_reach(approver, tail):
    staff = staff_in("Sales")
    assert approver.post(address_of(staff, tail), {"reason": "x"}).status_code == 404


def test_approvers_see_the_queue_with_its_oldest_in_full(approver, django_assert_max_num_queries):
    old = make_registration(hours=80)
    make_registration(asked_at=timezone.now())
    answered = make_registration(hours=2)
    RegistrationEvent.objects.create(user=answered, kind="asked", at=timezone.now())
    approver.get("/admin/")
    with django_assert_max_num_queries(8):  # its own 3; session, user and rights besides
        page = approver.get("/admin/")
    assert [str(one) for one, *_ in page.context["waiting"]] == [str(old), str(answered)]
    rows = {row["label"]: (row["count"], row["late"]) for row in page.context["cards"][0]["rows"]}
    assert rows == {
        "New, to decide": (1, "1 late"),
        "More information requested": (1, "–"),
        "Answered": (1, "–"),
    }
    entry = next(
        entry
        for entry in page.context["available_apps"][0]["models"]
        if entry["name"] == "Registrations"
    )
    assert (entry["count"], entry["late"]) == (2, "1 late")
    for row in page.context["cards"][0]["rows"]:
        assert approver.get(row["url"]).context["cl"].result_count == row["count"]


def test_the_superuser_sees_registrations_among_what_is_late(django_assert_max_num_queries):
    user = make_registration(hours=74)
    client = staff_client()
    client.get("/admin/")
    with django_assert_max_num_queries(13):  # eleven of its own; session and user besides
        page = client.get("/admin/")
    late = page.context["late"]["rows"][0]
    assert (late.title, late.step, late.late) == (str(user), "Decide", "2 h over 3 days")


def test_over_48_hours_is_a_warning_and_not_late_yet(approver):
    make_registration(hours=50)
    page = approver.get("/admin/")
    row = page.context["cards"][0]["rows"][0]
    assert (row["late"], row["tone"]) == ("1 over 48 h", "soon")
    assert approver.get(row["late_url"]).context["cl"].result_count == 1
    entry = next(
        entry
        for entry in page.context["available_apps"][0]["models"]
        if entry["name"] == "Registrations"
    )
    assert (entry["count"], entry["late"]) == (1, "")
    assert "over 48 h" in page.text


def test_home_shows_both_desks_to_whoever_is_in_both_groups():
    user = staff_in("Sales")
    user.groups.add(Group.objects.get(name="Approvers"))
    make_registration()
    page = signed_in(user).get("/admin/")
    assert {"Registrations", "Money"} <= {card["name"] for card in page.context["cards"]}
    assert "Sales, Approvers" in page.text


def test_a_decision_shows_in_the_counts_at_once(approver):
    user = make_registration()
    approver.get("/admin/")
    approver.post(page_of(user), form_of(approver, user))
    assert approver.get("/admin/").context["waiting"] == []


def test_a_waiting_address_leads_to_its_registration(approver):
    user = make_registration(email="who@portal.test", company={"name": "Glow Ltd"})
    answer = approver.get("/admin/jump/", {"q": "WHO@portal.test"})
    assert answer.headers["Location"] == page_of(user)
    for term in ("who@", "glow"):
        kinds = {
            kind["name"]: kind["rows"]
            for kind in approver.get("/admin/jump/", {"q": term}).context["kinds"]
        }
        assert [row["url"] for row in kinds["Registrations"]] == [page_of(user)]


def test_a_private_mail_is_listed_and_sent_again_but_never_shown(approver):
    user = make_registration()
    words = decision(user, account_mails.more_requested)
    ask_for_more(actor=staff_in("Approvers"), reason="More", **words)
    mail = write_texts(Email.objects.get())
    for client in (approver, staff_client()):
        page = client.get(f"/admin/post_office/email/{mail.pk}/change/")
        assert "This mail holds a private link and is not shown." in page.text
        assert "/register/" not in page.text
        assert "<iframe" not in page.text
        assert client.get(f"/admin/post_office/email/{mail.pk}/html/").status_code == 404
    assert approver.post(f"/admin/post_office/email/{mail.pk}/again/").status_code == 302
