"""A buyer's browser, as far as the trials of the cluster need one: one kept connection,
one cookie.
"""

import http.client
import json
from contextlib import suppress
from http.cookies import SimpleCookie
from typing import Any, NamedTuple

from tools.cluster.engines import LOCAL, Cluster

CALL_SECONDS = 15


class Answer(NamedTuple):
    """What a call was answered; status 0 where nothing came."""

    status: int
    body: Any


class Client:
    """Calls with a buyer's token through what stands before the instances."""

    def __init__(self, cluster: Cluster, token: str) -> None:
        self.connection = http.client.HTTPConnection(
            LOCAL, cluster.ports["web"], timeout=CALL_SECONDS
        )
        self.headers = {"x-access-token": token, "Content-Type": "application/json"}
        self.place = ""
        self.retry_after = ""  # of the last answer

    def ask(self, method: str, path: str, body: object = None) -> Answer:
        """Make a call, once, and keep the place that it tells."""
        cookie = {"Cookie": f"place={self.place}"} if self.place else {}
        try:
            content = None if body is None else json.dumps(body)
            self.connection.request(method, path, content, self.headers | cookie)
            response = self.connection.getresponse()
            found = response.read()
        except (OSError, http.client.HTTPException):
            self.connection.close()
            return Answer(0, None)
        self.retry_after = response.headers.get("Retry-After", "")
        told = SimpleCookie(response.headers.get("Set-Cookie", "")).get("place")
        self.place = told.value if told else self.place
        with suppress(ValueError):
            return Answer(response.status, json.loads(found))
        return Answer(response.status, None)
