"""The mail queue: rows of the caller's transaction (django-post-office), delivered later by a sweep."""

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

from apps.common.db.prepared import PreparedInsert, Together
from apps.common.mail_templates import FilledTemplate

NEW_MAIL = PreparedInsert(
    Email,
    "from_email",
    "to",
    "subject",
    "message",
    "html_message",
    "message_id",
    "context",
    "created",
    "last_updated",
    fixed={"priority": PRIORITY.medium, "status": STATUS.queued, "backend_alias": "default"},
)

# What an order's mails are made of; the others are rare, and left to the engine.
FILLED = {name: FilledTemplate(name) for name in ("mail/order.txt", "mail/order.html")}


@dataclass(frozen=True)
class Mail:
    """A mail to queue: `templates/mail/{template}.html` and `.txt` with its context.

    `private` marks one that holds a link meant for its reader alone: staff may send it again, and never see its text.
    """

    to: str
    subject: str
    template: str
    context: Mapping[str, Any]
    private: bool = False


def _text(name: str, context: Mapping[str, Any]) -> str:
    return FILLED[name](context) if name in FILLED else render_to_string(name, context)


def _row(mail: Mail) -> dict[str, Any]:
    # Built by hand: the package's own `send` would run our finished texts through the template engine again.
    now = timezone.now()
    context = {**mail.context, "title": settings.PORTAL_TITLE, "site_url": settings.SITE_URL, "subject": mail.subject}
    return {
        "from_email": settings.DEFAULT_FROM_EMAIL,
        "to": [mail.to],
        "subject": " ".join(mail.subject.split()),
        "message": _text(f"mail/{mail.template}.txt", context),
        "html_message": _text(f"mail/{mail.template}.html", context),
        "message_id": make_msgid(domain=str(settings.POST_OFFICE["MESSAGE_ID_FQDN"])),
        "context": {"private": True} if mail.private else None,
        "created": now,
        "last_updated": now,
    }


def queue(mails: Iterable[Mail], together: Together | None = None) -> None:
    """Queue mails in the caller's transaction, whose commit is the promise that they go out.

    It takes one statement, or none where they go in `together` with what else the caller writes.
    """
    rows = [_row(mail) for mail in mails]
    if rows and together is not None:
        together.add(NEW_MAIL.statement(*rows))
    elif rows:
        NEW_MAIL.add(*rows)


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
