"""Clients that send or read slowly, or not at all, hold nobody else up: the server as it ships,
asked from outside.
"""

import os
import select
import socket
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import NamedTuple

import pytest

from portal.tests.serving import Server, accepts, read, request, served, until

CLIENT_SECONDS = 1
THREADS, CROWD = 2, 30
PIECE = 64 * 1024  # what a client has to send in that time
FILE_MIB = 48
JSON = "Content-Type: application/json"
EXPECT = "Expect: 100-continue"  # a server that reads the body says so first
UNFINISHED = request("POST /api/login", JSON, "Content-Length: 1000") + b"{"
HALF_A_HEAD = b"GET /accent.css HTTP/1.1\r\nHo"
LARGE, HANGING = "/media/products/large.jpg", "/media/products/hanging.jpg"


class Slow(NamedTuple):
    """A client: how it is answered, what it sends at once, what after that, and how many seconds it
    waits before each part of that.
    """

    answer: bytes
    sent: bytes
    parts: Sequence[bytes] = ()
    pause: float = 0.2


LATE = b"HTTP/1.1 408"
SLOW = {
    "says nothing": Slow(b"", b""),
    "stops in the head": Slow(b"", HALF_A_HEAD),
    "sends the head byte by byte": Slow(b"", HALF_A_HEAD, [b"a"] * 100),
    "stops in the body": Slow(LATE, UNFINISHED),
    "sends the body byte by byte": Slow(
        LATE, request("POST /api/login", JSON, "Content-Length: 20"), [b" "] * 20
    ),
    "stops in a long body": Slow(
        LATE, request("POST /api/login", JSON, f"Content-Length: {3 * PIECE}") + b" " * 2 * PIECE
    ),
    "stops in a form": Slow(LATE, request("POST /admin/login/", "Content-Length: 1000") + b"a"),
    "asks once and stays": Slow(b"HTTP/1.1 200", request("GET /accent.css")),
    "sends a long body steadily": Slow(
        b"HTTP/1.1 400",  # read whole, and no JSON
        request("POST /api/login", JSON, f"Content-Length: {9 * PIECE}", "Connection: close"),
        [b"[" * PIECE] * 9,
        0.15,  # nine times: longer than all of it may stand still
    ),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the server's data folder, with a large picture, and one that cannot be opened until
    somebody writes it.
    """
    data = tmp_path_factory.mktemp("data")
    pictures = data / "media" / "products"
    pictures.mkdir(parents=True)
    with (pictures / "large.jpg").open("wb") as large:
        large.truncate(FILE_MIB * 1024 * 1024)
    os.mkfifo(pictures / "hanging.jpg")
    return data


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[Server]:
    """Return a server whose clients have little time."""
    with served(folder, CLIENT_TIMEOUT=str(CLIENT_SECONDS), WEB_THREADS=str(THREADS)) as running:
        yield running


@pytest.fixture(scope="module")
def answers(server: Server) -> dict[str, bytes]:
    """Return what each slow client was answered until its connection was closed; all of them at
    once.
    """

    def be(client: Slow) -> bytes:
        with server.connect(client.sent) as connection:
            for part in client.parts:
                if select.select([connection], [], [], client.pause)[0]:
                    break
                with suppress(ConnectionError):  # closed in between; what it answered is still read
                    connection.sendall(part)
            return read(connection)

    with ThreadPoolExecutor(len(SLOW)) as clients:
        return dict(zip(SLOW, clients.map(be, SLOW.values()), strict=True))


def test_a_slow_client_is_cut_off_and_a_steady_one_is_not(answers: dict[str, bytes]) -> None:
    statuses = {name: answer[:12] for name, answer in answers.items()}
    assert statuses == {name: client.answer for name, client in SLOW.items()}
    head, _, body = answers["stops in the body"].partition(b"\r\n\r\n")
    assert b"x-request-id: " in head
    assert b"cache-control: no-store" in head
    assert body.startswith(b'{"success":0,"code":"too_slow",')


@pytest.mark.parametrize("head", [UNFINISHED, HALF_A_HEAD, b""], ids=["bodies", "heads", "nothing"])
def test_a_crowd_that_does_not_go_on_holds_nobody_up(server: Server, head: bytes) -> None:
    with ExitStack() as stack:
        crowd = [stack.enter_context(server.connect(head)) for _ in range(CROWD)]
        assert accepts(server)
        assert server.ask("GET /accent.css").startswith(b"HTTP/1.1 200")
        assert server.ask("POST /api/login", JSON, "Content-Length: 2", body=b"[]").startswith(
            b"HTTP/1.1 400"
        )
        assert len(select.select(crowd, [], [], 0)[0]) < CROWD  # they are still waited for


def test_readers_who_do_not_read_hold_nobody_up_and_get_no_more(server: Server) -> None:
    with ExitStack() as stack:
        crowd = [
            stack.enter_context(server.connect(request(f"GET {LARGE}"))) for _ in range(3 * THREADS)
        ]
        until(lambda: len(select.select(crowd, [], [], 0)[0]) == len(crowd))
        assert server.ask("GET /accent.css").startswith(b"HTTP/1.1 200")
        until(lambda: not opened(server, LARGE))
        assert all(len(read(connection)) < FILE_MIB * 1024 * 1024 for connection in crowd)


def opened(server: Server, name: str) -> int:
    """Return how many times the worker has a file open."""
    count = 0
    for file in Path(f"/proc/{server.worker()}/fd").iterdir():
        with suppress(FileNotFoundError):  # closed since it was listed
            count += os.readlink(file).endswith(name)
    return count


def test_a_file_is_sent_whole_without_being_held_in_memory(server: Server) -> None:
    before = memory(server)
    head, _, body = server.ask(f"GET {LARGE}").partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200")
    assert len(body) == FILE_MIB * 1024 * 1024
    assert memory(server) - before < FILE_MIB / 2


def memory(server: Server) -> float:
    """Return the most memory that the worker has had, in MiB."""
    status = Path(f"/proc/{server.worker()}/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


def test_health_is_told_while_every_thread_hangs(server: Server, folder: Path) -> None:
    with ExitStack() as stack:
        hanging = [
            stack.enter_context(server.connect(request(f"GET {HANGING}"))) for _ in range(THREADS)
        ]
        waiting: list[socket.socket] = []

        def is_taken() -> bool:
            waiting.append(stack.enter_context(server.connect(request("GET /accent.css"))))
            return not select.select(waiting[-1:], [], [], 1)[0]

        until(is_taken)  # a request that came later may be read before one of them
        assert accepts(server)
        assert server.ask("GET /readyz").startswith(b"HTTP/1.1 503")  # its tables were never made
        assert not select.select([*hanging, waiting[-1]], [], [], 0.2)[0]
        os.close(os.open(folder / HANGING.lstrip("/"), os.O_WRONLY | os.O_NONBLOCK))
        assert waiting[-1].recv(12) == b"HTTP/1.1 200"


@pytest.mark.parametrize(
    ("line", "headers", "status"),
    [
        ("POST /api/login", ["Content-Length: 1048577"], b"413"),
        ("POST /api/fileupload/", ["Content-Length: 6291457"], b"413"),
        ("POST /admin/login/", ["Content-Length: 65537"], b"413"),
        ("POST /admin/catalog/product/import/", ["Content-Length: 65537"], b"413"),
        ("POST /login", ["Content-Length: 1048577"], b"413"),
        ("POST /api/login", ["Transfer-Encoding: chunked"], b"400"),
        ("POST /admin/login/", ["Transfer-Encoding: chunked"], b"403"),
    ],
)
def test_a_body_over_its_limit_is_refused_unread(
    server: Server, line: str, headers: list[str], status: bytes
) -> None:
    assert server.ask(line, JSON, EXPECT, *headers).startswith(b"HTTP/1.1 " + status)


def test_a_name_with_an_underscore_passes_for_none_with_a_hyphen(server: Server) -> None:
    header = b"x-request-id: abcdefgh-1\r\n"
    assert header in server.ask("GET /accent.css", "X-Request-ID: abcdefgh-1")
    assert header not in server.ask("GET /accent.css", "X_Request_ID: abcdefgh-1")
    assert header in server.ask(
        "GET /accent.css", "X-Request-ID: abcdefgh-1", "X_Request_ID: abcdefgh-2"
    )
