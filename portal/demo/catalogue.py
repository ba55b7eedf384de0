"""The demo catalogue: brands, products with stock and prices, and a running promotion (readings,
Demo data).

Its products are invented and stand in `data/products.csv`: a few are sold out, discontinued, on
request or nearly gone, five are sold in any number from 20 pieces on. Their barcodes are among
those that GS1 keeps for examples (952…).
"""

import csv
from dataclasses import dataclass
from decimal import Decimal

from portal.demo.data import FOLDER, read

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
    special: bool
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
            DemoProduct(
                sku=row["sku"],
                eng_name=row["eng_name"],
                brand=row["brand"],
                picture=row["picture"],
                usd_price=Decimal(row["usd_price"]),
                usd_supply=Decimal(row["usd_supply"]),
                weight_g=int(row["weight_g"]),
                hs_code=row["hs_code"],
                minimum=int(row["minimum"]),
                on_hand=int(row["on_hand"]),
                is_running=int(row["is_running"]),
                special=row["special"] == "1",
                ean=row["ean"] or None,
            )
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
