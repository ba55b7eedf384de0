"""Money: US dollars as Decimal with two places, rounded half up, here and nowhere else."""

import re
from decimal import ROUND_HALF_UP, Decimal

CENT = Decimal("0.01")
ZERO = Decimal("0.00")
USD_PATTERN = re.compile(r"-?(\d{1,12}|\d{1,3}(,\d{3}){1,3})(\.\d{1,2})?", re.ASCII)


def usd(amount: Decimal | int | str) -> Decimal:
    """Return an amount of US dollars with two places, half up (readings, Money)."""
    return Decimal(amount).quantize(CENT, rounding=ROUND_HALF_UP)


def dollars(amount: object) -> str:
    """Return US dollars as people read them: `$1,234.50`."""
    return f"${amount:,.2f}"


def percent(rate: Decimal) -> str:
    """Return a rate as people read it: `4.4 %`."""
    return f"{(rate * 100).normalize():f} %"


def read_usd(text: str) -> Decimal:
    """Return an amount of US dollars as staff type it: `1,234.5`, commas between thousands only.

    Raises:
        ValueError: anything else; `86,40` is not guessed at.
    """
    if not USD_PATTERN.fullmatch(text.strip()):
        raise ValueError(text)
    return usd(text.strip().replace(",", ""))
