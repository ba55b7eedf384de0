"""Other ends of a network connection that misbehave, for tests."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def silent_server() -> Iterator[int]:
    """Yield the port of a server that accepts and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener.getsockname()[1]  # what is accepted by the system alone is never answered


def closed_port() -> int:
    """Return a port on which nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
    return port


class Gate:
    """A way to a server that can be cut (connections end), closed (new ones are refused), and fall
    silent.

    Silent: connections stay, new ones are taken, and no byte passes.
    """

    def __init__(self, server: tuple[int, Any]) -> None:
        """Open a gate to a server, named by its family and address."""
        self._server = server
        self._ends: list[socket.socket] = []
        self.taken: list[socket.socket] = []
        self._flows: list[threading.Event] = []
        self._is_silent = False
        self._listener: socket.socket | None = None
        self.port = 0
        self.open()

    @classmethod
    def before(cls, info: Any) -> "Gate":
        """Open a gate to the PostgreSQL of a connection, named by the driver's own words on it."""
        if info.host.startswith("/"):
            return cls((socket.AF_UNIX, f"{info.host}/.s.PGSQL.{info.port}"))
        return cls((socket.AF_INET, (info.host, info.port)))

    def open(self) -> None:
        """Let connections through, on the same port as before."""
        self._listener = socket.create_server(("127.0.0.1", self.port))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, args=(self._listener,), daemon=True).start()

    def silence(self) -> None:
        """Let no byte pass until the gate speaks again: the server hangs."""
        self._is_silent = True
        for flow in self._flows:
            flow.clear()

    def speak(self) -> None:
        """Let the bytes pass again, those that were held too."""
        self._is_silent = False
        for flow in self._flows:
            flow.set()

    def forget(self) -> None:
        """Let no byte of the present connections pass ever again: something between dropped them
        without a word.
        """
        flows, self._flows = self._flows, []
        for flow in flows:
            flow.clear()

    def cut(self) -> None:
        """End what is connected; whoever comes is let through again."""
        ends, self._ends = self._ends, []
        for end in ends:
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                continue  # ended already

    def close(self) -> None:
        """End what is connected, and refuse what comes."""
        if self._listener is not None:
            self._listener.shutdown(socket.SHUT_RDWR)
            self._listener.close()
            self._listener = None
        self.cut()

    def _accept(self, listener: socket.socket) -> None:
        while True:
            try:
                client, _ = listener.accept()
            except OSError:
                return  # closed
            family, address = self._server
            server = socket.socket(family)
            server.connect(address)
            self.taken.append(client)
            self._ends += [client, server]
            flow = threading.Event()
            self._flows.append(flow)
            if not self._is_silent:
                flow.set()
            for pair in ((client, server), (server, client)):
                threading.Thread(target=self._pump, args=(*pair, flow), daemon=True).start()

    @staticmethod
    def _pump(source: socket.socket, target: socket.socket, flow: threading.Event) -> None:
        try:
            while data := source.recv(65536):
                flow.wait()
                target.sendall(data)
        except OSError:
            pass
        for end in (source, target):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                continue
        target.close()
