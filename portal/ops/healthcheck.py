"""Exits 0 while what it asks about is alive: what a container's health check runs, every few
seconds and cheaply.

    python -IS portal/ops/healthcheck.py
        the web instance of this container answers /healthz
    python -IS portal/ops/healthcheck.py FILE [SECONDS]
        a worker or the beat has touched FILE within so long (30)

Of the standard library, and little of that: most of its time is Python's own start.
"""

import os
import sys
import time

FRESH_SECONDS = "30"


def answers(port: int) -> bool:
    """Return whether /healthz answers 200 within the time that the health check has."""
    import _socket  # `socket` costs a third more

    connection = _socket.socket()
    connection.settimeout(8)
    connection.connect(("127.0.0.1", port))
    connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
    return connection.recv(12) == b"HTTP/1.1 200"


def main(*words: str) -> int:
    """Return 0 if it is alive, 1 if not."""
    try:
        if words:
            return int(time.time() - os.stat(words[0]).st_mtime > float([*words, FRESH_SECONDS][1]))
        return int(not answers(int(os.environ.get("PORT") or 8000)))
    except OSError:
        return 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
