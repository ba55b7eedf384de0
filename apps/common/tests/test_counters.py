"""Counters of processes that share memory: exact however many count, and whoever dies."""

import os
import signal
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import get_context
from types import SimpleNamespace
from typing import Any

import pytest

from apps.common.http import throttles as counters
from apps.common.http.throttles import SharedCounters

FORK = get_context("fork")
PROCESSES, USES = 16, 250
NOW = 1_800_000_000


def test_uses_are_counted_by_name_and_window() -> None:
    counters_shared = SharedCounters()
    assert [counters_shared.count("a", until=NOW) for _ in range(3)] == [1, 2, 3]
    assert counters_shared.count("b", until=NOW) == 1
    assert [counters_shared.count("a", until=NOW + 60) for _ in range(2)] == [1, 2]
    counters_shared.clear()
    assert counters_shared.count("a", until=NOW + 60) == 1


def in_processes(number: int, act: Callable[[], object]) -> list[int | None]:
    """Do something in so many processes, all at once, and return how they ended."""
    processes = [FORK.Process(target=act) for _ in range(number)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    return [process.exitcode for process in processes]


def test_sixteen_processes_count_exactly_and_so_does_who_comes_later() -> None:
    counters_shared, results = SharedCounters(), FORK.SimpleQueue()

    def count() -> None:
        results.put([counters_shared.count("one for all", until=NOW) for _ in range(USES)])
        assert [counters_shared.count(str(os.getpid()), until=NOW) for _ in range(USES)] == [
            *range(1, USES + 1)
        ]

    assert in_processes(PROCESSES, count) == [0] * PROCESSES
    numbers = [number for _ in range(PROCESSES) for number in results.get()]
    assert sorted(numbers) == [*range(1, PROCESSES * USES + 1)]
    assert in_processes(
        1, lambda: results.put(counters_shared.count("one for all", until=NOW))
    ) == [0]
    assert results.get() == PROCESSES * USES + 1


def test_threads_count_exactly(monkeypatch: pytest.MonkeyPatch) -> None:
    counters_shared, entry = SharedCounters(), counters.ENTRY

    def read_slowly(memory: bytes) -> list[Any]:
        """Let another thread in between reading and writing."""
        entries = list(entry.iter_unpack(memory))
        time.sleep(0.0001)
        return entries

    slow = SimpleNamespace(size=entry.size, iter_unpack=read_slowly, pack_into=entry.pack_into)
    monkeypatch.setattr(counters, "ENTRY", slow)
    with ThreadPoolExecutor(8) as pool:
        counts = list(
            pool.map(lambda _: counters_shared.count("one for all", until=NOW), range(200))
        )
    assert sorted(counts) == [*range(1, 201)]


def test_a_process_that_dies_while_it_counts_stops_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    counters_shared = SharedCounters()

    def die() -> None:
        def kill(_: object) -> None:
            os.kill(os.getpid(), signal.SIGKILL)

        monkeypatch.setattr(counters, "WINDOW_AND_USES", kill)  # called under the lock
        counters_shared.count("a", until=NOW)

    assert in_processes(1, die) == [-signal.SIGKILL]
    assert counters_shared.count("a", until=NOW) == 1


def test_where_there_is_no_room_the_oldest_and_rarest_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counters, "BUCKETS", 1)
    counters_shared = SharedCounters()
    for name in ("ends later", "ends later", "ends now", "ends now", "ends now"):
        counters_shared.count(name, until=NOW + 60 * (name == "ends later"))
    for number in range(counters.DEPTH - 2):
        counters_shared.count(f"filler {number}", until=NOW + 60)
    for number in range(100):  # a flood of names that are used once
        counters_shared.count(f"flood {number}", until=NOW + 60)
    assert counters_shared.count("ends later", until=NOW + 60) == 3
    assert counters_shared.count("ends now", until=NOW) == 1
