"""The mail queue: rows in one statement, texts from the templates when they leave."""

from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core import mail
from django.template import engines
from django.utils import timezone
from post_office.models import STATUS, Email
from pytest_django import DjangoAssertNumQueries

from apps.common.mail import Mail, queue, write_texts
from apps.common.seller import seller
from apps.common.sweeps import deliver_mails

pytestmark = pytest.mark.django_db

HOSTILE = "<script>alert('1')</script> & {{ title }} {% now 'Y' %}"
ESCAPED = (
    "&lt;script&gt;alert(&#x27;1&#x27;)&lt;/script&gt; &amp; {{ title }} {% now &#x27;Y&#x27; %}"
)
FACTS = [("Deposit", "$1,234.00"), ("Account name", HOSTILE)]
SAID = {"text": HOSTILE, "facts": FACTS, "quote": "Two\nlines"}
# What each template says, whole.
VALUES: dict[str, dict[str, Any]] = {
    "letter": {"body": HOSTILE, "parts": [[HOSTILE], ["", ""]], "button": ""}
    | dict.fromkeys(("href", "shown"), "http://testserver"),
    "order": SAID | {"link": "http://testserver/?a=1", "open": HOSTILE},
    "password_changed": {"manager": HOSTILE, "company": "Glow", "sales_email": "sales@portal.test"},
    "plain": {"body": HOSTILE},
    "registration_link": {"link": "http://testserver/register/abc"},
    "registration_waits": {"again": True, "facts": FACTS, "link": "http://testserver/admin/"},
}
TEMPLATES = {path.stem for path in Path(settings.BASE_DIR, "templates", "mail").iterdir()} - {
    "base"
}


def mail_of(template: str, *, to: str = "ines@glow.test", **values: Any) -> Mail:
    return Mail(to, f"About  {template}", template, values or VALUES[template])


def test_every_template_is_rendered_here() -> None:
    assert set(VALUES) == TEMPLATES


@pytest.mark.parametrize("template", sorted(TEMPLATES))
def test_both_parts_of_a_mail_say_all_of_it(template: str, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = engines["django"].engine  # type: ignore[attr-defined]
    monkeypatch.setattr(engine, "string_if_invalid", "NOT GIVEN: %s")
    queue([mail_of(template)])
    email = write_texts(Email.objects.get())
    for part in (email.message, email.html_message):
        assert f"About {template}" in part
        assert settings.PORTAL_TITLE in part.replace("&amp;", "&")
        assert settings.SITE_URL in part
        assert "NOT GIVEN" not in part
    texts = [value for value in VALUES[template].values() if isinstance(value, str)]
    texts += [text for fact in VALUES[template].get("facts", ()) for text in fact]
    for text in texts:
        assert text in email.message
        assert text.replace(HOSTILE, ESCAPED) in email.html_message
    assert "<script>" not in email.html_message


def test_mails_are_queued_in_one_statement_and_not_rendered(
    monkeypatch: pytest.MonkeyPatch, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    monkeypatch.setattr("apps.common.mail.render_to_string", pytest.fail)
    with django_assert_num_queries(1):
        queue([mail_of("order"), mail_of("order", to="sales@portal.test")])
    assert {(email.status, email.message) for email in Email.objects.all()} == {(STATUS.queued, "")}


def test_a_mail_leaves_with_its_texts_which_stay_with_it() -> None:
    said = ("ines@glow.test", "Link", "plain", {"body": "http://testserver/x"})
    queue([mail_of("order"), Mail(*said, private=True)])
    assert deliver_mails(timezone.now()) == 2
    messages = {message.subject: message for message in mail.outbox}
    for email in Email.objects.all():
        message = messages.pop(email.subject)
        assert (message.to, message.subject, message.body) == (
            email.to,
            email.subject,
            email.message,
        )
        assert message.extra_headers["Message-ID"] == email.message_id
        assert message.extra_headers["Reply-To"] == seller().sales_email
        alternatives = [*message.alternatives]  # type: ignore[attr-defined]
    assert alternatives == [(email.html_message, "text/html")]
    assert [email.context for email in Email.objects.order_by("id")] == [
        {"private": False, "topic": "trade"},
        {"private": True, "topic": "trade"},
    ]


def test_a_mail_that_cannot_be_written_is_given_up_and_the_others_leave() -> None:
    queue([mail_of("no_such_template", text="x"), mail_of("order")])
    assert deliver_mails(timezone.now()) == 1
    given_up = Email.objects.get(status=STATUS.failed)
    assert given_up.logs.get().exception_type == "TemplateDoesNotExist"
    # Staff can send it again once it is mended.
    assert given_up.context["template"] == "no_such_template"
