"""The simulator without its port: its configuration, its parts, and the moves that a test or a hand
makes in it.
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tools.paypal_simulator.api import Api
from tools.paypal_simulator.bank import Bank
from tools.paypal_simulator.calls import Entry
from tools.paypal_simulator.clock import Clock
from tools.paypal_simulator.courier import Courier, Message
from tools.paypal_simulator.errors import Refused
from tools.paypal_simulator.events import EventBook, Shape
from tools.paypal_simulator.faults import Fault, FaultBook
from tools.paypal_simulator.notifications import Notifications
from tools.paypal_simulator.pages import Pages
from tools.paypal_simulator.records import Capture, Checkout, Event, Listener
from tools.paypal_simulator.signing import Signer
from tools.paypal_simulator.store import Store
from tools.paypal_simulator.tokens import Tokens
from tools.paypal_simulator.v1 import PaymentsV1
from tools.paypal_simulator.v2 import OrdersV2

COMPRESSION = 720  # three days of trying to deliver a webhook pass in six minutes


@dataclass(frozen=True)
class Configuration:
    """Where it listens, whom it knows, and whom it tells. `credentials` are secrets by
    client id.
    """

    credentials: dict[str, str]
    host: str = "127.0.0.1"
    port: int = 0
    public_url: str = ""
    webhook_url: str = ""
    webhook_id: str = ""
    database: Path | None = None
    control: bool = False
    compression: float = COMPRESSION
    signer: Signer | None = field(default=None, repr=False)


class Moves:
    """The parts of a PayPal at an address, and what a test or the control calls do with them."""

    def __init__(self, configuration: Configuration, url: str) -> None:
        self.configuration = configuration
        self.url = url
        self.public_url = configuration.public_url.rstrip("/") or self.url
        self.clock = Clock()
        self.store = Store(configuration.database)
        self.faults = FaultBook()
        self.bank = Bank(self.store, self.clock)
        self.tokens = Tokens(configuration.credentials, self.clock)
        self.signer = configuration.signer or Signer()
        compression = configuration.compression
        self.courier = Courier(
            self.store, self.clock, self.faults, self.signer, self.url, compression=compression
        )
        book = EventBook(self.store, self.clock, self.url)
        notifications = Notifications(self.store, self.courier)
        self.v1 = PaymentsV1(self.bank, book, self.url, self.public_url)
        self.v2 = OrdersV2(self.bank, book, self.url, self.public_url)
        routes = [*self.v1.routes(), *self.v2.routes(), *notifications.routes()]
        self.api = Api(self.store, self.clock, self.tokens, self.faults, self.courier, routes)
        self.pages = Pages(self.bank, self.shape)
        self._listen()

    def _listen(self) -> None:
        """Enter the merchant's webhook that the configuration names."""
        if self.configuration.webhook_id:
            account = next(iter(self.configuration.credentials))
            self.store.save(
                Listener(
                    self.configuration.webhook_id, account, self.configuration.webhook_url, ["*"]
                )
            )

    def checkout(self, identifier: str) -> Checkout:
        """Return a checkout by the id of its payment or order, or by its token.

        Raises:
            Refused: missing.
        """
        for checkout in self.store.all(Checkout):
            if identifier in (checkout.id, checkout.token):
                return checkout
        raise Refused("missing")

    def approve(self, identifier: str, buyer: str = "normal") -> str:
        """Let the buyer press Pay Now, and return the PayerID. Buyers: `bank.BUYERS`.

        Raises:
            Refused: the payment is missing or no longer open, or there is no such buyer.
        """
        checkout = self.checkout(identifier)
        self.bank.approve(checkout, buyer)
        self.courier.send(self.shape(checkout).approval_events(checkout))
        return checkout.payer_id

    def fault(self, kind: str, operation: str = "", **more: Any) -> Fault:
        """Put a fault in force for the next call (`faults.Fault` says what else can be given)."""
        fault = Fault(kind, operation, **more)
        self.faults.add(fault)
        return fault

    def shape(self, checkout: Checkout) -> Shape:
        """Return the API in whose words a checkout is told."""
        return self.v1 if checkout.api == "v1" else self.v2

    def calls(self, operation: str = "") -> list[Entry]:
        """Return the calls received so far, or those of one operation."""
        return self.api.log.entries(operation)

    def decide(self, capture_id: str, state: str) -> Event:
        """End a review (completed, denied) or take money back (reversed); the event is sent and
        returned.

        Raises:
            Refused: the capture is missing, or not in a state for it.
        """
        capture = self.store.get(Capture, capture_id)
        if capture is None:
            raise Refused("missing")
        self.bank.decide(capture, state)
        event = self.shape(self.checkout(capture.checkout)).capture_event(capture)
        self.courier.send([event])
        return event

    def events(self, kind: str = "") -> list[Event]:
        """Return the events written so far, or those of one type."""
        return [event for event in self.store.all(Event) if kind in ("", event.type)]

    def resend(self, event_id: str) -> Event:
        """Deliver an event once more, and return it."""
        event = self.store.get(Event, event_id)
        if event is None:
            raise Refused("missing")
        self.courier.send([event], faulty=False)
        return event

    def message(self, body: bytes, *, bad: bool = False, webhook_id: str = "") -> Message:
        """Return a signed webhook message, to be handed to a listener by hand."""
        return self.courier.compose(
            body, webhook=webhook_id or self.configuration.webhook_id, bad=bad
        )

    def reset(self) -> None:
        """Forget every payment, token, call and fault."""
        self.store.clear()
        self.tokens.clear()
        self.faults.clear()
        self.api.log.clear()
