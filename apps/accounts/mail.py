"""The mails that people get about their account."""

from django.conf import settings

from apps.accounts.models import User
from apps.common.mail import REGISTRATIONS, Mail, queue, to_mailbox
from apps.common.texts import Text


def queue_password_changed(*, email: str, manager: str, company: str) -> None:
    """Queue the notice of a changed password, which tells the buyer if it was somebody else."""
    context = {"manager": manager, "company": company, "sales_email": settings.SALES_EMAIL}
    queue(
        [
            Mail(
                email,
                "Your password has been changed",
                "password_changed",
                context,
                topic=REGISTRATIONS,
            )
        ]
    )


def registration_address(token: str) -> str:
    """Return the page that a registration link opens."""
    return f"{settings.SITE_URL}/register/{token}"


def queue_registration_link(*, email: str, token: str) -> None:
    """Queue the registration link; its text is for the reader of the mailbox alone."""
    context = {"link": registration_address(token)}
    queue(
        [
            Mail(
                email,
                "Confirm your e-mail address",
                "registration_link",
                context,
                private=True,
                topic=REGISTRATIONS,
            )
        ]
    )


def queue_registration_waits(*, user: User, country: str, again: bool) -> None:
    """Queue the notice of a registration to the approvers' mailbox."""
    company = user.company.name if user.company else ""
    context = {
        "again": again,
        "facts": [
            (Text("Company"), company),
            (Text("Country"), country),
            (Text("Name"), user.manager),
            (Text("E-mail"), user.email),
        ],
        "link": f"{settings.SITE_URL}/{settings.ADMIN_PATH}accounts/registration/{user.pk}/change/",
    }
    subject = (
        Text("Registration sent again: %(company)s", company=company)
        if again
        else Text("New registration: %(company)s", company=company)
    )
    queue(
        [
            to_mailbox(
                settings.APPROVERS_EMAIL,
                subject,
                "registration_waits",
                context,
                topic=REGISTRATIONS,
            )
        ]
    )


def queue_decision_mail(*, to: str, subject: str, body: str, private: bool = False) -> None:
    """Queue a mail that staff wrote as plain text; `private` where it holds a link for its reader
    alone.
    """
    queue([Mail(to, subject, "plain", {"body": body}, private=private, topic=REGISTRATIONS)])
