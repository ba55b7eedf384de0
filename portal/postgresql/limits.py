"""Migrations take the time they need: an index on a million rows takes longer than any statement of a request may."""

from typing import Any

from django.db import connections


def lift_limit(using: str, **_: Any) -> None:
    """Let statements run on, before the tables change; a lock is still waited for as briefly as ever."""
    _run(using, "SET statement_timeout = 0")


def restore_limit(using: str, **_: Any) -> None:
    """Limit statements again, once the tables have changed."""
    _run(using, "RESET statement_timeout")


def _run(using: str, statement: str) -> None:
    if connections[using].vendor == "postgresql":
        with connections[using].cursor() as cursor:
            cursor.execute(statement)
