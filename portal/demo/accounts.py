"""The demo's accounts and companies (readings, Demo data)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from portal.demo.data import read


@dataclass(frozen=True)
class DemoAddress:
    """An address; `country` and `state` are ISO 3166 codes."""

    country: str
    state: str
    city: str
    zipcode: str
    address1: str
    address2: str
    phone: str

    def columns(self, places: dict[str, int], *, prefix: str = "") -> dict[str, Any]:
        """Return the columns of a company's address; with the prefix `ship_`, those of a shipping
        address.
        """
        fields = vars(self) | {
            "country_id": places[self.country],
            "state_id": places.get(self.state),
        }
        return {
            f"{prefix}{name}": value
            for name, value in fields.items()
            if name not in ("country", "state")
        }


@dataclass(frozen=True)
class DemoCompany:
    """A buying company. `brands` limits what it sees; empty means everything."""

    name: str
    address: DemoAddress
    business_type: str
    sales_channel: str
    brands: Sequence[str] = ()


@dataclass(frozen=True)
class DemoAccount:
    """Somebody who can sign in: a buyer of a company, or staff of a group."""

    email: str
    password: str
    manager: str
    who: str
    company: str = ""
    stock_free: bool = False
    approved: bool = True
    group: str = ""
    superuser: bool = False


COMPANIES = tuple(
    DemoCompany(**{**row, "address": DemoAddress(**row["address"])}) for row in read("companies")
)
ACCOUNTS = tuple(DemoAccount(**row) for row in read("accounts"))
