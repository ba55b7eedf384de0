"""An order of the model with its lines, wires and links, as plain numbers."""

from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal

CANCELLED, RECEIVED, PREPARING, CONFIRMED, PAID, SHIPPED = range(6)
ZERO, FEE = Decimal(0), Decimal(100)
DEPOSIT_RATE, PAYPAL_RATE = Decimal("0.4"), Decimal("0.035")
DEPOSIT, BALANCE = "deposit", "balance"


def cents(amount: Decimal) -> Decimal:
    """Return US dollars in whole cents, half up."""
    return amount.quantize(Decimal("0.01"), ROUND_HALF_UP)


@dataclass
class Line:
    """Pieces of one product in an order; `sent` is whether they are what will be sent."""

    sku: str
    price: Decimal
    pieces: int
    is_confirmed: bool = True
    allocated: int = 0

    @property
    def total(self) -> Decimal:
        """Return the line's price in US dollars."""
        return self.price * self.pieces


@dataclass
class Wire:
    """A wire that waits for its money, and how much was announced."""

    kind: str
    amount: Decimal


@dataclass
class Link:
    """A way to PayPal: for how much, and what became of it."""

    kind: str
    base: Decimal
    state: str = "open"  # open, closed, taken
    ended_by: str = ""

    @property
    def amount(self) -> Decimal:
        """Return what PayPal is asked for: with the surcharge, in US dollars."""
        return self.base + cents(self.base * PAYPAL_RATE)


@dataclass
class Order:
    """A temporary order (`status` None) or an order, with its money and its payments."""

    number: int
    buyer: str
    lines: list[Line]
    status: int | None = None
    is_dropped: bool = False
    is_held: bool = False
    is_declared: bool = True
    is_packed: bool = False
    fee: Decimal = ZERO
    received: Decimal = ZERO
    deposit_received: Decimal = ZERO
    credited: Decimal = ZERO
    total: Decimal = ZERO
    has_wire: bool = False
    wires: list[Wire] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)

    @property
    def real_total(self) -> Decimal:
        """Return what the confirmed lines cost."""
        return sum((line.total for line in self.lines if line.is_confirmed), ZERO)

    @property
    def deposit(self) -> Decimal:
        """Return the deposit of the products as ordered."""
        return cents(self.total * DEPOSIT_RATE)

    @property
    def due(self) -> Decimal:
        """Return what is still to pay: nothing before the confirmation."""
        if self.status is None or self.status < CONFIRMED:
            return ZERO
        return max(ZERO, self.real_total + self.fee - self.received)

    @property
    def allocated(self) -> dict[str, int]:
        """Return the pieces that the order, or the hold of a temporary order, has of the stock."""
        pieces: dict[str, int] = {}
        for line in self.lines:
            count = line.pieces if self.is_held else line.allocated
            pieces[line.sku] = pieces.get(line.sku, 0) + count
        return pieces

    @property
    def pays_balance(self) -> bool:
        """Return whether a balance payment is under way."""
        return any(wire.kind == BALANCE for wire in self.wires)

    def add_wire(self, wire: Wire) -> None:
        """Announce a wire."""
        self.wires.append(wire)
        self.has_wire = True

    def close_links(self, kind: str) -> None:
        """End the open links of a kind."""
        for link in self.links:
            if link.kind == kind and link.state == "open":
                link.state = "closed"
