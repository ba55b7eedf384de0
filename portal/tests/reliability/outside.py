"""The server as it ships, on the test's own database, asked from outside."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.client import HTTPConnection, HTTPMessage
from pathlib import Path
from typing import Any, NamedTuple

from django.conf import settings
from django.db import connection

from portal.tests import serving

GUARD_SECONDS = 30  # only against hanging
until = partial(serving.until, seconds=GUARD_SECONDS)


class Answer(NamedTuple):
    """What the server answered; the body read where it is JSON."""

    status: int
    headers: HTTPMessage
    body: Any


class Outside:
    """Somebody who asks the server, with a buyer's token or none."""

    def __init__(self, port: int, server: int = 0) -> None:
        """Ask the server at a port of this machine; `server` is the number of its process."""
        self.port, self.server, self.token = port, server, ""

    def send(self, method: str, path: str, body: object = None, **extra: str) -> Answer:
        """Return the answer to a request, with extra headers if any; it is awaited for
        GUARD_SECONDS.
        """
        http = HTTPConnection("127.0.0.1", self.port, timeout=GUARD_SECONDS)
        headers = {
            "Content-Type": "application/json",
            **({"x-access-token": self.token} if self.token else {}),
            **extra,
        }
        try:
            http.request(method, path, b"" if body is None else json.dumps(body), headers)
            answer = http.getresponse()
            content = answer.read()
        finally:
            http.close()
        is_json = answer.headers.get_content_type() == "application/json"
        return Answer(answer.status, answer.headers, json.loads(content) if is_json else content)

    def status(self, path: str) -> int:
        """Return the status of an address, 0 where nobody listens."""
        try:
            return self.send("GET", path).status
        except OSError:
            return 0


def address_of_database(port: int | None = None) -> str:
    """Return the address of the test's database; of PostgreSQL's at a port of this machine, if one
    is named.
    """
    database = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{database['NAME']}"
    host = f"127.0.0.1:{port}" if port else f"{database['HOST']}:{database['PORT']}".strip(":")
    person = ":".join(filter(None, (database["USER"], database["PASSWORD"])))
    return f"postgresql://{person}{'@' if person else ''}{host}/{database['NAME']}"


@contextmanager
def served(folder: Path, **environment: str) -> Iterator[Outside]:
    """Start the server on the test's database, with a data folder of its own, and end it at the end
    of the block.
    """
    ours = {
        "DATABASE_URL": address_of_database(),
        "LOG_LEVEL": "CRITICAL",
        "THROTTLE_FACTOR": "1000",  # whoever waits for a recovery asks often
        "WEB_WORKERS": "0",
        "SECRET_KEY": settings.SECRET_KEY,
        "JWT_SIGNING_KEY": settings.JWT_SIGNING_KEY,
    }
    with serving.served(folder, **(ours | environment)) as server:
        yield Outside(server.port, server.process.pid)
