"""The calls about webhooks: who listens, what was told, and whether a signature is PayPal's."""

import json
from typing import Any

from tools.paypal_simulator import identifiers
from tools.paypal_simulator.api import Route
from tools.paypal_simulator.courier import Courier
from tools.paypal_simulator.errors import Refused
from tools.paypal_simulator.events import EventBook
from tools.paypal_simulator.faults import Call
from tools.paypal_simulator.http import Answer
from tools.paypal_simulator.records import Event, Json, Listener
from tools.paypal_simulator.signing import ALGORITHM
from tools.paypal_simulator.store import Store
from tools.paypal_simulator.validation import Check

SIGNED = (
    "auth_algo",
    "cert_url",
    "transmission_id",
    "transmission_sig",
    "transmission_time",
    "webhook_id",
)


class Notifications:
    """/v1/notifications."""

    def __init__(self, store: Store, book: EventBook, courier: Courier, url: str) -> None:
        self.store = store
        self.book = book
        self.courier = courier
        self.url = f"{url}/v1/notifications"

    def routes(self) -> list[Route]:
        """Return the table of calls."""
        base = "/v1/notifications"
        return [
            Route("POST", f"{base}/verify-webhook-signature", "verify", self.verify),
            Route("POST", f"{base}/webhooks", "webhooks", self.create_listener),
            Route("GET", f"{base}/webhooks", "webhooks", self.list_listeners),
            Route("GET", f"{base}/webhooks/{{id}}", "webhooks", self.show_listener),
            Route("DELETE", f"{base}/webhooks/{{id}}", "webhooks", self.delete_listener),
            Route("GET", f"{base}/webhooks-events", "webhooks", self.list_events),
            Route("GET", f"{base}/webhooks-events/{{id}}", "webhooks", self.show_event),
            Route("POST", f"{base}/webhooks-events/{{id}}/resend", "webhooks", self.resend),
        ]

    def verify(self, call: Call) -> Answer:
        """POST verify-webhook-signature: the sum is taken over the event's text exactly as sent."""
        body = call.body if isinstance(call.body, dict) else {}
        check = Check()
        values = {name: check.text(body.get(name), name, 4000) for name in SIGNED}
        for name in [name for name, value in values.items() if not value]:
            check.wrong(name, "Required field is missing")
        check.mapping(body.get("webhook_event"), "webhook_event")
        check.done()
        listener = self.store.get(Listener, values["webhook_id"])
        is_own = listener is not None and listener.account == call.account
        genuine = is_own and self._is_signed(values, call)
        return Answer(200, {"verification_status": "SUCCESS" if genuine else "FAILURE"})

    def _is_signed(self, values: dict[str, str], call: Call) -> bool:
        return (
            values["auth_algo"] == ALGORITHM
            and values["cert_url"]
            == f"{self.courier.certificates}/{self.courier.signer.certificate_name}"
            and self.courier.signer.verify(
                values["transmission_sig"],
                transmission=values["transmission_id"],
                time=values["transmission_time"],
                webhook=values["webhook_id"],
                body=member_text(call.request.body.decode(), "webhook_event").encode(),
            )
        )

    def create_listener(self, call: Call) -> Answer:
        """POST webhooks."""
        check = Check()
        body = check.mapping(call.body, "body")
        url = check.url(body.get("url"), "url")
        given = body.get("event_types")
        types = (
            [kind.get("name") for kind in given if isinstance(kind, dict)]
            if isinstance(given, list)
            else []
        )
        if not types or not all(isinstance(name, str) for name in types):
            check.wrong("event_types", "At least one type with a name is expected")
        check.done()
        listener = Listener(
            identifiers.transaction_id(), call.account, url, [str(name) for name in types]
        )
        self.store.save(listener)
        return Answer(201, self._listener(listener))

    def list_listeners(self, call: Call) -> Answer:
        """GET webhooks."""
        own = [
            listener for listener in self.store.all(Listener) if listener.account == call.account
        ]
        return Answer(200, {"webhooks": [self._listener(listener) for listener in own]})

    def show_listener(self, call: Call) -> Answer:
        """GET webhooks/{id}."""
        return Answer(200, self._listener(self._own(call)))

    def delete_listener(self, call: Call) -> Answer:
        """DELETE webhooks/{id}."""
        self.store.delete(self._own(call))
        return Answer(204)

    def list_events(self, call: Call) -> Answer:
        """GET webhooks-events."""
        own = [
            json.loads(event.body)
            for event in self.store.all(Event)
            if event.account == call.account
        ]
        return Answer(200, {"events": own, "count": len(own)})

    def show_event(self, call: Call) -> Answer:
        """GET webhooks-events/{id}."""
        return Answer(200, self.book.event(call.identifier, call.account).body)

    def resend(self, call: Call) -> Answer:
        """POST webhooks-events/{id}/resend."""
        event = self.book.event(call.identifier, call.account)
        return Answer(202, event.body, events=[event])

    def _own(self, call: Call) -> Listener:
        listener = self.store.get(Listener, call.identifier)
        if listener is None or listener.account != call.account:
            raise Refused("missing")
        return listener

    def _listener(self, listener: Listener) -> Json:
        links = [{"href": f"{self.url}/webhooks/{listener.id}", "rel": "self", "method": "GET"}]
        types = [{"name": name} for name in listener.types]
        return {"id": listener.id, "url": listener.url, "event_types": types, "links": links}


def member_text(text: str, name: str) -> str:
    """Return the text of an object's member exactly as it stands, without the space around it.

    Raises:
        Refused: malformed; there is no such member.
    """
    decoder, spaces = json.JSONDecoder(), " \t\r\n"

    def skip(position: int) -> int:
        while position < len(text) and text[position] in spaces:
            position += 1
        return position

    def value(position: int) -> tuple[Any, int]:
        found, end = decoder.raw_decode(text, position)
        return found, end

    try:
        position = skip(skip(0) + 1)
        while text[position] != "}":
            key, position = value(position)
            start = skip(skip(position) + 1)
            _, end = value(start)
            if key == name:
                return text[start:end]
            position = skip(end)
            position = skip(position + 1) if text[position] == "," else position
    except (ValueError, IndexError):
        raise Refused("malformed") from None
    raise Refused("malformed")
