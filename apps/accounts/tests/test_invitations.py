import re
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from post_office.models import Email

from apps.accounts.admin import user_pages
from apps.accounts.models import Invitation, RegistrationEvent, User
from apps.accounts.services.approval import send_password_mail
from apps.accounts.services.invitations import invite
from apps.accounts.tests.factories import PASSWORD, make_company, make_user
from apps.accounts.tests.staff import shown_messages, staff_client, staff_in
from apps.common.mail import write_texts
from apps.common.seller import Current
from apps.common.testing import ContractClient

pytestmark = pytest.mark.django_db
USERS = "/admin/accounts/user/"
GOOD = {"password": PASSWORD, "passwordConfirm": PASSWORD, "terms": True}


def make_people(count: int = 1, **fields: Any) -> list[User]:
    """Return buyers whom staff added, in one company."""
    company = make_company(name="Rose")
    people = [make_user(company=company, **fields) for _ in range(count)]
    for user in people:
        user.set_unusable_password()
        user.save()
    return people


def invite_all(people: list[User]) -> int:
    ids = [user.pk for user in people]
    return invite(user_ids=ids, actor=staff_in("Approvers"), now=timezone.now())


def token_of(user: User) -> str:
    """Return the token of the last mail that somebody got."""
    mail = Email.objects.filter(to=user.email).last()
    write_texts(mail)
    match = re.search(r"/invitation/(\S+)", mail.message)
    assert match
    return match[1]


def test_an_invited_person_sets_a_password_accepts_the_terms_and_signs_in(
    visitor: ContractClient,
):
    (user,) = make_people(terms_accepted_at=None)
    sign_in = {"email": user.email, "password": ""}
    assert visitor.send("post", "/api/login", sign_in).json()["success"] == -1
    invite_all([user])
    token = token_of(user)
    answer = visitor.send("get", f"/api/invitation/{token}").json()
    assert answer == {"success": 1, "email": user.email, "manager": user.manager, "company": "Rose"}
    invitation = Invitation.objects.get()
    assert (invitation.opened_at is not None, invitation.accepted_at) == (True, None)
    answer = visitor.send("post", "/api/invitation", {**GOOD, "token": token}).json()
    assert (answer["success"], answer["user"]["email"]) == (1, user.email)
    user.refresh_from_db(), invitation.refresh_from_db()
    assert user.last_login is not None
    assert user.terms_accepted_at == invitation.accepted_at != None  # noqa: E711
    sign_in["password"] = PASSWORD
    assert visitor.send("post", "/api/login", sign_in).json()["success"] == 1
    assert visitor.send("post", "/api/invitation", {**GOOD, "token": token}).status_code == 409


@pytest.mark.parametrize(
    ("change", "field"),
    [({"passwordConfirm": "another one"}, "passwordConfirm"), ({"terms": False}, "terms")],
)
def test_what_is_refused_leaves_the_link_good(visitor, change, field):
    (user,) = make_people()
    invite_all([user])
    token = token_of(user)
    answer = visitor.send("post", "/api/invitation", {**GOOD, "token": token, **change})
    assert (answer.status_code, [*answer.json()["errors"]]) == (400, [field])
    assert visitor.send("post", "/api/invitation", {**GOOD, "token": token}).json()["success"] == 1


@pytest.mark.parametrize(
    "why", ["forged", "old", "replaced", "locked", "closed", "withdrawn", "staff"]
)
def test_a_link_that_is_not_good_opens_nothing(visitor, why):
    (user,) = make_people()
    invite_all([user])
    token = token_of(user)
    if why == "forged":
        token = token[:-1]
    if why == "old":
        Invitation.objects.update(expires_at=timezone.now())
    if why == "replaced":
        send_password_mail(actor=staff_in("Approvers"), user_id=user.pk, now=timezone.now())
        assert token_of(user) != token
    if why == "locked":
        User.objects.filter(pk=user.pk).update(is_active=False)
    if why == "closed":
        type(user.company).objects.update(is_open=False)
    if why == "withdrawn":
        User.objects.filter(pk=user.pk).update(approval="pending")
    if why == "staff":
        User.objects.filter(pk=user.pk).update(is_staff=True)
    assert visitor.send("get", f"/api/invitation/{token}").json() == {"success": -1}
    answer = visitor.send("post", "/api/invitation", {**GOOD, "token": token})
    assert (answer.status_code, answer.json()["code"]) == (409, "expired")
    assert not User.objects.get(pk=user.pk).has_usable_password()


def test_an_invitation_is_good_for_14_days(visitor):
    (user,) = make_people()
    invite_all([user])
    assert Invitation.objects.get().expires_at - Invitation.objects.get().sent_at == timedelta(14)


def test_a_batch_reaches_everybody_once_and_nobody_who_has_a_password_or_is_staff():
    people = [*make_people(5), make_user(password=PASSWORD), make_user(is_staff=True)]
    assert [invite_all(people) for _ in range(2)] == [5, 0]
    assert {mail.to[0] for mail in Email.objects.all()} == {user.email for user in people[:5]}
    assert RegistrationEvent.objects.filter(kind="password_mail").count() == 5


def test_a_batch_costs_the_same_statements_however_many_it_invites(django_assert_num_queries):
    few, many = make_people(2), make_people(40)
    actor = staff_in("Approvers")
    for people in (few, many):
        actor.has_perm("accounts.change_user")
        with django_assert_num_queries(7):
            invite(user_ids=[user.pk for user in people], actor=actor, now=timezone.now())


def test_staff_invite_all_once_they_saw_what_goes_out_and_see_what_became_of_it(monkeypatch):
    people, client = make_people(3), staff_client("Approvers")
    assert "Invite all 3" in client.get(USERS).text
    lead = client.get(f"{USERS}invite/").context["lead"]
    assert "password: 3. Their customers: 1. Language: English." in lead
    assert lead.endswith("Still open from the first day: Seller, Policy and terms.")
    assert not Email.objects.exists()
    monkeypatch.setattr(user_pages, "is_published", lambda: True)
    monkeypatch.setattr(Current, "missing", 0)
    page = client.get(f"{USERS}invite/")
    assert "Still open" not in page.text
    page = client.post(f"{USERS}invite/", follow=True)
    assert shown_messages(page) == ["3 invitations are on their way."]
    assert (Email.objects.count(), "Invite" in page.text) == (3, True)
    opened, old, _ = Invitation.objects.order_by("user")
    Invitation.objects.filter(pk=opened.pk).update(opened_at=timezone.now())
    Invitation.objects.filter(pk=old.pk).update(expires_at=timezone.now())
    for state, user in (("sent", people[2]), ("opened", people[0]), ("expired", people[1])):
        page = client.get(USERS, {"invitation": state})
        assert [row.pk for row in page.context["cl"].result_list] == [user.pk]
    day = f"{timezone.localdate():%Y-%m-%d}"
    customer = client.get(f"/admin/accounts/company/{people[0].company_id}/change/").text
    for text in (f"Invited {day}, not opened yet", f"Invited {day}, link expired"):
        assert text in customer
    assert "Resend the invitation" in client.get(f"{USERS}{people[0].pk}/change/").text
