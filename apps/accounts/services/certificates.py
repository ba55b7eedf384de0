"""Certificates: uploaded under a registration link, private, kept only with a registration."""

from datetime import datetime

from django.core.files.uploadedfile import UploadedFile

from apps.accounts.errors import AlreadySubscribed, CertificateTooLarge, LinkExpired
from apps.accounts.models import Certificate
from apps.accounts.rules import MAX_CERTIFICATE_BYTES
from apps.accounts.services.sign_up import check_address, usable_link
from apps.common.errors import PortalError, Unavailable
from apps.common.security import log_event
from apps.common.storage.files import JPEG, PDF, PNG, random_name
from apps.common.storage.private import save_private
from apps.common.storage.uploads import check_file

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
        CertificateTooLarge: more than 5 MB.
        WrongKind, UnsafeFile: the file is refused (see `check_file`).
        Unavailable: the storage or the virus scanner does not answer.
    """
    try:
        link = usable_link(token=token, now=now)
    except AlreadySubscribed as error:
        raise LinkExpired from error
    check_address(link=link, email=email)
    if (file.size or 0) > MAX_CERTIFICATE_BYTES:
        log_event("upload_rejected", reason="size")
        raise CertificateTooLarge
    try:
        checked = check_file(file.read(), given_name=file.name or "", kinds=KINDS)
    except PortalError as error:
        error.errors = error.errors or {"certificate_files": [str(error)]}
        raise
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
