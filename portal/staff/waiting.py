"""What waits for staff, as figures: the shapes that the counting fills and the pages show."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal

from apps.common.promises import Promise
from apps.payments.models import BankTransfer


@dataclass(frozen=True)
class Waiting:
    """Things of one kind that wait: how many, how many of them late, since when the oldest; how
    many are warned of.
    """

    count: int = 0
    late: int = 0
    oldest: datetime | None = None
    warned: int = 0


@dataclass(frozen=True)
class Incoming:
    """What came in and nobody has taken up, as the home page alone shows it.

    Imports to review, the bank's credits, and what buyers say of proposals.
    """

    imports: Waiting = Waiting()
    credits: Waiting = Waiting()
    questions: Waiting = Waiting()
    answered: Waiting = Waiting()
    ending: Waiting = Waiting()
    ending_at: datetime | None = None


@dataclass(frozen=True)
class Work:
    """Everything that waits, by kind."""

    steps: dict[int, Waiting] = field(default_factory=dict)
    messages: dict[str, Waiting] = field(default_factory=dict)
    wires: Waiting = Waiting()
    unpaid: Waiting = Waiting()
    exceptions: Waiting = Waiting()
    refunds: Waiting = Waiting()
    transfers: Waiting = Waiting()
    mail_failed: Waiting = Waiting()
    mail_queued: Waiting = Waiting()
    sweeps_failing: Waiting = Waiting()
    sweeps_late: Waiting = Waiting()
    short: Waiting = Waiting()
    wanted: Waiting = Waiting()
    to_pack: Waiting = Waiting()
    to_ship: Waiting = Waiting()
    registrations: dict[str, Waiting] = field(default_factory=dict)
    oldest_registrations: Sequence["WaitingRegistration"] = ()
    oldest_money: Sequence["WaitingMoney"] = ()
    oldest_words: Sequence["WaitingMessage"] = ()
    owed_transfers: Sequence[BankTransfer] = ()

    @property
    def to_decide(self) -> Waiting:
        """Return the registrations to decide; those that wait for the company are not
        among them.
        """
        return together(
            [waiting for kind, waiting in self.registrations.items() if kind != "asked"]
        )

    @property
    def desk(self) -> Waiting:
        """Return what waits at the payment desk: announced wires, transfers to send, and PayPal
        payments that need somebody.
        """
        return together([self.wires, self.transfers, self.exceptions])

    @property
    def orders(self) -> Waiting:
        """Return the open orders of all steps together."""
        return together(self.steps.values())

    @property
    def late_things(self) -> int:
        """Return how many things of all kinds are late, as the page of everything late
        lists them.
        """
        kinds = (
            *self.steps.values(),
            *self.messages.values(),
            self.wires,
            self.refunds,
            self.transfers,
            self.to_decide,
        )
        return together(kinds).late

    @property
    def buyers_words(self) -> Waiting:
        """Return the unread messages and shipping requests together."""
        return together(
            [self.messages[kind] for kind in ("message", "ship_memo") if kind in self.messages]
        )


@dataclass(frozen=True)
class WaitingMoney:
    """One of the announced wires, or of the refunds on their way, that have waited longest."""

    id: int
    promise: Promise
    amount: Decimal
    invoice_code: str
    company: str
    since: datetime


@dataclass(frozen=True)
class WaitingMessage:
    """What a buyer wrote, or changed, on an order and nobody has read: since when the
    first of it.
    """

    order_id: int
    kind: str
    invoice_code: str
    company: str
    since: datetime


@dataclass(frozen=True)
class WaitingRegistration:
    """One of the registrations that have waited longest."""

    id: int
    company: str
    manager: str
    country: str
    sent_at: datetime


def together(parts: Iterable[Waiting]) -> Waiting:
    """Return several kinds as one: how many, and how many of them late."""
    parts = list(parts)
    return Waiting(sum(part.count for part in parts), sum(part.late for part in parts))
