"""Requests as the server hands them to the application."""

import json
from collections.abc import Callable
from io import BytesIO
from typing import Any, NamedTuple

from django.test import RequestFactory

from portal.wsgi import application


class Served(NamedTuple):
    """What the application answered."""

    status: int
    headers: dict[str, str]
    content: bytes

    @property
    def body(self) -> Any:
        """Return the content, read if it is a JSON object."""
        return json.loads(self.content) if self.content.startswith(b"{") else self.content


def serve(method: str, path: str, body: object = None, **headers: str) -> Served:
    """Return the application's answer to a request; Django opens, checks and keeps connections as
    in earnest.
    """
    data = b"" if body is None else json.dumps(body).encode()
    environ = (
        RequestFactory().generic(method, path, data, "application/json", headers=headers).environ
    )
    environ["wsgi.input"] = BytesIO(data)
    begun: list[Any] = []

    def start(status: str, headers: list[tuple[str, str]], *_: object) -> Callable[[bytes], object]:
        begun.extend((int(status.split()[0]), dict(headers)))
        return lambda _: None

    response = application(environ, start)
    content = b"".join(response)
    getattr(response, "close", lambda: None)()
    status_code, answered = begun
    return Served(status_code, answered, content)
