"""What approvers mail to buyers and what is kept of it: English, whatever language they read."""

import re
from collections.abc import Callable

import pytest
from django.utils import timezone, translation
from post_office.models import Email

from apps.accounts import mail as account_mails
from apps.accounts.errors import MailIncomplete
from apps.accounts.models import RegistrationEvent, User
from apps.accounts.services.approval import (
    approve,
    send_password_mail,
    withdraw_approval,
)
from apps.accounts.tests.factories import make_company, make_user
from apps.accounts.tests.registrations import decision, make_registration
from apps.accounts.tests.staff import staff_in
from apps.common.mail import write_texts
from apps.common.mail_texts import Words

pytestmark = pytest.mark.django_db
TOKEN = re.compile(r"(register/|reset=|invitation/)\S+")


def _approve(user: User, actor: User) -> None:
    approve(actor=actor, **decision(user), company_id=None, stock_free=False)


def _password(user: User, actor: User) -> None:
    _approve(user, actor)
    send_password_mail(actor=actor, user_id=user.pk, now=timezone.now())


def _withdraw(user: User, actor: User) -> None:
    _approve(user, actor)
    withdraw_approval(actor=actor, user_id=user.pk, reason="Closed.", now=timezone.now())


@pytest.mark.parametrize("deed", [_password, _withdraw])
def test_mails_and_steps_are_the_same_in_both_languages(
    deed: Callable[[User, User], None],
) -> None:
    answers = {}
    for language in ("en", "ko"):
        user = make_registration(email=f"{language}@portal.test", manager="Ines")
        make_company()
        with translation.override(language):
            deed(user, staff_in("Approvers", language=language))
        mails = map(write_texts, Email.objects.filter(to=[user.email]).order_by("pk"))
        steps = RegistrationEvent.objects.filter(user_id=user.pk).order_by("pk")
        files = [
            *(text for mail in mails for text in (mail.subject, mail.message, mail.html_message)),
            *(text for step in steps for text in (step.subject, step.body, step.note)),
        ]
        names = (user.email, str(user.company))
        answers[language] = [_without(TOKEN.sub("", text), *names) for text in files]
    assert answers["ko"] == answers["en"]
    assert all(text.isascii() for text in answers["ko"])


def _without(text: str, *names: str) -> str:
    for name in names:
        text = text.replace(name, "")
    return text


def test_a_mail_that_is_not_complete_is_refused_in_the_language_of_the_page() -> None:
    user = make_user()
    with translation.override("ko"), pytest.raises(MailIncomplete) as refusal:
        account_mails.check_words(Words("", account_mails.approved(user).body))
    assert refusal.value.errors == {"subject": ["메일 제목을 입력하십시오."]}
