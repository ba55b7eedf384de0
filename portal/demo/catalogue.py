"""The demo catalogue: brands, products with stock and prices, and a running promotion (readings,
Demo data).

Everything follows from `ranges.py` and the tables here, so it is the same at every load.
"""

import zlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_UP, Decimal

from apps.catalog.rules import ean_of
from portal.demo.ranges import BRANDS as _BRANDS
from portal.demo.ranges import FORMS, LIPS, POWDER, SKIN, Brand, Form, Line

DISCONTINUED, ON_SALE, CONTACT_US = 0, 1, 2
"""The values of `is_running` (section 3, Product)."""

ORIGIN = "KR"
_CENT = Decimal("0.01")


@dataclass(frozen=True)
class DemoProduct:
    """One product of the demo. Prices are US dollars, `on_hand` and `minimum` pieces, `weight_g`
    grams.
    """

    sku: str
    eng_name: str
    brand: str
    kind: str
    palette: str
    label: str
    usd_price: Decimal
    usd_supply: Decimal
    weight_g: int
    hs_code: str
    minimum: int
    on_hand: int
    is_running: int = ON_SALE
    special: bool = False
    origin: str = ORIGIN

    @property
    def ean(self) -> str | None:
        """Return a number of those that GS1 keeps for examples (952…); none for about every eighth
        product.
        """
        if not _draw_lot(self.sku, "ean", 8):
            return None
        digits = f"952{_draw_lot(self.sku, 'number', 10**9):09}"
        return next(filter(None, (ean_of(f"{digits}{check}") for check in range(10))))

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


# SKU, name, brand; packaging, palette, retail, wholesale, minimum, grams, HS code, pieces on hand.
_WRITTEN_OUT: tuple[tuple[str, str, str, str, str, str, str, int, int, str, int], ...] = (
    ("AUR-BC050", "Barrier Bloom Ceramide Cream 50 ml", "Aurelle Skin",
     "jar", "ivory", "34.00", "15.30", 10, 168, SKIN, 1412),
    ("AUR-ME200", "Milk Veil Essence Toner 200 ml", "Aurelle Skin",
     "bottle", "ivory", "26.00", "11.70", 10, 272, SKIN, 1240),
    ("BOM-GH030", "Green Plum Heartleaf Ampoule 30 ml", "Bomnal Botanics",
     "dropper", "sage", "29.50", "13.28", 20, 119, SKIN, 960),
    ("BOM-CL150", "Mugwort Low-pH Gel Cleanser 150 ml", "Bomnal Botanics",
     "tube", "pearl", "18.00", "7.92", 10, 184, SKIN, 0),
    ("DEW-PC030", "Peach Collagen Pudding Serum 30 ml", "Dewfolk",
     "pump", "peach", "31.00", "13.95", 12, 104, SKIN, 860),
    ("DEW-SM010", "Overnight Dew Mask Pouches, 10 pcs", "Dewfolk",
     "pouch", "rose", "22.00", "9.90", 24, 286, SKIN, 900),
    ("CED-HO050", "Hinoki Hair & Body Oil 50 ml", "Cedre & Lait",
     "dropper", "amber", "38.00", "17.86", 10, 112, SKIN, 610),
    ("KUM-CM100", "Cloud Mist Fixing Spray 100 ml", "Kumo Rituals",
     "spray", "sky", "19.50", "8.58", 20, 132, SKIN, 1320),
    ("LUN-CU015", "Veil Cushion Foundation 21N Linen", "Lunaveil",
     "compact", "ivory", "42.00", "19.32", 10, 96, POWDER, 0),
    ("LUN-EC030", "Kelp Peptide Eye Concentrate 30 ml", "Lunaveil",
     "dropper", "sea", "49.80", "22.40", 10, 98, SKIN, 880),
    ("MOS-SF050", "Mineral Sun Fluid SPF 50+ 50 ml", "Moss & Mineral",
     "tube", "sand", "28.00", "12.60", 10, 72, SKIN, 1640),
    ("PEB-RT050", "Retinal 0.1 Night Emulsion 50 ml", "Pebble Theory",
     "pump", "slate", "44.00", "20.68", 10, 128, SKIN, 1180),
    ("PEB-HC075", "Fig & Oat Hand Cream 75 ml", "Pebble Theory",
     "tube", "lilac", "14.00", "6.30", 48, 92, SKIN, 1310),
    ("ROS-TB004", "Petal Tint Balm 04 Bare Fig", "Rosier Nine",
     "lipstick", "rose", "13.00", "5.85", 10, 24, LIPS, 35),
    ("ROS-TB005", "Petal Tint Balm 05 Brick", "Rosier Nine",
     "lipstick", "clay", "13.00", "5.85", 10, 24, LIPS, 1120),
)  # fmt: skip

_SPECIAL_SKUS = frozenset({"DEW-SM010", "MOS-SF050", "NOO-DU018", "VER-TM010", "KUM-YQ100"})
"""Sold from 20 pieces in any number (readings, Catalogue)."""

_LOW_STOCK = {"BOM-GS030": 10, "IVF-FC050": 20, "QUI-KA030": 30, "SAL-LH075": 50, "YUZ-YT200": 40}
"""Products on sale that hold 1 to 5 MOQs, for trying out what happens when the last pieces go. Their MOQ is 10."""

_WITHDRAWN_SKUS = frozenset({"LUN-CU015"})
_SMALL_MOQS = (5, 6, 8, 10, 10, 10, 12)
_LARGE_MOQS = (12, 20, 20, 24, 30, 36, 48)
_LARGE_MOQ_BELOW = Decimal("20.00")
_LEAST_STOCK, _STOCK_SPREAD = 960, 1500
_WHOLESALE_SHARES = ("0.43", "0.44", "0.45", "0.45", "0.46", "0.47")
_SHADE_PALETTES = {
    "balmtint": ("rose", "peach", "clay", "berry"),
    "lipstick": ("peach", "clay", "berry", "plum", "slate"),
    "blush": ("peach", "clay", "lilac", "sand"),
    "eyes": ("plum", "clay", "honey", "slate"),
}


def _draw_lot(sku: str, what: str, choices: int) -> int:
    """Return a number from 0 that looks random and is always the same for a SKU."""
    return zlib.crc32(f"{what}:{sku}".encode()) % choices


def _written_out(brand: Brand) -> Iterator[DemoProduct]:
    for (
        sku,
        name,
        brand_name,
        kind,
        palette,
        retail,
        wholesale,
        minimum,
        weight_g,
        hs_code,
        on_hand,
    ) in _WRITTEN_OUT:
        if brand_name == brand.name:
            yield DemoProduct(
                sku=sku,
                eng_name=name,
                brand=brand_name,
                kind=kind,
                palette=palette,
                label=brand.label,
                usd_price=Decimal(retail),
                usd_supply=Decimal(wholesale),
                weight_g=weight_g,
                hs_code=hs_code,
                minimum=minimum,
                on_hand=on_hand,
                is_running=DISCONTINUED if sku in _WITHDRAWN_SKUS else ON_SALE,
                special=sku in _SPECIAL_SKUS,
            )


def _generated(brand: Brand, line: Line) -> Iterator[DemoProduct]:
    for place, form_name in enumerate(line.forms):
        form = FORMS[form_name]
        if not line.shades:
            sku = (
                f"{line.code}{place + 1:02}75"
                if line.code.isdigit()
                else f"{brand.prefix}-{line.code}{form.code}"
            )
            yield _product(
                brand,
                form,
                sku,
                " ".join(filter(None, (line.name, form.name, form.size))),
                line.palette,
            )
        palettes = _SHADE_PALETTES.get(form_name, (line.palette,))
        for number, shade in enumerate(line.shades):
            sku = f"{brand.prefix}-{line.code}{form.code}{int(shade[:2]):03}"
            yield _product(
                brand,
                form,
                sku,
                f"{line.name} {form.name} {shade}",
                palettes[number % len(palettes)],
            )


def _product(brand: Brand, form: Form, sku: str, eng_name: str, palette: str) -> DemoProduct:
    usd_price = (form.usd_price * brand.level * 2).quantize(Decimal(1), ROUND_HALF_UP) / 2
    share = Decimal(_WHOLESALE_SHARES[_draw_lot(sku, "share", len(_WHOLESALE_SHARES))])
    minimums = _LARGE_MOQS if usd_price < _LARGE_MOQ_BELOW else _SMALL_MOQS
    return DemoProduct(
        sku=sku,
        eng_name=eng_name,
        brand=brand.name,
        kind=form.kind,
        palette=palette,
        label=brand.label,
        usd_price=usd_price.quantize(_CENT),
        usd_supply=(usd_price * share).quantize(_CENT, ROUND_HALF_UP),
        weight_g=form.weight_g,
        hs_code=form.hs_code,
        minimum=minimums[_draw_lot(sku, "minimum", len(minimums))],
        on_hand=_LEAST_STOCK + _draw_lot(sku, "stock", _STOCK_SPREAD),
    )


def _with_availability(place: int, product: DemoProduct) -> DemoProduct:
    """Return the product as it stands in the shop: a few are sold out, discontinued, on request or
    nearly gone.
    """
    if product.sku in _SPECIAL_SKUS:
        return replace(product, special=True)
    if product.sku in _LOW_STOCK:
        return replace(product, minimum=10, on_hand=_LOW_STOCK[product.sku])
    if place % 17 == 7:
        return replace(product, on_hand=0)
    if place % 23 == 11:
        return replace(
            product, is_running=DISCONTINUED, on_hand=product.on_hand if place % 2 else 0
        )
    if place % 41 == 20:
        return replace(product, is_running=CONTACT_US)
    return product


def _catalogue() -> Iterator[DemoProduct]:
    place = 0
    for brand in _BRANDS:
        yield from _written_out(brand)
        for line in brand.lines:
            for product in _generated(brand, line):
                yield _with_availability(place, product)
                place += 1


BRANDS: tuple[str, ...] = tuple(brand.name for brand in _BRANDS)
"""English names of the brands, in alphabetical order."""

PRODUCTS: tuple[DemoProduct, ...] = tuple(_catalogue())
"""Every product of the demo, brand by brand."""

PROMOTION_TITLE = "Brighter season offer"
PROMOTION: tuple[DemoPromotion, ...] = tuple(
    DemoPromotion(sku, Decimal(price) if price else None)
    for sku, price in (
        ("AUR-BC050", "13.77"),
        ("AUR-ME200", "10.53"),
        ("BOM-GH030", "11.95"),
        ("CED-HO050", "15.18"),
        ("DEW-PC030", "12.55"),
        ("DEW-SM010", "8.90"),
        ("KUM-CM100", "7.72"),
        ("MOS-SF050", "11.34"),
        ("PEB-RT050", "18.61"),
        ("PEB-HC075", "5.67"),
        ("ROS-TB005", None),
        ("YUZ-YS030", None),
        ("VER-TC050", None),
        ("BOM-CL150", "7.13"),
    )
)
"""What the promotion offers. It runs for a year from loading (readings, Demo data)."""
