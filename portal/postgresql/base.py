"""Django's PostgreSQL backend with a health check that costs no round trip."""

import select

from django.db.backends.postgresql import base


class DatabaseWrapper(base.DatabaseWrapper):
    """Looks at the kept connection's socket instead of asking `SELECT 1` before each request's first statement.

    2 µs instead of 68 µs of CPU and a round trip of 270 µs, where a product page takes 600 µs (decision 0017).
    """

    def is_usable(self) -> bool:
        """Return whether the kept connection still stands.

        Nothing is due on an idle connection: one whose socket can be read was closed by the server.
        """
        if self.connection is None or self.connection.closed:
            return False
        readable, _, _ = select.select([self.connection.fileno()], [], [], 0)
        return not readable
