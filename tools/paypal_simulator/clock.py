"""The simulator's time: the real one, until a test or a hand moves it on."""

import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime


class Clock:
    """Seconds since 1970, never backwards."""

    def __init__(self) -> None:
        self._ahead = 0.0
        self._lock = threading.Lock()
        self._listeners: list[Callable[[], None]] = []

    def now(self) -> float:
        """Return the simulator's moment in seconds."""
        return time.time() + self._ahead

    def advance(self, seconds: float) -> None:
        """Move on by some seconds and tell those who wait for a moment.

        Raises:
            ValueError: backwards.
        """
        if seconds < 0:
            raise ValueError("the clock only goes forward")
        with self._lock:
            self._ahead += seconds
        for listener in self._listeners:
            listener()

    def on_advance(self, listener: Callable[[], None]) -> None:
        """Call this whenever the clock was moved."""
        self._listeners.append(listener)


def rfc3339(moment: float) -> str:
    """Return a moment as PayPal writes it, in UTC to the second."""
    return datetime.fromtimestamp(moment, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
