"""One transaction for one use case, repeated when the database asks for it
(reliability-and-security, section 2).
"""

import random
import time
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from django.db import DatabaseError, connection, transaction

from apps.common.db.failures import gave_way

P = ParamSpec("P")
T = TypeVar("T")

ATTEMPTS = 3
# A caller who waited so long for somebody else's lock is told instead.
LAST_START_SECONDS = 5


def one_transaction(service: Callable[P, T]) -> Callable[P, T]:
    """Run a service in a transaction of its own, at most three times when the database gives way.

    Only for services without any effect outside the database. Inside another transaction it is a
    savepoint: a refusal undoes this service alone, and the outermost service is the one that is
    repeated.
    """

    @wraps(service)
    def run(*args: P.args, **kwargs: P.kwargs) -> T:
        attempts = 1 if connection.in_atomic_block else ATTEMPTS
        began = time.monotonic()
        for attempt in range(1, attempts + 1):
            try:
                with transaction.atomic():
                    return service(*args, **kwargs)
            except DatabaseError as error:
                is_late = time.monotonic() - began > LAST_START_SECONDS
                if attempt == attempts or is_late or not gave_way(error):
                    raise
            time.sleep(random.uniform(0.05, 0.4))  # noqa: S311 - spreads the repeats
        raise AssertionError("unreachable")

    return run
