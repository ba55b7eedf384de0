"""What staff write to people about their registration: texts to begin with, and what is filled in
when they go out.

`{reason}` and `{link}` stand in a text until it is sent, so that a link is never shown to whoever
writes the mail.
"""

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext

from apps.accounts import mail_kinds as kinds
from apps.accounts.errors import MailIncomplete
from apps.accounts.models import User
from apps.common import mail_texts
from apps.common.mail_texts import MailKind, Value, Words, filled, say

REASON, LINK = "{reason}", "{link}"
MAX_SUBJECT, MAX_BODY, MAX_REASON = 200, 8000, 2000  # characters


def approved(user: User) -> Words:
    """Return the mail of an approval."""
    return say(kinds.APPROVED, {**_person(user), "login": f"{settings.SITE_URL}/login"})


def asked(user: User) -> Words:
    """Return the mail that asks for more, with the link to the filled-in form."""
    return say(kinds.ASKED, _person(user))


def rejected(user: User) -> Words:
    """Return the mail of a rejection."""
    return say(kinds.REJECTED, _person(user))


def password_reset(user: User) -> Words:
    """Return the mail with the link to a new password."""
    return _account_mail(kinds.PASSWORD_RESET, user)


def invitation(user: User) -> Words:
    """Return the mail to somebody whom staff added: the link to the first password."""
    return _account_mail(kinds.INVITATION, user)


def _account_mail(kind: MailKind, user: User) -> Words:
    """Return a mail about an account: to staff the portal's own words, in their own language."""
    values = {
        **_person(user),
        "at_company": f" at {user.company}" if user.company else "",
        "email": user.email,
    }
    if not user.is_staff:
        return say(kind, values)
    with translation.override(user.language or "en"):
        return filled(Words(gettext(kind.subject), gettext(kind.body)), values)


def _person(user: User) -> dict[str, Value]:
    return {"name": user.manager, "company": lambda: str(user.company or "")}


def checked(mail: Words, *, reason: str | None = None, has_link: bool = False) -> Words:
    """Return a mail as it is kept: its reason filled in, the place of its link still open.

    Args:
        mail: what staff wrote.
        reason: what the mail must say besides; None where it needs none.
        has_link: whether the mail must hold the place of a link, once.

    Raises:
        MailIncomplete: no subject, no text, no reason, or no place for the reason or the link.
    """
    subject, body = mail_texts.clean(*mail)
    faults: dict[str, list[str]] = {}
    if not subject:
        faults["subject"] = [gettext("A mail needs a subject.")]
    if not body:
        faults["body"] = [gettext("A mail needs a text.")]
    elif has_link and body.count(LINK) != 1:
        text = gettext(
            "Keep %(place)s in the text, once: the buyer's own link stands there when the mail "
            "goes out."
        )
        faults["body"] = [text % {"place": LINK}]
    elif reason is not None and body.count(REASON) != 1:
        text = gettext(
            "Keep %(place)s in the text, once: your words stand there when the mail goes out."
        )
        faults["body"] = [text % {"place": REASON}]
    if reason is not None and not clean(reason):
        faults["reason"] = [gettext("Write it as the buyer will read it.")]
    if faults:
        raise MailIncomplete(errors=faults)
    return Words(subject, body if reason is None else body.replace(REASON, clean(reason)))


def clean(text: str) -> str:
    """Return a text as it is kept: LF as the line's end, nothing around it."""
    return text.replace("\r\n", "\n").strip()
