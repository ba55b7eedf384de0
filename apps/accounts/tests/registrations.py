"""Registrations and their certificates for tests of the staff's decisions."""

from datetime import datetime, timedelta
from itertools import count
from typing import Any
from uuid import uuid4

from django.core.files.base import ContentFile
from django.core.files.storage import storages
from django.utils import timezone

from apps.accounts import decision_mail
from apps.accounts.models import Certificate, EmailVerification, Registration, RegistrationEvent, User
from apps.accounts.registrations import registration_version
from apps.accounts.services.certificates import stored_path
from apps.accounts.tests.factories import make_company, make_user

_numbers = count(1)


def make_registration(*, hours: float = 1, company: dict[str, Any] | None = None, **fields: Any) -> Registration:
    """Return a registration that was sent so many hours ago, with a company of its own."""
    number = next(_numbers)
    sent_at = timezone.now() - timedelta(hours=hours)
    names = {"name": f"Applicant {number}", "phone": f"+48 22 700 {number:04}", **(company or {})}
    moments = {"registered_at": sent_at, "terms_accepted_at": sent_at, "approval": User.Approval.PENDING}
    email = f"person@applicant{number}.test"
    user = make_user(**{"email": email, "company": make_company(**names), **moments, **fields})
    RegistrationEvent.objects.create(user=user, kind=RegistrationEvent.Kind.SENT, at=sent_at)
    registration: Registration = Registration.objects.get(pk=user.pk)  # type: ignore[assignment]
    return registration


def make_certificate(user: User, content: bytes, content_type: str, name: str = "Certificate") -> Certificate:
    """Return a stored certificate of a registration."""
    extension = {"application/pdf": "pdf", "image/png": "png", "image/jpeg": "jpg"}[content_type]
    link = EmailVerification.objects.create(email=user.email, token_hash=uuid4().hex, expires_at=timezone.now())
    stored = f"{uuid4().hex}.{extension}"
    storages["private"].save(stored_path(stored), ContentFile(content))
    return Certificate.objects.create(
        verification=link,
        user=user,
        storage_name=stored,
        given_name=f"{name}.{extension}",
        content_type=content_type,
        size=len(content),
    )


def decision(user: User, template: Any = decision_mail.approved, **fields: Any) -> dict[str, Any]:
    """Return what a service needs to decide a registration as it is now."""
    mail = template(user)
    seen = registration_version(User.objects.get(pk=user.pk))
    return {
        "user_id": user.pk,
        "subject": mail.subject,
        "body": mail.body,
        "seen": seen,
        "now": datetime.now(timezone.get_current_timezone()),
        **fields,
    }
