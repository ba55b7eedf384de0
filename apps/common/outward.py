"""Calls to other people's servers, each with an end: an answer is there in time, or
there is none.
"""

import os
import socket
import threading
import time
from hashlib import blake2b
from mmap import mmap
from struct import Struct
from typing import Any
from urllib.parse import urlsplit

import requests
from requests.adapters import HTTPAdapter
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool

PAUSE_SECONDS = 30


class Silence:
    """Which server let a call wait in vain, and until when it is not waited for again.

    Every process forked from the one that made it knows. The last server alone is remembered: the
    portal waits for one, PayPal's.
    """

    entry = Struct("=16sd")  # the host, hashed; the end (seconds of the machine's clock)

    def __init__(self) -> None:
        self._memory = mmap(-1, self.entry.size)

    def begin(self, address: str, seconds: float = PAUSE_SECONDS) -> None:
        """Let nobody wait for a server for so many seconds."""
        end = time.monotonic() + seconds
        self.entry.pack_into(self._memory, 0, self._host(address), end)

    def holds(self, address: str) -> bool:
        """Return whether a server was silent just now."""
        host, end = self.entry.unpack_from(self._memory)
        return bool(host == self._host(address) and time.monotonic() < end)

    def forget(self) -> None:
        """End it; for tests."""
        self._memory[:] = bytes(self.entry.size)

    @staticmethod
    def _host(address: str) -> bytes:
        return blake2b(urlsplit(address).netloc.encode(), digest_size=16).digest()


silence = Silence()  # made as this module loads, before the server forks its workers (portal.wsgi)


def is_silent(address: str) -> bool:
    """Return whether a server left a call without an answer in time, less than 30 seconds ago."""
    return silence.holds(address)


class _Call:
    """A call under way, and the connections that it uses."""

    def __init__(self) -> None:
        self.is_over = False
        self._wires: list[socket.socket] = []
        self._lock = threading.Lock()

    def uses(self, connection: socket.socket) -> None:
        """Note a connection; by a descriptor of our own, which the TLS around it does not take
        along.
        """
        with self._lock:
            self._wires.append(socket.socket(fileno=os.dup(connection.fileno())))
        if self.is_over:
            self.end()

    def end(self) -> None:
        """Let whoever waits for these connections find them closed."""
        with self._lock:
            self.is_over = True
            for wire in self._wires:
                try:
                    wire.shutdown(socket.SHUT_RDWR)
                except OSError:
                    continue  # closed by the other side

    def release(self) -> None:
        """Leave the connections to those who keep them."""
        with self._lock:
            for wire in self._wires:
                wire.close()
            self._wires.clear()


_of_thread = threading.local()


class _Noted:
    """A connection that tells the call under way of itself, when it is opened and when it is used
    again.
    """

    sock: socket.socket | None

    def _new_conn(self) -> socket.socket:
        opened: socket.socket = super()._new_conn()  # type: ignore[misc]
        _of_thread.call.uses(opened)
        return opened

    def request(self, *args: Any, **options: Any) -> None:
        if self.sock is not None:
            _of_thread.call.uses(self.sock)
        super().request(*args, **options)  # type: ignore[misc]


class _Plain(_Noted, HTTPConnection):
    pass


class _Secure(_Noted, HTTPSConnection):
    pass


class _PlainPool(HTTPConnectionPool):
    ConnectionCls = _Plain


class _SecurePool(HTTPSConnectionPool):
    ConnectionCls = _Secure


class _Adapter(HTTPAdapter):
    def init_poolmanager(self, *args: Any, **options: Any) -> None:
        super().init_poolmanager(*args, **options)
        self.poolmanager.pool_classes_by_scheme = {"http": _PlainPool, "https": _SecurePool}


class TimedSession(requests.Session):
    """A session whose calls are answered whole within `seconds`, and which follows no redirect.

    The limits of `requests` count from one byte to the next: a server that sends one a second is
    within them for ever. One that let a call wait in vain `is_silent` for a while.
    """

    def __init__(self, *, connect: float, seconds: float) -> None:
        super().__init__()
        self._connect, self._seconds = connect, seconds
        for scheme in ("http://", "https://"):
            self.mount(scheme, _Adapter())

    def request(self, method: Any, url: Any, *args: Any, **options: Any) -> requests.Response:
        """Call.

        Raises:
            RequestException: there is no answer, or none in time.
        """
        options |= {"timeout": (self._connect, self._seconds), "allow_redirects": False}
        began = time.monotonic()
        call = _of_thread.call = _Call()
        clock = threading.Timer(self._seconds, call.end)
        clock.daemon = True
        clock.start()
        try:
            response = super().request(method, url, *args, **options)
            if not call.is_over:
                return response
        except requests.RequestException as error:
            # The connection's own limit may come first; `requests` has several names for that
            waited = time.monotonic() - began >= self._seconds
            if not (call.is_over or waited or isinstance(error, requests.Timeout)):
                raise
        finally:
            clock.cancel()
            call.release()
        # None, or cut off, which may look like the end of the answer
        silence.begin(url)
        raise requests.ReadTimeout(f"no whole answer in {self._seconds} seconds")
