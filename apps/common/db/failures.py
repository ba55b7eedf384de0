"""What an error of the database means: somebody else was there, it cannot do this now, or a fault
of ours.
"""

import logging
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import Error, InterfaceError, OperationalError

from apps.common.errors import Busy, PortalError, Unavailable

# Django's, for what a request failed with: a traceback once a minute, the cause in the request's
# own line (logs.py).
logger = logging.getLogger("django.request")

# SQLSTATE of PostgreSQL
DEADLOCK, SERIALISATION, LOCK_TIMEOUT = "40P01", "40001", "55P03"
READ_ONLY = "25006"
# Names of SQLite's errors, by how they begin
LOCKED = ("SQLITE_BUSY", "SQLITE_LOCKED")
ONLY_READS = ("SQLITE_READONLY",)
BROKEN = ("SQLITE_FULL", "SQLITE_IOERR", "SQLITE_CANTOPEN", *ONLY_READS)


def gave_way(error: Error) -> bool:
    """Return whether the database refused only because somebody else was there at the
    same moment.
    """
    return _state(error) in (DEADLOCK, SERIALISATION, LOCK_TIMEOUT) or _name(error).startswith(
        LOCKED
    )


def is_read_only(error: Error) -> bool:
    """Return whether the database refused because it only reads now, as a standby does."""
    return _state(error) == READ_ONLY or _name(error).startswith(ONLY_READS)


def refusal_of(error: Error) -> PortalError | None:
    """Return what the caller is told, and log the error; None for a fault of ours.

    Away, silent, restarting, full, out of connections, too slow: what PostgreSQL's driver calls
    operational.
    """
    if gave_way(error):
        logger.error("The database gave way", exc_info=error)
        return Busy()
    is_away = isinstance(error, OperationalError | InterfaceError)
    if isinstance(error.__cause__, sqlite3.Error):  # which calls a missing table operational too
        is_away = _name(error).startswith(BROKEN)
    if is_read_only(error) or is_away:
        logger.error("The database cannot do it", exc_info=error)
        return Unavailable()
    return None


@contextmanager
def unless_read_only() -> Iterator[None]:
    """Leave out a write that nobody waits for, where the database only reads. Not inside a
    transaction.
    """
    try:
        yield
    except Error as error:
        if not is_read_only(error):
            raise
        logger.error("The database only reads", exc_info=error)


def _state(error: Error) -> str | None:
    return getattr(error.__cause__, "sqlstate", None)


def _name(error: Error) -> str:
    return getattr(error.__cause__, "sqlite_errorname", "")
