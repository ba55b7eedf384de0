"""Rules of people: what a password must be, and what a registration must hold."""

from collections.abc import Mapping

from apps.accounts.errors import (
    ElementsMissing,
    PasswordMissing,
    PasswordsDiffer,
    PasswordTooShort,
    SignUpPasswordsDiffer,
    SignUpPasswordTooShort,
)
from apps.accounts.shipping import REQUIRED_SHIP_FIELDS
from apps.common.errors import PortalError

MIN_PASSWORD, MAX_PASSWORD = 8, 128  # characters
MAX_CERTIFICATE_BYTES = 5 * 1024 * 1024
PASSWORDS = ("password", "confirm_password")
REQUIRED_AT_SIGN_UP = (
    "email",
    *PASSWORDS,
    "company",
    "manager",
    "country",
    "address1",
    "city",
    *REQUIRED_SHIP_FIELDS,
    "sales_channel",
    "phone",
    "terms",
)


def check_new_password(*, password: str, confirmation: str) -> None:
    """Check a new password and its repetition, in the order in which the screen asks (section 5,
    Password change).

    Raises:
        PasswordMissing: one of the two is empty.
        PasswordTooShort: fewer than 8 characters.
        PasswordsDiffer: the two are not the same.
    """
    if not password or not confirmation:
        raise PasswordMissing(password=PasswordMissing.message)
    if len(password) < MIN_PASSWORD:
        raise PasswordTooShort(password=PasswordTooShort.message)
    if password != confirmation:
        raise PasswordsDiffer(passwordConfirm=PasswordsDiffer.message)


def check_sign_up(form: Mapping[str, object]) -> None:
    """Check a registration form (section 5, Registration). A field of blanks is empty, unless it is
    a password.

    The refusal is the first that applies, in the specification's order; its `errors` name every
    field at fault.

    Raises:
        ElementsMissing: a required field is empty, or the terms are not accepted.
        SignUpPasswordTooShort: fewer than 8 characters.
        SignUpPasswordsDiffer: password and confirmation are not the same.
    """
    faults: dict[str, type[PortalError]] = {}
    password, confirmation = (str(form.get(name) or "") for name in PASSWORDS)
    if password and confirmation and password != confirmation:
        faults["confirm_password"] = SignUpPasswordsDiffer
    if 0 < len(password) < MIN_PASSWORD:
        faults["password"] = SignUpPasswordTooShort
    for name in REQUIRED_AT_SIGN_UP:
        value = form.get(name)
        if isinstance(value, str) and name not in PASSWORDS:
            value = value.strip()
        if value in (None, "") or (name == "terms" and value is not True):
            faults[name] = ElementsMissing
    for kind in (ElementsMissing, SignUpPasswordTooShort, SignUpPasswordsDiffer):
        if kind in faults.values():
            raise kind(errors={name: [refusal.message] for name, refusal in faults.items()})
