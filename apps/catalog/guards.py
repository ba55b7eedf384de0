"""What has to be looked at before a price, a promotion's price or a count is saved, typed by hand
or imported (decision 0052). Pure functions; prices are US dollars, counts pieces.
"""

from collections.abc import Iterable
from decimal import ROUND_CEILING, Decimal
from enum import StrEnum
from typing import NamedTuple

DROP = Decimal("0.7")
RISE = 2
TENTH = 10
MOST_PERCENT = 1_000_000
POINT_LOST = {
    900: "Ten times as much: is a decimal point lost?",
    9900: "A hundred times as much: is a decimal point lost?",
}
POINT_ADDED = {
    90: "A tenth of it: is the decimal point in the wrong place?",
    99: "A hundredth of it: is the decimal point in the wrong place?",
}


class Guard(StrEnum):
    """The guards of prices and counts, by the names that imports have for them."""

    DROP = "price"
    RISE = "rise"
    FREE = "free"
    ABOVE_USRP = "above"
    PROMOTION = "promotion"
    FALL = "fall"
    PROMISED = "promised"


class Named(NamedTuple):
    """What a guard names: the sentence for staff, and by how much, in percent or pieces; 1 where
    there is no measure.
    """

    guard: Guard
    text: str
    size: int = 1


def price_guards(*, old: Decimal | None, new: Decimal) -> list[Named]:
    """Return what has to be looked at in a product's new price: more than 30 % down, more than
    100 % up, or 0.00. `old` is None for a product that is added; from 0.00 nothing rises.
    """
    if not new:
        return [Named(Guard.FREE, "0.00: it would cost nothing.")]
    if not old:
        return []
    change = f"{old:,.2f} → {new:,.2f}"
    if new < old * DROP:
        percent = _percent(old - new, old)
        return [_named(Guard.DROP, f"{change}, down by {percent} %.", percent, POINT_ADDED)]
    if new > old * RISE:
        percent = min(_percent(new - old, old), MOST_PERCENT)
        return [_named(Guard.RISE, f"{change}, up by {percent:,} %.", percent, POINT_LOST)]
    return []


def wholesale_guards(
    wholesale: Decimal, *, usrp: Decimal, promotions: Iterable[tuple[str, Decimal]] = ()
) -> list[Named]:
    """Return what has to be looked at where a wholesale price is above the USRP, or below what open
    promotions (name, price) ask.
    """
    named = []
    if wholesale > usrp:
        text = f"{wholesale:,.2f} is above the USRP, {usrp:,.2f}."
        named.append(Named(Guard.ABOVE_USRP, text))
    for name, price in promotions:
        if price > wholesale:
            text = f"{wholesale:,.2f} is below the promotion “{name}”, which asks {price:,.2f}."
            named.append(Named(Guard.PROMOTION, text))
    return named


def promotion_guards(price: Decimal, *, wholesale: Decimal) -> list[Named]:
    """Return what has to be looked at in a promotion's price: above the wholesale price, more than
    30 % below it, or 0.00.
    """
    if price > wholesale:
        text = f"{price:,.2f} is above the wholesale price, {wholesale:,.2f}."
        return [Named(Guard.PROMOTION, text)]
    return price_guards(old=wholesale, new=price)


def stock_guards(*, old: int, new: int, promised: int) -> list[Named]:
    """Return what has to be looked at in a new count of the shelf: less than a tenth of what was
    there, or less than is promised.
    """
    named = []
    if new * TENTH < old:
        text = f"{old:,} → {new:,}: less than a tenth is left."
        named.append(Named(Guard.FALL, text, old - new))
    if promised > new:
        short = promised - new
        text = f"{promised:,} are promised: {short:,} more than would be on the shelf."
        named.append(Named(Guard.PROMISED, text, short))
    return named


def _named(guard: Guard, text: str, percent: int, reasons: dict[int, str]) -> Named:
    return Named(guard, f"{text} {reasons.get(percent, '')}".rstrip(), percent)


def _percent(change: Decimal, before: Decimal) -> int:
    return int((change * 100 / before).to_integral_value(ROUND_CEILING))
