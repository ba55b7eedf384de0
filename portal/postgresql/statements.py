"""Statements of fixed text, prepared once and run by libpq's own call (decision 0082)."""

import re
from collections.abc import Sequence
from itertools import count
from typing import Any

import psycopg
from psycopg import abc, errors
from psycopg.adapt import Buffer, Loader, PyFormat, Transformer
from psycopg.pq import ExecStatus, Format, TransactionStatus
from psycopg.pq.abc import PGresult

Row = tuple[Any, ...]
# The server does not have what was prepared, or the tables have changed since.
STALE = ("26000", "0A000")
MARK = re.compile("%%|%s")
# One text and one set of parameter types each; our own are a few dozen. Those beyond run unprepared.
MOST_STATEMENTS = 400


class JsonText(Loader):
    """Leaves JSON a text, as Django's fields expect it."""

    format = Format.BINARY

    def load(self, data: Buffer) -> str:
        """Return the text behind the byte that tells jsonb's version."""
        return bytes(data)[1:].decode()


class Statements:
    """The statements of one connection, each prepared at its first use.

    psycopg's cursor finds out at each execution what is known here: the statement's name, how its parameters are
    written and how its columns are read. Results are binary: half the work of text, on both sides.
    """

    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        self.connection = connection
        self._libpq = connection.pgconn
        self._context = connection.cursor()
        self._context.adapters.register_loader("jsonb", JsonText)
        self._converters: dict[str, abc.Transformer] = {}
        self._names: dict[tuple[str, Any], bytes] = {}
        self._numbers = count()

    def run(self, sql: str, values: Sequence[Any]) -> list[Row]:
        """Run a statement that returns rows, and return them.

        Raises:
            psycopg.Error: whatever the database has against it.
        """
        self._begin()
        converter = self._converters.get(sql) or self._converter(sql)
        parameters: Any = converter.dump_sequence(values, [PyFormat.AUTO] * len(values))
        name = self._names.get((sql, converter.types)) or self._prepare(sql, converter.types)
        if name:
            result = self._libpq.exec_prepared(name, parameters, converter.formats, Format.BINARY)
        else:
            result = self._libpq.exec_params(
                _numbered(sql), parameters, converter.types, converter.formats, Format.BINARY
            )
        self._check(result, ExecStatus.TUPLES_OK)
        converter.set_pgresult(result)
        rows: list[Row] = converter.load_rows(0, result.ntuples, tuple)
        converter.set_pgresult(None, set_loaders=False)
        return rows

    def _begin(self) -> None:
        """Open the transaction that psycopg would open before its first statement."""
        if not self.connection.autocommit and self._libpq.transaction_status == TransactionStatus.IDLE:
            self._check(self._libpq.exec_(b"BEGIN"), ExecStatus.COMMAND_OK)

    def _converter(self, sql: str) -> abc.Transformer:
        if len(self._converters) >= MOST_STATEMENTS:
            self._converters.clear()
        self._converters[sql] = converter = Transformer(self._context)
        return converter

    def _prepare(self, sql: str, types: Any) -> bytes:
        """Return the name of a statement that is prepared now; none where the server keeps enough of them."""
        if len(self._names) >= MOST_STATEMENTS:
            return b""
        name = f"portal_{next(self._numbers)}".encode()
        self._check(self._libpq.prepare(name, _numbered(sql), types), ExecStatus.COMMAND_OK)
        self._names[sql, types] = name
        return name

    def _check(self, result: PGresult, wanted: ExecStatus) -> None:
        if result.status == wanted:
            return
        if result.status != ExecStatus.FATAL_ERROR:
            raise psycopg.ProgrammingError("A statement that is read returns rows.")
        error = errors.error_from_result(result, encoding=self.connection.info.encoding)
        if error.sqlstate is None:  # no answer of the server's: the connection is gone
            raise psycopg.OperationalError(str(error))
        if error.sqlstate in STALE:
            self._names.clear()
        raise error


def _numbered(sql: str) -> bytes:
    """Return a statement as the server knows it: `$1` for the first `%s`."""
    numbers = count(1)
    return MARK.sub(lambda mark: "%" if mark[0] == "%%" else f"${next(numbers)}", sql).encode()
