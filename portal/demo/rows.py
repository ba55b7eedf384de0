"""What the demo is made of (readings, Demo data): a file of `data/` for each kind of thing, its
rows in the order of loading.

Products are invented: a few are sold out, discontinued, on request or nearly gone, five are sold in
any number from 20 pieces on. Their barcodes are among those that GS1 keeps for examples (952…).
"""

import csv
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from enum import IntEnum
from pathlib import Path
from typing import Any, TypedDict

FOLDER = Path(__file__).parent / "data"


def read(name: str) -> list[dict[str, Any]]:
    """Return the rows of a file of this folder."""
    rows: list[dict[str, Any]] = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
    return rows


Address = dict[str, str]  # `country` and `state` are ISO 3166 codes


def address_columns(
    address: Address, places: dict[str, int], *, prefix: str = ""
) -> dict[str, Any]:
    """Return the columns of a company's address; with the prefix `ship_`, those of a shipping
    address.
    """
    fields: dict[str, Any] = dict(address)
    fields["country_id"] = places[fields.pop("country")]
    fields["state_id"] = places.get(fields.pop("state"))
    return {f"{prefix}{name}": value for name, value in fields.items()}


@dataclass(frozen=True)
class DemoCompany:
    """A buying company. `brands` limits what it sees; empty means everything."""

    name: str
    address: Address
    business_type: str
    sales_channel: str
    brands: Sequence[str] = ()


@dataclass(frozen=True)
class DemoRegistration:
    """Somebody who waits to be approved. `kind` is the certificate's (none: nothing was
    uploaded).
    """

    email: str
    manager: str
    company: str
    address: Address
    business_type: str
    sales_channel: str
    hours_ago: float
    kind: str = ""
    certificate: str = ""
    asked: str = ""


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


COMPANIES = tuple(DemoCompany(**row) for row in read("companies"))
REGISTRATIONS = tuple(DemoRegistration(**row) for row in read("registrations"))
ACCOUNTS = tuple(DemoAccount(**row) for row in read("accounts"))


BUYER, LIMITED = "buyer@demo.test", "limited@demo.test"


class Reached(IntEnum):
    """How far an order went, in the order of its steps."""

    ANNOUNCED = 1  # received; the deposit's wire is announced
    DEPOSITED = 2  # received, and the deposit has arrived
    PREPARING = 3
    CONFIRMED = 4  # a balance is due and no payment is under way
    BALANCE_ANNOUNCED = 5  # the balance's wire is announced
    PAID = 6
    SHIPPED = 7


@dataclass(frozen=True)
class Cancelled:
    """Why staff cancelled an order, and whether the terms applied or it was the seller's fault."""

    reason: str
    by_terms: bool


@dataclass(frozen=True)
class Story:
    """One order. `short` lines were refused, `partial` ones confirmed for half: the cheapest, or
    the dearest.
    """

    buyer: str
    days_ago: float
    lines: int
    reached: Reached
    short: int = 0
    partial: int = 0
    free_offers: int = 0
    substitutes: int = 0
    dearest: bool = False
    shipping_fee: str = "0.00"
    message: str = ""
    ship_request: str = ""
    po_number: str = ""
    note: str = ""
    moves_address: bool = False
    packed: bool = True
    back_order: bool = False
    cancelled: Cancelled | None = None


STORIES = tuple(
    Story(
        **{
            **row,
            "reached": Reached[row["reached"]],
            "cancelled": Cancelled(**row["cancelled"]) if "cancelled" in row else None,
        }
    )
    for row in read("stories")
)
"""In the order of placing, so that a later order has the larger id."""


class DemoFile(TypedDict):
    """A PDF attached to a notice."""

    name: str
    title: str
    lines: list[str]


@dataclass(frozen=True)
class DemoNotice:
    """One notice, published so many days before loading or on a day of its own. The window of its
    popup is the seller's local time, without a zone.
    """

    notice_id: int
    title: str
    html: str
    days_ago: int = 0
    day: str = ""
    files: Sequence[DemoFile] = ()
    popup_from: str = ""
    popup_until: str = ""

    def published_on(self, *, today: date) -> date:
        """Return the day on which it was published, where the demo is loaded `today`."""
        if self.day:
            return date.fromisoformat(self.day)
        return today - timedelta(days=self.days_ago)


NOTICES = tuple(DemoNotice(**row) for row in read("notices"))


READ: dict[str, Callable[[str], Any]] = {  # what is no text
    **dict.fromkeys(("usd_price", "usd_supply"), Decimal),
    **dict.fromkeys(("weight_g", "minimum", "on_hand", "is_running"), int),
    "is_special": lambda text: text == "1",
    "ean": lambda text: text or None,
}
DISCONTINUED, ON_SALE, CONTACT_US = 0, 1, 2
"""The values of `is_running` (section 3, Product)."""


@dataclass(frozen=True)
class DemoProduct:
    """One product of the demo. Prices are US dollars, `on_hand` and `minimum` pieces, `weight_g`
    grams; `picture` names a file of `pictures/`.
    """

    sku: str
    eng_name: str
    brand: str
    picture: str
    usd_price: Decimal
    usd_supply: Decimal
    weight_g: int
    hs_code: str
    minimum: int
    on_hand: int
    is_running: int
    is_special: bool
    ean: str | None

    @property
    def image(self) -> str:
        """Return the file name of the picture."""
        return f"{self.sku.lower()}.jpg"


@dataclass(frozen=True)
class DemoPromotion:
    """One product of the running promotion; without `usd_supply` the usual wholesale
    price stays.
    """

    sku: str
    usd_supply: Decimal | None


def _read_products() -> tuple[DemoProduct, ...]:
    with (FOLDER / "products.csv").open(newline="", encoding="utf-8") as file:
        return tuple(
            DemoProduct(**{name: READ.get(name, str)(text) for name, text in row.items()})
            for row in csv.DictReader(file)
        )


PRODUCTS = _read_products()
"""Every product of the demo, brand by brand."""

BRANDS: tuple[str, ...] = tuple(dict.fromkeys(product.brand for product in PRODUCTS))
"""English names of the brands, in alphabetical order."""

PROMOTION_TITLE = "Brighter season offer"
PROMOTION = tuple(
    DemoPromotion(row["sku"], row["usd_supply"] and Decimal(row["usd_supply"]))
    for row in read("promotion")
)
"""What the promotion offers. It runs for a year from loading (readings, Demo data)."""
