"""The order's life as the readings of the specification tell it: plain numbers, no database, no
framework.

Every step returns what the portal must answer: `OK`, or the code of its refusal, after which
nothing has changed.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from portal.tests.fuzz.rows import (
    BALANCE,
    CANCELLED,
    CONFIRMED,
    DEPOSIT,
    FEE,
    PAID,
    PREPARING,
    RECEIVED,
    SHIPPED,
    ZERO,
    Line,
    Link,
    Order,
    Wire,
)

OK = "ok"
INVALID, NOT_FOUND, OUT_OF_STOCK = "invalid", "not_found", "out_of_stock"
ORDER_EXISTS, WRONG_STATUS = "order_exists", "wrong_status"
PENDING, REFUSED = "payment_pending", "payment_refused"


@dataclass
class Model:
    """All orders, the shelf and the wallets; the names of buyers who may order beyond the shelf."""

    on_hand: dict[str, int]
    prices: Mapping[str, Decimal]
    stock_free: frozenset[str]
    wallets: dict[str, Decimal] = field(default_factory=dict)
    orders: list[Order] = field(default_factory=list)
    placed: list[Order] = field(default_factory=list)  # oldest first

    def allocated(self, sku: str) -> int:
        """Return the pieces of a product that are promised."""
        return sum(order.allocated.get(sku, 0) for order in self.orders)

    def short(self, sku: str) -> int:
        """Return the pieces that are promised beyond the shelf."""
        return max(0, self.allocated(sku) - self.on_hand[sku])

    def has_stock(self, buyer: str, quantities: Mapping[str, int]) -> bool:
        """Return whether pieces can be promised to a buyer."""
        return buyer in self.stock_free or all(
            self.on_hand[sku] - self.allocated(sku) >= pieces for sku, pieces in quantities.items()
        )

    # What the buyer does.

    def request(self, buyer: str, basket: Mapping[str, int]) -> str:
        """Request an order: nothing is reserved."""
        if not self.has_stock(buyer, basket):
            return OUT_OF_STOCK
        lines = [Line(sku, self.prices[sku], pieces) for sku, pieces in basket.items()]
        order = Order(len(self.orders), buyer, lines)
        order.total = order.real_total
        self.orders.append(order)
        return OK

    def drop(self, order: Order) -> str:
        """Cancel a temporary order."""
        if refusal := self._closed(order):
            return refusal
        order.is_dropped, order.is_held = True, False
        order.close_links(DEPOSIT)
        return OK

    def wire_deposit(self, order: Order, *, is_right_amount: bool) -> str:
        """Check the deposit out by wire: the order is made, the wire is announced."""
        if refusal := self._closed(order):
            return refusal
        if not is_right_amount:
            return INVALID
        was_held, order.is_held = order.is_held, False
        if not self._take(order):
            order.is_held = was_held
            return OUT_OF_STOCK
        order.close_links(DEPOSIT)
        order.is_declared = True  # a wire's checkout says so, whatever a link to PayPal said before
        order.add_wire(Wire(DEPOSIT, order.deposit))
        return OK

    def link_deposit(self, order: Order, *, is_declared: bool) -> str:
        """Ask for a link to PayPal: the pieces are held, an older link is good no more."""
        if refusal := self._closed(order):
            return refusal
        if not order.is_held and not self.has_stock(order.buyer, quantities(order)):
            return OUT_OF_STOCK
        order.close_links(DEPOSIT)
        order.is_held, order.is_declared = True, is_declared
        order.links.append(Link(DEPOSIT, order.deposit))
        return OK

    def give_up(self, order: Order, link: Link) -> str:
        """Come back from PayPal without paying."""
        if order.is_dropped:
            return NOT_FOUND
        if link.state == "open":
            link.state = "closed"
            if link.kind == DEPOSIT:
                order.is_held = False
        return OK

    def come_back(self, order: Order, link: Link, *, is_approved: bool) -> str:
        """Come back from PayPal; the money is taken once."""
        if order.is_dropped:
            return NOT_FOUND
        if link.state == "taken":
            return OK
        if link.state == "closed":
            if link.ended_by == OUT_OF_STOCK:
                return OUT_OF_STOCK
            return ORDER_EXISTS if link.kind == DEPOSIT and order.status is not None else REFUSED
        if link.kind == DEPOSIT:
            return self._pay_deposit(order, link, is_approved=is_approved)
        if order.status != CONFIRMED or order.due != link.base:
            link.state = "closed"
            return REFUSED
        if not is_approved:
            return REFUSED
        link.state = "taken"
        self._receive(order, link.base, DEPOSIT if link.kind == DEPOSIT else BALANCE)
        return OK

    def _pay_deposit(self, order: Order, link: Link, *, is_approved: bool) -> str:
        if not order.is_held and not self.has_stock(order.buyer, quantities(order)):
            link.state, link.ended_by = "closed", OUT_OF_STOCK
            return OUT_OF_STOCK
        order.is_held = True
        if not is_approved:
            return REFUSED
        order.is_held = False
        self._place(
            order
        )  # what is held goes to the order, whatever was promised beyond the shelf meanwhile
        link.state = "taken"
        self._receive(order, link.base, DEPOSIT)
        return OK

    def announce(self, order: Order) -> str:
        """Announce a wire of the balance."""
        if refusal := self._no_balance(order):
            return refusal
        if not order.is_declared:
            return INVALID
        order.close_links(BALANCE)
        order.add_wire(Wire(BALANCE, order.due))
        return OK

    def link_balance(self, order: Order) -> str:
        """Ask for a link to pay the balance by PayPal."""
        if refusal := self._no_balance(order):
            return refusal
        order.close_links(BALANCE)
        order.links.append(Link(BALANCE, order.due))
        return OK

    def pay_from_wallet(self, order: Order) -> str:
        """Pay the balance from the company's credit, as far as it goes."""
        if refusal := self._no_balance(order):
            return refusal
        amount = min(order.due, self.wallets.get(order.buyer, ZERO))
        if not amount:
            return WRONG_STATUS
        order.close_links(BALANCE)
        self.wallets[order.buyer] -= amount
        self._receive(order, amount, BALANCE)
        return OK

    # What staff do.

    def prepare(self, order: Order) -> str:
        """Start preparing."""
        if order.status != RECEIVED:
            return WRONG_STATUS
        order.status = PREPARING
        return OK

    def confirm(
        self, order: Order, confirmed: list[int], fee: Decimal, gift: tuple[str, int] | None
    ) -> str:
        """Confirm each line for so many pieces, set the shipping fee, add a free offer."""
        if order.status != PREPARING:
            return WRONG_STATUS
        if order.buyer not in self.stock_free:
            if any(
                pieces > self.available(order, line.sku)
                for line, pieces in zip(order.lines, confirmed, strict=True)
            ):
                return INVALID
            if gift and not self._is_left(order, confirmed, gift):
                return OUT_OF_STOCK
        lines = [
            part
            for line, pieces in zip(order.lines, confirmed, strict=True)
            for part in _parts(line, pieces)
        ]
        if gift:
            lines.append(Line(gift[0], ZERO, gift[1], is_confirmed=False, allocated=gift[1]))
        order.status = CONFIRMED
        self._decide(order, lines, fee)
        return OK

    def correct(self, order: Order, halves: list[int], fee: Decimal) -> str:
        """Confirm so many halves of each line instead, with another fee; gifts stay."""
        if order.status != CONFIRMED:
            return WRONG_STATUS
        gifts = [line for line in order.lines if not line.price]
        whole: dict[str, int] = defaultdict(int)
        now: dict[str, int] = defaultdict(int)
        for line in order.lines:
            if line.price:
                whole[line.sku] += line.pieces
                now[line.sku] += line.pieces if line.is_confirmed else 0
        then = {
            sku: pieces * half // 2
            for (sku, pieces), half in zip(whole.items(), halves, strict=False)
        }
        then = now | then
        if order.pays_balance:
            return INVALID
        if order.buyer not in self.stock_free and any(
            then[sku] > self.available(order, sku) for sku in then
        ):
            return INVALID
        if then == now and fee == order.fee:
            return INVALID
        more = {sku: then[sku] - now[sku] for sku in then if then[sku] > now[sku]}
        if not self.has_stock(order.buyer, more):
            return OUT_OF_STOCK
        lines = [
            part
            for sku, pieces in whole.items()
            for part in _parts(Line(sku, self.prices[sku], pieces), then[sku])
        ]
        self._decide(order, [*lines, *gifts], fee)
        return OK

    def _decide(self, order: Order, lines: list[Line], fee: Decimal) -> None:
        before = order.allocated
        order.lines, order.fee = lines, fee
        allocated = {sku: pieces for sku, pieces in order.allocated.items() if pieces}
        order.is_packed &= allocated == {sku: pieces for sku, pieces in before.items() if pieces}
        self._settle(order)

    def _is_left(self, order: Order, confirmed: list[int], gift: tuple[str, int]) -> bool:
        """Return whether a gift's pieces are free, those counted that the order's own
        lines let go.
        """
        sku, pieces = gift
        released = {
            line.sku: line.pieces - balance
            for line, balance in zip(order.lines, confirmed, strict=True)
        }
        return self.on_hand[sku] - self.allocated(sku) + released.get(sku, 0) >= pieces

    def available(self, order: Order, sku: str) -> int:
        """Return the pieces that an order may have: free ones with its own, or what older orders
        leave of the shelf.
        """
        own = order.allocated.get(sku, 0)
        older = sum(
            other.allocated.get(sku, 0) for other in self.placed[: self.placed.index(order)]
        )
        free = self.on_hand[sku] - self.allocated(sku) + own
        return max(0, free, min(own, self.on_hand[sku] - older))

    def pack(self, order: Order) -> str:
        """Pack everything that is sent into one box, if the shelf has it."""
        if order.status not in (PREPARING, CONFIRMED, PAID):
            return WRONG_STATUS
        pieces = order.allocated
        if not any(pieces.values()) or any(self.on_hand[sku] < pieces[sku] for sku in pieces):
            return INVALID
        order.is_packed = True
        return OK

    def ship(self, order: Order) -> str:
        """Ship a paid and packed order: its pieces leave the shelf."""
        if order.status != PAID:
            return WRONG_STATUS
        if not order.is_packed:
            return INVALID
        pieces = order.allocated
        if any(self.on_hand[sku] < count for sku, count in pieces.items()):
            return INVALID
        for sku, count in pieces.items():
            self.on_hand[sku] -= count
        self._release(order)
        order.status = SHIPPED
        return OK

    def cancel(self, order: Order, *, by_terms: bool) -> str:
        """Cancel an order: the money goes to the wallet, by the terms less 100 US dollars."""
        if order.status in (None, CANCELLED, SHIPPED):
            return WRONG_STATUS
        balance = order.received - order.credited
        self._credit(order, max(ZERO, balance - FEE) if by_terms else balance)
        order.wires.clear()
        order.close_links(BALANCE)
        self._release(order)
        order.status = CANCELLED
        return OK

    def confirm_wire(self, order: Order, amount: Decimal) -> str:
        """Confirm the oldest announced wire with what arrived."""
        if not order.wires:
            return INVALID
        self._receive(order, amount, order.wires.pop(0).kind)
        return OK

    def refuse_wire(self, order: Order) -> str:
        """Refuse the oldest announced wire."""
        if not order.wires:
            return INVALID
        order.wires.pop(0)
        return OK

    def book(self, order: Order, amount: Decimal) -> str:
        """Book a wire that nobody announced."""
        if order.status not in (RECEIVED, PREPARING, CONFIRMED):
            return WRONG_STATUS
        kind = BALANCE if order.status == CONFIRMED else DEPOSIT
        if any(wire.kind == kind for wire in order.wires):
            return INVALID
        self._receive(order, amount, kind)
        order.has_wire = True
        return OK

    def recount(self, sku: str, pieces: int) -> str:
        """Set the shelf to what was counted; promises stay."""
        self.on_hand[sku] = pieces
        return OK

    def let_holds_run_out(self) -> None:
        """Free what is held for payments that were not made."""
        for order in self.orders:
            order.is_held = False

    @staticmethod
    def _closed(order: Order) -> str:
        if order.status is not None:
            return ORDER_EXISTS
        return NOT_FOUND if order.is_dropped else ""

    @staticmethod
    def _no_balance(order: Order) -> str:
        if order.status is None:
            return NOT_FOUND
        if order.status != CONFIRMED or not order.due:
            return WRONG_STATUS
        return PENDING if order.wires else ""

    def _take(self, order: Order) -> bool:
        if not self.has_stock(order.buyer, quantities(order)):
            return False
        self._place(order)
        return True

    def _place(self, order: Order) -> None:
        for line in order.lines:
            line.allocated = line.pieces
        order.status = RECEIVED
        self.placed.append(order)

    @staticmethod
    def _release(order: Order) -> None:
        for line in order.lines:
            line.allocated = 0

    def _receive(self, order: Order, amount: Decimal, kind: str) -> None:
        order.received += amount
        if kind == DEPOSIT:
            order.deposit_received += amount
        self._settle(order)

    def _settle(self, order: Order) -> None:
        """Pay a confirmed order with nothing due; what it has beyond its cost goes to
        the wallet.
        """
        if order.status is None or order.status < CONFIRMED:
            return
        self._credit(
            order, max(ZERO, order.received - order.credited - order.real_total - order.fee)
        )
        if order.status == CONFIRMED and not order.due:
            order.status = PAID

    def _credit(self, order: Order, amount: Decimal) -> None:
        order.credited += amount
        self.wallets[order.buyer] = self.wallets.get(order.buyer, ZERO) + amount


def quantities(order: Order) -> dict[str, int]:
    """Return the pieces of a temporary order by SKU."""
    return {line.sku: line.pieces for line in order.lines}


def _parts(line: Line, pieces: int) -> list[Line]:
    """Return what a line is confirmed for and what of it is not sent, each where there is any."""
    parts = [
        Line(line.sku, line.price, pieces, allocated=pieces),
        Line(line.sku, line.price, line.pieces - pieces, is_confirmed=False),
    ]
    return [part for part in parts if part.pieces > 0]
