"""The end of the process, at every point where it makes a difference."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import requests
from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper


class Killed(BaseException):
    """The end of a process."""


def has_kept_nothing(passed: list[str]) -> bool:
    """Return whether nothing can have been kept by who came past these points, and no further."""
    *before, last = passed
    is_read = all(point.startswith("before SELECT") for point in before)
    return is_read and last != "after the commit"


@contextmanager
def killed_at(point: int, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """End the process at the so-many-th point; what was not committed is gone.

    The points are: before every statement, before and after every commit and every outward call.
    After a statement it would be what it is before the next one, or before the commit. Of a
    transaction's statements the first stands for all: whichever is the last, nothing of them is
    kept.
    """
    passed: list[str] = []
    in_transaction = False

    def here(what: str) -> None:
        passed.append(what)
        if len(passed) == point:
            raise Killed(what)

    def statement(
        execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any
    ) -> Any:
        nonlocal in_transaction
        if not (in_transaction and connection.in_atomic_block):
            here(f"before {sql[:60]}")
        in_transaction = connection.in_atomic_block
        return execute(sql, params, many, context)

    send, commit = requests.Session.send, BaseDatabaseWrapper._commit  # type: ignore[attr-defined]

    def call(session: requests.Session, request: Any, **options: Any) -> Any:
        here(f"before {request.path_url}")
        answer = send(session, request, **options)
        here(f"after {request.path_url}")
        return answer

    def committed(self: BaseDatabaseWrapper) -> None:
        try:
            here("before the commit")
        except Killed:
            self.rollback()  # as the database does when its client is gone
            raise
        commit(self)
        nonlocal in_transaction
        in_transaction = False
        here("after the commit")

    with monkeypatch.context() as patch:
        patch.setattr(requests.Session, "send", call)
        patch.setattr(BaseDatabaseWrapper, "_commit", committed)
        with connection.execute_wrapper(statement):
            yield passed
