"""Migrations take the time they need: an index on a million rows takes longer than any statement of
a request may.
"""

from typing import Any

from django.db import connections

LIMITS = ("statement_timeout", "idle_in_transaction_session_timeout")


def lift_limit(using: str, **_: Any) -> None:
    """Let statements, and what is worked out between them, run on; a lock is still waited for as
    briefly as ever.
    """
    _run(using, *(f"SET {limit} = 0" for limit in LIMITS))


def restore_limit(using: str, **_: Any) -> None:
    """Limit both again, once the tables have changed."""
    _run(using, *(f"RESET {limit}" for limit in LIMITS))


def _run(using: str, *statements: str) -> None:
    if connections[using].vendor == "postgresql":
        with connections[using].cursor() as cursor:
            for statement in statements:
                cursor.execute(statement)
