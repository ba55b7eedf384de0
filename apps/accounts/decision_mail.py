"""What staff write to people about their registration: texts to begin with, and what is filled in
when they go out.

`{reason}` and `{link}` stand in a text until it is sent, so that a link is never shown to whoever
writes the mail.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from apps.accounts.errors import MailIncomplete
from apps.accounts.models import User

REASON, LINK = "{reason}", "{link}"
MAX_SUBJECT, MAX_BODY, MAX_REASON = 200, 8000, 2000  # characters


@dataclass(frozen=True)
class DecisionMail:
    """The subject and the plain text of a mail."""

    subject: str
    body: str


def approved(user: User) -> DecisionMail:
    """Return the mail of an approval."""
    return _mail(
        user,
        "Your wholesale account is approved",
        (
            f"your registration for {user.company} is approved. You can sign in now with this "
            "e-mail address and the password that you chose."
        ),
        f"Sign in: {settings.SITE_URL}/login",
    )


def asked(user: User) -> DecisionMail:
    """Return the mail that asks for more, with the link to the filled-in form."""
    return _mail(
        user,
        "Your registration: more information needed",
        (
            f"thank you for registering {user.company}. Before we can decide, we need more "
            "information from you:"
        ),
        REASON,
        f"Open your registration, complete it and send it again: {LINK}",
        "The link is valid for 24 hours. Your entries are still there; only the password has to be "
        "chosen again.",
    )


def rejected(user: User) -> DecisionMail:
    """Return the mail of a rejection."""
    return _mail(
        user,
        "Your registration",
        f"we cannot open a wholesale account for {user.company}.",
        REASON,
        f"If you have questions, please write to {settings.SALES_EMAIL}.",
    )


def password_reset(user: User) -> DecisionMail:
    """Return the mail with the link to a new password."""
    texts = (
        _("Choose a new password"),
        _("you can choose a new password for your account%(company)s here: %(link)s"),
        _(
            "The link is valid for 24 hours and for one change. Your old password works until "
            "then. If you did not ask for this, please write to %(sales)s."
        ),
    )
    return _account_mail(user, texts)


def invitation(user: User) -> DecisionMail:
    """Return the mail to somebody whom staff added: the link to the first password."""
    texts = (
        _("Your account at %(title)s"),
        _("we have created an account for you%(company)s. Choose your password here: %(link)s"),
        _(
            "The link is valid for 24 hours; if it has expired, ask us for a new one. You sign in "
            "with this e-mail address, %(email)s."
        ),
    )
    return _account_mail(user, texts)


def _account_mail(user: User, texts: Iterable[str]) -> DecisionMail:
    """Return a mail about an account: to staff in their own language."""
    values = {
        "title": settings.PORTAL_TITLE,
        "company": _at(user),
        "link": LINK,
        "sales": settings.SALES_EMAIL,
        "email": user.email,
        "name": user.manager,
    }
    with translation.override(user.language if user.is_staff and user.language else "en"):
        subject, *paragraphs = [gettext(text) % values for text in texts]
        greeting = gettext("Dear %(name)s,") % values
    return DecisionMail(subject, "\n\n".join((greeting, *paragraphs, settings.PORTAL_TITLE)))


def _at(user: User) -> str:
    return f" at {user.company}" if user.company else ""


def _mail(user: User, subject: str, *paragraphs: str) -> DecisionMail:
    return DecisionMail(
        subject, "\n\n".join((f"Dear {user.manager},", *paragraphs, settings.PORTAL_TITLE))
    )


def checked(
    mail: DecisionMail, *, reason: str | None = None, has_link: bool = False
) -> DecisionMail:
    """Return a mail as it is kept: its reason filled in, the place of its link still open.

    Args:
        mail: what staff wrote.
        reason: what the mail must say besides; None where it needs none.
        has_link: whether the mail must hold the place of a link, once.

    Raises:
        MailIncomplete: no subject, no text, no reason, or no place for the reason or the link.
    """
    subject, body = " ".join(mail.subject.split()), clean(mail.body)
    faults: dict[str, list[str]] = {}
    if not subject:
        faults["subject"] = [gettext("A mail needs a subject.")]
    if fault := _body_fault(body, has_reason=reason is not None, has_link=has_link):
        faults["body"] = [fault]
    if reason is not None and not clean(reason):
        faults["reason"] = [gettext("Write it as the buyer will read it.")]
    if faults:
        raise MailIncomplete(errors=faults)
    return DecisionMail(subject, body if reason is None else body.replace(REASON, clean(reason)))


def _body_fault(body: str, *, has_reason: bool, has_link: bool) -> str:
    if not body:
        return gettext("A mail needs a text.")
    if has_link and body.count(LINK) != 1:
        return gettext(
            "Keep %(place)s in the text, once: the buyer's own link stands there when the mail "
            "goes out."
        ) % {"place": LINK}
    if has_reason and body.count(REASON) != 1:
        return gettext(
            "Keep %(place)s in the text, once: your words stand there when the mail goes out."
        ) % {"place": REASON}
    return ""


def clean(text: str) -> str:
    """Return a text as it is kept: LF as the line's end, nothing around it."""
    return text.replace("\r\n", "\n").strip()
