"""Django's PostgreSQL backend with a health check that costs no round trip, and a short way for hot calls."""

import select
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from django.db.backends.postgresql import base

from portal.postgresql.statements import Statements


class DatabaseWrapper(base.DatabaseWrapper):
    """Looks at the kept connection's socket instead of asking `SELECT 1` before each request's first statement."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._statements: Statements | None = None
        self.kept: dict[Any, Any] = {}

    def get_new_connection(self, conn_params: Any) -> Any:
        """Open a connection. What was `kept` of another one's rows is forgotten: this may be another server."""
        self.kept = {}
        return super().get_new_connection(conn_params)

    def is_usable(self) -> bool:
        """Return whether the kept connection still stands.

        Nothing is due on an idle connection: one whose socket can be read was closed by the server.
        """
        if self.connection is None or self.connection.closed:
            return False
        readable, _, _ = select.select([self.connection.fileno()], [], [], 0)
        return not readable

    def read(self, sql: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
        """Return a statement's rows by libpq's own call, prepared (decision 0082).

        What a cursor does is done here too: health check, broken transactions, execute wrappers, Django's errors.
        """
        self.validate_thread_sharing()
        if self.queries_logged:
            with self.cursor() as logged:
                logged.execute(sql, values)
                return list(logged.fetchall())
        self.close_if_health_check_failed()
        self.ensure_connection()
        statements = self._statements
        if statements is None or statements.connection is not self.connection:
            statements = self._statements = Statements(self.connection)
        self.validate_no_broken_transaction()

        run: Callable[..., list[tuple[Any, ...]]] = self._run
        context = {"connection": self, "cursor": None}
        for wrapper in reversed(self.execute_wrappers):
            run = partial(wrapper, run)
        return run(sql, values, False, context)

    def _run(self, sql: str, values: Any, _many: bool, _context: Any) -> list[tuple[Any, ...]]:
        with self.wrap_database_errors:
            return self._statements.run(sql, values)  # type: ignore[union-attr]
