"""Money: US dollars as Decimal with two places, rounded half up, here and nowhere else."""

from decimal import ROUND_HALF_UP, Decimal

CENT = Decimal("0.01")
ZERO = Decimal("0.00")


def usd(amount: Decimal | int | str) -> Decimal:
    """Return an amount of US dollars with two places, half up (readings, Money)."""
    return Decimal(amount).quantize(CENT, rounding=ROUND_HALF_UP)
