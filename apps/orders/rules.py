"""Pure rules of orders: prices of lines, weights, what is due; whether a packing agrees with its
order; what is told to customs.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_DOWN, ROUND_HALF_UP, Decimal
from typing import Any

from apps.catalog.errors import BelowMoq, NotMultipleOfMoq, OutOfStock
from apps.catalog.rules import check_quantity, is_short
from apps.common.errors import Invalid, PortalError
from apps.common.money import ZERO, usd
from apps.common.texts import Text, phrase
from apps.orders.errors import NoLines

CONFIRMED_TAG = "Confirmed"
NOT_CONFIRMED_TAG = "Not Confirmed"
FREE_OFFER_TAG = "Free offer"

WIRE = "T/T"  # how an order is paid, as the specification spells it
UNKNOWN_SKU = "Unknown SKU."
MOST_OF_GOODS = Decimal("0.3")  # a shipping fee above is asked about
MAX_BASKET_LINES = 2_000
BASKET_FULL = f"A basket holds at most {MAX_BASKET_LINES:,} products."


def line_total(*, price: Decimal, quantity: int) -> Decimal:
    """Return a line's price in US dollars: frozen wholesale price times pieces (api.md, Orders)."""
    return usd(price * quantity)


def subtotal(prices: Iterable[Decimal]) -> Decimal:
    """Return the sum of lines' prices in US dollars."""
    return usd(sum(prices, ZERO))


def kilograms(grams: int) -> Decimal:
    """Return kilograms with one decimal, rounded up (section 9)."""
    return Decimal(-(-grams // 100)) / 10


def deposit_due(*, goods: Decimal, rate: Decimal) -> Decimal:
    """Return the deposit in US dollars: the rate times the products' subtotal, half up (readings,
    Money).
    """
    return usd(goods * rate)


def balance_due(*, real_total: Decimal, shipping_fee: Decimal, received: Decimal) -> Decimal:
    """Return what is still to pay of a confirmed order in US dollars, never below zero (readings,
    Money).
    """
    return max(ZERO, usd(real_total + shipping_fee - received))


def overpayment(*, real_total: Decimal, shipping_fee: Decimal, received: Decimal) -> Decimal:
    """Return what was received beyond the cost of a confirmed order in US dollars (readings,
    Money).
    """
    return max(ZERO, usd(received - real_total - shipping_fee))


def fee_guard(*, shipping_fee: Decimal, goods: Decimal) -> str:
    """Return what has to be looked at in a shipping fee: more than 30 % of the goods; both in US
    dollars. Nothing where it is usual.
    """
    if shipping_fee <= goods * MOST_OF_GOODS:
        return ""
    if not goods:
        return phrase("%(fee)s for an order without goods.", fee=shipping_fee)
    percent = (shipping_fee * 100 / goods).to_integral_value(ROUND_CEILING)
    return phrase(
        "%(fee)s is %(percent)s %% of the goods, %(goods)s.",
        fee=shipping_fee,
        percent=f"{percent:,}",
        goods=goods,
    )


def line_tag(*, is_confirmed: bool, order_price: Decimal) -> str:
    """Return a line's tag (readings, Order life): a line that is not confirmed and costs nothing is
    a free offer.
    """
    if is_confirmed:
        return CONFIRMED_TAG
    return NOT_CONFIRMED_TAG if order_price else FREE_OFFER_TAG


def check_basket(
    counts: Mapping[str, int], products: Mapping[str, Any], *, stock_free: bool
) -> None:
    """Check the pieces by SKU of a basket against the products that its buyer sees, before it
    becomes an order, in the order of api.md (POST /temp-order).

    Raises:
        NoLines: it is empty.
        Invalid: a SKU does not exist for this buyer.
        OutOfStock: pieces that cannot be promised to a buyer who is not `stock_free`.
        BelowMoq, NotMultipleOfMoq: quantities that cannot be ordered.
    """
    if not counts:
        raise NoLines
    if unknown := {sku: [UNKNOWN_SKU] for sku in counts if sku not in products}:
        raise Invalid(errors=unknown)
    short = {}
    faults: dict[type[PortalError], dict[str, list[str]]] = {}
    for sku, count in counts.items():
        product = products[sku]
        available = product.available(stock_free=stock_free)
        if is_short(available=available, count=count, stock_free=stock_free):
            short[sku] = [OutOfStock.message]
        try:
            check_quantity(count=count, moq=product.moq, step=product.step, held=product.held)
        except (BelowMoq, NotMultipleOfMoq) as fault:
            faults.setdefault(type(fault), {})[sku] = [fault.message]
    if short:
        raise OutOfStock(errors=short)
    for refusal in (BelowMoq, NotMultipleOfMoq):
        if refusal in faults:
            raise refusal(errors=faults[refusal])


# Packing: pieces packed against confirmed, the measured weight against the products'.

USUAL_PERCENT = (4, 15)
"""How much boxes usually weigh above the products in them: cartons, padding, leaflets."""


LITRE = Decimal("0.001")  # of a cubic metre


@dataclass(frozen=True)
class Contents:
    """Pieces of a product in one box."""

    product_id: int
    quantity: int


@dataclass(frozen=True)
class Box:
    """`count` boxes of one kind: grams and centimetres of each (0: not measured yet), and what is
    in one of them.
    """

    count: int
    weight_g: int
    length: Decimal
    width: Decimal
    height: Decimal
    contents: tuple[Contents, ...] = ()

    @property
    def is_measured(self) -> bool:
        """Return whether weight and sizes are known."""
        return bool(self.weight_g and self.length and self.width and self.height)


@dataclass(frozen=True)
class LineToPack:
    """What is sent of a product: pieces, and grams of one of them."""

    product_id: int
    sku: str
    name: str
    pieces: int
    weight_g: int


def packed_pieces(boxes: Iterable[Box]) -> Counter[int]:
    """Return the pieces in all boxes by product id."""
    packed: Counter[int] = Counter()
    for box in boxes:
        for item in box.contents:
            packed[item.product_id] += item.quantity * box.count
    return packed


def differences(*, packed: Mapping[int, int], lines: Iterable[LineToPack]) -> dict[int, int]:
    """Return packed less confirmed by product id, where they differ; what is not in the order
    counts as none.
    """
    confirmed = {line.product_id: line.pieces for line in lines}
    pieces = {id_: packed.get(id_, 0) - confirmed.get(id_, 0) for id_ in (*confirmed, *packed)}
    return {id_: difference for id_, difference in pieces.items() if difference}


def count_boxes(boxes: Iterable[Box]) -> int:
    """Return the boxes of all kinds."""
    return sum(box.count for box in boxes)


def measured_g(boxes: Iterable[Box]) -> int:
    """Return the grams of all boxes."""
    return sum(box.count * box.weight_g for box in boxes)


def cubic_metres(*, count: int, length: Decimal, width: Decimal, height: Decimal) -> Decimal | None:
    """Return the cubic metres of `count` boxes of a size in centimetres, to the litre, half up;
    None where a side is not measured.
    """
    volume = count * length * width * height / 1_000_000
    return volume.quantize(LITRE, ROUND_HALF_UP) if volume else None


def products_g(*, packed: Mapping[int, int], lines: Iterable[LineToPack]) -> int:
    """Return the grams of what is packed, by the products' own weights."""
    return sum(packed.get(line.product_id, 0) * line.weight_g for line in lines)


def percent_above(*, measured: int, products: int) -> int | None:
    """Return by how many per cent the boxes outweigh the products, half up; None where either is
    unknown.
    """
    if not measured or not products:
        return None
    return (200 * (measured - products) + products) // (2 * products)


def is_unusual(percent: int | None) -> bool:
    """Return whether somebody has to say that a weight is right as it is."""
    low, high = USUAL_PERCENT
    return percent is not None and not low <= percent <= high


def weight_text(percent: int) -> Text:
    """Return a percentage in words: `22 % above`."""
    number = abs(percent)
    if percent < 0:
        return Text("%(number)s %% below", number=number)
    return Text("%(number)s %% above", number=number)


def box_labels(boxes: Sequence[Box]) -> list[str]:
    """Return the running numbers of each kind's boxes: `1`, `2`, `3–5`."""
    labels, last = [], 0
    for box in boxes:
        first, last = last + 1, last + box.count
        labels.append(str(first) if first == last else f"{first}–{last}")
    return labels


def completion_faults(
    *, boxes: Sequence[Box], lines: Sequence[LineToPack], skus: Mapping[int, str]
) -> list[str]:
    """Return what is missing before a packing is complete, a sentence each; `skus` names every
    packed product.
    """
    faults = [str(text) for text in difference_texts(boxes=boxes, lines=lines, skus=skus)]
    for label, box in zip(box_labels(boxes), boxes, strict=True):
        if not box.is_measured:
            faults.append(
                phrase("Box %(box)s has no size.", box=label)
                if box.weight_g
                else phrase("Box %(box)s has no weight.", box=label)
            )
        if not box.contents:
            faults.append(phrase("Box %(box)s is empty.", box=label))
    return faults


def difference_texts(
    *, boxes: Sequence[Box], lines: Sequence[LineToPack], skus: Mapping[int, str]
) -> list[Text]:
    """Return which pieces are missing in the boxes or too many, a sentence each; `skus` names every
    packed product.
    """
    texts = []
    sku_of = {**skus, **{line.product_id: line.sku for line in lines}}
    for product_id, difference in differences(packed=packed_pieces(boxes), lines=lines).items():
        values = {"sku": sku_of[product_id], "pieces": f"{abs(difference):,}"}
        if difference < 0:
            texts.append(Text("%(sku)s: %(pieces)s not packed.", **values))
        else:
            texts.append(Text("%(sku)s: %(pieces)s too many.", **values))
    return texts


# Customs: delivery terms, and a declared value spread over the goods.

CURRENCY = "USD"
INCOTERMS = {
    "EXW": "Ex works",
    "FCA": "Free carrier",
    "FOB": "Free on board",
    "CPT": "Carriage paid to",
    "CIF": "Cost, insurance and freight",
    "CIP": "Carriage and insurance paid to",
    "DAP": "Delivered at place",
    "DDP": "Delivered duty paid",
}
USUAL_INCOTERM = "DAP"
CENT, UNIT = Decimal("0.01"), Decimal("0.0001")


def split_terms(terms: str) -> tuple[str, str] | None:
    """Return the Incoterm and the place of delivery terms such as `FCA Incheon`; None if they name
    no Incoterm.
    """
    code, _, place = " ".join(terms.split()).partition(" ")
    return (code.upper(), place) if code.upper() in INCOTERMS else None


def spread(value: Decimal, over: Sequence[Decimal]) -> list[Decimal]:
    """Return a value in US dollars spread in proportion, in whole cents that sum to it exactly.

    The cents that rounding leaves go to those who lost most by it.
    """
    shares = list(over) if any(over) else [Decimal(1)] * len(over)
    whole = sum(shares, ZERO)
    exact = [value * share / whole for share in shares]
    parts = [amount.quantize(CENT, ROUND_DOWN) for amount in exact]
    cents = int((value - sum(parts, ZERO)) / CENT)
    for place in sorted(range(len(parts)), key=lambda place: parts[place] - exact[place])[:cents]:
        parts[place] += CENT
    return parts


def unit_price(*, amount: Decimal, quantity: int) -> Decimal:
    """Return the price of one piece in US dollars, to a hundredth of a cent where whole cents would
    not do.
    """
    exact = (amount / quantity).quantize(UNIT)
    return usd(exact) if exact == exact.quantize(CENT) else exact
