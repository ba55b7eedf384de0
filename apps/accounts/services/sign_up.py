"""Registration: the mailed link, the form that it opens, and the certificate uploaded under it,
private and kept only with a registration (sections 4 and 5; readings, Registration).
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.contrib.auth.hashers import make_password
from django.core.files.uploadedfile import UploadedFile
from django.db import IntegrityError
from django.utils.crypto import get_random_string

from apps.accounts.errors import AlreadySubscribed, EmailMissing, LinkExpired
from apps.accounts.mail import queue_registration_waits, registration_link
from apps.accounts.models import (
    BusinessType,
    Certificate,
    Company,
    EmailVerification,
    RegistrationEvent,
    User,
    normalize_email,
)
from apps.accounts.rules import check_sign_up
from apps.accounts.selectors import (
    address_book,
    filled_in,
    find_link,
    is_subscribed,
    is_taken,
    may_use_certificate,
    token_hash,
)
from apps.accounts.services.sessions import end_sessions
from apps.accounts.shipping import Shipping
from apps.common.db.transactions import one_transaction
from apps.common.errors import Invalid, Unavailable
from apps.common.logs import log_event
from apps.common.mail import queue
from apps.common.policy import accepted_version
from apps.common.printed import refuse_unprintable
from apps.common.storage.files import JPEG, PDF, PNG, random_name
from apps.common.storage.private import save_private
from apps.common.storage.uploads import check_upload

LINK_LIFETIME = timedelta(hours=24)
TOKEN_LENGTH = 43  # letters and digits: 256 bits
COMPANY_FIELDS = ("phone", "city", "address1", "address2", "zipcode", "sales_channel")
PRINTED_FIELDS = (
    *("company", "manager", "phone", "city", "address1", "address2", "zipcode"),
    *("ship_city", "ship_zipcode", "ship_address1", "ship_address2", "ship_phone"),
)
COMPANY_IDS = ("country", "state", "business_type")
NOT_THE_LINKS = "Not the address that the link was sent to."
COUNTRIES = ("country", "ship_country")
NOT_SERVED = "We do not deliver to this country."
UNKNOWN_BUSINESS_TYPE = "Unknown business type."
UNKNOWN_CERTIFICATE = "Not uploaded with this link."


def issue_link(*, email: str, user_id: int | None = None, now: datetime) -> str:
    """Return the token of a new registration link, good for 24 hours; only its hash is kept.

    With `user_id`, the form that the link opens is that registration's, filled in. Older links stay
    good. The caller mails it in the same transaction.
    """
    token = get_random_string(TOKEN_LENGTH)
    EmailVerification.objects.create(
        email=email,
        user_id=user_id,
        token_hash=token_hash(token),
        expires_at=now + LINK_LIFETIME,
    )
    return token


@one_transaction
def request_link(*, email: str, now: datetime) -> None:
    """Mail a registration link to an address (section 4, Registration).

    Raises:
        EmailMissing: there is no address.
        AlreadySubscribed: it has an account, or a registration that was not rejected.
    """
    email = normalize_email(email)
    if not email:
        raise EmailMissing(email=EmailMissing.message)
    if is_subscribed(email):
        log_event("email_check", answer="subscribed")
        raise AlreadySubscribed
    queue([registration_link(email=email, token=issue_link(email=email, now=now))])
    log_event("email_check", answer="sent")


def usable_link(*, token: str, now: datetime) -> EmailVerification:
    """Return the link of a token (readings, Registration).

    Raises:
        LinkExpired: forged, or older than 24 hours.
        AlreadySubscribed: a sign-up has used it.
    """
    link = find_link(token)
    if link is not None and link.used_at is not None:
        raise AlreadySubscribed
    if link is None or link.expires_at <= now:
        log_event("link_rejected")
        raise LinkExpired
    return link


def check_address(*, link: EmailVerification, email: str) -> None:
    """Check that an address is the verified one.

    Raises:
        Invalid: it is not the one that the link was sent to.
    """
    if normalize_email(email) != link.email:
        log_event("link_rejected")
        raise Invalid(email=NOT_THE_LINKS)


def sign_up(*, token: str, form: Mapping[str, Any], now: datetime) -> None:
    """Take a registration form, whole or not at all, and tell the approvers (section 5,
    Registration).

    `form` holds the fields of api.md's sign-up by name; country, state and business type are ids or
    None.

    Raises:
        LinkExpired: the link is forged, or older than 24 hours.
        AlreadySubscribed: the link is used, or the address has a registration or an account by now.
        ElementsMissing, SignUpPasswordTooShort, SignUpPasswordsDiffer: the form is refused (section
        5).
        Invalid: a text that invoices cannot print, another address than the link's, an unknown
            business type, a country that is not served, or a certificate not uploaded with it.
    """
    link = usable_link(token=token, now=now)
    check_sign_up(form)
    former = filled_in(link.user_id) if link.user_id is not None else None
    refuse_unprintable({name: form[name] for name in PRINTED_FIELDS}, stored=former)
    check_address(link=link, email=form["email"])
    if closed := [name for name in COUNTRIES if not address_book.is_served(form[name])]:
        raise Invalid(errors={name: [NOT_SERVED] for name in closed})
    kind = form["business_type"]
    if kind is not None and not BusinessType.objects.filter(pk=kind).exists():
        raise Invalid(business_type=UNKNOWN_BUSINESS_TYPE)
    if form["certificate_files"] and not may_use_certificate(
        link=link, storage_name=form["certificate_files"]
    ):
        raise Invalid(certificate_files=UNKNOWN_CERTIFICATE)
    # The hash is made out here: it takes long on purpose, and a transaction must not.
    password = make_password(form["password"])
    try:
        uuid = _register(link=link, form=form, password=password, now=now)
    except IntegrityError as error:
        if not User.objects.filter(email=link.email).exists():
            raise
        raise AlreadySubscribed from error
    log_event("registered", user=uuid)


@one_transaction
def _register(
    *, link: EmailVerification, form: Mapping[str, Any], password: str, now: datetime
) -> UUID:
    unused = EmailVerification.objects.filter(pk=link.pk, used_at__isnull=True)
    if not unused.update(used_at=now):
        raise AlreadySubscribed
    user = User.objects.select_for_update(of=("self",)).filter(email=link.email).first()
    again = user is not None
    if user is None:
        user = User(email=link.email)
    elif is_taken(user, link):
        raise AlreadySubscribed
    own = user.company if user.pk and _owns_company(user, link) else None
    company = own or Company()
    company.name = form["company"]
    for field in COMPANY_FIELDS:
        setattr(company, field, form[field])
    for field in COMPANY_IDS:
        setattr(company, f"{field}_id", form[field])
    company.save()
    user.company = company
    user.manager = form["manager"]
    for column, value in Shipping.from_fields(form).columns().items():
        setattr(user, column, value)
    user.password, user.stock_free = password, False
    user.approval, user.approval_reason = User.Approval.PENDING, ""
    user.decided_at = user.decided_by = user.asked_at = None
    user.registered_at = user.terms_accepted_at = now
    user.terms_version = accepted_version(form.get("terms_version"), now=now)
    user.save()
    if again:
        end_sessions(user_id=user.pk)
    storage_name = form["certificate_files"]
    Certificate.objects.filter(user=user).exclude(storage_name=storage_name).update(user=None)
    if storage_name:
        Certificate.objects.filter(storage_name=storage_name).update(user=user)
    kind = RegistrationEvent.Kind.SENT_AGAIN if again else RegistrationEvent.Kind.SENT
    RegistrationEvent.objects.create(user=user, kind=kind, at=now)
    queue_registration_waits(user=user, country=address_book.name(form["country"]), again=again)
    return user.uuid


def _owns_company(user: User, link: EmailVerification) -> bool:
    """Return whether the company is this registration's alone, so that the form may fill it anew.

    One that was approved once may have orders: it is changed only where staff asked for it.
    """
    approved = user.registration_events.filter(kind=RegistrationEvent.Kind.APPROVED)
    others = User.objects.filter(company=user.company).exclude(pk=user.pk)
    unasked = link.user_id is None and (user.registered_at is None or approved.exists())
    return not unasked and not others.exists()


FOLDER = "certificates"
KINDS = (PDF, JPEG, PNG)


def stored_path(storage_name: str) -> str:
    """Return where a certificate lies in the private storage."""
    return f"{FOLDER}/{storage_name}"


def store_certificate(*, token: str, email: str, file: UploadedFile, now: datetime) -> str:
    """Store a certificate and return the name by which the sign-up refers to it (readings,
    Registration).

    The row comes first and the file after it, with no transaction open: whatever is cut off in
    between leaves a row without a registration, which the sweep takes away with its file.

    Raises:
        LinkExpired: the link is forged, used or older than 24 hours.
        Invalid: the address is not the link's.
        WrongKind, UnsafeFile: the file is refused (see `check_file`).
        Unavailable: the storage or the virus scanner does not answer.
    """
    try:
        link = usable_link(token=token, now=now)
    except AlreadySubscribed as error:
        raise LinkExpired from error
    check_address(link=link, email=email)
    checked = check_upload(file, kinds=KINDS, field="certificate_files")
    certificate = Certificate.objects.create(
        verification=link,
        storage_name=random_name(checked.kind),
        given_name=checked.given_name,
        content_type=checked.kind.content_type,
        size=len(checked.content),
    )
    try:
        save_private(stored_path(certificate.storage_name), checked.content)
    except Unavailable:
        certificate.delete()
        raise
    return certificate.storage_name
