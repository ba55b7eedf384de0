"""Companies and users in admin: who may change what, and what ends a buyer's sign-ins."""

import re
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from axes.models import AccessFailureLog, AccessLog
from django.contrib.auth.models import Group
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode
from post_office.models import Email

from apps.accounts.admin import companies, users
from apps.accounts.models import Company, User
from apps.accounts.services.passwords import reset_tokens
from apps.accounts.sweeps import forget_sign_ins
from apps.accounts.tests.factories import (
    PASSWORD,
    make_company,
    make_country,
    make_staff,
    make_state,
    make_user,
)
from apps.accounts.tests.staff import staff_client
from apps.common.mail import write_texts

pytestmark = pytest.mark.django_db
USERS, COMPANIES = "/admin/accounts/user/", "/admin/accounts/company/"
NEW_PASSWORD = "a-quite-long-word-9"
INLINE = {f"brand_access-{name}": 0 for name in ("TOTAL_FORMS", "INITIAL_FORMS")}


@pytest.fixture
def approver() -> Client:
    return staff_client("Approvers")


def user_fields(user: User, **fields) -> dict:
    names = ("email", "manager", "ship_city", "ship_zipcode", "ship_address1", "ship_phone")
    shown = {name: getattr(user, name) for name in names}
    chosen = {"company": user.company_id or "", "is_active": "True"}
    return {**shown, **chosen, "ship_country": "", "ship_state": "", **fields}


def company_fields(company: Company, **fields) -> dict:
    return {"name": company.name, "is_open": "on", **INLINE, **fields}


def invitation_to(user: User) -> str:
    """Return the text of the one mail that a person got."""
    mail = Email.objects.get(to=user.email)
    write_texts(mail)
    return str(mail.message)


class TestUsers:
    def test_an_approver_changes_a_buyer(self, approver):
        buyer = make_user()
        fields = user_fields(buyer, stock_free="on", manager="Ana")
        answer = approver.post(f"{USERS}{buyer.pk}/change/", fields)
        assert answer.status_code == 302
        buyer.refresh_from_db()
        assert (buyer.stock_free, buyer.manager) == (True, "Ana")

    def test_a_shipping_state_of_another_country_is_refused(self, approver):
        buyer, other = make_user(), make_country("DE", "Germany")
        fields = user_fields(buyer, ship_country=other.pk, ship_state=make_state().pk)
        page = approver.post(f"{USERS}{buyer.pk}/change/", fields)
        assert "This state belongs to another country." in page.text

    def test_an_approver_cannot_make_staff_approve_or_change_the_address(self, approver):
        buyer = make_user(approval=User.Approval.PENDING)
        fields = {
            "is_staff": "on",
            "is_superuser": "on",
            "groups": [Group.objects.get(name="Sales").pk],
            "approval": "approved",
            "session_version": "99",
            "email": "other@portal.test",
        }
        approver.post(f"{USERS}{buyer.pk}/change/", user_fields(buyer, **fields))
        changed = User.objects.get(pk=buyer.pk)
        assert (changed.is_staff, changed.is_superuser) == (False, False)
        assert changed.approval == "pending"
        assert (changed.email, changed.session_version) == (buyer.email, buyer.session_version)
        assert not changed.groups.exists()

    def test_staff_accounts_do_not_exist_for_an_approver(self, approver):
        staff = make_staff()
        assert staff.email not in approver.get(USERS).text
        assert approver.get(f"{USERS}{staff.pk}/change/").status_code == 404

    def test_a_colleague_is_made_on_one_page_and_sets_the_own_password_by_mail(self):
        root, sales = staff_client(), Group.objects.get(name="Sales")
        new = {"email": "jiho@portal.test", "manager": "박지호", "is_staff": "True"}
        page = root.post(f"{USERS}add/", new)
        assert page.context["adminform"].form.errors["groups"]
        root.post(f"{USERS}add/", {**new, "groups": [sales.pk]})
        user = User.objects.get(email="jiho@portal.test")
        assert (user.is_staff, user.has_usable_password()) == (True, False)
        assert list(user.groups.all()) == [sales]
        link = re.search(r"/admin/set-password/\S+/", invitation_to(user)).group()

        colleague = Client()
        form = colleague.get(link).headers["Location"]
        passwords = {"new_password1": NEW_PASSWORD, "new_password2": NEW_PASSWORD}
        assert colleague.post(form, {**passwords, "new_password2": "other"}).status_code == 200
        assert colleague.post(form, passwords).headers["Location"] == "/admin/login/"
        assert "This link has expired" in Client().get(link, follow=True).text
        answer = colleague.post("/admin/login/", {"username": user.email, "password": NEW_PASSWORD})
        assert answer.status_code == 302

    def test_a_buyers_link_opens_no_page_of_staff(self):
        buyer = make_user(password=PASSWORD)
        names = f"{urlsafe_base64_encode(force_bytes(buyer.pk))}/{reset_tokens.make_token(buyer)}"
        page = Client().get(f"/admin/set-password/{names}/", follow=True)
        assert "This link has expired" in page.text

    def test_a_colleagues_page_has_nothing_of_a_buyer(self):
        page = staff_client().get(f"{USERS}{make_staff(manager='Jo').pk}/change/").text
        for text in ("Ship to", "May order beyond stock", "Registration</h2>", "argon2"):
            assert text not in page

    def test_switching_a_buyer_off_ends_the_sign_ins(self, approver):
        buyer = make_user()
        approver.post(f"{USERS}{buyer.pk}/change/", user_fields(buyer, is_active="False"))
        changed = User.objects.get(pk=buyer.pk)
        assert (changed.is_active, changed.session_version) == (False, buyer.session_version + 1)

    def test_a_superuser_adds_a_buyer_who_is_approved_by_it(self):
        company = make_company()
        fields = {
            "email": " New@Portal.Test ",
            "manager": "New",
            "company": company.pk,
            "is_staff": "False",
            "groups": [Group.objects.get(name="Sales").pk],
        }
        staff_client(manager="Chief").post(f"{USERS}add/", fields)
        added = User.objects.get(email="new@portal.test")
        assert (added.approval, added.decided_by.manager) == ("approved", "Chief")
        assert (added.is_staff, added.groups.exists()) == (False, False)
        assert re.search(r"/invitation/\w{43}\b", invitation_to(added))

    def test_the_page_tells_of_the_last_sign_ins_and_of_wrong_passwords(self, approver):
        buyer, other = make_user(password=PASSWORD), make_user(password=PASSWORD)
        for person, password in ((buyer, "wrong"), (buyer, PASSWORD), (other, PASSWORD)):
            fields = {"email": person.email, "password": password}
            Client().post("/api/login", fields, "application/json")
        answer = approver.get(f"{USERS}{buyer.pk}/change/")
        assert [one["is_good"] for one in answer.context["sign_ins"]] == [True, False]
        page = answer.text
        assert page.count("Wrong password") == page.count("Signed in</span>") == 1

    def test_what_is_told_of_sign_ins_goes_after_90_days(self):
        AccessLog.objects.create(username="a@portal.test")
        AccessFailureLog.objects.create(username="a@portal.test")
        now = timezone.now()
        assert [forget_sign_ins(now + timedelta(days=days)) for days in (89, 91)] == [0, 2]

    def test_a_buyer_needs_a_company(self):
        fields = {"email": "a@portal.test", "manager": "A", "is_staff": "False"}
        page = staff_client().post(f"{USERS}add/", fields)
        assert "A buyer belongs to a customer." in page.text
        assert not User.objects.filter(email="a@portal.test").exists()

    @pytest.mark.parametrize(
        "email", ["a@localhost", "a@[127.0.0.1]", "a\u200bb@portal.test", "a@portal\u00ad.test"]
    )
    def test_staffs_forms_take_no_address_that_the_registration_refuses(self, email):
        root, buyer = staff_client(), make_user()
        new = {"email": email, "manager": "A", "company": buyer.company_id, "is_staff": "False"}
        for page in (
            root.post(f"{USERS}add/", new),
            root.post(f"{USERS}{buyer.pk}/change/", user_fields(buyer, email=email)),
        ):
            assert page.context["adminform"].form.errors["email"]
        assert User.objects.filter(is_staff=False).get() == User.objects.get(email=buyer.email)

    def test_search_finds_by_address_name_and_company(self, approver):
        buyer = make_user(
            email="find@portal.test", manager="Needle", company=make_company(name="Haystack Ltd")
        )
        make_user()
        for term in ("find@", "needle", "haystack"):
            found = approver.get(USERS, {"q": term}).context["cl"].result_list
            assert [one.pk for one in found] == [buyer.pk]


class TestCompanies:
    def test_closing_a_company_ends_its_sign_ins(self, approver):
        company = make_company()
        buyer = make_user(company=company)
        fields = company_fields(company)
        del fields["is_open"]
        approver.post(f"{COMPANIES}{company.pk}/change/", fields)
        assert not Company.objects.get(pk=company.pk).is_open
        assert User.objects.get(pk=buyer.pk).session_version == buyer.session_version + 1

    def test_a_state_of_another_country_is_refused(self, approver):
        company, state = make_company(), make_state()
        other = make_country("DE", "Germany")
        fields = company_fields(company, country=other.pk, state=state.pk)
        page = approver.post(f"{COMPANIES}{company.pk}/change/", fields)
        assert "This state belongs to another country." in page.text

    def test_countries_and_states_are_found_by_their_own_fields(self, approver):
        make_state(make_country())
        query = {"app_label": "accounts", "model_name": "company", "term": "mazowieckie"}
        for field, found_count in (("country", 0), ("state", 1)):
            answer = approver.get("/admin/autocomplete/", {**query, "field_name": field})
            assert len(answer.json()["results"]) == found_count

    def test_what_changes_while_a_page_is_saved_stays(self, approver, monkeypatch):
        company = make_company()
        buyer = make_user(company=company)

        def meanwhile(form, **_):
            rows = type(form.instance).objects.filter(pk=form.instance.pk)
            rows.update(**changes[type(form.instance)])

        changes: Any = {Company: {"deposit_rate": "0.50"}, User: {"session_version": 7}}
        monkeypatch.setattr(companies, "check_state", meanwhile)
        monkeypatch.setattr(users, "check_state", meanwhile)
        fields = company_fields(company, name="Glow")
        approver.post(f"{COMPANIES}{company.pk}/change/", fields)
        approver.post(f"{USERS}{buyer.pk}/change/", user_fields(buyer, manager="Ana"))
        company.refresh_from_db()
        buyer.refresh_from_db()
        assert (company.name, company.deposit_rate) == ("Glow", Decimal("0.50"))
        assert (buyer.manager, buyer.session_version) == ("Ana", 7)

    def test_a_company_is_never_deleted(self):
        page = f"{COMPANIES}{make_company().pk}/delete/"
        assert staff_client().post(page, {"post": "yes"}).status_code == 403


def test_a_persons_page_names_the_version_of_the_terms_that_was_accepted():
    user = make_user(terms_accepted_at=datetime(2026, 12, 1, 3, 0, tzinfo=UTC), terms_version=2)
    page = staff_client().get(reverse("admin:accounts_user_change", args=[user.pk]))
    assert "accepted 2026-12-01 12:00, version 2" in page.content.decode()
