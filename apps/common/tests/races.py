"""The same work many times at once, as requests and sweeps do it: each thread on a connection of
its own.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import TypeVar

from django.db import connection

T = TypeVar("T")
THREADS = 16


def race(work: Callable[[int], T], times: int, threads: int = THREADS) -> list[T]:
    """Run the work so many times, as many at once as there are threads, and return what each run
    gave.
    """
    start = Barrier(min(times, threads))

    def one(number: int) -> T:
        try:
            if number < threads:
                start.wait(timeout=30)
            return work(number)
        finally:
            connection.close()

    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(one, range(times)))
