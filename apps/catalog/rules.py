"""Quantities, availability and prices (section 5, Ordering; readings, Catalogue, stock,
quantities). Pure functions.
"""

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from decimal import Decimal
from enum import StrEnum
from typing import NamedTuple
from unicodedata import normalize

from apps.catalog.errors import BelowMoq, NotMultipleOfMoq
from apps.common.money import usd

FLOOR_MOQ, SPECIAL_MOQ = 10, 20  # the specification's; the page Settings has the seller's
SPECIAL_STEP = 1
DISCONTINUED, ON_SALE, HIDDEN = 0, 1, 3

MOST_PAID = Decimal("9999999999.99")  # a money column has no more digits

EAN_LENGTHS = (8, 12, 13)
EAN_LABEL = re.compile(r"^(ean|gtin|upc)\b[\s:.#]*")
BETWEEN_DIGITS = dict.fromkeys(map(ord, " -"))
EAN_END = 4  # digits at the end of an EAN by which it is found

ACCENTS = re.compile("[\u0300-\u036f]")
JOINERS = re.compile(r"['’‘`´\-\u2010-\u2015]|(?<!\d)\.|\.(?!\d)")
BESIDE_DIGITS = re.compile(r"(?<=\d) +(?=[^\W\d_])|(?<=[^\W\d_]) +(?=\d)")
BEFORE_UNIT = re.compile(r"(?<=\d) +(?=(?:ml|l|g|kg|mg|oz|pcs|ea)\b)")

TAG_ON_SALE = "On sale"
TAG_SOLD_OUT = "Sold out"
TAG_DISCONTINUED = "Discontinued"
TAG_CONTACT_US = "Contact us"


def effective_moq(
    *, minimum: int, special: bool, floor: int = FLOOR_MOQ, special_moq: int = SPECIAL_MOQ
) -> int:
    """Return the smallest quantity (pieces) a buyer may order of one product (section 5)."""
    return special_moq if special else max(floor, minimum)


def quantity_step(*, minimum: int, special: bool, floor: int = FLOOR_MOQ) -> int:
    """Return the pieces between two quantities that may be ordered: the MOQ, or 1 for a special SKU
    (section 5).
    """
    return SPECIAL_STEP if special else max(floor, minimum)


def check_quantity(*, count: int, moq: int, step: int, held: int = 0) -> None:
    """Check the pieces of one line against its MOQ and step (section 5, Ordering).

    Of pieces that are `held` for the buyer's company any number can be ordered.

    Raises:
        BelowMoq: fewer than the MOQ.
        NotMultipleOfMoq: not a whole number of steps.
    """
    if 0 < count <= held:
        return
    if count < moq:
        raise BelowMoq
    if count % step:
        raise NotMultipleOfMoq


def availability_tag(*, is_running: int, qty: int) -> str:
    """Return the tag of a product card; `qty` is the pieces that can still be promised
    (section 4).
    """
    if is_running == ON_SALE:
        return TAG_ON_SALE if qty > 0 else TAG_SOLD_OUT
    return TAG_DISCONTINUED if is_running == DISCONTINUED else TAG_CONTACT_US


def can_select(*, is_running: int, qty: int, stock_free: bool) -> bool:
    """Return whether the card offers Select rather than Soldout (section 4, Product
    availability).
    """
    return stock_free or (qty > 0 and is_running in (DISCONTINUED, ON_SALE))


def is_short(*, available: int, count: int, stock_free: bool) -> bool:
    """Return whether a line asks for more pieces than can be promised (section 5, Ordering)."""
    return not stock_free and (available <= 0 or available < count)


def ean_of(text: str) -> str | None:
    """Return the EAN that a text is, as 8 or 13 digits; None where it is none. A UPC is an EAN
    without its first 0.
    """
    digits = text.translate(BETWEEN_DIGITS)
    if not (digits.isascii() and digits.isdigit() and len(digits) in EAN_LENGTHS):
        return None
    # From the right, every second digit weighs three: together they are a multiple of ten.
    odd, even = digits[-1::-2], digits[-2::-2]
    if (sum(map(int, odd)) + 3 * sum(map(int, even))) % 10:
        return None
    return digits.rjust(13, "0") if len(digits) > 8 else digits


def searchable(text: str) -> str:
    """Return the form in which names and codes are looked for: small letters of usual width without
    accents, hyphens and apostrophes, numbers beside their units (“Crème 50 ml” is `creme50ml`,
    “AUR-GC050” `aurgc050`).

    A text that is typed is brought into this form word by word, and may stand anywhere in the
    other.
    """
    plain = normalize("NFC", ACCENTS.sub("", normalize("NFKD", text))).casefold()
    return BESIDE_DIGITS.sub("", JOINERS.sub("", plain))


def end_of_ean(word: str) -> str | None:
    """Return the digits of a word that may be an EAN or its end, from four on; None of another."""
    digits = word.translate(BETWEEN_DIGITS)
    is_end = digits.isascii() and digits.isdigit() and EAN_END <= len(digits) <= max(EAN_LENGTHS)
    return digits if is_end else None


def search_words(search: str) -> list[str]:
    """Return the words of a search in lower case; an EAN as it is printed, `EAN 4 006381 333931`,
    is one word, and so is a number with its unit, `50 ml`.
    """
    text = BEFORE_UNIT.sub("", normalize("NFKC", search).lower().strip())
    digits = "".join(EAN_LABEL.sub("", text).split())
    is_whole = len(digits) > 8 or digits == text
    return [digits] if is_whole and ean_of(digits) else text.split()


def singular(word: str) -> str:
    """Return an English plural without its ending, so that a search for it finds the
    singular too.
    """
    if len(word) > 4 and word.endswith(("shes", "ches", "xes", "sses")):
        return word[:-2]
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def nearest_quantities(
    *, count: int, moq: int, step: int, most: int
) -> tuple[int | None, int | None]:
    """Return the nearest quantities that may be ordered, at most `count` and at least `count`; None
    where none is.

    `most` is how many pieces there are.
    """
    below = min(count, most) // step * step
    above = max(-(-count // step) * step, moq)
    return below if below >= moq else None, above if above <= most else None


def images_of(first: str, others: str) -> list[str]:
    """Return the names of a product's pictures in their order, of the columns that hold them."""
    return [first, *others.split()] if first else []


class PriceRule(StrEnum):
    """What gives a price."""

    BASE = "base"
    PROMOTION = "promotion"
    ITEM = "group item"
    PERCENT = "group percent"


class ForTime(NamedTuple):
    """A price in US dollars that holds from and until a moment; None: always."""

    price: Decimal
    starts_at: datetime | None = None
    ends_at: datetime | None = None


class Price(NamedTuple):
    """What a company pays for a piece, in US dollars, and by which rule.

    `former` is what it pays once the price that ends at `until` is over; None where that is not
    more.
    """

    price: Decimal
    rule: PriceRule
    former: Decimal | None = None
    until: datetime | None = None


def price_of(
    *,
    base: Decimal,
    percent: Decimal | None = None,
    items: Sequence[ForTime] = (),
    promotion: ForTime | None = None,
) -> Price:
    """Return a company's price of a product with this wholesale price.

    `percent` is its group's, None without one; `items` what the group pays for the product, those
    in force; `promotion` the least price of those that run, and of several the one that ends last.
    """
    usual, rule = base, PriceRule.BASE
    if percent is not None:
        usual = min(MOST_PAID, usd(base * (100 + percent) / 100))
        rule = PriceRule.PERCENT
    if lasting := [item for item in items if item.ends_at is None]:
        usual = _begun_last(lasting).price
    price, until = usual, None
    if items:
        price, _, until = _begun_last(items)
        rule = PriceRule.ITEM
    if promotion and (percent is None or promotion.price < price):
        price, _, until = promotion
        rule = PriceRule.PROMOTION
    is_less = until is not None and price < usual
    return Price(price, rule, usual if is_less else None, until if is_less else None)


def _begun_last(prices: Sequence[ForTime]) -> ForTime:
    return max(prices, key=lambda one: one.starts_at or datetime.min.replace(tzinfo=UTC))
