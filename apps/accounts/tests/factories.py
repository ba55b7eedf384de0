"""Makers of people and companies for tests; a test names only the fields it is about."""

from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count
from typing import Any

from apps.accounts.models import AddressEntry, Company, EmailVerification, User
from apps.accounts.selectors import Buyer, identify, token_hash
from apps.accounts.services.sign_up import issue_link
from apps.common.types import Json

PASSWORD = "correct horse battery"
_numbers = count(1)


def make_country(code: str = "PL", content: str = "Poland") -> AddressEntry:
    """Return a country; a test that empties the tables has lost the migrated ones."""
    return AddressEntry.objects.get_or_create(code=code, defaults={"content": content})[0]


def make_state(
    country: AddressEntry | None = None, code: str = "PL-14", content: str = "Mazowieckie"
) -> AddressEntry:
    """Return a state of a country."""
    country = country or make_country()
    return AddressEntry.objects.get_or_create(
        code=code, defaults={"content": content, "parent": country}
    )[0]


def make_company(**fields: Any) -> Company:
    """Return an open company that sees every brand."""
    return Company.objects.create(**{"name": f"Company {next(_numbers)}", **fields})


def make_user(*, password: str | None = None, **fields: Any) -> User:
    """Return an approved user of a company of its own, with a whole shipping address."""
    number, country = next(_numbers), make_country()
    ship = {
        "ship_country": country,
        "ship_state": make_state(country),
        "ship_city": "Warszawa",
        "ship_zipcode": "00-682",
        "ship_address1": "ul. Lipowa 51",
        "ship_address2": "lok. 14",
        "ship_phone": "+48 22 555 01 74",
    }
    user = {
        "email": f"buyer{number}@portal.test",
        "manager": f"Buyer {number}",
        "approval": User.Approval.APPROVED,
    }
    if "company" not in fields and not fields.get("is_staff"):
        fields["company"] = make_company()
    return User.objects.create_user(password=password, **{**ship, **user, **fields})


def make_staff(**fields: Any) -> User:
    """Return a member of staff."""
    return make_user(**{"is_staff": True, **fields})


def buyer_of(user: User) -> Buyer:
    """Return the user as the calls see it."""
    buyer = identify(user.uuid)
    assert buyer is not None
    return buyer


def make_buyer(**fields: Any) -> Buyer:
    """Return an approved buyer; fields are the user's."""
    return buyer_of(make_user(**fields))


@dataclass(frozen=True)
class Link:
    """A registration link as its reader has it."""

    email: str
    token: str

    @property
    def row(self) -> EmailVerification:
        """Return what the portal knows of it."""
        return EmailVerification.objects.get(token_hash=token_hash(self.token))


def make_link(email: str = "", *, user: User | None = None) -> Link:
    """Return a good registration link; for a user, the one that asks for more."""
    email = user.email if user else email or f"new{next(_numbers)}@portal.test"
    return Link(
        email, issue_link(email=email, user_id=user.pk if user else None, now=datetime.now(UTC))
    )


def make_form(link: Link, **change: Any) -> Json:
    """Return a registration form with all that is required, as the screen sends it."""
    country = make_country().pk
    return {
        "email": link.email,
        "token": link.token,
        "password": PASSWORD,
        "confirm_password": PASSWORD,
        "company": "Glow Trading",
        "manager": "Ines Brandt",
        "phone": "+48 22 555 01 74",
        "country": country,
        "city": "Warszawa",
        "address1": "ul. Lipowa 51",
        "ship_country": country,
        "ship_city": "Warszawa",
        "ship_address1": "ul. Lipowa 51",
        "ship_zipcode": "00-682",
        "ship_phone": "+48 22 555 01 74",
        "sales_channel": "Own shops",
        "terms": True,
        **change,
    }
