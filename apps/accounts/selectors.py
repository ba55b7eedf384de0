"""Reads of people, companies, and their links."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from hashlib import sha256
from typing import Any
from uuid import UUID

from django.apps import apps
from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from apps.accounts.models import (
    AddressEntry,
    Certificate,
    EmailVerification,
    Invitation,
    RegistrationEvent,
    User,
)
from apps.accounts.shipping import SHIP_COLUMNS, ship_fields
from apps.common.db.prepared import prepared
from apps.common.models import Seller
from apps.common.seller import saw_version, seller
from apps.common.staff_lists import day_of
from apps.common.tables.cells import heading


@dataclass(frozen=True, slots=True)
class Buyer:
    """The caller of a signed-in call: an active, approved user of an open company.

    `deposit_rate` and `minimum_order` (US dollars) are the company's or its group's; None: the
    house's. `closed_in` is the company's country where some brands are closed to it.
    """

    id: int
    uuid: UUID
    company_id: int
    company: str
    manager: str
    email: str
    stock_free: bool
    brands_restricted: bool
    deposit_rate: Decimal | None
    minimum_order: Decimal | None
    price_group_id: int | None
    closed_in: int | None
    session_version: int
    is_authenticated: bool = True

    @property
    def pk(self) -> int:
        """Return the user's id, by the name that Django's relations ask for."""
        return self.id

    @property
    def deposit_share(self) -> Decimal:
        """Return the share of an order's subtotal that is due as deposit, from 0 to 1."""
        return seller().deposit_rate if self.deposit_rate is None else self.deposit_rate

    @property
    def least_order(self) -> Decimal:
        """Return the least subtotal of an order, in US dollars; 0 for none."""
        return seller().minimum_order if self.minimum_order is None else self.minimum_order


@prepared
def _buyers(uuid: UUID) -> QuerySet[User]:
    version = Subquery(Seller.objects.order_by().values("version")[:1])
    users = User.objects.who_may_come_in().filter(uuid=uuid).order_by()
    return users.values_list(*_columns(), version)


def _columns() -> list[Any]:
    """Return the columns of a Buyer. Closures are the catalogue's, which stands above."""
    closures = apps.get_model("catalog.BrandClosure")._default_manager
    closed = closures.filter(country=OuterRef("company__country")).values("country")
    return [
        *("id", "uuid", "company_id", "company__name", "manager", "email", "stock_free"),
        "company__brands_restricted",
        Coalesce("company__deposit_rate", "company__price_group__deposit_rate"),
        *("company__price_group__minimum_order", "company__price_group_id"),
        Subquery(closed[:1]),
        "session_version",
    ]


def buyer_of(user: User) -> Buyer:
    """Return a user as the caller, whether or not he may come in. One statement."""
    return Buyer(*User.objects.values_list(*_columns()).get(pk=user.pk))


def identify(uuid: UUID) -> Buyer | None:
    """Return the buyer of a uuid, if there is one who may come in now. One statement, which also
    says whether what is kept of the seller is still so.
    """
    for *row, version in _buyers(uuid=uuid):
        saw_version(version or 0)
        return Buyer(*row)
    return None


def profile(*, buyer: Buyer) -> dict[str, Any]:
    """Return what the screens know of the buyer: identity, contact, least order (US dollars),
    default shipping address (api.md, user).
    """
    ship = User.objects.values_list(*SHIP_COLUMNS.values()).get(pk=buyer.id)
    return {
        "uuid": str(buyer.uuid),
        "company_id": buyer.company_id,
        "company": buyer.company,
        "manager": buyer.manager,
        "email": buyer.email,
        "stock_free": int(buyer.stock_free),
        "minimum_order": buyer.least_order,
        **dict(zip(SHIP_COLUMNS, ship, strict=True)),
    }


class AddressBook:
    """The tree of countries and states. Migrations alone write it, so each process keeps it and
    asks again at times.
    """

    REFRESH_SECONDS = 600

    def __init__(self) -> None:
        self._entries_by_id: dict[int, AddressEntry] = {}
        self._read_at = 0.0

    def forget(self) -> None:
        """Read the tree again at the next question."""
        self._entries_by_id = {}

    def _entries(self) -> dict[int, AddressEntry]:
        """Return the entries by id, in the order of their names, case and accents ignored."""
        if not self._entries_by_id or time.monotonic() - self._read_at >= self.REFRESH_SECONDS:
            rows = sorted(AddressEntry.objects.order_by(), key=lambda row: heading(row.content))
            self._entries_by_id, self._read_at = {row.pk: row for row in rows}, time.monotonic()
        return self._entries_by_id

    def countries(self) -> Sequence[AddressEntry]:
        """Return the countries by name."""
        return self._below(None)

    def states(self, country: int | None) -> Sequence[AddressEntry]:
        """Return a country's states by name; none for an unknown country or none."""
        return self._below(country) if country is not None else []

    def _below(self, parent: int | None) -> Sequence[AddressEntry]:
        return [entry for entry in self._entries().values() if entry.parent_id == parent]

    def name(self, entry: int | None) -> str:
        """Return the name of a country or state, empty for none."""
        entry_row = self._entries().get(entry or 0)
        return entry_row.content if entry_row else ""

    def is_served(self, country: int | None) -> bool:
        """Return whether the seller serves a country; so it does where none is named."""
        entry_row = self._entries().get(country or 0)
        return entry_row is None or entry_row.code not in seller().closed_countries

    def is_below(self, parent: int | None, entry: int) -> bool:
        """Return whether it is a state of this country; of none, whether it is a country."""
        entry_row = self._entries().get(entry)
        return entry_row is not None and entry_row.parent_id == parent


address_book = AddressBook()


@dataclass(frozen=True)
class PostalAddress:
    """An address as people write it: state and country by name, empty where there is none."""

    address1: str
    address2: str
    zipcode: str
    city: str
    state: str
    country: str


def postal_address(row: Any, *, prefix: str = "") -> PostalAddress:
    """Return the address of a company; with the prefix `ship_`, the shipping address of a row."""
    lines = (
        getattr(row, f"{prefix}{name}") for name in ("address1", "address2", "zipcode", "city")
    )
    places = (
        address_book.name(getattr(row, f"{prefix}{name}_id")) for name in ("state", "country")
    )
    return PostalAddress(*lines, *places)


def token_hash(token: str) -> str:
    """Return what is kept of a mailed token; whoever reads the table cannot make the link of it."""
    return sha256(token.encode()).hexdigest()


def find_link(token: str) -> EmailVerification | None:
    """Return the registration link of a token, good or not; None for a forged one. One
    statement.
    """
    return EmailVerification.objects.filter(token_hash=token_hash(token)).first()


def find_resettable(uuid: str) -> User | None:
    """Return the active buyer of a uuid in hexadecimal; None for staff, and for what is no uuid."""
    try:
        key = UUID(hex=uuid)
    except ValueError:
        return None
    return User.objects.filter(uuid=key, is_active=True, is_staff=False).first()


def is_subscribed(email: str) -> bool:
    """Return whether an address, as it is stored, may not register: a rejection frees it (readings,
    Registration).
    """
    in_use = Q(is_staff=True) | ~Q(approval=User.Approval.REJECTED)
    return User.objects.filter(in_use, email=email).exists()


def is_taken(user: User, link: EmailVerification) -> bool:
    """Return whether a link may not fill this registration anew: only a rejected one, or one that
    was asked for.
    """
    if user.is_staff or user.approval == User.Approval.APPROVED:
        return True
    return user.approval == User.Approval.PENDING and user.pk != link.user_id


def may_use_certificate(*, link: EmailVerification, storage_name: str) -> bool:
    """Return whether a sign-up may name this file: uploaded with its link, or kept from the form it
    fills anew.
    """
    own = Q(verification=link, user__isnull=True)
    if link.user_id is not None:
        own |= Q(user_id=link.user_id)
    return Certificate.objects.filter(own, storage_name=storage_name).exists()


@dataclass(frozen=True)
class Form:
    """What a registration link opens: for whom, and for a link that asks for more, what was filled
    in and is asked.
    """

    email: str
    registration: dict[str, Any] | None
    message: str


def open_form(*, token: str, now: datetime) -> Form | None:
    """Return the form of a registration link; None if it is forged, older than 24 hours, used or of
    no use any more.
    """
    link = find_link(token)
    if link is None or link.used_at is not None or link.expires_at <= now:
        return None
    # Another link of the mailbox may have been used, or the registration decided: said before a
    # form is filled in.
    user = User.objects.filter(email=link.email).first()
    if user is not None and is_taken(user, link):
        return None
    if link.user_id is None:
        return Form(link.email, None, "")
    events = RegistrationEvent.objects.filter(
        user_id=link.user_id, kind=RegistrationEvent.Kind.ASKED
    ).last()
    return Form(link.email, filled_in(link.user_id), (events.note or events.body) if events else "")


def filled_in(user_id: int) -> dict[str, Any]:
    """Return a registration as it was sent, by the names of the form's fields."""
    user = User.objects.select_related("company").get(pk=user_id)
    company, certificate = user.company, user.certificates.last()
    assert company is not None  # a buyer has one, by constraint
    return {
        "company": company.name,
        "manager": user.manager,
        "phone": company.phone,
        "country": company.country_id,
        "state": company.state_id,
        "city": company.city,
        "address1": company.address1,
        "address2": company.address2,
        "zipcode": company.zipcode,
        **ship_fields(user),
        "business_type": company.business_type_id,
        "sales_channel": company.sales_channel,
        "certificate_files": certificate.storage_name if certificate else "",
        "certificate_name": certificate.given_name if certificate else "",
    }


MAY_COME_IN = Q(user__is_active=True, user__password__startswith=UNUSABLE_PASSWORD_PREFIX) & (
    Q(user__is_staff=True) | Q(user__approval=User.Approval.APPROVED, user__company__is_open=True)
)
WITHOUT_PASSWORD = Q(password__startswith=UNUSABLE_PASSWORD_PREFIX)
NOBODY_INVITED = Q(WITHOUT_PASSWORD, invitation__isnull=True)


def uninvited() -> QuerySet[User]:
    """Return the buyers who may come in, have no password and were never invited."""
    return User.objects.who_may_come_in().filter(NOBODY_INVITED)


def find_invitation(token: str, *, now: datetime) -> Invitation | None:
    """Return the invitation of a token with its user and company; None for one that is forged,
    used, replaced or too old, and where the person has a password or may not come in.
    """
    good = Invitation.objects.filter(MAY_COME_IN, accepted_at__isnull=True, expires_at__gt=now)
    invitations = good.select_related("user__company").filter(token_hash=token_hash(token))
    return invitations.first()


def invitation_text(user: User, *, now: datetime) -> str:
    """Return what became of somebody's invitation, in words; empty for who has a password."""
    if user.has_usable_password():
        return ""
    invitation = getattr(user, "invitation", None)
    if invitation is None:
        return _("Not invited yet")
    day = {"day": day_of(invitation.sent_at)}
    if invitation.expires_at <= now:
        return _("Invited %(day)s, link expired") % day
    if invitation.opened_at is None:
        return _("Invited %(day)s, not opened yet") % day
    return _("Invited %(day)s, opened, no password yet") % day
