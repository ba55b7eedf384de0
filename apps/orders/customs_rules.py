"""Pure rules of what is told to customs: delivery terms, and a declared value spread over the
goods.
"""

from collections.abc import Sequence
from decimal import ROUND_DOWN, Decimal

from apps.common.money import ZERO, usd

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
    left = int((value - sum(parts, ZERO)) / CENT)
    for place in sorted(range(len(parts)), key=lambda place: parts[place] - exact[place])[:left]:
        parts[place] += CENT
    return parts


def unit_price(*, amount: Decimal, quantity: int) -> Decimal:
    """Return the price of one piece in US dollars, to a hundredth of a cent where whole cents would
    not do.
    """
    exact = (amount / quantity).quantize(UNIT)
    return usd(exact) if exact == exact.quantize(CENT) else exact
