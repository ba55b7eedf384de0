"""Registrations decided by a colleague who works in Korean: what the buyer gets stays English."""

import re

import pytest
from post_office.models import Email

from apps.accounts.models import RegistrationEvent, User
from apps.accounts.tests.registrations import make_registration
from apps.accounts.tests.staff import staff_client
from apps.common.mail import write_texts
from portal.staff.registrations.tests.pages import form_of, page_of

pytestmark = pytest.mark.django_db


def decided(language, decision, email):
    """Return what a decision sends and keeps, and the page that it was taken on; what is approved
    gets a password mail, and is withdrawn.
    """
    client = staff_client("Approvers", manager="Hana Seo", language=language)
    company = {"name": "Nordlys"}
    user = make_registration(company=company, email=email, manager="Ana Ruiz")
    page = client.get(page_of(user))
    form = form_of(client, user, decision=decision, company="new")
    if decision != "approve":
        form[f"reason_{decision}"] = "Please send the trade licence."
    assert client.post(page_of(user), form).status_code == 302
    if decision == "approve":
        for deed in ("password-mail", "withdraw"):
            client.post(f"/admin/accounts/user/{user.pk}/{deed}/", {"reason": "Closed its shop"})
        assert User.objects.get(email=email).approval == "pending"
    mails = map(write_texts, Email.objects.filter(to=[email]).order_by("pk"))
    events = RegistrationEvent.objects.filter(user_id=user.pk).order_by("pk")
    message = [text for mail in mails for text in (mail.subject, mail.message, mail.html_message)]
    message += [text for event in events for text in (event.kind, event.subject, event.body)]
    # Each has an address and a link of its own.
    return page, [re.sub(rf"{email}|https?://[^\s\"<]+", "", str(text)) for text in message]


@pytest.mark.parametrize("decision", ["approve", "ask", "reject"])
def test_the_mail_of_a_decision_is_english_whoever_decides(decision):
    english, first = decided("en", decision, "a@one.test")
    korean, second = decided("ko", decision, "b@two.test")
    assert "Approve and send mail" in english.text
    assert "승인 후 메일 발송" in korean.text
    assert second == first
    assert not any(re.search("[가-힣]", text) for text in second)


def test_both_read_what_was_done_in_their_own_language():
    korean, english = (
        staff_client(manager="Bora Kim", language="ko"),
        staff_client(manager="Ann Lee", language="en"),
    )
    user = make_registration(company={"name": "Nordlys"})
    korean.post(page_of(user), form_of(korean, user, decision="approve", company="new"))
    pages_read = [client.get("/admin/admin/logentry/").text for client in (korean, english)]
    assert "승인" in pages_read[0]
    assert ">Approved<" in pages_read[1]
    assert "승인" not in pages_read[1]
