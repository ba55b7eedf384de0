"""A plain model of a negotiation: which pieces of an order are sent at which price, and why the
others are not.
"""

import random
from collections import Counter
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal

from apps.orders.models import LineProposal
from apps.orders.services.proposals import NewProposal

Kind, State = LineProposal.Kind, LineProposal.State
DAY = date(2031, 1, 1)
OFF = (date(2026, 12, 25), date(2027, 1, 1))  # of the weeks in which it is negotiated
PRICES = [Decimal(text) for text in ("0.01", "4.50", "5.99", "6.00", "6.01", "7.25", "9999.99")]


@dataclass
class Sent:
    """A line that is sent as things stand; `root` is the ordered line or the substitute that its
    pieces began as.
    """

    product: int
    price: Decimal
    pieces: int
    root: int

    @property
    def goods(self) -> tuple[int, Decimal]:
        return self.product, self.price


@dataclass
class Model:
    """What an order's proposals have made of it, in plain arithmetic."""

    sent: dict[int, Sent] = field(default_factory=dict)
    aside: Counter[tuple[int, Decimal]] = field(default_factory=Counter)
    began: dict[int, int] = field(default_factory=dict)
    fates: dict[int, Counter[str]] = field(default_factory=dict)
    open: dict[int, LineProposal] = field(default_factory=dict)
    mails: Counter[str] = field(default_factory=Counter)

    def begin(self, line: int, product: int, price: Decimal, pieces: int) -> None:
        """Take in an ordered line, or the line of a substitute."""
        self.sent[line] = Sent(product, price, pieces, line)
        self.began[line], self.fates[line] = pieces, Counter()

    @property
    def cost(self) -> Decimal:
        return sum((line.price * line.pieces for line in self.sent.values()), Decimal(0))

    def promised(self) -> Counter[int]:
        """Return the pieces of each product that are promised: what is sent, and open
        substitutes.
        """
        pieces: Counter[int] = Counter()
        for line in self.sent.values():
            pieces[line.product] += line.pieces
        for one in self.open.values():
            if one.product_id is not None:
                pieces[one.product_id] += one.pieces
        return +pieces

    def draw(self, chance: random.Random, line: int, others: list[int]) -> NewProposal:
        """Draw a proposal for a line, right or wrong."""
        there = self.sent[line].pieces
        return NewProposal(
            line,
            chance.choice(Kind.values),
            chance.randint(0, there) if chance.random() < 0.9 else chance.randint(1, 90),
            chance.choice(["accept", "decline"]),
            price=chance.choice(PRICES)
            if chance.random() < 0.5
            else Decimal(chance.randint(0, 1200)) / 100,
            product_id=chance.choice(others),
            expected_on=DAY if chance.random() < 0.95 else None,
            reason=chance.choice(["damaged", "raised"]) if chance.random() < 0.95 else "",
        )

    def refused(self, drawn: list[NewProposal]) -> set[int]:
        """Return the lines whose proposals cannot be made, the ones before them in the same call
        counted in.
        """
        goods = {line.goods for line in self.sent.values()} | set(self.aside)
        goods |= {
            (one.product_id, one.price) for one in self.open.values() if one.product_id is not None
        }
        goods |= {
            (self.sent[one.line_id].product, one.price)
            for one in self.open.values()
            if one.kind == Kind.PRICE
        }
        faults = set()
        for one in drawn:
            line = self.sent[one.line_id]
            if not self._is_readable(one, line):
                faults.add(one.line_id)
                continue
            price, pieces, product = self._terms(one, line)
            is_there = one.kind in (Kind.PRICE, Kind.SUBSTITUTE) and (product, price) in goods
            costs_more = one.unanswered == "accept" and price * pieces > line.price * line.pieces
            if is_there or costs_more:
                faults.add(one.line_id)
            goods.add((product, price))
        return faults

    def _is_readable(self, one: NewProposal, line: Sent) -> bool:
        price = one.price or Decimal(0)
        match one.kind:
            case Kind.PRICE:
                return bool(one.reason) and price > 0 and price != line.price
            case Kind.SUBSTITUTE:
                return one.pieces > 0 and price > 0
        return one.pieces < line.pieces and (one.kind == Kind.FEWER or one.expected_on is not None)

    def _terms(self, one: NewProposal, line: Sent) -> tuple[Decimal, int, int]:
        match one.kind:
            case Kind.PRICE:
                return one.price or Decimal(0), line.pieces, line.product
            case Kind.SUBSTITUTE:
                return one.price or Decimal(0), one.pieces, one.product_id or 0
        return line.price, one.pieces, line.product

    def due(self, moment: datetime) -> list[LineProposal]:
        return [one for one in self.open.values() if one.answer_by <= moment]

    def close(
        self, one: LineProposal, answer: str, agreed: int | None, *, lost: str = "declined"
    ) -> dict[str, int]:
        """Apply an answer, empty for one that was taken back; return where the line's pieces went.

        `agreed` is the line that a substitute or another price became.
        """
        del self.open[one.pk]
        line = self.sent[one.line_id]
        ordered = line.pieces
        if not answer:
            return {"confirmed": ordered}
        went = self._went(one, answer, ordered, lost)
        confirmed = went.get("confirmed", 0) if one.kind != Kind.PRICE else 0
        line.pieces = confirmed
        if ordered > confirmed:
            self.aside[line.goods] += ordered - confirmed
        if not confirmed:
            del self.sent[one.line_id]
        self.fates[line.root].update(
            {fate: pieces for fate, pieces in went.items() if fate != "confirmed"}
        )
        if answer == "accept" and agreed is not None:
            self._add(one, agreed, ordered, line)
        return went

    def _add(self, one: LineProposal, agreed: int, ordered: int, line: Sent) -> None:
        if one.kind == Kind.PRICE:
            self.sent[agreed] = Sent(line.product, one.price, ordered, line.root)
        elif one.product_id is not None:
            self.begin(agreed, one.product_id, one.price, one.pieces)

    def _went(self, one: LineProposal, answer: str, ordered: int, lost: str) -> dict[str, int]:
        if answer == "decline":
            return {lost: ordered}
        match one.kind:
            case Kind.PRICE:
                return {"confirmed": ordered}
            case Kind.SUBSTITUTE:
                return {"replaced": ordered}
        return {
            "confirmed": one.pieces,
            "later" if one.kind == Kind.LATER else lost: ordered - one.pieces,
        }

    def explained(self) -> bool:
        """Return whether of every line ordered = confirmed + declined + replaced +
        later + expired.
        """
        confirmed: Counter[int] = Counter()
        for line in self.sent.values():
            confirmed[line.root] += line.pieces
        return all(
            self.began[root] == confirmed[root] + self.fates[root].total() for root in self.began
        )
