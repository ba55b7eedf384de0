"""For how long a request waits for the database, all its statements together, and a sweep for each
of its own.
"""

from contextvars import ContextVar, Token
from dataclasses import dataclass, field
from typing import Self


@dataclass(slots=True)
class DatabaseBudget:
    """The seconds that the database may keep a request waiting: while it only reads, and inside a
    transaction.

    Counted while the database is asked, and at no other time: neither a slow PayPal nor a slow
    reader of a long answer uses them up. In force inside `with`.
    """

    reading: float
    writing: float
    waited: float = 0.0
    asks_again: bool = True  # a read whose kept connection is lost, on a new one
    _before: "Token[DatabaseBudget | None] | None" = field(default=None, repr=False)

    def left(self, *, writing: bool) -> float:
        """Return the seconds that are left, below zero when they are used up."""
        return (self.writing if writing else self.reading) - self.waited

    def __enter__(self) -> Self:
        self._before = current.set(self)
        return self

    def __exit__(self, *_: object) -> None:
        if self._before is not None:
            current.reset(self._before)


class SweepBudget(DatabaseBudget):
    """The seconds that the database may keep a sweep waiting for each statement; how many it needs,
    nobody knows.

    A lost connection ends the sweep: its lock went with the connection.
    """

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds, seconds, asks_again=False)

    def left(self, *, writing: bool) -> float:
        """Return the seconds of a statement."""
        return self.writing if writing else self.reading


current: ContextVar[DatabaseBudget | None] = ContextVar("budget", default=None)
