"""A connection to a server that may fall silent: whatever waits for it ends in time.

`statement_timeout` is the server's own clock and does not run where the server is silent. psycopg
waits in two places: `wait`, which its documentation offers to subclasses, and the generator that
opens a connection.
"""

from time import monotonic
from typing import Any, Self

import psycopg
from psycopg import _queries
from psycopg.abc import PQGen, PQGenConn
from psycopg.errors import ConnectionTimeout
from psycopg.pq import TransactionStatus

from portal.postgresql.budget import current

INTERVAL = 0.1  # how often psycopg looks up while it waits, in seconds
# psycopg parses a longer statement anew each time: a tenth of an order's details.
_queries.MAX_CACHED_STATEMENT_LENGTH, _queries.MAX_CACHED_STATEMENT_PARAMS = 16_384, 400


class Connection(psycopg.Connection[Any]):
    """Waits as long as the request may (`DatabaseBudget`), and closes itself when nothing came: its
    answer would be stray.

    `is_unproven`: kept since an earlier request, and not heard of in this one. What lies between
    may have dropped it without a word, so it has half of the time, and a new connection the other
    half.
    """

    is_unproven = False

    def wait(
        self, gen: PQGen[Any], interval: float = INTERVAL, timeout: float | None = None
    ) -> Any:
        """Wait for the server.

        Raises:
            ConnectionTimeout: it said nothing in time. Whether it did what it was asked, nobody
                knows.
        """
        budget = current.get()
        if budget is None:
            return super().wait(gen, interval, timeout)
        seconds = budget.left(writing=not self.autocommit)
        if seconds <= 0:
            raise ConnectionTimeout("the database has kept this request waiting for too long")
        began = monotonic()
        try:
            answer = super().wait(gen, interval, seconds / 2 if self.is_unproven else seconds)
        except psycopg.OperationalError as error:
            if self.pgconn.transaction_status != TransactionStatus.ACTIVE:
                raise
            self.close()
            raise ConnectionTimeout("the database does not answer") from error
        finally:
            budget.waited += monotonic() - began
        self.is_unproven = False
        return answer

    @classmethod
    def _connect_gen(cls, conninfo: str = "") -> PQGenConn[Self]:
        """Open a connection in the time that the request has: `connect_timeout` knows whole seconds
        from two on.
        """
        opening, budget = super()._connect_gen(conninfo), current.get()
        if budget is None:
            return (yield from opening)
        began = monotonic()
        try:
            step = next(opening)
            while True:
                ready = yield step
                if monotonic() - began >= budget.left(writing=False):
                    raise ConnectionTimeout("the database does not take a connection")
                step = opening.send(ready)
        except StopIteration as opened:
            connection: Self = opened.value
            return connection
        finally:
            budget.waited += monotonic() - began
