"""The demo's orders as plain data: who ordered when, how much, how far it went and what happened on
the way.
"""

from dataclasses import dataclass
from enum import IntEnum

from portal.demo.data import read

BUYER, LIMITED = "buyer@demo.test", "limited@demo.test"


class Reached(IntEnum):
    """How far an order went, in the order of its steps."""

    ANNOUNCED = 1  # received; the deposit's wire is announced
    DEPOSITED = 2  # received, and the deposit has arrived
    PREPARING = 3
    CONFIRMED = 4  # a balance is due and no payment is under way
    BALANCE_ANNOUNCED = 5  # the balance's wire is announced
    PAID = 6
    SHIPPED = 7


@dataclass(frozen=True)
class Cancelled:
    """Why staff cancelled an order, and whether the terms applied or it was the seller's fault."""

    reason: str
    by_terms: bool


@dataclass(frozen=True)
class Story:
    """One order. `short` lines were refused, `partial` ones confirmed for half: the cheapest, or
    the dearest.
    """

    buyer: str
    days_ago: float
    lines: int
    reached: Reached
    short: int = 0
    partial: int = 0
    free_offers: int = 0
    substitutes: int = 0
    dearest: bool = False
    shipping_fee: str = "0.00"
    message: str = ""
    ship_request: str = ""
    po_number: str = ""
    note: str = ""
    moves_address: bool = False
    packed: bool = True
    back_order: bool = False
    cancelled: Cancelled | None = None


STORIES = tuple(
    Story(
        **{
            **row,
            "reached": Reached[row["reached"]],
            "cancelled": Cancelled(**row["cancelled"]) if "cancelled" in row else None,
        }
    )
    for row in read("stories")
)
"""In the order of placing, so that a later order has the larger id."""
