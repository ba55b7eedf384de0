"""The mails that people get about their account, and what staff write to them about a registration:
texts to begin with, and what is filled in when they go out.

`{reason}` and `{link}` stand in a text until it is sent, so that a link is never shown to whoever
writes the mail.
"""

from typing import Any

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext as _

from apps.accounts import mail_kinds as kinds
from apps.accounts.errors import MailIncomplete
from apps.accounts.models import User
from apps.common import mail_texts
from apps.common.mail import REGISTRATIONS, Mail, queue
from apps.common.mail_texts import MailKind, Value, Words, filled, say
from apps.common.seller import in_staff_language, seller
from apps.common.texts import phrase


def password_changed(*, email: str, manager: str, company: str) -> Mail:
    """Return the notice of a changed password, which tells the buyer if it was somebody else."""
    words = say(kinds.PASSWORD_CHANGED, {"name": manager, "company": company})
    mailbox = seller().sales_email
    return _letter(email, words, href=f"mailto:{mailbox}", address=mailbox)


def _letter(
    to: str, words: Words, *, href: str, address: str, button: str = "", private: bool = False
) -> Mail:
    """Return a mail whose text links to an address wherever it names it, by a button where it
    stands alone.
    """
    parts = [part.split(address) for part in words.body.split("\n\n")]
    context = {"body": words.body, "parts": parts, "href": href, "shown": address, "button": button}
    return Mail(to, words.subject, "letter", context, private=private, topic=REGISTRATIONS)


def registration_address(token: str) -> str:
    """Return the page that a registration link opens."""
    return f"{settings.SITE_URL}/register/{token}"


def registration_link(*, email: str, token: str) -> Mail:
    """Return the mail of a registration link; its text is for the reader of the mailbox alone."""
    link = registration_address(token)
    words = say(kinds.REGISTRATION_LINK, {"link": link})
    button = "Open the registration form"
    return _letter(email, words, href=link, address=link, button=button, private=True)


def queue_registration_waits(*, user: User, country: str, again: bool) -> None:
    """Queue the notice of a registration to the approvers' mailbox."""
    with in_staff_language():
        text = _("New registration: %(company)s")
        if again:
            text = _("Registration sent again: %(company)s")
        _queue_waits(user, text, "registration_waits", [(_("Country"), country)], again=again)


def queue_colleague_waits(*, user: User, inviter: User) -> None:
    """Queue to the approvers' mailbox that a buyer asks for a colleague."""
    with in_staff_language():
        text = phrase("%(who)s requests access for a colleague.", who=inviter.manager)
        subject, verb = _("New colleague: %(company)s"), _("Open the registration")
        _queue_waits(user, subject, "order", [], text=text, open=verb)


def _queue_waits(
    user: User, subject: str, template: str, where: list[tuple[str, str]], **context: Any
) -> None:
    company = user.company.name if user.company else ""
    page = f"{settings.ADMIN_PATH}accounts/registration/{user.pk}/change/"
    context |= {
        "facts": [
            (_("Company"), company),
            *where,
            (_("Name"), user.manager),
            (_("E-mail"), user.email),
        ],
        "link": f"{settings.SITE_URL}/{page}",
    }
    mail = Mail(
        seller().approvers_email,
        subject % {"company": company},
        template,
        context,
        topic=REGISTRATIONS,
        language=seller().staff_language,
    )
    queue([mail])


def plain_mail(to: str, words: Words, *, private: bool) -> Mail:
    """Return a mail of plain text; `private` where it holds a link for its reader alone."""
    context = {"body": words.body}
    return Mail(to, words.subject, "plain", context, private=private, topic=REGISTRATIONS)


REASON, LINK = "{reason}", "{link}"
MAX_SUBJECT, MAX_BODY, MAX_REASON = 200, 8000, 2000  # characters


def approved(user: User) -> Words:
    """Return the mail of an approval."""
    return say(kinds.APPROVED, {**_person(user), "login": f"{settings.SITE_URL}/login"})


def more_requested(user: User) -> Words:
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
        return filled(Words(_(kind.subject), _(kind.body)), values)


def _person(user: User) -> dict[str, Value]:
    return {"name": user.manager, "company": lambda: str(user.company or "")}


def check_words(mail: Words, *, reason: str | None = None, has_link: bool = False) -> Words:
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
        faults["subject"] = [_("A mail needs a subject.")]
    if not body:
        faults["body"] = [_("A mail needs a text.")]
    elif has_link and body.count(LINK) != 1:
        text = _(
            "Keep %(place)s in the text, once: the buyer's own link stands there when the mail "
            "goes out."
        )
        faults["body"] = [text % {"place": LINK}]
    elif reason is not None and body.count(REASON) != 1:
        text = _("Keep %(place)s in the text, once: your words stand there when the mail goes out.")
        faults["body"] = [text % {"place": REASON}]
    if reason is not None and not clean(reason):
        faults["reason"] = [_("Write it as the buyer will read it.")]
    if faults:
        raise MailIncomplete(errors=faults)
    return Words(subject, body if reason is None else body.replace(REASON, clean(reason)))


def clean(text: str) -> str:
    """Return a text as it is kept: LF as the line's end, nothing around it."""
    return text.replace("\r\n", "\n").strip()
