"""One transaction for one use case, repeated when the database asks for it (reliability-and-security, section 2)."""

import random
import time
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from django.db import DatabaseError, connection, transaction

P = ParamSpec("P")
T = TypeVar("T")

ATTEMPTS = 3
DEADLOCK, SERIALISATION, LOCK_TIMEOUT = "40P01", "40001", "55P03"
SQLITE_BUSY = "database is locked"


def _gave_way(error: DatabaseError) -> bool:
    """Return whether the database refused only because somebody else was there at the same moment."""
    state = getattr(error.__cause__, "sqlstate", None)
    return state in (DEADLOCK, SERIALISATION, LOCK_TIMEOUT) or SQLITE_BUSY in str(error)


def one_transaction(service: Callable[P, T]) -> Callable[P, T]:
    """Run a service in a transaction of its own, at most three times when the database gives way.

    Only for services without any effect outside the database. Inside another transaction it is a savepoint: a
    refusal undoes this service alone, and the outermost service is the one that is repeated.
    """

    @wraps(service)
    def run(*args: P.args, **kwargs: P.kwargs) -> T:
        attempts = 1 if connection.in_atomic_block else ATTEMPTS
        for attempt in range(1, attempts + 1):
            try:
                with transaction.atomic():
                    return service(*args, **kwargs)
            except DatabaseError as error:
                if attempt == attempts or not _gave_way(error):
                    raise
            time.sleep(random.uniform(0.05, 0.4))  # noqa: S311 - spreads the repeats
        raise AssertionError("unreachable")

    return run
