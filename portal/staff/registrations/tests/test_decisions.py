"""One registration: what its page shows, and the decision with its mail, brands and company."""

import pytest
from django.contrib.admin.models import LogEntry
from post_office.models import Email

from apps.accounts import mail as account_mails
from apps.accounts.models import Company, User
from apps.accounts.services.approval import approve, ask_for_more
from apps.accounts.tests.factories import PASSWORD, make_company, make_user
from apps.accounts.tests.registrations import decision, make_registration
from apps.accounts.tests.staff import shown_messages, staff_in
from apps.catalog.models import BrandAccess
from apps.catalog.tests.factories import make_product
from apps.common.errors import Invalid
from apps.common.mail import write_texts
from apps.common.testing import ContractClient
from portal.staff.registrations.tests.pages import HOSTILE, LIST, companies, form_of, page_of

pytestmark = pytest.mark.django_db


def test_it_shows_what_the_company_wrote_and_where_it_stands(approver):
    old, user = (
        make_registration(hours=60),
        make_registration(company={"name": "Nordlys", "city": "Oslo"}),
    )
    page = approver.get(page_of(user))
    for text in (
        "Nordlys",
        user.email,
        "Oslo",
        user.company.phone,
        user.ship_city,
        "The company sent no certificate.",
    ):
        assert text in page.text
    place = page.context["place"]
    assert place == {"number": 2, "count": 2, "previous": old.pk, "next": None}


def test_hostile_names_are_text_and_do_not_break_the_mail(approver):
    user = make_registration(company={"name": HOSTILE}, manager=HOSTILE)
    page = approver.get(page_of(user))
    assert "<script>alert" not in page.text
    approver.post(page_of(user), form_of(approver, user))
    mail = write_texts(Email.objects.get())
    assert HOSTILE in mail.message
    assert "<script>alert" not in mail.html_message


def test_staff_and_unknown_people_are_no_registrations(approver):
    for pk in (staff_in("Sales").pk, 999_999):
        page = approver.get(f"{LIST}{pk}/change/")
        assert (page.status_code, "There is nothing here" in page.text) == (404, True)


def test_a_possible_double_is_named_and_offered(approver):
    twin = make_user(
        email="a@nordlys.test", manager="Ana", company=make_company(name="Nordlys Helse AS")
    )
    waiting = make_registration(
        email="b@nordlys.test", manager="Bo", company={"name": "Nordlys Helse AS"}
    )
    user = make_registration(email="c@nordlys.test")
    page = approver.get(page_of(user))
    assert "the e-mail domain nordlys.test" in page.text
    # Told apart, as companies of the same name are.
    assert page.context["form"].fields["company"].choices[1:3] == [
        (str(twin.company_id), "Add the user to “Nordlys Helse AS” (Ana, approved)"),
        (str(waiting.company_id), "Add the user to “Nordlys Helse AS” (Bo, waits too)"),
    ]
    assert "(Ana, approved, 1 user)" in page.text


def test_the_doubles_that_agree_in_most_are_named_the_others_counted(approver):
    phone = {"phone": "+47 22 70 11 22"}
    for number in range(5):
        make_company(name=f"A{number}", **phone)
    make_company(name="Twins", **phone)
    page = approver.get(page_of(make_registration(company={"name": "Twins", **phone})))
    offered = [label for _, label in page.context["form"].fields["company"].choices[1:-1]]
    assert [label.split("”")[0] for label in offered] == [
        f"Add the user to “{name}" for name in ("Twins", "A0", "A1", "A2")
    ]
    assert "6 companies in all." in page.text


def test_three_clicks_from_the_list_to_approved(approver):
    user = make_registration(password=PASSWORD)
    address = f'href="/admin/accounts/registration/{user.pk}/change/'
    assert address in approver.get(LIST).text
    answer = approver.post(page_of(user), form_of(approver, user), follow=True)
    assert answer.redirect_chain == [(LIST, 302)]
    assert shown_messages(answer) == [f"{user}: approved. The mail to {user.email} is on its way."]
    signed_in = ContractClient().send(
        "POST", "/api/login", {"email": user.email, "password": PASSWORD}
    )
    assert signed_in.json()["success"] == 1
    assert LogEntry.objects.get().get_change_message() == "Approved"


def test_approve_then_next_opens_the_next_oldest(approver):
    user, following = make_registration(hours=9), make_registration(hours=5)
    make_registration(hours=1)
    answer = approver.post(page_of(user), form_of(approver, user, next="1"))
    assert answer.headers["Location"] == page_of(following)


def test_the_flag_and_the_brands_are_set_in_the_same_step(approver):
    user, product = make_registration(), make_product()
    make_product()
    fields = form_of(approver, user, stock_free="on", brands="some", brand_list=[product.brand_id])
    approver.post(page_of(user), fields)
    changed = User.objects.get(pk=user.pk)
    assert changed.stock_free
    assert changed.company.brands_restricted
    assert [access.brand_id for access in BrandAccess.objects.filter(company=changed.company)] == [
        product.brand_id
    ]


def test_some_brands_are_named_or_nothing_happens(approver):
    user = make_registration()
    for brands in ([], [999_999]):
        page = approver.post(
            page_of(user), form_of(approver, user, brands="some", brand_list=brands)
        )
        assert page.status_code == 422
        assert page.context["form"].errors["brand_list"]
    assert User.objects.get(pk=user.pk).approval == "pending"
    assert not Email.objects.exists()


def test_the_user_joins_a_hinted_company_which_keeps_its_brands(approver):
    twin = make_user(email="a@nordlys.test")
    Company.objects.filter(users=twin).update(brands_restricted=True)
    user = make_registration(email="b@nordlys.test", company={"name": "The double"})
    approver.post(page_of(user), form_of(approver, user, company=str(twin.company_id)))
    changed = User.objects.get(pk=user.pk)
    assert (changed.company_id, changed.company.brands_restricted) == (twin.company_id, True)
    assert not Company.objects.filter(name="The double").exists()


def test_the_user_joins_another_company_that_is_named(approver):
    user, company = make_registration(), make_company()
    page = approver.post(page_of(user), form_of(approver, user, company="other"))
    assert page.context["form"].errors["other_company"] == ["Name the company."]
    approver.post(page_of(user), form_of(approver, user, company="other", other_company=company.pk))
    assert User.objects.get(pk=user.pk).company == company


def test_a_company_that_was_not_offered_is_refused(approver):
    user = make_registration()
    page = approver.post(page_of(user), form_of(approver, user, company=str(make_company().pk)))
    assert page.context["form"].errors["company"]
    assert User.objects.get(pk=user.pk).approval == "pending"


def test_asking_for_more(approver):
    user = make_registration()
    fields = form_of(approver, user, decision="ask", reason_ask="The second page, please.")
    answer = approver.post(page_of(user), fields, follow=True)
    assert shown_messages(answer)[0].startswith(f"{user}: more information requested.")
    assert "/register/" in write_texts(Email.objects.get()).message
    assert companies(approver.get(LIST)) == []
    page = approver.get(page_of(user))
    assert "waiting for the company" in page.text
    assert "The second page, please." in page.text


@pytest.mark.parametrize("decision", ["ask", "reject"])
def test_asking_and_rejecting_need_words(approver, decision):
    user = make_registration()
    fields = form_of(approver, user, decision=decision, **{f"subject_{decision}": "My own"})
    page = approver.post(page_of(user), fields)
    assert page.status_code == 422
    assert list(page.context["form"].errors) == [f"reason_{decision}"]
    assert "My own" in page.text
    assert not Email.objects.exists()


def test_rejecting(approver):
    user = make_registration()
    approver.post(
        page_of(user), form_of(approver, user, decision="reject", reason_reject="No shop.")
    )
    assert "No shop." in write_texts(Email.objects.get()).message
    page = approver.get(page_of(user))
    assert "Rejected by Hana Seo at" in page.text
    assert 'id="decide"' not in page.text


def test_putting_the_template_back_keeps_the_rest(approver):
    user = make_registration()
    fields = form_of(
        approver, user, template="approve", subject_approve="Mine", body_approve="", stock_free="on"
    )
    page = approver.post(page_of(user), fields)
    form = page.context["form"]
    assert form["subject_approve"].value() == "Your wholesale account is approved"
    assert form["body_approve"].value() == account_mails.approved(user).body
    assert form["stock_free"].value()
    assert User.objects.get(pk=user.pk).approval == "pending"


def test_decided_meanwhile_it_says_by_whom_and_offers_no_buttons(approver):
    user = make_registration()
    late = form_of(approver, user, decision="reject", reason_reject="No")
    approve(
        actor=staff_in("Approvers", manager="Jun-ho Lim"),
        company_id=None,
        stock_free=False,
        **decision(user),
    )
    page = approver.post(page_of(user), late)
    assert page.status_code == 409
    assert shown_messages(page)[0].startswith("Approved by Jun-ho Lim at ")
    assert shown_messages(page)[0].endswith("Nothing was sent.")
    assert 'id="decide"' not in page.text
    assert Email.objects.count() == 1
    assert User.objects.get(pk=user.pk).approval == "approved"


def test_changed_meanwhile_it_says_so_and_keeps_what_was_written(approver):
    user = make_registration()
    late = form_of(approver, user, subject_approve="My own subject")
    ask_for_more(
        actor=staff_in("Approvers", manager="Jun-ho Lim"),
        reason="x",
        **decision(user, account_mails.more_requested),
    )
    page = approver.post(page_of(user), late)
    assert page.status_code == 409
    assert "Jun-ho Lim asked for more at" in shown_messages(page)[0]
    assert "My own subject" in page.text
    again = {**late, "seen": page.context["form"]["seen"].value()}
    assert approver.post(page_of(user), again).status_code == 302


def test_brands_and_approval_stand_or_fall_together(approver, monkeypatch):
    user, product = make_registration(), make_product()
    monkeypatch.setattr(
        "portal.staff.registrations.admin.set_visible_brands",
        lambda **_: (_ for _ in ()).throw(Invalid(errors={"brands": ["Gone."]})),
    )
    page = approver.post(
        page_of(user), form_of(approver, user, brands="some", brand_list=[product.brand_id])
    )
    assert page.context["form"].errors["brand_list"] == ["Gone."]
    assert User.objects.get(pk=user.pk).approval == "pending"
    assert not Email.objects.exists()


def test_a_note_for_colleagues(approver):
    user = make_registration()
    approver.post(page_of(user, "note/"), {"text": "Called them <b>twice</b>."})
    page = approver.get(page_of(user))
    assert "Called them &lt;b&gt;twice&lt;/b&gt;." in page.text
    assert approver.get(page_of(user, "note/")).status_code == 405
