"""The demo's waiting registrations: of different ages, with certificates to look at (readings, Demo
data).
"""

import io
from datetime import datetime, timedelta

from django.core.files.base import ContentFile
from django.core.files.storage import storages
from PIL import Image, ImageDraw, ImageFont

from apps.accounts.models import (
    AddressEntry,
    BusinessType,
    Certificate,
    Company,
    EmailVerification,
    RegistrationEvent,
    User,
)
from apps.accounts.selectors import token_hash
from apps.accounts.services.certificates import stored_path
from apps.accounts.services.sign_up import LINK_LIFETIME
from apps.common.storage.files import JPEG, PDF, PNG, FileKind, random_name
from portal.demo.documents import pdf
from portal.demo.rows import REGISTRATIONS, address_columns

PENDING_EMAIL = "pending@demo.test"
FORM_TIME = timedelta(minutes=25)  # between the link and the form
ASKED_AFTER = timedelta(hours=5)
PAGE, PAPER, INK = (900, 1200), (250, 248, 242), (38, 42, 52)
TITLE = "Certificate of registration"
KINDS = {kind.extension: kind for kind in (PDF, PNG, JPEG)}


# Maple & Moss itself is one of the accounts, with its password; this came with its registration.
PENDING_HOURS_AGO, PENDING_CERTIFICATE = 20.0, "Business licence Maple & Moss.pdf"


def load_registrations(now: datetime) -> None:
    """Add the waiting registrations; the accounts are there already."""
    places = dict(AddressEntry.objects.values_list("code", "id"))
    types = dict(BusinessType.objects.values_list("type", "id"))
    approver = User.objects.filter(groups__name="Approvers").first()
    for demo in REGISTRATIONS:
        sent = now - timedelta(hours=demo.hours_ago)
        company = Company.objects.create(
            name=demo.company,
            business_type_id=types[demo.business_type],
            sales_channel=demo.sales_channel,
            **address_columns(demo.address, places),
        )
        user = User.objects.create_user(
            demo.email,
            manager=demo.manager,
            company=company,
            registered_at=sent,
            terms_accepted_at=sent,
            asked_at=sent + ASKED_AFTER if demo.asked else None,
            **address_columns(demo.address, places, prefix="ship_"),
        )
        _verified(user, sent, KINDS.get(demo.kind), demo.certificate, demo.company)
        if demo.asked:
            user.registration_events.create(
                kind=RegistrationEvent.Kind.ASKED,
                at=sent + ASKED_AFTER,
                actor=approver,
                note=demo.asked,
            )
    pending = User.objects.select_related("company").get(email=PENDING_EMAIL)
    pending.registered_at = pending.terms_accepted_at = now - timedelta(hours=PENDING_HOURS_AGO)
    pending.save(update_fields=["registered_at", "terms_accepted_at"])
    company_name = pending.company.name if pending.company else ""
    _verified(pending, pending.registered_at, PDF, PENDING_CERTIFICATE, company_name)


def _verified(user: User, sent: datetime, kind: FileKind | None, name: str, company: str) -> None:
    """Add the used link by which the form came, its certificate and its place in the history."""
    link = EmailVerification.objects.create(
        email=user.email,
        token_hash=token_hash(f"demo {user.email}"),
        expires_at=sent - FORM_TIME + LINK_LIFETIME,
        used_at=sent,
    )
    EmailVerification.objects.filter(pk=link.pk).update(created_at=sent - FORM_TIME)
    user.registration_events.create(kind=RegistrationEvent.Kind.SENT, at=sent)
    if kind is None:
        return
    content = _certificate(kind, company, user.manager, sent)
    certificate = Certificate.objects.create(
        verification=link,
        user=user,
        storage_name=random_name(kind),
        given_name=name,
        content_type=kind.content_type,
        size=len(content),
    )
    Certificate.objects.filter(pk=certificate.pk).update(uploaded_at=sent)
    storages["private"].save(stored_path(certificate.storage_name), ContentFile(content))


def _certificate(kind: FileKind, company: str, manager: str, sent: datetime) -> bytes:
    """Return a certificate: a PDF, or as a scanner or a telephone would see it."""
    lines = [
        f"Company: {company}",
        f"Managing director: {manager}",
        f"Registered since: {sent.year - 6}",
        f"Number: {sent:%y%m%d}-4471",
        "Purpose: trade in cosmetics and personal care",
        "",
        "This extract is part of a demonstration and certifies nothing.",
    ]
    if kind is PDF:
        return pdf(TITLE, lines)
    picture = Image.new("RGB", PAGE, PAPER)
    pen = ImageDraw.Draw(picture)
    pen.rectangle((40, 40, PAGE[0] - 40, PAGE[1] - 40), outline=INK, width=4)
    pen.text((110, 130), TITLE, INK, ImageFont.load_default(44))
    pen.text((110, 260), "\n".join(lines), INK, ImageFont.load_default(24), spacing=24)
    content = io.BytesIO()
    picture.save(content, "PNG" if kind is PNG else "JPEG")
    return content.getvalue()
