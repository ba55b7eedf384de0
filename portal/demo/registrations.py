"""The demo's waiting registrations: of different ages, with certificates to look at (readings, Demo
data).
"""

import io
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.contrib.auth.hashers import make_password
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
from portal.demo.accounts import DemoAddress
from portal.demo.documents import pdf

PENDING_EMAIL = "pending@demo.test"
FORM_TIME = timedelta(minutes=25)  # between the link and the form
ASKED_AFTER = timedelta(hours=5)
PAGE, PAPER, INK, FAINT = (900, 1200), (250, 248, 242), (38, 42, 52), (176, 170, 156)


@dataclass(frozen=True)
class DemoRegistration:
    """Somebody who waits to be approved. `kind` is the certificate's (none: nothing was
    uploaded).
    """

    email: str
    manager: str
    company: str
    address: DemoAddress
    business_type: str
    sales_channel: str
    hours_ago: float
    kind: FileKind | None = None
    certificate: str = ""
    asked: str = ""


# Maple & Moss itself is in `accounts.py`, with its password; here is what its registration brought
# along.
PENDING_HOURS_AGO, PENDING_CERTIFICATE = 20.0, "Business licence Maple & Moss.pdf"

REGISTRATIONS: tuple[DemoRegistration, ...] = (
    DemoRegistration(
        "p.lindqvist@norrsken.test",
        "Petra Lindqvist",
        "Norrsken Skincare AB",
        DemoAddress("SE", "SE-M", "Malmö", "211 19", "Hamngatan 14", "", "+46 40 555 01 21"),
        "Distributor",
        "Salons and department stores in Sweden and Finland",
        73.5,
        PDF,
        "Registreringsbevis Norrsken.pdf",
    ),
    DemoRegistration(
        "info@saltandstone.test",
        "Aoife Brennan",
        "Salt & Stone Apothecary",
        DemoAddress(
            "IE", "IE-CO", "Cork", "T12 X8PA", "7 Marlboro Lane", "Unit 2", "+353 21 555 0139"
        ),
        "Offline retailer",
        "Two shops in Cork and Kinsale",
        52.0,
        asked=(
            "Please send us a certificate of your business, and tell us where your second shop is."
        ),
    ),
    DemoRegistration(
        "m.hartwig@nordlicht-beauty.test",
        "Moritz Hartwig",
        "Nordlicht Beauty GmbH",
        DemoAddress(
            "DE",
            "DE-HH",
            "Hamburg",
            "20457",
            "Speicherstrasse 18",
            "Lager 4, Tor 2",
            "+49 40 5550 1180",
        ),
        "Distributor",
        "Perfumeries in Germany",
        30.2,
        PNG,
        "Handelsregister Scan.png",
    ),
    DemoRegistration(
        "sofia@luzdelmar.test",
        "Sofía Herrera",
        "Luz del Mar Importaciones Ltda.",
        DemoAddress(
            "CL",
            "CL-VS",
            "Valparaíso",
            "2340000",
            "Calle Esmeralda 640",
            "Piso 3",
            "+56 32 555 0188",
        ),
        "Wholesaler",
        "Pharmacies and independent shops along the coast",
        9.4,
        JPEG,
        "foto patente.jpg",
    ),
    DemoRegistration(
        "buying@kaori-select.test",
        "Kaori Nishimura",
        "Kaori Select Co., Ltd.",
        DemoAddress(
            "JP", "JP-27", "Osaka", "542-0081", "3-6-12 Minamisenba", "", "+81 6 5550 0162"
        ),
        "Online retailer",
        "Own online shop, 40,000 members",
        3.1,
        PDF,
        "Certificate of registration.pdf",
    ),
    DemoRegistration(
        "hello@velvetroom.test",
        "Dana Okafor",
        "The Velvet Room Spa",
        DemoAddress("GB", "", "Leeds", "LS1 4DY", "22 Park Row", "", "+44 113 555 0177"),
        "Beauty salon or spa",
        "Own treatment rooms",
        0.6,
    ),
)


def load_registrations(now: datetime) -> None:
    """Add the waiting registrations; the accounts of `accounts.py` are there already."""
    places = dict(AddressEntry.objects.values_list("code", "id"))
    types = dict(BusinessType.objects.values_list("type", "id"))
    approver = User.objects.filter(groups__name="Approvers").first()
    nobody = make_password(None)
    for demo in REGISTRATIONS:
        sent = now - timedelta(hours=demo.hours_ago)
        user = _waiting(demo, sent, places=places, types=types, password=nobody)
        _verified(user, sent, demo.kind, demo.certificate, demo.company)
        if demo.asked:
            user.asked_at = sent + ASKED_AFTER
            user.save(update_fields=["asked_at"])
            _event(
                user, RegistrationEvent.Kind.ASKED, user.asked_at, actor=approver, note=demo.asked
            )
    pending = User.objects.select_related("company").get(email=PENDING_EMAIL)
    pending.registered_at = pending.terms_accepted_at = now - timedelta(hours=PENDING_HOURS_AGO)
    pending.save(update_fields=["registered_at", "terms_accepted_at"])
    company = pending.company.name if pending.company else ""
    _verified(pending, pending.registered_at, PDF, PENDING_CERTIFICATE, company)


def _waiting(
    demo: DemoRegistration,
    sent: datetime,
    *,
    places: dict[str, int],
    types: dict[str, int],
    password: str,
) -> User:
    company = Company.objects.create(
        name=demo.company,
        business_type_id=types[demo.business_type],
        sales_channel=demo.sales_channel,
        **demo.address.columns(places),
    )
    return User.objects.create(
        email=demo.email,
        password=password,
        manager=demo.manager,
        company=company,
        approval=User.Approval.PENDING,
        registered_at=sent,
        terms_accepted_at=sent,
        **demo.address.columns(places, prefix="ship_"),
    )


def _verified(user: User, sent: datetime, kind: FileKind | None, name: str, company: str) -> None:
    """Add the used link by which the form came, its certificate and its place in the history."""
    link = EmailVerification.objects.create(
        email=user.email,
        token_hash=token_hash(f"demo {user.email}"),
        expires_at=sent - FORM_TIME + LINK_LIFETIME,
        used_at=sent,
    )
    EmailVerification.objects.filter(pk=link.pk).update(created_at=sent - FORM_TIME)
    _event(user, RegistrationEvent.Kind.SENT, sent)
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


def _event(
    user: User, kind: str, at: datetime, *, actor: User | None = None, note: str = ""
) -> None:
    RegistrationEvent.objects.create(user=user, kind=kind, at=at, actor=actor, note=note)


def _certificate(kind: FileKind, company: str, manager: str, sent: datetime) -> bytes:
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
        return pdf("Certificate of registration", lines)
    content = io.BytesIO()
    _scan(lines).save(content, "PNG" if kind is PNG else "JPEG")
    return content.getvalue()


def _scan(lines: list[str]) -> Image.Image:
    """Return a drawn certificate, as a scanner or a telephone would see it."""
    picture = Image.new("RGB", PAGE, PAPER)
    pen = ImageDraw.Draw(picture)
    pen.rectangle((40, 40, PAGE[0] - 40, PAGE[1] - 40), outline=FAINT, width=4)
    pen.rectangle((54, 54, PAGE[0] - 54, PAGE[1] - 54), outline=FAINT, width=1)
    pen.text((110, 130), "Certificate of registration", INK, ImageFont.load_default(44))
    pen.line((110, 200, PAGE[0] - 110, 200), FAINT, 2)
    for number, line in enumerate(lines):
        pen.text((110, 260 + 52 * number), line, INK, ImageFont.load_default(24))
    pen.ellipse((620, 900, 780, 1060), outline=(150, 52, 48), width=6)
    pen.text((652, 962), "DEMO", (150, 52, 48), ImageFont.load_default(32))
    return picture
