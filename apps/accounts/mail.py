"""The mails that people get about their account."""

from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _

from apps.accounts import mail_kinds as kinds
from apps.accounts.models import User
from apps.common.mail import REGISTRATIONS, Mail, queue
from apps.common.mail_texts import Words, say
from apps.common.seller import in_staff_language, seller


def password_changed(*, email: str, manager: str, company: str) -> Mail:
    """Return the notice of a changed password, which tells the buyer if it was somebody else."""
    words = say(kinds.PASSWORD_CHANGED, {"name": manager, "company": company})
    mailbox = seller().sales_email
    return _letter(email, words, href=f"mailto:{mailbox}", shown=mailbox)


def _letter(
    to: str, words: Words, *, href: str, shown: str, button: str = "", private: bool = False
) -> Mail:
    """Return a mail whose text links to an address wherever it names it, by a button where it
    stands alone.
    """
    parts = [part.split(shown) for part in words.body.split("\n\n")]
    context = {"body": words.body, "parts": parts, "href": href, "shown": shown, "button": button}
    return Mail(to, words.subject, "letter", context, private=private, topic=REGISTRATIONS)


def registration_address(token: str) -> str:
    """Return the page that a registration link opens."""
    return f"{settings.SITE_URL}/register/{token}"


def registration_link(*, email: str, token: str) -> Mail:
    """Return the mail of a registration link; its text is for the reader of the mailbox alone."""
    link = registration_address(token)
    words = say(kinds.REGISTRATION_LINK, {"link": link})
    button = "Open the registration form"
    return _letter(email, words, href=link, shown=link, button=button, private=True)


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
        text = _("%(who)s requests access for a colleague.") % {"who": inviter.manager}
        _queue_waits(user, _("New colleague: %(company)s"), "colleague", [], text=text)


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


def queue_decision_mail(*, to: str, subject: str, body: str, private: bool) -> None:
    """Queue a mail that staff wrote as plain text; `private` where it holds a link for its reader
    alone.
    """
    queue([Mail(to, subject, "plain", {"body": body}, private=private, topic=REGISTRATIONS)])
