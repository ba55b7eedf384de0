"""The approvers' pages: the queue, one registration with its decision and its certificate, and what waits on home."""

import io
from datetime import timedelta

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group
from django.core.exceptions import PermissionDenied
from django.core.files.storage import storages
from django.test import Client
from django.utils import timezone
from PIL import Image
from post_office.models import Email

from apps.accounts import decision_mail
from apps.accounts.models import Company, RegistrationEvent, User
from apps.accounts.services.approval import approve, ask_for_more
from apps.accounts.services.certificates import stored_path
from apps.accounts.tests.factories import PASSWORD, make_company, make_country, make_user
from apps.accounts.tests.registrations import decision, make_certificate, make_registration
from apps.accounts.tests.staff import shown_messages, staff_client, staff_in
from apps.catalog.models import BrandAccess
from apps.catalog.services.access import set_visible_brands
from apps.catalog.tests.factories import make_product
from apps.common.errors import Invalid
from apps.common.mail import write_texts
from apps.common.pdf import draw_page
from apps.common.testing import ContractClient

pytestmark = pytest.mark.django_db
LIST = "/admin/accounts/registration/"
HOSTILE = '<script>alert(1)</script> & "Söhne" {{ 7|add:1 }} {reason} \''


def page_of(user, tail="change/"):
    return f"{LIST}{user.pk}/{tail}"


def form_of(client, user, **changes):
    """Return the fields of a registration's form as its page shows them, with changes."""
    form = client.get(page_of(user)).context["form"]
    fields = {name: form[name].value() for name in form.fields}
    shown = {name: value for name, value in fields.items() if value not in (None, False)}
    return {**shown, **changes}


def companies(page):
    return [str(row) for row in page.context["cl"].result_list]


def pdf(pages=2, text_size=(400, 560)):
    file = io.BytesIO()
    sheets = [Image.new("RGB", text_size, "white") for _ in range(pages)]
    sheets[0].save(file, "PDF", save_all=True, append_images=sheets[1:])
    return file.getvalue()


def png():
    file = io.BytesIO()
    Image.new("RGB", (20, 30), "white").save(file, "PNG")
    return file.getvalue()


@pytest.fixture
def approver() -> Client:
    return staff_client("Approvers", manager="Hana Seo")


class TestList:
    def test_the_oldest_to_decide_is_first_and_over_48_hours_is_said(self, approver):
        new, old = make_registration(hours=3), make_registration(hours=51)
        make_user()
        make_registration(approval="rejected")
        make_registration(asked_at=timezone.now())
        page = approver.get(LIST)
        assert companies(page) == [str(old), str(new)]
        assert "2 d 3 h, over 48 h" in page.text
        assert page.context["subtitle"].startswith("2 to decide, oldest first")
        assert "1 more waits for the company" in page.text

    def test_nobody_waits(self, approver):
        page = approver.get(LIST)
        assert "Nobody waits." in page.text

    @pytest.mark.parametrize(
        ("query", "found"),
        [
            ("decision=asked", {"Asked"}),
            ("decision=approved", {"Approved"}),
            ("decision=rejected", {"Rejected"}),
            ("decision=all", {"Asked", "Approved", "Rejected", "Late", "Old", "Day", "Double", "Answered"}),
            ("age=late", {"Late"}),
            ("age=48", {"Late", "Old"}),
            ("age=24", {"Late", "Old", "Day"}),
            ("hint=double", {"Double"}),
            ("hint=answered", {"Answered"}),
            ("hint=none", {"Late", "Old", "Day", "Answered"}),
            ("q=find%40me", {"Double"}),
            ("q=day", {"Day"}),
            ("q=nonesuch", set()),
            ("decision=nonsense&age=x&hint=x&country=x", {"Late", "Old", "Day", "Double", "Answered"}),
        ],
    )
    def test_filters_and_search(self, approver, query, found):
        make_registration(company={"name": "Asked"}, asked_at=timezone.now())
        make_registration(company={"name": "Approved"}, approval="approved", email="a@twin.test")
        make_registration(company={"name": "Rejected"}, approval="rejected")
        make_registration(company={"name": "Late"}, hours=73)
        make_registration(company={"name": "Old"}, hours=49)
        make_registration(company={"name": "Day"}, hours=25)
        make_registration(company={"name": "Double"}, email="find@me.twin.test")
        make_company(name="DOUBLE")
        answered = make_registration(company={"name": "Answered"})
        RegistrationEvent.objects.create(user=answered, kind="asked", at=timezone.now())
        page = approver.get(f"{LIST}?{query}")
        assert set(companies(page)) == found
        for spec in page.context["cl"].filter_specs:
            shown = next((c for c in spec.choices(page.context["cl"]) if c["selected"] and spec.value()), None)
            if shown and "&" not in query and spec.value() != "all":
                assert shown["count"] == len(found), spec.title

    def test_an_answer_shows_beside_a_possible_double(self, approver):
        user = make_registration(company={"name": "Twins"})
        make_company(name="Twins")
        RegistrationEvent.objects.create(user=user, kind="asked", at=timezone.now())
        page = approver.get(LIST)
        assert f"Answered {timezone.localtime(user.registered_at):%m-%d}" in page.text
        assert "1 possible double" in page.text

    def test_the_country_filter(self, approver):
        norway = make_country("NO", "Norway")
        make_registration(company={"name": "Nordlys", "country": norway})
        make_registration(company={"name": "Elsewhere", "country": make_country()})
        assert companies(approver.get(LIST, {"country": norway.pk})) == ["Nordlys"]

    def test_the_number_of_statements_does_not_grow(self, approver, django_assert_max_num_queries):
        for number in range(6):
            user = make_registration(email=f"p{number}@same.test")
            make_certificate(user, png(), "image/png")
        approver.get(LIST)
        with django_assert_max_num_queries(12):
            page = approver.get(LIST)
        assert page.text.count("Same domain") + page.text.count("possible doubles") == 6
        assert page.text.count("PNG 1 KB") == 6

    def test_there_is_no_deciding_many_at_once(self, approver):
        make_registration()
        page = approver.get(LIST)
        assert 'name="action"' not in page.text
        assert approver.get(f"{LIST}add/").status_code == 403

    def test_hostile_names_are_text(self, approver):
        make_registration(company={"name": HOSTILE}, manager=HOSTILE)
        for address in (LIST, "/admin/", "/admin/jump/?q=<scr"):
            page = approver.get(address)
            assert "<script>alert" not in page.text
            assert "&lt;script&gt;alert(1)" in page.text


class TestPage:
    def test_it_shows_what_the_company_wrote_and_where_it_stands(self, approver):
        old, user = make_registration(hours=60), make_registration(company={"name": "Nordlys", "city": "Oslo"})
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
        assert (place.number, place.count, place.previous, place.next) == (2, 2, old.pk, None)

    def test_hostile_names_are_text_and_do_not_break_the_mail(self, approver):
        user = make_registration(company={"name": HOSTILE}, manager=HOSTILE)
        page = approver.get(page_of(user))
        assert "<script>alert" not in page.text
        approver.post(page_of(user), form_of(approver, user))
        mail = write_texts(Email.objects.get())
        assert HOSTILE in mail.message
        assert "<script>alert" not in mail.html_message

    def test_staff_and_unknown_people_are_no_registrations(self, approver):
        for pk in (staff_in("Sales").pk, 999_999):
            answer = approver.get(f"{LIST}{pk}/change/", follow=True)
            assert shown_messages(answer) == ["There is no such registration."]

    def test_a_possible_double_is_named_and_offered(self, approver):
        twin = make_user(email="a@nordlys.test", manager="Ana", company=make_company(name="Nordlys Helse AS"))
        waiting = make_registration(email="b@nordlys.test", manager="Bo", company={"name": "Nordlys Helse AS"})
        user = make_registration(email="c@nordlys.test")
        page = approver.get(page_of(user))
        assert "the e-mail domain nordlys.test" in page.text
        # Told apart, as companies of the same name are.
        assert page.context["form"].fields["company"].choices[1:3] == [
            (str(twin.company_id), "Add the user to “Nordlys Helse AS” (Ana, approved)"),
            (str(waiting.company_id), "Add the user to “Nordlys Helse AS” (Bo, waits too)"),
        ]
        assert "(Ana, approved, 1 user)" in page.text

    def test_the_doubles_that_agree_in_most_are_named_the_others_counted(self, approver):
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


class TestDecide:
    def test_three_clicks_from_the_list_to_approved(self, approver):
        user = make_registration(password=PASSWORD)
        address = f'href="/admin/accounts/registration/{user.pk}/change/'
        assert address in approver.get(LIST).text
        answer = approver.post(page_of(user), form_of(approver, user), follow=True)
        assert answer.redirect_chain == [(LIST, 302)]
        assert shown_messages(answer) == [f"{user}: approved. The mail to {user.email} is on its way."]
        signed_in = ContractClient().send("POST", "/api/login", {"email": user.email, "password": PASSWORD})
        assert signed_in.json()["success"] == 1
        assert LogEntry.objects.get().get_change_message() == "Approved"

    def test_approve_then_next_opens_the_next_oldest(self, approver):
        user, following = make_registration(hours=9), make_registration(hours=5)
        make_registration(hours=1)
        answer = approver.post(page_of(user), form_of(approver, user, next="1"))
        assert answer.headers["Location"] == page_of(following)

    def test_the_flag_and_the_brands_are_set_in_the_same_step(self, approver):
        user, product = make_registration(), make_product()
        make_product()
        fields = form_of(approver, user, stock_free="on", brands="some", brand_list=[product.brand_id])
        approver.post(page_of(user), fields)
        changed = User.objects.get(pk=user.pk)
        assert changed.stock_free
        assert changed.company.brands_restricted
        assert [access.brand_id for access in BrandAccess.objects.filter(company=changed.company)] == [product.brand_id]

    def test_some_brands_are_named_or_nothing_happens(self, approver):
        user = make_registration()
        for brands in ([], [999_999]):
            page = approver.post(page_of(user), form_of(approver, user, brands="some", brand_list=brands))
            assert page.status_code == 422
            assert page.context["form"].errors["brand_list"]
        assert User.objects.get(pk=user.pk).approval == "pending"
        assert not Email.objects.exists()

    def test_the_user_joins_a_hinted_company_which_keeps_its_brands(self, approver):
        twin = make_user(email="a@nordlys.test")
        Company.objects.filter(users=twin).update(brands_restricted=True)
        user = make_registration(email="b@nordlys.test", company={"name": "The double"})
        approver.post(page_of(user), form_of(approver, user, company=str(twin.company_id)))
        changed = User.objects.get(pk=user.pk)
        assert (changed.company_id, changed.company.brands_restricted) == (twin.company_id, True)
        assert not Company.objects.filter(name="The double").exists()

    def test_the_user_joins_another_company_that_is_named(self, approver):
        user, company = make_registration(), make_company()
        page = approver.post(page_of(user), form_of(approver, user, company="other"))
        assert page.context["form"].errors["other_company"] == ["Name the company."]
        approver.post(page_of(user), form_of(approver, user, company="other", other_company=company.pk))
        assert User.objects.get(pk=user.pk).company == company

    def test_a_company_that_was_not_offered_is_refused(self, approver):
        user = make_registration()
        page = approver.post(page_of(user), form_of(approver, user, company=str(make_company().pk)))
        assert page.context["form"].errors["company"]
        assert User.objects.get(pk=user.pk).approval == "pending"

    def test_asking_for_more(self, approver):
        user = make_registration()
        fields = form_of(approver, user, decision="ask", reason_ask="The second page, please.")
        answer = approver.post(page_of(user), fields, follow=True)
        assert shown_messages(answer)[0].startswith(f"{user}: asked for more.")
        assert "/register/" in write_texts(Email.objects.get()).message
        assert companies(approver.get(LIST)) == []
        page = approver.get(page_of(user))
        assert "waits for the company" in page.text
        assert "The second page, please." in page.text

    @pytest.mark.parametrize("chosen", ["ask", "reject"])
    def test_asking_and_rejecting_need_words(self, approver, chosen):
        user = make_registration()
        fields = form_of(approver, user, decision=chosen, **{f"subject_{chosen}": "My own"})
        page = approver.post(page_of(user), fields)
        assert page.status_code == 422
        assert list(page.context["form"].errors) == [f"reason_{chosen}"]
        assert "My own" in page.text
        assert not Email.objects.exists()

    def test_rejecting(self, approver):
        user = make_registration()
        approver.post(page_of(user), form_of(approver, user, decision="reject", reason_reject="No shop."))
        assert "No shop." in write_texts(Email.objects.get()).message
        page = approver.get(page_of(user))
        assert "Rejected by Hana Seo at" in page.text
        assert 'id="decide"' not in page.text

    def test_putting_the_template_back_keeps_the_rest(self, approver):
        user = make_registration()
        fields = form_of(approver, user, template="approve", subject_approve="Mine", body_approve="", stock_free="on")
        page = approver.post(page_of(user), fields)
        form = page.context["form"]
        assert form["subject_approve"].value() == "Your wholesale account is approved"
        assert form["body_approve"].value() == decision_mail.approved(user).body
        assert form["stock_free"].value()
        assert User.objects.get(pk=user.pk).approval == "pending"

    def test_decided_meanwhile_it_says_by_whom_and_offers_no_buttons(self, approver):
        user = make_registration()
        late = form_of(approver, user, decision="reject", reason_reject="No")
        approve(actor=staff_in("Approvers", manager="Jun-ho Lim"), company_id=None, stock_free=False, **decision(user))
        page = approver.post(page_of(user), late)
        assert page.status_code == 409
        assert shown_messages(page)[0].startswith("Approved by Jun-ho Lim at ")
        assert shown_messages(page)[0].endswith("Nothing was sent.")
        assert 'id="decide"' not in page.text
        assert Email.objects.count() == 1
        assert User.objects.get(pk=user.pk).approval == "approved"

    def test_changed_meanwhile_it_says_so_and_keeps_what_was_written(self, approver):
        user = make_registration()
        late = form_of(approver, user, subject_approve="My own subject")
        ask_for_more(
            actor=staff_in("Approvers", manager="Jun-ho Lim"), reason="x", **decision(user, decision_mail.asked)
        )
        page = approver.post(page_of(user), late)
        assert page.status_code == 409
        assert "Jun-ho Lim asked for more at" in shown_messages(page)[0]
        assert "My own subject" in page.text
        again = {**late, "seen": page.context["form"]["seen"].value()}
        assert approver.post(page_of(user), again).status_code == 302

    def test_brands_and_approval_stand_or_fall_together(self, approver, monkeypatch):
        user, product = make_registration(), make_product()
        monkeypatch.setattr(
            "portal.staff.registrations.services.set_visible_brands",
            lambda **_: (_ for _ in ()).throw(Invalid(errors={"brands": ["Gone."]})),
        )
        page = approver.post(page_of(user), form_of(approver, user, brands="some", brand_list=[product.brand_id]))
        assert page.context["form"].errors["brand_list"] == ["Gone."]
        assert User.objects.get(pk=user.pk).approval == "pending"
        assert not Email.objects.exists()

    def test_brands_are_for_those_who_may_give_them(self):
        with pytest.raises(PermissionDenied):
            set_visible_brands(actor=staff_in("Sales"), company_id=make_company().pk, brand_ids=None)

    def test_a_note_for_colleagues(self, approver):
        user = make_registration()
        approver.post(page_of(user, "note/"), {"text": "Called them <b>twice</b>."})
        page = approver.get(page_of(user))
        assert "Called them &lt;b&gt;twice&lt;/b&gt;." in page.text
        assert approver.get(page_of(user, "note/")).status_code == 405


class TestCertificate:
    def shown(self, client, user):
        return client.get(page_of(user)).context["certificate"]

    def test_a_picture_is_shown_inline_and_can_do_nothing(self, approver):
        user = make_registration()
        make_certificate(user, png(), "image/png")
        answer = approver.get(self.shown(approver, user)["pages"][0][1])
        assert answer.content == png()
        assert answer.headers["Content-Type"] == "image/png"
        assert answer.headers["Content-Security-Policy"] == "sandbox; default-src 'none'"
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert "no-store" in answer.headers["Cache-Control"]
        assert answer.headers["Referrer-Policy"] == "no-referrer"

    def test_a_pdf_is_shown_as_pictures_of_its_pages(self, approver):
        user = make_registration()
        make_certificate(user, pdf(2), "application/pdf")
        certificate = self.shown(approver, user)
        assert (certificate["count"], len(certificate["pages"])) == (2, 2)
        for _, address in certificate["pages"]:
            answer = approver.get(address)
            assert answer.headers["Content-Type"] == "image/png"
            assert Image.open(io.BytesIO(answer.content)).size[0] == 1240
        beyond = certificate["pages"][0][1].replace("/page/1/", "/page/3/")
        assert approver.get(beyond).status_code == 404

    @pytest.mark.parametrize("content", [b"%PDF-1.7 broken", b"", b"%PDF-" + b"x" * 10_000])
    def test_what_cannot_be_shown_can_be_downloaded(self, approver, content):
        user = make_registration()
        make_certificate(user, content, "application/pdf", name="../Firma<b>")
        page = approver.get(page_of(user))
        assert "This file cannot be shown." in page.text
        answer = approver.get(page.context["certificate"]["download"])
        assert b"".join(answer.streaming_content) == content
        assert answer.headers["Content-Disposition"].startswith('attachment; filename="..Firmab.pdf"')

    def test_a_picture_is_never_answered_as_something_else(self, approver):
        user = make_registration()
        make_certificate(user, pdf(), "application/pdf")
        address = self.shown(approver, user)["download"].replace("download/", "")
        assert approver.get(address).status_code == 404

    def test_a_file_that_is_gone_is_no_failure(self, approver):
        user = make_registration()
        certificate = make_certificate(user, png(), "image/png")
        address = self.shown(approver, user)["download"]
        storages["private"].delete(stored_path(certificate.storage_name))
        assert "This file cannot be shown." in approver.get(page_of(user)).text
        assert approver.get(address).status_code == 404

    def test_a_link_is_one_persons_for_an_hour_and_for_one_registration(self, approver, monkeypatch):
        user, other = make_registration(), make_registration()
        make_certificate(user, png(), "image/png")
        address = self.shown(approver, user)["pages"][0][1]
        assert staff_client("Approvers").get(address).status_code == 404
        assert staff_client("Sales").get(address).status_code == 403
        assert Client().get(address).status_code == 302
        assert approver.get(address.replace(f"/{user.pk}/", f"/{other.pk}/")).status_code == 404
        assert approver.get(address.replace(".png", ".pdf")).status_code == 404
        later = timezone.now() + timedelta(minutes=61)
        monkeypatch.setattr("portal.staff.registrations.admin.timezone.now", lambda: later)
        assert approver.get(address).status_code == 404

    def test_opening_one_is_noted(self, approver, caplog):
        user = make_registration()
        certificate = make_certificate(user, png(), "image/png")
        address = self.shown(approver, user)["download"]
        with caplog.at_level("INFO", logger="portal.security"):
            approver.get(address)
        assert f"certificate_opened certificate={certificate.pk} user={user.uuid}" in caplog.text

    def test_a_pdf_that_hangs_the_drawing_is_given_up(self, monkeypatch):
        monkeypatch.setattr("apps.common.pdf.SECONDS", 0.001)
        assert draw_page(pdf(), number=1) is None


class TestUserPage:
    def address(self, user, tail):
        return f"/admin/accounts/user/{user.pk}/{tail}/"

    def test_a_password_mail(self, approver):
        user = make_user(password=PASSWORD)
        page = approver.post(self.address(user, "password-mail"), follow=True)
        assert shown_messages(page) == [f"{user.email}: Password mail sent."]
        assert "#reset=" in write_texts(Email.objects.get()).message
        assert RegistrationEvent.objects.get(user=user).kind == "password_mail"

    def test_ending_the_sign_ins(self, approver):
        user = make_user()
        approver.post(self.address(user, "end-sign-ins"))
        assert User.objects.get(pk=user.pk).session_version == user.session_version + 1

    def test_withdrawing_an_approval_asks_why(self, approver):
        user = make_user()
        assert approver.post(self.address(user, "withdraw"), {"reason": " "}).status_code == 200
        assert User.objects.get(pk=user.pk).approval == "approved"
        approver.post(self.address(user, "withdraw"), {"reason": "Closed its shop"})
        assert User.objects.get(pk=user.pk).approval == "pending"
        assert companies(approver.get(LIST)) == [user.company.name]

    def test_the_buttons_are_where_they_can_be_pressed(self, approver):
        assert "password-reset mail" in approver.get(self.address(make_user(), "change")).text
        waiting = approver.get(self.address(make_registration(), "change")).text
        assert "password-reset mail" not in waiting
        assert "Withdraw approval" not in waiting

    @pytest.mark.parametrize("tail", ["password-mail", "end-sign-ins", "withdraw"])
    def test_staff_accounts_are_out_of_reach(self, approver, tail):
        staff = staff_in("Sales")
        assert approver.post(self.address(staff, tail), {"reason": "x"}).status_code == 404


class TestHome:
    def test_approvers_see_the_queue_with_its_oldest_in_full(self, approver, django_assert_max_num_queries):
        old = make_registration(hours=80)
        make_registration(asked_at=timezone.now())
        answered = make_registration(hours=2)
        RegistrationEvent.objects.create(user=answered, kind="asked", at=timezone.now())
        approver.get("/admin/")
        with django_assert_max_num_queries(8):  # its own 3; session, user and rights besides
            page = approver.get("/admin/")
        assert [row["company"] for row in page.context["waiting"]] == [str(old), str(answered)]
        rows = {row["label"]: (row["count"], row["late"]) for row in page.context["cards"][0]["rows"]}
        assert rows == {"New, to decide": (1, "1 late"), "Asked for more": (1, "–"), "Answered": (1, "–")}
        entry = next(entry for entry in page.context["available_apps"][0]["models"] if entry["name"] == "Registrations")
        assert (entry["count"], entry["late"]) == (2, "1 late")
        for row in page.context["cards"][0]["rows"]:
            assert approver.get(row["url"]).context["cl"].result_count == row["count"]

    def test_the_superuser_sees_them_among_what_is_late(self, django_assert_max_num_queries):
        user = make_registration(hours=74)
        client = staff_client()
        client.get("/admin/")
        with django_assert_max_num_queries(10):  # eight of its own; session and user besides
            page = client.get("/admin/")
        late = page.context["late"].rows[0]
        assert (late.title, late.step, late.late) == (str(user), "Decide", "2 h over 3 days")

    def test_over_48_hours_is_a_warning_and_not_late_yet(self, approver):
        make_registration(hours=50)
        page = approver.get("/admin/")
        row = page.context["cards"][0]["rows"][0]
        assert (row["late"], row["tone"]) == ("1 over 48 h", "soon")
        assert approver.get(row["late_url"]).context["cl"].result_count == 1
        entry = next(entry for entry in page.context["available_apps"][0]["models"] if entry["name"] == "Registrations")
        assert (entry["count"], entry["late"]) == (1, "")
        assert "over 48 h" in page.text

    def test_sales_see_nothing_of_it(self):
        make_registration(hours=50, company={"name": "Secret Applicant"})
        page = staff_client("Sales").get("/admin/")
        assert "Registration" not in page.text
        assert "Secret Applicant" not in page.text

    def test_whoever_is_in_both_groups_sees_both(self):
        user = staff_in("Sales")
        user.groups.add(Group.objects.get(name="Approvers"))
        make_registration()
        client = Client()
        client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
        page = client.get("/admin/")
        assert {"Registrations", "Money"} <= {card["name"] for card in page.context["cards"]}
        assert "Sales, Approvers" in page.text

    def test_a_decision_shows_in_the_counts_at_once(self, approver):
        user = make_registration()
        approver.get("/admin/")
        approver.post(page_of(user), form_of(approver, user))
        assert approver.get("/admin/").context["waiting"] == []


class TestJump:
    def test_a_waiting_address_leads_to_its_registration(self, approver):
        user = make_registration(email="who@portal.test", company={"name": "Glow Ltd"})
        answer = approver.get("/admin/jump/", {"q": "WHO@portal.test"})
        assert answer.headers["Location"] == page_of(user)
        for term in ("who@", "glow"):
            kinds = {kind["name"]: kind["rows"] for kind in approver.get("/admin/jump/", {"q": term}).context["kinds"]}
            assert [row["url"] for row in kinds["Registrations"]] == [page_of(user)]

    def test_it_does_not_lead_sales_there(self):
        make_registration(email="who@portal.test")
        page = staff_client("Sales").get("/admin/jump/", {"q": "who@portal"})
        assert "who@portal.test" not in [row["title"] for kind in page.context["kinds"] for row in kind["rows"]]


class TestMail:
    def test_a_private_mail_is_listed_and_sent_again_but_never_shown(self, approver):
        user = make_registration()
        ask_for_more(actor=staff_in("Approvers"), reason="More", **decision(user, decision_mail.asked))
        mail = write_texts(Email.objects.get())
        for client in (approver, staff_client("Sales"), staff_client()):
            page = client.get(f"/admin/post_office/email/{mail.pk}/change/")
            assert "This mail holds a private link and is not shown." in page.text
            assert "/register/" not in page.text
        assert approver.post(f"/admin/post_office/email/{mail.pk}/again/").status_code == 302
