"""The mail queue: rows of the caller's transaction (django-post-office), written and delivered
later by a sweep. The moment the mail server has taken one, that is noted.
"""

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from email.message import Message
from email.utils import make_msgid
from multiprocessing import TimeoutError as TakesTooLong
from multiprocessing.pool import ThreadPool
from typing import Any
from uuid import uuid4

from django.conf import settings
from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend
from django.db.models import Value
from django.dispatch import Signal
from django.template.loader import render_to_string
from django.utils import timezone, translation
from post_office.connections import connections
from post_office.models import PRIORITY, STATUS, Email
from post_office.settings import get_max_retries, get_retry_timedelta

from apps.common.logs import acting_staff
from apps.common.seller import seller

logger = logging.getLogger("portal.mail")
MAIL_SECONDS = 60  # what the mail server has for one mail, however slowly it answers
GOODBYE_SECONDS = 1

# A mail leaves with the file of a document (`attached`, as `Mail` has it). A receiver returns the
# PDF, or None where it cannot be made: the mail leaves without it.
attaching = Signal()

# Of a mail's context, once its texts are written:
STORED_KEYS = ("private", "topic", "by", "attached")
TRADE, REGISTRATIONS = "trade", "registrations"


@dataclass(frozen=True)
class Mail:
    """A mail to queue: `templates/mail/{template}.html` and `.txt`, and what they say, as JSON.

    `private` marks one that holds a link meant for its reader alone: staff may send it again, and
    never see its text. `topic` says which of the staff see it; it stays with the mail when its
    texts are written. `attached` names a document and its file: the file is made when the mail
    leaves (`attaching`). `language` is its template's: the staff's to a shared mailbox.
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
            # An expression, so that Django writes the rows as VALUES: as an array for each column
            # the two mails of a new order are a tenth of its checkout more.
            priority=Value(PRIORITY.medium),
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
        email.context = {name: context[name] for name in STORED_KEYS if name in context}
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
        count = 0
        for count, email in enumerate(email_messages, 1):  # noqa: B007 - the count is the answer
            message: Message = email.message()
            (settings.MAIL_FOLDER / f"{uuid4()}.eml").write_bytes(message.as_bytes())
        return count


def deliver(emails: Sequence[Email]) -> int:
    """Send mails one after the other, by one connection, and return how many the server took.

    Each is noted before anything else is done: a process that dies repeats one mail at most, the
    one whose yes it had not noted yet, and with the same Message-ID. Outside a transaction.
    """
    delivered = 0
    with _mail_server() as hand_over:
        for email in emails:
            try:
                message = email.prepare_email_message()
                if attached := (email.context or {}).get("attached"):
                    for _, content in attaching.send(Email, attached=attached):
                        if content is not None:
                            message.attach(attached["name"], content, "application/pdf")
                hand_over(email)
            except Exception as error:
                # It is tried again after a while, or given up after the last attempt; staff see why
                kind, at, tried = type(error).__name__, timezone.now(), email.number_of_retries or 0
                logger.warning("A mail could not be sent: %s", kind, exc_info=error)
                again = {
                    "status": STATUS.requeued,
                    "number_of_retries": tried + 1,
                    "scheduled_time": at + get_retry_timedelta(),
                }
                fate = again if tried < get_max_retries() else {"status": STATUS.failed}
                Email.objects.filter(pk=email.pk).update(**fate, last_updated=at)
                email.logs.create(status=STATUS.failed, message=str(error), exception_type=kind)
                if isinstance(error, TakesTooLong):
                    break  # the connection is of no more use
            else:
                Email.objects.filter(pk=email.pk).update(
                    status=STATUS.sent, last_updated=timezone.now()
                )
                email.logs.create(status=STATUS.sent)
                delivered += 1
    return delivered


@contextmanager
def _mail_server() -> Iterator[Callable[[Email], None]]:
    """Yield what hands a mail over and returns once the server has taken it; the connection is kept
    meanwhile.

    It works in a thread, because a server that sends a byte now and then would hold this one for
    good.
    """

    def dispatch(email: Email) -> None:
        try:
            email.dispatch(commit=False, disconnect_after_delivery=False)
        except Exception:
            connections.close()  # it may be broken: the next mail opens another
            raise

    with ThreadPool(1) as pool:
        try:
            yield lambda email: pool.apply_async(dispatch, (email,)).get(MAIL_SECONDS)
        finally:
            pool.apply_async(connections.close).wait(GOODBYE_SECONDS)
