"""The demo's invented brands and their lines, as a merchant would write them into a table.

`catalogue.py` turns these into products.
"""

from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True)
class Form:
    """A thing that a line comes as: what its name ends in, its packaging, usual retail price and
    weight.
    """

    name: str
    size: str
    code: str
    kind: str
    usd_price: Decimal
    weight_g: int
    hs_code: str


@dataclass(frozen=True)
class Line:
    """A product line of a brand. `code` is the SKU's first letter, or the first digits of all-digit
    SKUs.

    Each form is one product; where there are shades, each shade of the one form is.
    """

    name: str
    code: str
    palette: str
    forms: tuple[str, ...]
    shades: tuple[str, ...] = ()


@dataclass(frozen=True)
class Brand:
    """A brand: the SKU's prefix, the label on its packs, and its price level (1 is the
    usual one).
    """

    name: str
    prefix: str
    label: str
    level: Decimal
    lines: tuple[Line, ...]


SKIN, SOAP, HAIR, BATH = "3304.99", "3401.11", "3305.10", "3401.30"
LIPS, EYES, POWDER, TREATMENT, MIST = "3304.10", "3304.20", "3304.91", "3305.90", "3307.90"


def _form(
    name: str, size: str, code: str, kind: str, price: str, weight_g: int, hs_code: str = SKIN
) -> Form:
    return Form(name, size, code, kind, Decimal(price), weight_g, hs_code)


FORMS: dict[str, Form] = {
    "cream": _form("Cream", "50 ml", "C050", "jar", "32.00", 172),
    "gelcream": _form("Water Gel Cream", "75 ml", "G075", "jar", "28.50", 196),
    "toner": _form("Toner", "200 ml", "T200", "bottle", "22.00", 268),
    "milk": _form("Essence Toner", "200 ml", "E200", "bottle", "26.00", 274),
    "essence": _form("First Essence", "150 ml", "E150", "bottle", "30.00", 232),
    "serum": _form("Serum", "30 ml", "S030", "dropper", "31.00", 118),
    "ampoule": _form("Ampoule", "30 ml", "A030", "dropper", "34.50", 121),
    "emulsion": _form("Emulsion", "120 ml", "L120", "pump", "27.00", 186),
    "gel": _form("Low-pH Gel Cleanser", "150 ml", "G150", "tube", "17.00", 184),
    "foam": _form("Foam Cleanser", "120 ml", "F120", "tube", "14.50", 152),
    "oil": _form("Cleansing Oil", "200 ml", "O200", "pump", "24.00", 262),
    "balm": _form("Cleansing Balm", "90 ml", "B090", "pot", "23.00", 158),
    "pads": _form("Toner Pads, 60 pcs", "", "P060", "pot", "24.50", 248),
    "mask": _form("Sheet Masks, 10 pcs", "", "M010", "mask", "19.00", 312),
    "sleeping": _form("Sleeping Mask", "80 ml", "N080", "jar", "27.50", 190),
    "clay": _form("Clay Mask", "100 ml", "K100", "tube", "21.00", 142),
    "eye": _form("Eye Cream", "25 ml", "Y025", "tube", "29.00", 46),
    "patches": _form("Eye Patches, 60 pcs", "", "P090", "pot", "21.50", 136),
    "mist": _form("Face Mist", "100 ml", "I100", "spray", "18.50", 134),
    "vials": _form("Booster Vials, 7 x 2 ml", "", "V014", "vial", "36.00", 96),
    "sun": _form("Sun Cream SPF 50+", "50 ml", "U050", "tube", "23.00", 74),
    "sunmilk": _form("Sun Milk SPF 50+", "60 ml", "U060", "bottle", "24.00", 92),
    "sunstick": _form("Sun Stick SPF 50+", "18 g", "U018", "stick", "20.50", 52),
    "sunmist": _form("Sun Mist SPF 45", "120 ml", "U120", "spray", "22.50", 148),
    "hand": _form("Hand Cream", "75 ml", "H075", "tube", "13.50", 94),
    "lotion": _form("Body Lotion", "300 ml", "D300", "pump", "24.00", 372),
    "wash": _form("Body Wash", "400 ml", "W400", "pump", "19.00", 468, BATH),
    "scrub": _form("Body Scrub", "250 g", "R250", "pot", "22.00", 336),
    "bodyoil": _form("Body Oil", "100 ml", "O100", "dropper", "29.00", 176),
    "soap": _form("Soap Bar", "100 g", "Q100", "soap", "8.50", 116, SOAP),
    "shampoo": _form("Shampoo", "400 ml", "J400", "pump", "21.00", 472, HAIR),
    "treatment": _form("Hair Treatment", "200 ml", "Z200", "tube", "19.50", 232, TREATMENT),
    "hairoil": _form("Hair Oil", "80 ml", "X080", "dropper", "24.50", 148, TREATMENT),
    "refill": _form("Refill Pouch", "350 ml", "R350", "refill", "16.50", 366, HAIR),
    "tonic": _form("Scalp Tonic", "100 ml", "T100", "spray", "23.00", 138, TREATMENT),
    "pillow": _form("Pillow Mist", "80 ml", "P080", "spray", "16.00", 116, MIST),
    "bath": _form("Bath Salt Pouch", "500 g", "B500", "pouch", "15.00", 518, BATH),
    "set": _form("Discovery Set, 4 pcs", "", "S004", "box", "46.00", 284),
    "cushion": _form("Cushion Foundation", "15 g", "C", "compact", "38.00", 96, POWDER),
    "blush": _form("Cream Blush", "6 g", "B", "compact", "18.00", 48, POWDER),
    "balmtint": _form("Tint Balm", "3.5 g", "T", "lipstick", "13.00", 24, LIPS),
    "lipstick": _form("Velvet Lipstick", "3.2 g", "L", "lipstick", "19.00", 28, LIPS),
    "mascara": _form("Lash Mascara", "8 g", "M", "mascara", "17.50", 32, EYES),
    "eyes": _form("Eye Palette", "6 g", "E", "eyes", "29.50", 104, EYES),
}

_CARE = ("cream", "toner", "serum", "ampoule", "gel", "mask")
_DEEP = ("cream", "essence", "ampoule", "emulsion", "eye", "sleeping", "vials")
_FRESH = ("gelcream", "toner", "serum", "foam", "pads", "mist")
_CLEANSE = ("gel", "oil", "balm", "clay", "pads")
_SUN = ("sun", "sunmilk", "sunstick", "sunmist")
_BODY = ("hand", "lotion", "wash", "scrub", "bodyoil", "soap")
_HAIR = ("shampoo", "treatment", "hairoil", "tonic", "refill")

BRANDS: tuple[Brand, ...] = (
    Brand(
        "Aurelle Skin",
        "AUR",
        "lines",
        Decimal("1.06"),
        (
            Line("Milk Veil", "M", "ivory", ("cream", "emulsion", "foam", "mask", "sleeping")),
            Line("Golden Rice", "G", "honey", _DEEP),
            Line("Snow Camellia", "S", "rose", _CARE),
        ),
    ),
    Brand(
        "Bomnal Botanics",
        "BOM",
        "leaf",
        Decimal("0.96"),
        (
            Line("Green Plum", "G", "sage", ("cream", "toner", "serum", "pads", "mist")),
            Line("Mugwort Calm", "M", "pearl", _CARE),
            Line("Spring Nettle", "S", "moss", _HAIR),
        ),
    ),
    Brand(
        "Cedre & Lait",
        "CED",
        "plate",
        Decimal("1.18"),
        (
            Line("Hinoki", "H", "amber", _BODY),
            Line("Lait de Chèvre", "L", "ivory", ("hand", "lotion", "wash", "soap")),
            Line("Oat Field", "O", "sand", _BODY),
        ),
    ),
    Brand(
        "Dewfolk",
        "DEW",
        "lines",
        Decimal("1.00"),
        (
            Line("Peach Collagen", "P", "peach", _DEEP),
            Line("Overnight Dew", "O", "rose", ("cream", "sleeping", "patches", "set")),
            Line("Watermelon Splash", "W", "berry", _FRESH),
        ),
    ),
    Brand(
        "Ivory Fern",
        "IVF",
        "emblem",
        Decimal("1.12"),
        (
            Line("Fernleaf", "F", "moss", _CARE),
            Line("Quiet Centella", "Q", "mint", _FRESH),
            Line("White Truffle", "W", "sand", _DEEP),
        ),
    ),
    Brand(
        "Kumo Rituals",
        "KUM",
        "stack",
        Decimal("0.92"),
        (
            Line("Cloud", "C", "sky", ("gelcream", "toner", "foam", "hand", "wash")),
            Line("Sleep Well", "S", "lilac", ("pillow", "bath", "bodyoil", "lotion", "sleeping")),
            Line("Yuzu Soak", "Y", "lemon", ("bath", "wash", "scrub", "soap", "bodyoil")),
        ),
    ),
    Brand(
        "Lunaveil",
        "LUN",
        "emblem",
        Decimal("1.22"),
        (
            Line(
                "Veil",
                "V",
                "ivory",
                ("cushion",),
                ("13N Shell", "17C Petal", "19N Oat", "23N Sand", "25W Honey"),
            ),
            Line("Moonflower", "M", "plum", _DEEP),
            Line(
                "Half Moon",
                "H",
                "clay",
                ("eyes",),
                ("01 Dusk", "02 Sienna", "03 Orchard", "04 Slate"),
            ),
        ),
    ),
    Brand(
        "Moss & Mineral",
        "MOS",
        "plate",
        Decimal("1.04"),
        (
            Line("Mineral Shade", "S", "sand", _SUN),
            Line("Volcanic Ash", "V", "slate", _CLEANSE),
            Line("Deep Sea", "D", "sea", _CARE),
            Line("Moss Garden", "G", "moss", ("soap", "scrub", "wash", "hand")),
        ),
    ),
    Brand(
        "Noon Cloud",
        "NOO",
        "stack",
        Decimal("0.88"),
        (
            Line("Daylight", "D", "sky", _SUN),
            Line("Soft Rain", "R", "mint", _FRESH),
            Line("First Light Vitamin C", "F", "honey", _CARE),
            Line("Cotton", "C", "pearl", ("balm", "oil", "foam")),
        ),
    ),
    Brand(
        "Pebble Theory",
        "PEB",
        "stack",
        Decimal("1.28"),
        (
            Line("Retinal 0.1", "R", "slate", ("cream", "serum", "eye", "emulsion")),
            Line("Niacinamide 10", "N", "pearl", _CARE),
            Line("Azelaic 8", "A", "sand", ("serum", "gelcream", "toner", "pads")),
            Line("Peptide Nine", "P", "sea", _DEEP),
        ),
    ),
    Brand(
        "Quiet Tide",
        "QUI",
        "lines",
        Decimal("1.02"),
        (
            Line("Kelp Forest", "K", "sea", _CARE),
            Line("Salt Air", "S", "sky", _HAIR),
            Line("Low Tide Probiotic", "L", "pearl", _DEEP),
        ),
    ),
    Brand(
        "Rosier Nine",
        "ROS",
        "emblem",
        Decimal("0.98"),
        (
            Line(
                "Petal",
                "P",
                "berry",
                ("balmtint",),
                ("01 Rosewater", "02 Peony", "03 Guava", "06 Black Cherry"),
            ),
            Line(
                "Ninth Hour",
                "N",
                "plum",
                ("lipstick",),
                ("11 Nude", "12 Cinnamon", "13 Ruby", "14 Fig", "15 Mulberry"),
            ),
            Line("Damask Rose", "D", "rose", _CARE),
            Line("Flutter", "F", "slate", ("mascara",), ("01 Black", "02 Brown", "03 Plum")),
        ),
    ),
    Brand(
        "Saltpetal",
        "SAL",
        "leaf",
        Decimal("0.94"),
        (
            Line("Sea Lavender", "L", "lilac", _BODY),
            Line(
                "Pink Clay",
                "0041",
                "rose",
                ("scrub", "bath", "soap", "wash", "hand", "lotion", "treatment"),
            ),
            Line("Beach Rose", "B", "peach", _FRESH),
        ),
    ),
    Brand(
        "Tamsin Grey",
        "TAM",
        "plate",
        Decimal("1.34"),
        (
            Line("Grey Label", "G", "slate", _DEEP),
            Line("Oud & Pear", "O", "plum", _BODY),
            Line(
                "Velvet Cheek",
                "V",
                "peach",
                ("blush",),
                ("01 Apricot", "02 Brick", "03 Mauve", "04 Crème Brûlée"),
            ),
            Line("Barber", "B", "amber", ("shampoo", "hairoil", "tonic")),
        ),
    ),
    Brand(
        "Verdelune",
        "VER",
        "leaf",
        Decimal("1.08"),
        (
            Line("Thé Vert", "T", "sage", _CARE),
            Line("Sun Lune", "S", "lemon", _SUN),
            Line("Birch Sap", "B", "mint", _DEEP),
            Line("Artemisia", "A", "moss", ("oil", "balm", "foam", "clay")),
        ),
    ),
    Brand(
        "Wisteria Row",
        "WIS",
        "emblem",
        Decimal("1.00"),
        (
            Line("Wisteria", "W", "lilac", _CARE),
            Line("Row House", "R", "clay", _BODY),
            Line(
                "Bakuchiol & Squalane Intensive Overnight Recovery",
                "B",
                "plum",
                ("cream", "serum", "eye", "set"),
            ),
            Line("Silk Protein", "S", "pearl", _HAIR),
        ),
    ),
    Brand(
        "Yuzu Atelier",
        "YUZ",
        "lines",
        Decimal("0.90"),
        (
            Line("Yuzu Bright", "Y", "lemon", _CARE),
            Line("Mandarin Peel", "M", "peach", _CLEANSE),
            Line("Atelier", "A", "honey", ("set", "vials", "patches", "eye")),
            Line("Citron", "C", "lemon", _HAIR),
        ),
    ),
)
