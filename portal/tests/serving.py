"""The portal as it ships, started as a process of its own."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from django.conf import settings

GUARD_SECONDS = 60  # only against hanging
ANSWER_SECONDS = 2  # a closing server's queue may still take a connection that nobody will answer


class Server(NamedTuple):
    """A server that answers."""

    process: "subprocess.Popen[bytes]"
    port: int

    def connect(self, data: bytes = b"") -> socket.socket:
        """Return a connection on which something was sent."""
        connection = socket.create_connection(("127.0.0.1", self.port), timeout=GUARD_SECONDS)
        connection.sendall(data)
        return connection

    def ask(self, line: str, *headers: str, body: bytes = b"") -> bytes:
        """Return the whole answer to a request on a connection of its own."""
        with self.connect(request(line, "Connection: close", *headers) + body) as connection:
            return read(connection)

    def worker(self) -> int:
        """Return the process id of its first worker."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text()
        return int(children.split()[0])


@contextmanager
def served(folder: Path, **environment: str) -> Iterator[Server]:
    """Yield a server of one worker that keeps its data in a folder."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    variables = {
        "PATH": os.environ["PATH"],
        "PORTAL_ENV": "development",
        "PORTAL_DATA_DIR": str(folder),
        "PORT": str(port),
        "WEB_WORKERS": "1",
        **environment,
    }
    command = [sys.executable, "manage.py", "serve", "--no-sweeps"]
    process = subprocess.Popen(command, env=variables, cwd=settings.BASE_DIR)  # noqa: S603
    server = Server(process, port)
    try:
        until(lambda: accepts(server))
        yield server
    finally:
        process.kill()
        process.wait()


def request(line: str, *headers: str) -> bytes:
    """Return the head of a request."""
    return "\r\n".join([f"{line} HTTP/1.1", "Host: 127.0.0.1", *headers, "", ""]).encode()


def read(connection: socket.socket) -> bytes:
    """Return what comes until the server closes; nothing more after a reset."""
    received = bytearray()
    try:
        while chunk := connection.recv(65536):
            received += chunk
    except ConnectionResetError:
        pass  # closed while something of ours was still on its way
    return bytes(received)


def until(holds: Callable[[], bool], *, seconds: float = GUARD_SECONDS) -> None:
    """Wait for something that is bound to come."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.05)


def accepts(server: Server) -> bool:
    """Return whether a new connection is answered."""
    try:
        with socket.create_connection(
            ("127.0.0.1", server.port), timeout=ANSWER_SECONDS
        ) as connection:
            connection.sendall(request("GET /healthz", "Connection: close"))
            return connection.recv(64).startswith(b"HTTP/1.1 200")
    except OSError:
        return False
