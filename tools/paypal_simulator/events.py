"""Events: what is told to a merchant's listeners."""

import json
from collections.abc import Callable
from typing import Protocol

from tools.paypal_simulator import identifiers
from tools.paypal_simulator.clock import Clock, rfc3339
from tools.paypal_simulator.records import Capture, Checkout, Event, Json, Refund
from tools.paypal_simulator.store import Store


class EventBook:
    """Writes events down; the courier delivers them."""

    def __init__(self, store: Store, clock: Clock, url: str) -> None:
        self.store = store
        self.clock = clock
        self.url = f"{url}/v1/notifications/webhooks-events"

    def write(
        self,
        account: str,
        kind: str,
        resource_type: str,
        summary: str,
        resource: Json,
        about: list[str],
        **more: str,
    ) -> Event:
        """Return a new event, kept."""
        identifier, now = identifiers.event_id(), self.clock.now()
        body = {
            "id": identifier,
            "event_version": "1.0",
            **more,
            "create_time": rfc3339(now),
            "resource_type": resource_type,
            "event_type": kind,
            "summary": summary,
            "resource": resource,
            "links": [
                {"href": f"{self.url}/{identifier}", "rel": "self", "method": "GET"},
                {"href": f"{self.url}/{identifier}/resend", "rel": "resend", "method": "POST"},
            ],
        }
        event = Event(identifier, account, kind, json.dumps(body, ensure_ascii=False), about, now)
        self.store.save(event)
        return event


class Shape(Protocol):
    """The words in which an API tells what happened."""

    def capture_event(self, capture: Capture) -> Event:
        """Return the event of a capture's present state."""
        ...

    def refund_event(self, refund: Refund) -> Event:
        """Return the event of a refund."""
        ...

    def approval_events(self, checkout: Checkout) -> list[Event]:
        """Return what is told when a buyer approved."""
        ...


Shapes = Callable[[Checkout], Shape]
