"""The demo's accounts and companies (readings, Demo data)."""

from dataclasses import dataclass
from typing import Any


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
    brands: tuple[str, ...] = ()


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


COMPANIES: tuple[DemoCompany, ...] = (
    DemoCompany(
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
        "Perfumeries and pharmacies in Germany, Austria and Denmark",
    ),
    DemoCompany(
        "Coral Bay Imports, Inc.",
        DemoAddress(
            "US",
            "US-CA",
            "Long Beach",
            "90802",
            "410 Harbor Terrace",
            "Suite 220",
            "+1 562 555 0147",
        ),
        "Wholesaler",
        "Independent beauty shops on the West Coast",
    ),
    DemoCompany(
        "Petite Ourse SARL",
        DemoAddress(
            "FR",
            "FR-ARA",
            "Lyon",
            "69002",
            "27 rue des Tisserands",
            "2e etage",
            "+33 4 55 50 12 60",
        ),
        "Online retailer",
        "Own online shop",
        brands=("Bomnal Botanics", "Kumo Rituals"),
    ),
    DemoCompany(
        "Maple & Moss Trading Ltd.",
        DemoAddress(
            "CA", "CA-BC", "Vancouver", "V6B 1A1", "88 Water Lane", "Unit 5", "+1 604 555 0133"
        ),
        "Distributor",
        "Salons in British Columbia",
    ),
)

ACCOUNTS: tuple[DemoAccount, ...] = (
    DemoAccount(
        "buyer@demo.test",
        "demo-buyer-1",
        "Lena Hartwig",
        "buyer of the first company",
        "Nordlicht Beauty GmbH",
    ),
    DemoAccount(
        "free@demo.test",
        "demo-free-1",
        "Marcus Bell",
        "buyer of the second company, may order beyond the stock",
        "Coral Bay Imports, Inc.",
        stock_free=True,
    ),
    DemoAccount(
        "limited@demo.test",
        "demo-limited-1",
        "Camille Roussel",
        "buyer of the third company, sees two brands",
        "Petite Ourse SARL",
    ),
    DemoAccount(
        "pending@demo.test",
        "demo-pending-1",
        "Owen Fraser",
        "registered, not approved",
        "Maple & Moss Trading Ltd.",
        approved=False,
    ),
    DemoAccount(
        "approver@demo.test",
        "demo-approver-1",
        "Hana Seo",
        "staff, group Approvers",
        group="Approvers",
    ),
    DemoAccount(
        "sales@demo.test", "demo-sales-1", "Minjun Kang", "staff, group Sales", group="Sales"
    ),
    DemoAccount("admin@demo.test", "demo-admin-1", "Yuna Park", "superuser", superuser=True),
)
