"""Django's PostgreSQL backend with a health check that costs no round trip, and a short way for hot reads."""

import select
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from django.db.backends.postgresql import base
from psycopg.adapt import Buffer, Loader
from psycopg.pq import Format


class JsonText(Loader):
    """Leaves JSON a text, as Django's fields expect it."""

    format = Format.BINARY

    def load(self, data: Buffer) -> str:
        """Return the text behind the byte that tells jsonb's version."""
        return bytes(data)[1:].decode()


class DatabaseWrapper(base.DatabaseWrapper):
    """Looks at the kept connection's socket instead of asking `SELECT 1` before each request's first statement."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._kept_cursor: Any = None

    def is_usable(self) -> bool:
        """Return whether the kept connection still stands.

        Nothing is due on an idle connection: one whose socket can be read was closed by the server.
        """
        if self.connection is None or self.connection.closed:
            return False
        readable, _, _ = select.select([self.connection.fileno()], [], [], 0)
        return not readable

    def read(self, sql: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
        """Return a statement's rows by one cursor that is kept as long as the connection (decision 0074).

        What a new cursor does is done here too: health check, broken transactions, execute wrappers, Django's errors.
        """
        if self.queries_logged:
            with self.cursor() as logged:
                logged.execute(sql, values)
                return list(logged.fetchall())
        self.close_if_health_check_failed()
        self.ensure_connection()
        cursor = self._kept_cursor
        if cursor is None or cursor.connection is not self.connection:
            cursor = self._kept_cursor = self.create_cursor()
            cursor.format = Format.BINARY  # half the work of text, on both sides
            cursor.adapters.register_loader("jsonb", JsonText)
        self.validate_no_broken_transaction()

        def execute(sql: str, values: Any, _many: bool, _context: Any) -> list[tuple[Any, ...]]:
            with self.wrap_database_errors:
                rows: list[tuple[Any, ...]] = cursor.execute(sql, values).fetchall()
            return rows

        run: Callable[..., list[tuple[Any, ...]]] = execute
        context = {"connection": self, "cursor": cursor}
        for wrapper in reversed(self.execute_wrappers):
            run = partial(wrapper, run)
        return run(sql, values, False, context)
