"""Many callers at once, for as long as a trial lasts."""

import threading
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Self


class Crowd:
    """Callers on a thread each, inside `with`; its end sets `over`, at which each finishes what it
    has begun.
    """

    def __init__(self, callers: Sequence[Callable[[], None]]) -> None:
        self.over = threading.Event()
        self.threads = [threading.Thread(target=caller) for caller in callers]

    def __enter__(self) -> Self:
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.over.set()
        for thread in self.threads:
            thread.join()
