"""Registrations and their certificates, and the calls by which a company registers."""

from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any
from uuid import uuid4

from django.core.files.base import ContentFile
from django.core.files.storage import storages
from django.utils import timezone

from apps.accounts import mail as account_mails
from apps.accounts.models import (
    Certificate,
    EmailVerification,
    Registration,
    RegistrationEvent,
    User,
)
from apps.accounts.registrations import registration_version
from apps.accounts.services.sign_up import stored_path
from apps.accounts.tests.factories import Link, make_company, make_user
from apps.common.testing import ContractClient
from apps.common.types import Json

CHECK, SIGN_UP = "/api/register/email-check", "/api/register/sign-up"
_numbers = count(1)


def make_registration(
    *, hours: float = 1, company: dict[str, Any] | None = None, **fields: Any
) -> Registration:
    """Return a registration that was sent so many hours ago, with a company of its own."""
    number = next(_numbers)
    sent_at = timezone.now() - timedelta(hours=hours)
    names = {"name": f"Applicant {number}", "phone": f"+48 22 700 {number:04}", **(company or {})}
    moments = dict.fromkeys(("registered_at", "terms_accepted_at"), sent_at)
    email = f"person@applicant{number}.test"
    given = {"email": email, "company": make_company(**names), "approval": User.Approval.PENDING}
    user = make_user(**{**given, **moments, **fields})
    RegistrationEvent.objects.create(user=user, kind=RegistrationEvent.Kind.SENT, at=sent_at)
    registration: Registration = Registration.objects.get(pk=user.pk)  # type: ignore[assignment]
    return registration


def make_certificate(
    user: User, content: bytes, content_type: str, name: str = "Certificate"
) -> Certificate:
    """Return a stored certificate of a registration."""
    extension = {"application/pdf": "pdf", "image/png": "png", "image/jpeg": "jpg"}[content_type]
    link = EmailVerification.objects.create(
        email=user.email, token_hash=uuid4().hex, expires_at=timezone.now()
    )
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


def decision(user: User, template: Any = account_mails.approved, **fields: Any) -> dict[str, Any]:
    """Return what a service needs to decide a registration as it is now."""
    mail = template(user)
    version = registration_version(User.objects.get(pk=user.pk))
    return {
        "user_id": user.pk,
        "subject": mail.subject,
        "body": mail.body,
        "seen": version,
        "now": datetime.now(timezone.get_current_timezone()),
        **fields,
    }


def ask(client: ContractClient, email: object = "ines@glow.test", **extra: Any) -> Any:
    """Ask for a registration link."""
    return client.send("post", CHECK, {"email": email}, **extra)


def open_form(client: ContractClient, token: str) -> Json:
    """Return what a registration link opens."""
    response = client.get(f"/api/register/init-info/{token}")
    assert response.status_code == 200
    answer: Json = response.json()
    return answer


def send(client: ContractClient, form: Json) -> Any:
    """Send a registration form."""
    return client.send("post", SIGN_UP, form)


def expire(link: Link) -> None:
    """Let a link be older than it may get."""
    EmailVerification.objects.filter(pk=link.row.pk).update(
        expires_at=datetime.now(UTC) - timedelta(seconds=1)
    )


def rejected(**fields: Any) -> User:
    """Return a buyer whose registration was rejected."""
    decided = {"approval": User.Approval.REJECTED, "approval_reason": "No"}
    fields = {"email": "ines@glow.test", **decided, **fields}
    return make_user(registered_at=datetime.now(UTC), password="the old one", **fields)
