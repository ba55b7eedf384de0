"""The call about webhooks: whether a signature is PayPal's."""

import json
from typing import Any

from tools.paypal_simulator.api import Route
from tools.paypal_simulator.courier import Courier
from tools.paypal_simulator.errors import Refused
from tools.paypal_simulator.faults import Call
from tools.paypal_simulator.http import Answer
from tools.paypal_simulator.records import Listener
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

    def __init__(self, store: Store, courier: Courier) -> None:
        self.store = store
        self.courier = courier

    def routes(self) -> list[Route]:
        """Return the table of calls."""
        path = "/v1/notifications/verify-webhook-signature"
        return [Route("POST", path, "verify", self.verify)]

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
        member, end = decoder.raw_decode(text, position)
        return member, end

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
