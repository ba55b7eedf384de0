"""What comes of reading a message, and what is known of the company that wrote it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

WHICH, HOW_MANY, NO_LAST_TIME = "which_product", "how_many", "no_last_time"


@dataclass(frozen=True)
class Company:
    """What is known of a company: what it calls products, and its last order by SKU in pieces."""

    words: Mapping[str, str] = field(default_factory=dict)
    last_order: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Suggested:
    """A product that may be meant, and why."""

    sku: str
    why: str
    agreeing: tuple[str, ...] = ()


@dataclass(frozen=True)
class ReadLine:
    """What one part of a message asks for, from `start` to `end` of its text; sure where nothing
    has to be asked.
    """

    start: int
    end: int
    row: int
    name: str  # the words that name the product
    sku: str = ""
    pieces: int = 0
    suggested: tuple[Suggested, ...] = ()
    question: str = ""
    why: str = ""
    guess: int = 0  # pieces that an unclear quantity may mean
    code: str = ""  # of the company's own, which is not known yet
    is_repeated: bool = False  # of the last order
    words: str = ""  # as they stand in the text
    is_counted: bool = False  # a number stands beside its product
    is_packed: bool = False  # what is asked is how many pieces are in cartons
    packs: int = 0  # cartons, where that alone is asked
    unit: str = ""  # what they are called

    @property
    def is_sure(self) -> bool:
        """Return whether product and pieces are plain."""
        return not self.question


class Reading(NamedTuple):
    """The lines of a message, and its words beside a number that name no product which is known."""

    lines: list[ReadLine]
    unread: list[str]
