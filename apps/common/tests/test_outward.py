"""A call to another's server ends in time, however its answer comes in."""

import socket
import threading
from collections.abc import Callable, Iterator
from multiprocessing import get_context

import pytest
import requests

from apps.common.outward import TimedSession, is_silent, silence

SECONDS, BETWEEN = 0.3, 0.05
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
LENGTH = b"Content-Length: 100\r\n\r\n"


class Drip:
    """A server that answers each request by writing its parts, the last of them byte by byte until
    nobody listens.
    """

    def __init__(self, whole: bytes, dripped: bytes) -> None:
        self._whole, self._dripped = whole, dripped
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._listener.getsockname()[1]}/"
        self.given_up = threading.Event()
        threading.Thread(target=self._answer, daemon=True).start()

    def _answer(self) -> None:
        client, _ = self._listener.accept()
        with client:
            client.recv(65536)
            client.sendall(self._whole)
            try:
                for byte in (self._dripped * 100)[:100]:
                    client.sendall(bytes([byte]))
                    threading.Event().wait(BETWEEN)
            except OSError:
                self.given_up.set()

    def close(self) -> None:
        self._listener.close()


@pytest.fixture
def dripping() -> Iterator[Callable[[bytes, bytes], Drip]]:
    drips: list[Drip] = []

    def drip(whole: bytes, dripped: bytes) -> Drip:
        drips.append(Drip(whole, dripped))
        return drips[-1]

    yield drip
    for server in drips:
        server.close()


@pytest.mark.parametrize(
    ("whole", "dripped"),
    [
        pytest.param(HEAD + LENGTH, b"1", id="a body of a given length"),
        pytest.param(HEAD + b"\r\n", b"1", id="a body that ends with the connection"),
        pytest.param(HEAD, b"X-More: 1\r\n", id="headers"),
        pytest.param(b"", b"H", id="the first line"),
    ],
)
def test_an_answer_that_drips_is_none(
    dripping: Callable[[bytes, bytes], Drip], whole: bytes, dripped: bytes
) -> None:
    server = dripping(whole, dripped)
    with TimedSession(connect=1, seconds=SECONDS) as session, pytest.raises(requests.ReadTimeout):
        session.request("GET", server.address)
    assert server.given_up.wait(10)
    assert is_silent(server.address)


def test_every_process_knows_who_is_silent() -> None:
    process = get_context("fork").Process(target=silence.begin, args=("https://one.test/a",))
    process.start()
    process.join()
    assert is_silent("https://one.test/b")
    assert not is_silent("https://two.test/a")


def test_a_body_that_stops_is_none_where_the_connection_s_own_limit_comes_first(
    dripping: Callable[[bytes, bytes], Drip], monkeypatch: pytest.MonkeyPatch
) -> None:
    timer = threading.Timer
    monkeypatch.setattr(threading, "Timer", lambda seconds, end: timer(60, end))
    server = dripping(HEAD + LENGTH, b"1")
    with (
        TimedSession(connect=1, seconds=BETWEEN / 5) as session,
        pytest.raises(requests.ReadTimeout),
    ):
        session.request("GET", server.address)
    assert is_silent(server.address)
