"""Requests and answers, apart from the sockets that carry them."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl

from tools.paypal_simulator.records import Event


@dataclass(frozen=True)
class Request:
    """A request as received; header names are in small letters."""

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: bytes
    loopback: bool = True

    @property
    def request_id(self) -> str:
        """Return PayPal-Request-Id, or nothing."""
        return self.headers.get("paypal-request-id", "")

    def json(self) -> Any:
        """Return the body's value; None for an empty one.

        Raises:
            ValueError: it is no JSON.
        """
        return json.loads(self.body) if self.body.strip() else None

    def form(self) -> dict[str, str]:
        """Return the fields of a form."""
        return dict(parse_qsl(self.body.decode("utf-8", "replace"), keep_blank_values=True))


@dataclass
class Answer:
    """An answer, and how it leaves: `act` is send, hang, drip or reset; events go out in turn when
    it has left.
    """

    status: int = 200
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)
    turn: int = 0
    kind: str = ""
    subject: str = ""
    act: str = "send"
    seconds: float = 0.0

    @property
    def content(self) -> bytes:
        """Return the body's bytes: text and bytes as they are, anything else as JSON."""
        if self.body is None:
            return b""
        if isinstance(self.body, bytes):
            return self.body
        return (self.body if isinstance(self.body, str) else json.dumps(self.body)).encode()
