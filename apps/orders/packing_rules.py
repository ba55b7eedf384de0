"""Pure rules of packing: pieces packed against confirmed, the measured weight against the
products'.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

from apps.common.texts import Text, gettext as _

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
            text = (
                _("Box %(box)s has no size.") if box.weight_g else _("Box %(box)s has no weight.")
            )
            faults.append(text % {"box": label})
        if not box.contents:
            faults.append(_("Box %(box)s is empty.") % {"box": label})
    return faults


def difference_texts(
    *, boxes: Sequence[Box], lines: Sequence[LineToPack], skus: Mapping[int, str]
) -> list[Text]:
    """Return which pieces are missing in the boxes or too many, a sentence each; `skus` names every
    packed product.
    """
    texts = []
    known = {**skus, **{line.product_id: line.sku for line in lines}}
    for product_id, difference in differences(packed=packed_pieces(boxes), lines=lines).items():
        values = {"sku": known[product_id], "pieces": f"{abs(difference):,}"}
        if difference < 0:
            texts.append(Text("%(sku)s: %(pieces)s not packed.", **values))
        else:
            texts.append(Text("%(sku)s: %(pieces)s too many.", **values))
    return texts
