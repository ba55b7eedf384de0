"""Where records are kept: in memory, and in a SQLite file if one is named."""

import json
import sqlite3
import threading
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TypeVar

from tools.paypal_simulator.records import KINDS, Capture, Checkout, Event, Listener, Refund, Reply

Record = Checkout | Capture | Refund | Listener | Event | Reply
R = TypeVar("R", Checkout, Capture, Refund, Listener, Event, Reply)

TABLE = "CREATE TABLE IF NOT EXISTS record (kind TEXT, id TEXT, body TEXT, PRIMARY KEY (kind, id))"


class Store:
    """Records by kind and id; a lock for each checkout, so that two calls for one never
    interleave.
    """

    def __init__(self, database: Path | None = None) -> None:
        self._records: dict[str, dict[str, Record]] = defaultdict(dict)
        self._locks: dict[str, threading.RLock] = defaultdict(threading.RLock)
        self._lock = threading.Lock()
        self._file: sqlite3.Connection | None = None
        if database is not None:
            database.parent.mkdir(parents=True, exist_ok=True)
            self._file = sqlite3.connect(database, check_same_thread=False, isolation_level=None)
            self._file.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;")
            self._file.execute(TABLE)
            for kind, identifier, body in self._file.execute(
                "SELECT kind, id, body FROM record ORDER BY rowid"
            ):
                self._records[kind][identifier] = KINDS[kind](**json.loads(body))

    def save(self, record: Record) -> None:
        """Keep a record, new or changed."""
        kind = type(record).__name__
        with self._lock:
            self._records[kind][record.id] = record
            if self._file is not None:
                body = json.dumps(asdict(record))
                upsert = (
                    "INSERT INTO record VALUES (?, ?, ?) ON CONFLICT (kind, id) DO UPDATE SET "
                    "body = excluded.body"
                )
                self._file.execute(upsert, (kind, record.id, body))

    def get(self, kind: type[R], identifier: str) -> R | None:
        """Return a record, or None."""
        record = self._records[kind.__name__].get(identifier)
        return record if isinstance(record, kind) else None

    def all(self, kind: type[R]) -> list[R]:
        """Return the records of a kind, oldest first."""
        with self._lock:
            return [
                record
                for record in self._records[kind.__name__].values()
                if isinstance(record, kind)
            ]

    @contextmanager
    def locked(self, checkout: str) -> Iterator[None]:
        """Let one thread at a time work on a checkout."""
        with self._lock:
            lock = self._locks[checkout]
        with lock:
            yield

    def clear(self) -> None:
        """Forget everything but the listeners."""
        with self._lock:
            for kind in [kind for kind in self._records if kind != Listener.__name__]:
                self._records[kind].clear()
            self._locks.clear()
            if self._file is not None:
                self._file.execute("DELETE FROM record WHERE kind <> ?", (Listener.__name__,))

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            if self._file is not None:
                self._file.close()
                self._file = None
