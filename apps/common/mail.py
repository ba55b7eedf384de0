"""The mail queue: rows of the caller's transaction (django-post-office), written and delivered
later by a sweep.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from email.message import Message
from email.utils import make_msgid
from typing import Any
from uuid import uuid4

from django.conf import settings
from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend
from django.template.loader import render_to_string
from django.utils import translation
from post_office.models import PRIORITY, STATUS, Email

from apps.common.logs import acting_staff
from apps.common.seller import seller

KEPT = ("private", "topic", "by", "attached")  # of a mail's context, once its texts are written
TRADE, REGISTRATIONS = "trade", "registrations"


@dataclass(frozen=True)
class Mail:
    """A mail to queue: `templates/mail/{template}.html` and `.txt`, and what they say, as JSON.

    `private` marks one that holds a link meant for its reader alone: staff may send it again, and
    never see its text. `topic` says which of the staff see it; it stays with the mail when its
    texts are written. `attached` names a document and its file: the file is made when the mail
    leaves (`delivery.attaching`). `language` is its template's: the staff's to a shared mailbox.
    """

    to: str
    subject: str
    template: str
    context: Mapping[str, Any]
    private: bool = False
    topic: str = TRADE
    language: str = "en"
    attached: Mapping[str, Any] | None = None


def queue(mails: Iterable[Mail]) -> None:
    """Queue mails in the caller's transaction, whose commit is the promise that they go out.
    One statement, on SQLite one for each 49 mails.
    """
    emails = []
    for mail in mails:
        context = {
            "template": mail.template,
            "values": mail.context,
            "private": mail.private,
            "topic": mail.topic,
            **({} if mail.language == "en" else {"language": mail.language}),
            **({"attached": mail.attached} if mail.attached else {}),
            **_by(),
        }
        email = Email(
            from_email=settings.DEFAULT_FROM_EMAIL,
            to=[mail.to],
            subject=_one_line(mail.subject),
            message_id=_message_id(),
            context=context,
            backend_alias="default",
            status=STATUS.queued,
            priority=PRIORITY.medium,
        )
        emails.append(email)
    Email.objects.bulk_create(emails)


def queue_again(email: Email, *, to: str) -> Email:
    """Queue a mail once more, to another address: the text stays as it was, and the
    first mail too.
    """
    return Email.objects.create(
        from_email=email.from_email,
        to=[to],
        subject=email.subject,
        message=email.message,
        html_message=email.html_message,
        context={**(email.context or {}), **_by()},
        message_id=_message_id(),
        backend_alias=email.backend_alias,
        status=STATUS.queued,
        priority=PRIORITY.medium,
    )


def _by() -> dict[str, str]:
    """Return who of the staff sends a mail, as it is kept with it; nothing of what the portal sends
    by itself.
    """
    staff = acting_staff()
    return {"by": staff.get_short_name()} if staff is not None else {}


def _message_id() -> str:
    return make_msgid(domain=str(settings.POST_OFFICE["MESSAGE_ID_FQDN"]))


def write_texts(email: Email) -> Email:
    """Return a queued mail with its two texts, rendered from its template unless they are written
    already.
    """
    context = email.context or {}
    if template := context.get("template"):
        values = {
            "title": seller().title,
            "logo": seller().logo_address,
            "site_url": settings.SITE_URL,
            "subject": email.subject,
            **context["values"],
        }
        with translation.override(context.get("language", "en")):
            email.message = render_to_string(f"mail/{template}.txt", values)
            email.html_message = render_to_string(f"mail/{template}.html", values)
        email.headers = {"Reply-To": seller().sales_email}
        email.context = {name: context[name] for name in KEPT if name in context}
    return email


def as_it_goes_out(mail: Mail) -> Email:
    """Return a mail with its two texts; nothing is queued."""
    context = {"template": mail.template, "values": mail.context, "language": mail.language}
    return write_texts(Email(to=[mail.to], subject=_one_line(mail.subject), context=context))


def _one_line(subject: str) -> str:
    return " ".join(subject.split())


class EmlFileBackend(BaseEmailBackend):
    """Writes each mail to a file of its own under MAIL_FOLDER, where no mail server is
    configured.
    """

    def send_messages(self, email_messages: Iterable[EmailMessage]) -> int:
        """Write the mails and return how many they were."""
        settings.MAIL_FOLDER.mkdir(parents=True, exist_ok=True)
        sent = 0
        for sent, email in enumerate(email_messages, 1):  # noqa: B007 - the count is the answer
            message: Message = email.message()
            (settings.MAIL_FOLDER / f"{uuid4()}.eml").write_bytes(message.as_bytes())
        return sent
