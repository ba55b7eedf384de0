"""Limits of the calls of the session and of the registration (design/reliability-and-security.md,
section 9).
"""

from django.http import HttpRequest

from apps.accounts.models import normalize_email
from apps.common.http.api import PortalView
from apps.common.http.throttles import (
    DAY,
    HOUR,
    MINUTE,
    QUARTER,
    Limit,
    SignedInLimit,
    client_address,
)


class PublicLimit(Limit):
    """Calls of visitors: 600 a minute from one address."""

    name, uses, seconds = "public", 600, MINUTE


class PasswordLimit(SignedInLimit):
    """Changes of the password: 30 an hour for each buyer, because each costs a hash and a mail."""

    name, uses, seconds = "password", 30, HOUR


class EmailCheckAddressLimit(Limit):
    """Registration links: 5 an hour from one address."""

    name, uses, seconds = "email-check-address", 5, HOUR


class EmailCheckMailboxLimit(Limit):
    """Registration links: 3 in a quarter of an hour to one e-mail address, from wherever.

    Whoever asks for another's address keeps its owner waiting for minutes, not for the day.
    """

    name, uses, seconds = "email-check-mailbox", 3, QUARTER

    def identify(self, request: HttpRequest, view: PortalView) -> str:  # type: ignore[override]
        """Return the e-mail address that is asked about."""
        text = view.data.get("email")
        return normalize_email(text)[:254] if isinstance(text, str) else client_address(request)


class LinkLimit(Limit):
    """Registration links opened: 20 an hour from one address."""

    name, uses, seconds = "link", 20, HOUR


class InvitationLimit(Limit):
    """Invitations opened and accepted: 60 an hour from one address."""

    name, uses, seconds = "invitation", 60, HOUR


class SignUpLimit(Limit):
    """Registration forms: 20 an hour from one address."""

    name, uses, seconds = "sign-up", 20, HOUR


class UploadAddressLimit(Limit):
    """Certificates: 10 an hour from one address."""

    name, uses, seconds = "upload-address", 10, HOUR


class UploadLinkLimit(Limit):
    """Certificates: 5 for one registration link, in the day that it lives."""

    name, uses, seconds = "upload-link", 5, DAY


class ResetLimit(Limit):
    """Passwords set by a mailed link: 20 an hour from one address."""

    name, uses, seconds = "reset", 20, HOUR
