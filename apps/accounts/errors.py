"""Refusals of the accounts app."""

from django.utils.translation import gettext_noop as _

from apps.common.errors import PortalError, TooLarge


class TokenRejected(PortalError):
    """The token is not good, or not good any more: at `/check` the numbered outcome -1."""

    http_status = 200
    success = -1


class InvalidLogin(PortalError):
    """Wrong e-mail or password, locked, deactivated or staff: login's outcome -1 (section 8)."""

    http_status = 200
    success = -1


class NotApproved(PortalError):
    """The right password of a registration that is not approved: login's outcome -2 (section 8)."""

    http_status = 200
    success = -2


class PasswordMissing(PortalError):
    """A new password or its confirmation is empty (section 5)."""

    message = "Enter your password."


class PasswordTooShort(PortalError):
    """A new password has fewer than 8 characters (section 5)."""

    message = "Password must be at least 8 characters"


class PasswordsDiffer(PortalError):
    """A new password and its confirmation are not the same (section 5)."""

    message = "Password do not match."


class EmailMissing(PortalError):
    """No e-mail address to send a registration link to (section 5)."""

    message = "Please enter your email address."


class TooManyColleagues(PortalError):
    """As many requests of a company for colleagues wait as may."""

    message = "5 requests of your company wait for our approval. Please wait for these first."


class AlreadySubscribed(PortalError):
    """The address has a registration or an account: outcome -1 of the e-mail check and of the
    sign-up (section 8).
    """

    message = "This email has already been subscribed."
    http_status = 200
    success = -1


class LinkExpired(PortalError):
    """A mailed link that is expired or forged; of a new password also one that was used (section
    8).
    """

    code = "expired"
    message = "Your token has expired."
    http_status = 409


class ElementsMissing(PortalError):
    """A required field of the registration form is empty (section 5)."""

    message = "Please fill in all the necessary elements"


class SignUpPasswordTooShort(PortalError):
    """The password of a registration has fewer than 8 characters (section 5)."""

    message = "Password must be at least 8 characters long"


class SignUpPasswordsDiffer(PortalError):
    """The password of a registration and its confirmation are not the same (section 5)."""

    message = "The passwords are not the same"


class CertificateTooLarge(TooLarge):
    """A certificate, or the body that brings it, is over its limit (section 5)."""

    message = "Only files below 5MB can be uploaded."


class RegistrationChanged(PortalError):
    """Somebody decided a registration, or it was sent again, since the page was opened; says who
    and when.
    """

    code = "registration_changed"
    http_status = 409


class AlreadyDecided(RegistrationChanged):
    """A registration that somebody has approved or rejected."""


class MailIncomplete(PortalError):
    """A mail of staff without a subject, its text, its reason or the place of its link; `errors`
    says which.
    """

    message = _("The mail is not complete.")


class AddressNameTaken(PortalError):
    """The company has another address of this name."""

    message = "You already have an address with this name."


class TooManyAddresses(PortalError):
    """The company has as many addresses as there may be."""

    message = "Your address book is full. Delete an address first."


class TermsRefused(PortalError):
    """A deposit share that staff cannot set so; says why."""

    def __init__(self, text: str) -> None:
        super().__init__(text, share=text)
