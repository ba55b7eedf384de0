"""The few threads that answer requests, and whether they still do."""

import asyncio
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from django.conf import settings

HANG_SECONDS = 120  # no request takes so long: what it waits for has deadlines far below

P = ParamSpec("P")
T = TypeVar("T")


class Threads:
    """Threads that take one piece of work after the other; each keeps its own database
    connection.
    """

    def __init__(self, number: int) -> None:
        self._pool = ThreadPoolExecutor(number)
        self._number = number
        self._taken_at: dict[int, float] = {}

    async def run(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Wait for a free thread without holding the event loop, and return what the work returns
        on it.
        """

        def timed() -> T:
            self._taken_at[threading.get_ident()] = time.monotonic()
            try:
                return work(*args, **kwargs)
            finally:
                del self._taken_at[threading.get_ident()]

        return await asyncio.get_running_loop().run_in_executor(self._pool, timed)

    def hang(self) -> bool:
        """Return whether every thread has been at the same work for longer than any may take."""
        taken_at = list(self._taken_at.values())
        return len(taken_at) == self._number and time.monotonic() - max(taken_at) > HANG_SECONDS


portal_threads = Threads(settings.WEB_THREADS)
