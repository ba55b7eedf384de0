"""The list of calls received, for tests that count them."""

import threading
from dataclasses import dataclass

from tools.paypal_simulator.http import Request

LONGEST = 10_000


@dataclass
class Entry:
    """A call; `status` stays None where no answer left."""

    number: int
    method: str
    path: str
    operation: str
    request_id: str
    at: float
    status: int | None = None
    fault: str = ""


class CallLog:
    """Calls in the order of their arrival."""

    def __init__(self) -> None:
        self._entries: list[Entry] = []
        self._lock = threading.Lock()

    def begin(self, request: Request, operation: str, now: float) -> Entry:
        """Write a call down."""
        with self._lock:
            entry = Entry(
                len(self._entries) + 1,
                request.method,
                request.path,
                operation,
                request.request_id,
                now,
            )
            if len(self._entries) < LONGEST:
                self._entries.append(entry)
            return entry

    def entries(self, operation: str = "") -> list[Entry]:
        """Return all calls, or those of one operation."""
        with self._lock:
            return [entry for entry in self._entries if operation in ("", entry.operation)]

    def clear(self) -> None:
        """Forget them."""
        with self._lock:
            self._entries.clear()
