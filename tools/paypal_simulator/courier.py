"""Delivery of events to merchants' listeners, with the faults of the way."""

import heapq
import http.client
import itertools
import threading
import uuid
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from tools.paypal_simulator import identifiers
from tools.paypal_simulator.clock import Clock, rfc3339
from tools.paypal_simulator.faults import Fault, FaultBook
from tools.paypal_simulator.records import Event, Listener
from tools.paypal_simulator.signing import ALGORITHM, Signer
from tools.paypal_simulator.store import Store

ATTEMPTS = 25
RETRY_SECONDS = 3 * 24 * 3600 / ATTEMPTS
ANSWER_SECONDS = 10
BEFORE_RESPONSE = "webhook_before_response"


@dataclass
class Delivery:
    """An event on its way to one listener."""

    event: Event
    listener: Listener
    bad_signature: bool = False
    wrong_id: bool = False
    attempt: int = 0
    statuses: list[int | None] = field(default_factory=list)


@dataclass(frozen=True)
class Message:
    """What a listener receives: headers and the body, to the byte."""

    headers: dict[str, str]
    body: bytes


class Courier:
    """One thread that delivers what is due, in order, and tries again for three days: `compression`
    times faster.
    """

    def __init__(
        self,
        store: Store,
        clock: Clock,
        faults: FaultBook,
        signer: Signer,
        url: str,
        *,
        compression: float,
    ) -> None:
        self.store = store
        self.clock = clock
        self.faults = faults
        self.signer = signer
        self.certificates = f"{url}/v1/notifications/certs"
        self.retry_seconds = RETRY_SECONDS / compression
        self.deliveries: list[Delivery] = []
        self._queue: list[tuple[float, int, Delivery]] = []
        self._held: list[Delivery] = []
        self._numbers = itertools.count()
        self._changed = threading.Condition()
        self._busy = False
        self._turns: list[int] = []
        self._over = False
        self._thread = threading.Thread(target=self._work, name="paypal-courier", daemon=True)
        clock.on_advance(self._wake)

    def start(self) -> None:
        """Begin to deliver."""
        self._thread.start()

    def stop(self) -> None:
        """End, leaving undelivered what is not due."""
        with self._changed:
            self._over = True
            self._changed.notify_all()
        if self._thread.is_alive():
            self._thread.join(ANSWER_SECONDS)

    def settle(self, *, seconds: float = 10) -> bool:
        """Wait until nothing that is due is left; return whether that came true in time."""
        with self._changed:
            return self._changed.wait_for(
                lambda: not self._turns and not self._busy and not self._due(), timeout=seconds
            )

    def expect(self) -> int:
        """Return the turn of events that will be sent when their answer has left: no later events
        pass them.
        """
        with self._changed:
            turn = next(self._numbers)
            self._turns.append(turn)
            return turn

    def send(self, events: list[Event], *, turn: int | None = None, faulty: bool = True) -> None:
        """Take events to every listener that asked for them."""
        turn = self.expect() if turn is None else turn
        with self._changed:
            self._changed.wait_for(lambda: self._over or self._turns[0] == turn)
        for event in events:
            for delivery in self._deliveries(event):
                self._post(delivery, faulty=faulty)
        with self._changed:
            self._turns.remove(turn)
            self._changed.notify_all()

    def send_now(self, event: Event) -> None:
        """Deliver an event at once, before its cause is answered."""
        for delivery in self._deliveries(event):
            with self._changed:
                self.deliveries.append(delivery)
            self._deliver(delivery)

    def _deliveries(self, event: Event) -> list[Delivery]:
        return [
            Delivery(event, listener)
            for listener in self.store.all(Listener)
            if listener.account == event.account
            and listener.url
            and {"*", event.type} & set(listener.types)
        ]

    def _post(self, delivery: Delivery, *, faulty: bool) -> None:
        about = [*delivery.event.about, delivery.event.type]
        fault = self.faults.take("webhook", about, but=(BEFORE_RESPONSE,)) if faulty else None
        kind = fault.kind if fault else ""
        if kind == "webhook_drop":
            return
        delivery.bad_signature, delivery.wrong_id = (
            kind == "webhook_bad_signature",
            kind == "webhook_wrong_id",
        )
        with self._changed:
            if kind == "webhook_out_of_order":
                self._held.append(delivery)
                return
            late, times = _delay_and_times(fault)
            for _ in range(times):
                self._enqueue(delivery, late)
            for waiting in self._held:
                self._enqueue(waiting, late)
            self._held.clear()

    def _enqueue(self, delivery: Delivery, seconds: float) -> None:
        if delivery not in self.deliveries:
            self.deliveries.append(delivery)
        heapq.heappush(self._queue, (self.clock.now() + seconds, next(self._numbers), delivery))
        self._changed.notify_all()

    def _wake(self) -> None:
        with self._changed:
            self._changed.notify_all()

    def _due(self) -> bool:
        return bool(self._queue) and self._queue[0][0] <= self.clock.now()

    def _work(self) -> None:
        while True:
            with self._changed:
                while not self._over and not self._due():
                    self._changed.wait(
                        self._queue[0][0] - self.clock.now() if self._queue else None
                    )
                if self._over:
                    return
                _, _, delivery = heapq.heappop(self._queue)
                self._busy = True
            arrived = self._deliver(delivery)
            with self._changed:
                self._busy = False
                if not arrived and delivery.attempt < ATTEMPTS:
                    self._enqueue(delivery, self.retry_seconds)
                self._changed.notify_all()

    def _deliver(self, delivery: Delivery) -> bool:
        """Return whether the listener took it."""
        delivery.attempt += 1
        webhook = identifiers.transaction_id() if delivery.wrong_id else delivery.listener.id
        message = self.compose(
            delivery.event.body.encode(), webhook=webhook, bad=delivery.bad_signature
        )
        status = post(delivery.listener.url, message)
        delivery.statuses.append(status)
        return status is not None and 200 <= status < 300

    def compose(self, body: bytes, *, webhook: str, bad: bool = False) -> Message:
        """Return a signed message; `bad` signs another body."""
        transmission, time = str(uuid.uuid4()), rfc3339(self.clock.now())
        signed = b"{}" if bad else body
        headers = {
            "Content-Type": "application/json; charset=utf-8",
            "User-Agent": "PayPal simulator",
            "PAYPAL-TRANSMISSION-ID": transmission,
            "PAYPAL-TRANSMISSION-TIME": time,
            "PAYPAL-TRANSMISSION-SIG": self.signer.sign(
                transmission=transmission, time=time, webhook=webhook, body=signed
            ),
            "PAYPAL-CERT-URL": f"{self.certificates}/{self.signer.certificate_name}",
            "PAYPAL-AUTH-ALGO": ALGORITHM,
            "PAYPAL-AUTH-VERSION": "v2",
        }
        return Message(headers, body)


def _delay_and_times(fault: Fault | None) -> tuple[float, int]:
    """Return by how many seconds a message is late, and how often it is sent."""
    if fault is None:
        return 0.0, 1
    late = (fault.seconds or 0.0) if fault.kind == "webhook_late" else 0.0
    return late, fault.count if fault.kind == "webhook_duplicate" else 1


def post(url: str, message: Message) -> int | None:
    """Send a message and return the status, None where nobody answered."""
    parts = urlsplit(url)
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    connection = kind(parts.hostname or "", parts.port, timeout=ANSWER_SECONDS)
    try:
        connection.request(
            "POST",
            parts._replace(scheme="", netloc="").geturl() or "/",
            message.body,
            message.headers,
        )
        return connection.getresponse().status
    except (OSError, http.client.HTTPException):
        return None
    finally:
        connection.close()
