"""The demo's orders as plain data: who ordered when, how much, how far it went and what happened on
the way.
"""

from dataclasses import dataclass
from enum import IntEnum

BUYER, FREE, LIMITED = "buyer@demo.test", "free@demo.test", "limited@demo.test"


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


STORIES: tuple[Story, ...] = (
    Story(BUYER, 82, 24, Reached.SHIPPED, free_offers=1, shipping_fee="412.00"),
    Story(
        BUYER,
        76,
        12,
        Reached.SHIPPED,
        short=1,
        shipping_fee="268.50",
        note="One carton was repacked by customs.",
    ),
    Story(FREE, 74, 18, Reached.SHIPPED, shipping_fee="395.00", free_offers=2),
    Story(
        BUYER,
        69,
        8,
        Reached.DEPOSITED,
        cancelled=Cancelled("The buyer's shop opens a season later than planned.", by_terms=True),
    ),
    Story(BUYER, 63, 46, Reached.SHIPPED, short=1, partial=2, free_offers=2, shipping_fee="738.00"),
    Story(LIMITED, 60, 9, Reached.SHIPPED, shipping_fee="154.00"),
    Story(
        BUYER,
        56,
        15,
        Reached.SHIPPED,
        shipping_fee="301.00",
        message="Please put the hand creams into a carton of their own, they go to another shop.",
        note="Hand creams are in carton 1.",
    ),
    Story(BUYER, 50, 31, Reached.SHIPPED, short=1, substitutes=1, shipping_fee="566.00"),
    Story(
        BUYER,
        44,
        9,
        Reached.CONFIRMED,
        shipping_fee="188.00",
        packed=False,
        cancelled=Cancelled(
            "The carrier lost the pallet and the goods cannot be had again in time.", by_terms=False
        ),
    ),
    Story(BUYER, 38, 43, Reached.SHIPPED, partial=1, free_offers=1, shipping_fee="702.00"),
    Story(FREE, 35, 26, Reached.SHIPPED, short=1, shipping_fee="455.00"),
    Story(
        BUYER,
        30,
        18,
        Reached.SHIPPED,
        shipping_fee="344.00",
        ship_request="By sea, please. There is no hurry this time.",
        po_number="4500118",
    ),
    Story(BUYER, 25, 27, Reached.PAID, partial=1, free_offers=1, shipping_fee="498.00"),
    Story(LIMITED, 20, 7, Reached.CONFIRMED, shipping_fee="131.00"),
    Story(
        BUYER,
        18,
        41,
        Reached.CONFIRMED,
        short=1,
        partial=1,
        free_offers=2,
        shipping_fee="684.00",
        note="The balms come from the new batch, best before 2029.",
    ),
    Story(
        BUYER,
        15,
        12,
        Reached.BALANCE_ANNOUNCED,
        free_offers=1,
        shipping_fee="259.00",
        message="Our bank closes for the holidays, so the balance will come early next week.",
    ),
    Story(FREE, 14, 22, Reached.CONFIRMED, shipping_fee="402.00"),
    # More was refused than the shipping costs: paid at once, and the rest goes to the wallet.
    Story(BUYER, 13, 16, Reached.PAID, short=3, dearest=True, shipping_fee="45.00"),
    Story(
        BUYER,
        8,
        22,
        Reached.PREPARING,
        moves_address=True,
        ship_request="Deliveries are possible from 8:00 to 14:00 only.",
        message="We moved to the hall next door, the new address is in the order.",
    ),
    Story(BUYER, 6, 6, Reached.PREPARING),
    Story(FREE, 5, 14, Reached.PREPARING, back_order=True),
    Story(
        BUYER,
        4,
        52,
        Reached.DEPOSITED,
        message="Is it possible to get testers for the cushions? Two of each would do.",
    ),
    Story(LIMITED, 2, 5, Reached.DEPOSITED),
    Story(BUYER, 1.4, 5, Reached.ANNOUNCED),
    Story(FREE, 0.6, 11, Reached.ANNOUNCED),
    Story(BUYER, 0.2, 3, Reached.ANNOUNCED),
)
"""Told in the order of placing, so that a later order has the larger id."""
