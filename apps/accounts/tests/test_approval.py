"""What approvers decide: its mail, its history, what it ends, and who was quicker."""

import re
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from threading import Barrier
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.utils import timezone, translation
from post_office.models import Email

from apps.accounts import mail as account_mails
from apps.accounts.errors import AlreadyDecided, MailIncomplete, RegistrationChanged
from apps.accounts.models import Company, EmailVerification, RegistrationEvent, User
from apps.accounts.registrations import digits_of, domain_of, doubles, with_doubles
from apps.accounts.selectors import token_hash
from apps.accounts.services.approval import (
    add_note,
    approve,
    ask_for_more,
    end_sign_ins,
    reject,
    send_password_mail,
    withdraw_approval,
)
from apps.accounts.tests.factories import PASSWORD, make_company, make_user
from apps.accounts.tests.registrations import decision, make_registration
from apps.accounts.tests.staff import staff_in
from apps.common.errors import NotFound
from apps.common.mail import write_texts
from apps.common.mail_texts import Words
from apps.common.testing import ContractClient

pytestmark = pytest.mark.django_db
NEW: dict[str, Any] = {"company_id": None, "stock_free": False}


def sign_in(email):
    body = {"email": email, "password": PASSWORD}
    return ContractClient().send("POST", "/api/login", body).json()["success"]


def let_in(user, actor=None, **fields):
    """Approve a registration as it is now, unless told otherwise."""
    approve(actor=actor or staff_in("Approvers"), **{**NEW, **decision(user), **fields})


def kinds(user):
    return list(RegistrationEvent.objects.filter(user_id=user.pk).values_list("kind", flat=True))


class TestApprove:
    def test_the_buyer_gets_the_mail_as_it_was_written_and_may_sign_in(self):
        actor = staff_in("Approvers", manager="Jun-ho Lim")
        user = make_registration(password=PASSWORD, asked_at=timezone.now())
        assert sign_in(user.email) == -2
        let_in(user, actor, subject="Hello\n there", body="Come <in> & see")
        mail = write_texts(Email.objects.get())
        assert (mail.to, mail.subject) == ([user.email], "Hello there")
        assert "Come <in> & see" in mail.message
        assert "Come &lt;in&gt; &amp; see" in mail.html_message
        assert sign_in(user.email) == 1
        changed = User.objects.get(pk=user.pk)
        assert (changed.approval, changed.decided_by, changed.asked_at) == ("approved", actor, None)
        event = RegistrationEvent.objects.get(user=changed, kind="approved")
        assert (event.actor, event.subject, event.body) == (actor, "Hello there", "Come <in> & see")

    def test_a_company_row_that_somebody_else_belongs_to_stays(self):
        user, company = make_registration(), make_company()
        make_user(company=user.company)
        let_in(user, company_id=company.pk)
        assert Company.objects.filter(name=user.company.name).exists()

    def test_an_unknown_company_changes_nothing(self):
        user = make_registration()
        with pytest.raises(NotFound):
            let_in(user, company_id=999_999)
        assert User.objects.get(pk=user.pk).approval == "pending"
        assert not Email.objects.exists()

    @pytest.mark.parametrize(
        ("subject", "body", "field"), [(" \n", "x", "subject"), ("x", " \r\n ", "body")]
    )
    def test_a_mail_without_subject_or_text_is_refused(self, subject, body, field):
        user = make_registration()
        with pytest.raises(MailIncomplete) as refusal:
            let_in(user, subject=subject, body=body)
        assert list(refusal.value.errors or ()) == [field]
        assert User.objects.get(pk=user.pk).approval == "pending"

    def test_that_refusal_is_in_the_language_of_the_page(self):
        words = Words("", account_mails.approved(make_user()).body)
        with translation.override("ko"), pytest.raises(MailIncomplete) as refusal:
            account_mails.check_words(words)
        assert refusal.value.errors == {"subject": ["메일 제목을 입력하십시오."]}

    def test_staff_are_no_registration(self):
        staff = staff_in("Sales")
        with pytest.raises(NotFound):
            let_in(make_registration(), user_id=staff.pk)


class TestAskForMore:
    def test_the_mail_holds_the_link_and_the_history_does_not(self):
        user = make_registration(password=PASSWORD)
        fields = decision(user, account_mails.more_requested, reason="The second page.")
        ask_for_more(actor=staff_in("Approvers"), **fields)
        mail = write_texts(Email.objects.get())
        (token,) = re.findall(r"/register/(\w+)", mail.message)
        link = EmailVerification.objects.get(token_hash=token_hash(token))
        assert (link.user_id, link.email) == (user.pk, user.email)
        assert "The second page." in mail.message
        assert mail.context == {"private": True, "topic": "registrations"}
        event = RegistrationEvent.objects.get(user=user, kind="asked")
        assert event.note == "The second page."
        assert "The second page." in event.body
        assert token not in event.body
        assert User.objects.get(pk=user.pk).asked_at is not None
        assert sign_in(user.email) == -2

    @pytest.mark.parametrize(
        ("change", "field"),
        [
            ({"reason": " "}, "reason"),
            ({"body": "Hello {reason}"}, "body"),
            ({"body": "Hello {link}"}, "body"),
            ({"body": "{link} {link} {reason}"}, "body"),
        ],
    )
    def test_it_needs_a_reason_and_both_places(self, change, field):
        user = make_registration()
        fields = {**decision(user, account_mails.more_requested), "reason": "More", **change}
        with pytest.raises(MailIncomplete) as refusal:
            ask_for_more(actor=staff_in("Approvers"), **fields)
        assert list(refusal.value.errors or ()) == [field]
        assert not EmailVerification.objects.exists()
        assert not Email.objects.exists()


class TestReject:
    def test_the_reason_is_mailed_and_kept(self):
        user = make_registration(password=PASSWORD)
        fields = decision(user, account_mails.rejected, reason="No shop.\r\nSorry.")
        reject(actor=staff_in("Approvers"), **fields)
        changed = User.objects.get(pk=user.pk)
        assert (changed.approval, changed.approval_reason) == ("rejected", "No shop.\nSorry.")
        mail = write_texts(Email.objects.get())
        assert "No shop.\nSorry." in mail.message
        assert mail.context == {"private": False, "topic": "registrations"}
        assert sign_in(user.email) == -2
        assert kinds(user) == ["sent", "rejected"]


class TestQuicker:
    def test_the_second_approver_is_told_who_and_when(self):
        user, first = make_registration(), staff_in("Approvers", manager="Jun-ho Lim")
        fields = decision(user)
        let_in(user, first, **fields)
        with pytest.raises(AlreadyDecided, match=r"^Approved by Jun-ho Lim at \d\d:\d\d\.$"):
            reject(actor=staff_in("Approvers"), reason="No", **{**fields, "body": "{reason}"})
        assert Email.objects.count() == 1
        assert kinds(user) == ["sent", "approved"]

    def test_the_day_is_named_where_it_is_not_today(self):
        user = make_registration()
        fields = decision(user, now=datetime.now(UTC) - timedelta(days=3))
        let_in(user, **fields)
        with pytest.raises(AlreadyDecided, match=r"on \d{4}-\d\d-\d\d at"):
            let_in(user, **{**fields, "now": datetime.now(UTC)})

    def test_a_form_sent_again_meanwhile_is_looked_at_first(self, now):
        user = make_registration()
        fields = decision(user)
        User.objects.filter(pk=user.pk).update(registered_at=now)
        RegistrationEvent.objects.create(user=user, kind="sent_again", at=now)
        with pytest.raises(RegistrationChanged, match="The company sent the form again at"):
            let_in(user, **fields)
        assert User.objects.get(pk=user.pk).approval == "pending"
        let_in(user)


@pytest.mark.django_db(transaction=True)
def test_of_many_approvers_at_once_one_decides_and_the_others_are_told():
    user = make_registration()
    # No group outlives a flush.
    actors = [staff_in(manager=f"Approver {number}") for number in range(6)]
    for actor in actors:
        actor.get_all_permissions()
    approval, rejection = decision(user), decision(user, account_mails.rejected, reason="No shop")
    start = Barrier(len(actors))

    def decide(number):
        try:
            start.wait(timeout=30)
            if number % 2:
                approve(actor=actors[number], **approval, **NEW)
            else:
                reject(actor=actors[number], **rejection)
        except AlreadyDecided as told:
            return str(told)
        finally:
            connection.close()
        return ""

    with ThreadPoolExecutor(len(actors)) as pool:
        answers = list(pool.map(decide, range(len(actors))))
    winner = User.objects.get(pk=user.pk).decided_by
    assert answers.count("") == 1
    assert all(winner.manager in answer for answer in answers if answer)
    assert Email.objects.count() == 1
    assert len(kinds(user)) == 2


class TestAfterwards:
    def test_a_withdrawn_approval_ends_the_sign_ins_and_waits_again(self, sign_in, now):
        from apps.accounts.tests.factories import buyer_of

        user = make_user(password=PASSWORD)
        client = sign_in(buyer_of(user))
        assert client.send("GET", "/api/notice").status_code == 200
        withdraw_approval(
            actor=staff_in("Approvers"), user_id=user.pk, reason="Closed its shop", now=now
        )
        assert client.send("GET", "/api/notice").status_code == 403
        changed = User.objects.get(pk=user.pk)
        assert (changed.approval, changed.registered_at) == ("pending", now)
        assert changed.session_version == user.session_version + 1
        assert kinds(user) == ["withdrawn"]

    def test_only_an_approval_can_be_withdrawn_and_only_for_a_reason(self, now):
        actor, user = staff_in("Approvers"), make_registration()
        with pytest.raises(AlreadyDecided):
            withdraw_approval(actor=actor, user_id=user.pk, reason="Why", now=now)
        with pytest.raises(MailIncomplete):
            withdraw_approval(actor=actor, user_id=make_user().pk, reason=" ", now=now)

    def test_a_password_mail_is_private_and_in_the_history_without_its_link(self, now):
        user = make_user(password=PASSWORD)
        send_password_mail(actor=staff_in("Approvers"), user_id=user.pk, now=now)
        mail = write_texts(Email.objects.get())
        assert mail.context == {"private": True, "topic": "registrations"}
        (link,) = re.findall(r"/login#reset=(\S+)", mail.message)
        event = RegistrationEvent.objects.get(user=user)
        assert event.kind == "password_mail"
        assert link not in event.body

    def test_nobody_who_may_not_sign_in_gets_a_password_mail(self, now):
        for user in (make_registration(), make_user(is_active=False)):
            with pytest.raises(AlreadyDecided):
                send_password_mail(actor=staff_in("Approvers"), user_id=user.pk, now=now)
        with pytest.raises(NotFound):
            send_password_mail(actor=staff_in("Approvers"), user_id=staff_in("Sales").pk, now=now)
        assert not Email.objects.exists()

    def test_a_note_is_kept_and_an_empty_one_refused(self, now):
        actor, user = staff_in("Approvers"), make_registration()
        add_note(actor=actor, user_id=user.pk, text=" Called them. ", now=now)
        assert RegistrationEvent.objects.get(kind="note").note == "Called them."
        with pytest.raises(MailIncomplete):
            add_note(actor=actor, user_id=user.pk, text=" ", now=now)
        assert not Email.objects.exists()


@pytest.mark.parametrize("group", ["Sales", "superuser switched off"])
def test_only_approvers_decide(group, now, django_assert_num_queries):
    actor = staff_in("Sales") if group == "Sales" else staff_in(is_active=False)
    actor.get_all_permissions()
    fields = {"user_id": 0, "subject": "x", "body": "x", "seen": "", "now": now}
    calls = [
        lambda: approve(actor=actor, **fields, **NEW),
        lambda: ask_for_more(actor=actor, reason="x", **fields),
        lambda: reject(actor=actor, reason="x", **fields),
        lambda: withdraw_approval(actor=actor, user_id=0, reason="x", now=now),
        lambda: add_note(actor=actor, user_id=0, text="x", now=now),
        lambda: send_password_mail(actor=actor, user_id=0, now=now),
        lambda: end_sign_ins(actor=actor, user_id=0),
    ]
    for call in calls:
        with django_assert_num_queries(0), pytest.raises(PermissionDenied):
            call()


class TestDoubles:
    def found(self, user):
        listed = with_doubles(User.objects.filter(pk=user.pk)).get().is_double
        hints = doubles([user])[user.pk]
        assert listed == bool(hints)
        return {hint.name: hint.agreement for hint in hints}

    def test_domain_name_and_telephone_number_agree(self):
        other = make_company(name="Nordlys AS", phone="+47 77-55 (01) 20")
        make_user(company=other, email="a@nordlys.test")
        user = make_registration(
            email="b@nordlys.test", company={"name": "NORDLYS as", "phone": "+47 77550120"}
        )
        agrees = "the same name and the same phone number and the e-mail domain nordlys.test"
        assert self.found(user) == {"Nordlys AS": agrees}

    def test_an_address_that_anybody_can_get_says_nothing(self):
        make_user(email="a@gmail.com")
        assert self.found(make_registration(email="b@gmail.com")) == {}

    @pytest.mark.parametrize("phone", ["", "-", "12345", "+1 (23)"])
    def test_too_little_of_a_telephone_number_says_nothing(self, phone):
        make_company(name="Other", phone=phone)
        assert self.found(make_registration(company={"phone": phone})) == {}

    def test_ones_own_company_and_colleagues_are_no_doubles(self):
        user = make_registration(email="a@own.test")
        make_user(company=user.company, email="b@own.test")
        assert self.found(user) == {}

    def test_the_state_of_the_other_company_is_told(self, now):
        decided_at = datetime(2026, 3, 1, 12, tzinfo=UTC)
        states: dict[str, dict[str, Any]] = {
            "Approved Ltd": {"approval": "approved", "decided_at": decided_at},
            "Waiting Ltd": {"approval": "pending"},
            "Rejected Ltd": {"approval": "rejected"},
        }
        for number, (name, fields) in enumerate(states.items()):
            make_user(company=make_company(name=name), email=f"p{number}@same.test", **fields)
        make_user(company=make_company(name="Closed Ltd", is_open=False), email="p9@same.test")
        user = make_registration(email="me@same.test")
        hints = {hint.name: (hint.state, hint.people) for hint in doubles([user])[user.pk]}
        assert hints == {
            "Approved Ltd": ("approved 2026-03-01", 1),
            "Closed Ltd": ("closed", 1),
            "Rejected Ltd": ("rejected", 0),
            "Waiting Ltd": ("waits too", 0),
        }

    def test_a_page_of_them_costs_two_statements(self, django_assert_num_queries):
        users = [make_registration(email=f"p{number}@same.test") for number in range(5)]
        ids = [user.pk for user in users]
        loaded = list(User.objects.select_related("company").filter(pk__in=ids))
        with django_assert_num_queries(2):
            hints = doubles(loaded)
        assert [len(hints[user.pk]) for user in loaded] == [4] * 5

    def test_what_is_compared(self):
        assert (digits_of("+47 (77) 55.01-20"), digits_of("123")) == ("4777550120", "")
        assert (domain_of("a@shop.test"), domain_of("a@gmail.com")) == ("shop.test", "")
