"""What the demo is made of (readings, Demo data): a file of `data/` for each kind of thing, its
rows in the order of loading.

Products are invented: a few are sold out, discontinued, on request or nearly gone, five are sold in
any number from 20 pieces on. Their barcodes are among those that GS1 keeps for examples (952…).
"""

import csv
import json
from collections.abc import Callable
from datetime import date, timedelta
from decimal import Decimal
from enum import IntEnum
from pathlib import Path
from types import SimpleNamespace
from typing import Any

FOLDER = Path(__file__).parent / "data"
Rows = tuple[SimpleNamespace, ...]


def read(name: str, **usual: Any) -> Rows:
    """Return the rows of a file of this folder, with what is `usual` where they do not say it."""
    rows = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
    return tuple(SimpleNamespace(**{**usual, **row}) for row in rows)


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


# Buying companies; `brands` limits what one sees.
COMPANIES = read("companies", brands=())
# Who waits to be approved; `certificate` is the name of his file, if one was uploaded.
REGISTRATIONS = read("registrations", certificate="", asked="")
# Who can sign in: buyers of a company, and staff of a group.
ACCOUNTS = read("accounts", company="", stock_free=False, approved=True, group="", superuser=False)
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


# Orders in the order of placing, so that a later one has the larger id. `short` lines were refused,
# `partial` ones confirmed for half: the cheapest, or the dearest.
STORIES = read(
    "stories",
    **dict.fromkeys(("short", "partial", "free_offers"), 0),
    **dict.fromkeys(("message", "ship_request", "po_number", "note"), ""),
    **dict.fromkeys(("dearest", "back_order"), False),
    shipping_fee="0.00",
    packed=True,
    cancelled=None,
)
# Published so many days before loading or on a day of its own; the window of a popup is the
# seller's local time.
NOTICES = read("notices", days_ago=0, day="", files=(), popup_from="", popup_until="")


def published_on(notice: SimpleNamespace, *, today: date) -> date:
    """Return the day on which a notice was published, where the demo is loaded `today`."""
    if notice.day:
        return date.fromisoformat(notice.day)
    return today - timedelta(days=notice.days_ago)


CONVERTERS: dict[str, Callable[[str], Any]] = {  # what is no text
    **dict.fromkeys(("usd_price", "usd_supply"), Decimal),
    **dict.fromkeys(("weight_g", "minimum", "on_hand", "is_running"), int),
    "is_special": lambda text: text == "1",
    "ean": lambda text: text or None,
}
DISCONTINUED, ON_SALE, CONTACT_US = 0, 1, 2
"""The values of `is_running` (section 3, Product)."""


with (FOLDER / "products.csv").open(newline="", encoding="utf-8") as file:
    PRODUCTS: Rows = tuple(
        SimpleNamespace(
            image=f"{row['sku'].lower()}.jpg",
            **{name: CONVERTERS.get(name, str)(text) for name, text in row.items()},
        )
        for row in csv.DictReader(file)
    )
"""Every product of the demo, brand by brand: prices in US dollars, weights in grams; `picture`
names a file of `pictures/`.
"""

BRANDS: tuple[str, ...] = tuple(dict.fromkeys(product.brand for product in PRODUCTS))
"""English names of the brands, in alphabetical order."""

PROMOTION_TITLE = "Brighter season offer"
PROMOTION = read("promotion")
"""What the promotion offers; without `usd_supply` the usual wholesale price stays."""
