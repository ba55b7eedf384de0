"""Who is calling, asked together with what is called for (decision 0078).

A process remembers what it last read of a buyer. A hot call reads for the buyer as remembered, and its first read
finds rows only if nothing of that has changed since: the database answers, as ever, whether the caller may come in.
"""

import re
from collections.abc import Callable
from functools import lru_cache
from operator import attrgetter, itemgetter
from typing import Any
from uuid import UUID

from django.db import DEFAULT_DB_ALIAS, DatabaseError, connections

from apps.accounts.selectors import IDENTITY, MAY_COME_IN, Buyer

BUYERS_REMEMBERED = 4096
WRITES = re.compile(r"\s*(?:INSERT|UPDATE|DELETE)\b")
SAME = f"SELECT 1 FROM {MAY_COME_IN} AND {' AND '.join(f'{column} = %s' for column in IDENTITY.values())}"  # noqa: S608
WITHOUT_MARK = itemgetter(slice(0, -1))
_known_of = attrgetter("uuid", *IDENTITY)
_buyers: dict[UUID, Buyer] = {}


class BuyerChanged(Exception):
    """What is remembered of the buyer is not what the database holds (any more)."""


def remember(buyer: Buyer) -> None:
    """Keep what was just read of a buyer."""
    if len(_buyers) >= BUYERS_REMEMBERED:
        _buyers.clear()
    _buyers[buyer.uuid] = buyer


def recall(uuid: UUID) -> Buyer | None:
    """Return what was last read of a buyer; only good within `unless_changed`.

    None also where statements do not go the short way (`portal.postgresql`), which alone can carry the question.
    """
    database = connections[DEFAULT_DB_ALIAS]
    return _buyers.get(uuid) if hasattr(database, "read") and not database.queries_logged else None


class unless_changed:
    """Let the block's first read (`prepared.read`) find its rows only if the buyer is as remembered, and may come in.

    Raises:
        BuyerChanged: at that read, or at the end if there was none.
    """

    def __init__(self, buyer: Buyer) -> None:
        self.buyer = buyer
        self.is_asked = False

    def __enter__(self) -> None:
        self._connection = connections[DEFAULT_DB_ALIAS]
        self._connection.execute_wrappers.append(self.ask)

    def __exit__(self, kind: type[BaseException] | None, error: object, traceback: object) -> None:
        self._connection.execute_wrappers.pop()
        if kind is None and not self.is_asked:
            raise BuyerChanged

    def ask(self, execute: Callable[..., Any], sql: str, values: Any, many: bool, context: Any) -> Any:
        """Run a statement, the first one together with the question; an execute wrapper."""
        if self.is_asked or context["cursor"] is not None:
            try:
                return execute(sql, values, many, context)
            except DatabaseError:
                self.is_asked = False  # the transaction is over, and whoever repeats it asks again
                raise
        if WRITES.match(sql) and not self._connection.in_atomic_block:
            raise RuntimeError("What writes first must be within a transaction, or nobody could take it back.")
        rows = execute(_together(sql), (*values, *_known_of(self.buyer)), many, context)
        self.is_asked = True
        if not rows:
            _buyers.pop(self.buyer.uuid, None)
            raise BuyerChanged
        return [*map(WITHOUT_MARK, rows)] if rows[0][-1] else []


@lru_cache(maxsize=256)
def _together(sql: str) -> str:
    """Return a statement that finds nothing unless the buyer is the same; else its rows and TRUE, or a row of NULL."""
    found = "SELECT own.*, TRUE FROM own"
    return f"WITH own AS ({sql}) SELECT found.* FROM ({SAME}) same LEFT JOIN ({found}) found ON TRUE"  # noqa: S608
