"""What has to be looked at before a price, a promotion's price or a count is saved, typed by hand
or imported (decision 0052). Pure functions; prices are US dollars, counts pieces.
"""

from collections.abc import Iterable, Mapping
from decimal import ROUND_CEILING, Decimal
from enum import StrEnum
from typing import NamedTuple

DROP = Decimal("0.7")
RISE = 2
TENTH = 10
MOST_PERCENT = 1_000_000


def _(key: str) -> str:
    """Mark a sentence: it is translated where staff read it."""
    return key


FREE = _("0.00: it would cost nothing.")
DOWN = _("%(old)s → %(new)s, down by %(percent)s %%.")
POINT_ADDED = {
    90: _(
        "%(old)s → %(new)s, down by %(percent)s %%. "
        "A tenth of it: is the decimal point in the wrong place?"
    ),
    99: _(
        "%(old)s → %(new)s, down by %(percent)s %%. "
        "A hundredth of it: is the decimal point in the wrong place?"
    ),
}
UP = _("%(old)s → %(new)s, up by %(percent)s %%.")
POINT_LOST = {
    900: _("%(old)s → %(new)s, up by %(percent)s %%. Ten times as much: is a decimal point lost?"),
    9900: _(
        "%(old)s → %(new)s, up by %(percent)s %%. A hundred times as much: is a decimal point lost?"
    ),
}
ABOVE_USRP = _("%(price)s is above the USRP, %(usrp)s.")
BELOW_PROMOTION = _("%(price)s is below the promotion “%(promotion)s”, which is at %(asked)s.")
ABOVE_WHOLESALE = _("%(price)s is above the wholesale price, %(wholesale)s.")
FALL = _("%(old)s → %(new)s: less than a tenth is left.")
PROMISED = _("%(promised)s are promised: %(short)s more than would be on the shelf.")


class Guard(StrEnum):
    """The guards of prices and counts, by the names that imports have for them."""

    DROP = "price"
    RISE = "rise"
    FREE = "free"
    ABOVE_USRP = "above"
    PROMOTION = "promotion"
    FALL = "fall"
    PROMISED = "promised"


class GuardWarning(NamedTuple):
    """What a guard names: the sentence for staff with its values, and by how much, in percent or
    pieces; 1 where there is no measure.
    """

    guard: Guard
    key: str
    values: Mapping[str, str]
    size: int = 1


def price_guards(*, old: Decimal | None, new: Decimal) -> list[GuardWarning]:
    """Return what has to be looked at in a product's new price: more than 30 % down, more than
    100 % up, or 0.00. `old` is None for a product that is added; from 0.00 nothing rises.
    """
    if not new:
        return [GuardWarning(Guard.FREE, FREE, {})]
    if not old:
        return []
    if new < old * DROP:
        guard, percent = Guard.DROP, _percent(old - new, old)
        key = POINT_ADDED.get(percent, DOWN)
    elif new > old * RISE:
        guard, percent = Guard.RISE, min(_percent(new - old, old), MOST_PERCENT)
        key = POINT_LOST.get(percent, UP)
    else:
        return []
    values = {"old": f"{old:,.2f}", "new": f"{new:,.2f}", "percent": f"{percent:,}"}
    return [GuardWarning(guard, key, values, percent)]


def wholesale_guards(
    wholesale: Decimal, *, usrp: Decimal, promotions: Iterable[tuple[str, Decimal]]
) -> list[GuardWarning]:
    """Return what has to be looked at where a wholesale price is above the USRP, or below what open
    promotions (name, price) ask.
    """
    warnings = []
    price = f"{wholesale:,.2f}"
    if wholesale > usrp:
        warnings.append(
            GuardWarning(Guard.ABOVE_USRP, ABOVE_USRP, {"price": price, "usrp": f"{usrp:,.2f}"})
        )
    for name, amount in promotions:
        if amount > wholesale:
            values = {"price": price, "promotion": name, "asked": f"{amount:,.2f}"}
            warnings.append(GuardWarning(Guard.PROMOTION, BELOW_PROMOTION, values))
    return warnings


def promotion_guards(price: Decimal, *, wholesale: Decimal) -> list[GuardWarning]:
    """Return what has to be looked at in a promotion's price: above the wholesale price, more than
    30 % below it, or 0.00.
    """
    if price > wholesale:
        values = {"price": f"{price:,.2f}", "wholesale": f"{wholesale:,.2f}"}
        return [GuardWarning(Guard.PROMOTION, ABOVE_WHOLESALE, values)]
    return price_guards(old=wholesale, new=price)


def stock_guards(*, old: int, new: int, promised: int) -> list[GuardWarning]:
    """Return what has to be looked at in a new count of the shelf: less than a tenth of what was
    there, or less than is promised.
    """
    warnings = []
    if new * TENTH < old:
        warnings.append(
            GuardWarning(Guard.FALL, FALL, {"old": f"{old:,}", "new": f"{new:,}"}, old - new)
        )
    if promised > new:
        short = promised - new
        values = {"promised": f"{promised:,}", "short": f"{short:,}"}
        warnings.append(GuardWarning(Guard.PROMISED, PROMISED, values, short))
    return warnings


def _percent(change: Decimal, before: Decimal) -> int:
    return int((change * 100 / before).to_integral_value(ROUND_CEILING))
