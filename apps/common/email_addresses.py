"""What an e-mail address may be, wherever one is taken."""

from django.core.exceptions import ValidationError
from django.utils.translation import get_language, gettext, gettext_lazy as _

MAX_EMAIL = 254  # characters
TOO_LONG = _("An e-mail address has at most %(most)s characters.")
NOT_ITS_HOST = _("Write the part after the @-sign in its usual letters.")


def check_email(email: str) -> None:
    """Refuse an address that no mail of ours reaches, or that is not what it shows.

    Its host is a domain with a dot; the part before it is ASCII, because mails go out without
    SMTPUTF8.

    Raises:
        ValidationError: it is no address; the text says why.
    """
    from email_validator import EmailNotValidError, validate_email

    if len(email) > MAX_EMAIL:
        raise ValidationError(TOO_LONG, code="invalid", params={"most": MAX_EMAIL})
    try:
        # `.test` is the domain of the demo data. Whether an address exists is found out by the mail
        # that is sent there.
        address = validate_email(
            email,
            allow_smtputf8=False,
            strict=True,
            check_deliverability=False,
            test_environment=True,
        )
        # A host is kept as it was typed: no letter of it may stand for another. Mails are sent by
        # the older of two ways to write a host in ASCII; where they differ, they lead to two hosts.
        domain = email.rpartition("@")[2].lower()
        is_itself = domain in (address.domain, address.ascii_domain)
        is_itself &= address.domain.encode("idna").decode() == address.ascii_domain
    except EmailNotValidError as error:
        # The library says why in English alone.
        text = gettext("Enter a valid email address.") if get_language() == "ko" else str(error)
        raise ValidationError(text, code="invalid") from error
    except UnicodeError:
        is_itself = False
    if not is_itself:
        raise ValidationError(NOT_ITS_HOST, code="invalid")
