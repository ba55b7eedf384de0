"""The mail queue: rows of the caller's transaction (django-post-office), written and delivered later by a sweep."""

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
from django.utils import timezone
from post_office.models import PRIORITY, STATUS, Email

from apps.common.db.prepared import PreparedInsert

NEW_MAIL = PreparedInsert(
    Email,
    "from_email",
    "to",
    "subject",
    "message_id",
    "context",
    "created",
    "last_updated",
    fixed={"priority": PRIORITY.medium, "status": STATUS.queued, "backend_alias": "default"},
)


@dataclass(frozen=True)
class Mail:
    """A mail to queue: `templates/mail/{template}.html` and `.txt`, and what they say, as JSON.

    `private` marks one that holds a link meant for its reader alone: staff may send it again, and never see its text.
    """

    to: str
    subject: str
    template: str
    context: Mapping[str, Any]
    private: bool = False


def _row(mail: Mail) -> dict[str, Any]:
    now = timezone.now()
    return {
        "from_email": settings.DEFAULT_FROM_EMAIL,
        "to": [mail.to],
        "subject": " ".join(mail.subject.split()),
        "message_id": make_msgid(domain=str(settings.POST_OFFICE["MESSAGE_ID_FQDN"])),
        "context": {"template": mail.template, "values": mail.context, "private": mail.private},
        "created": now,
        "last_updated": now,
    }


def queue(mails: Iterable[Mail]) -> None:
    """Queue mails in the caller's transaction, whose commit is the promise that they go out. At most one statement."""
    if rows := [_row(mail) for mail in mails]:
        NEW_MAIL.add(*rows)


def write_texts(email: Email) -> Email:
    """Return a queued mail with its two texts, rendered from its template unless they are written already."""
    context = email.context or {}
    if template := context.get("template"):
        values = {
            "title": settings.PORTAL_TITLE,
            "site_url": settings.SITE_URL,
            "subject": email.subject,
            **context["values"],
        }
        email.message = render_to_string(f"mail/{template}.txt", values)
        email.html_message = render_to_string(f"mail/{template}.html", values)
        email.context = {"private": context["private"]}
    return email


class EmlFileBackend(BaseEmailBackend):
    """Writes each mail to a file of its own under MAIL_FOLDER, where no mail server is configured."""

    def send_messages(self, email_messages: Iterable[EmailMessage]) -> int:
        """Write the mails and return how many they were."""
        settings.MAIL_FOLDER.mkdir(parents=True, exist_ok=True)
        sent = 0
        for sent, email in enumerate(email_messages, 1):  # noqa: B007 - the count is the answer
            message: Message = email.message()
            (settings.MAIL_FOLDER / f"{uuid4()}.eml").write_bytes(message.as_bytes())
        return sent
