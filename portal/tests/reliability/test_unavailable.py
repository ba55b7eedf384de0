"""Every call while something that the portal needs is away: 503 and "try again", never 500.

The driver's error comes in the place of each of a call's statements in turn.
"""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import product
from typing import Any

import psycopg
import pytest
from django.contrib.sessions.models import Session
from django.core.files.storage import storages
from django.db import DatabaseError, Error, InterfaceError, OperationalError, connection
from psycopg import errors

from apps.accounts.tests.staff import staff_client
from apps.common.testing import ContractClient
from portal.postgresql import budget
from portal.tests.calls import CALLS, answer_to, token_of
from portal.tests.reliability.test_access import sides  # noqa: F401 - a fixture
from portal.tests.reliability.world import Side

pytestmark = pytest.mark.django_db

Execute = Callable[..., Any]
UNAVAILABLE, BUSY = (503, "unavailable"), (409, "busy")


def of_sqlite(name: str) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError(name)
    error.sqlite_errorname = name
    return error


AWAY: dict[str, tuple[type[Error], Exception]] = {
    "silent": (OperationalError, errors.ConnectionTimeout("the database does not answer")),
    "lost": (
        OperationalError,
        psycopg.OperationalError("server closed the connection unexpectedly"),
    ),
    "closed": (InterfaceError, psycopg.InterfaceError("the connection is closed")),
    "full": (OperationalError, errors.DiskFull()),
    "too many connections": (OperationalError, errors.TooManyConnections()),
    "told to stop": (OperationalError, errors.AdminShutdown()),
    "crashed": (OperationalError, errors.CrashShutdown()),
    "starting": (OperationalError, errors.CannotConnectNow()),
    "too slow": (OperationalError, errors.QueryCanceled()),
    "SQLite's file is full": (OperationalError, of_sqlite("SQLITE_FULL")),
    "SQLite's file is gone": (OperationalError, of_sqlite("SQLITE_CANTOPEN")),
    "SQLite's disk fails": (OperationalError, of_sqlite("SQLITE_IOERR_WRITE")),
}
HELD: dict[str, tuple[type[Error], Exception]] = {
    "locked": (OperationalError, errors.LockNotAvailable()),
    "deadlock": (OperationalError, errors.DeadlockDetected()),
    "locked in SQLite": (OperationalError, of_sqlite("SQLITE_BUSY")),
}
FAULTS_OF_OURS: dict[str, tuple[type[Error], Exception]] = {
    "no such table": (DatabaseError, errors.UndefinedTable()),
    "no such table in SQLite": (OperationalError, of_sqlite("SQLITE_ERROR")),
}


@contextmanager
def failing(kind: tuple[type[Error], Exception], *, at: int) -> Iterator[list[bool]]:
    """Let a call's statement of this number fail, and yield whether it was reached."""
    statements, reached = 0, [False]

    def fail(execute: Execute, sql: str, params: Any, many: bool, context: Any) -> Any:
        nonlocal statements
        is_calls = budget.current.get() is not None and not sql.startswith(
            ("SAVEPOINT", "RELEASE", "ROLLBACK")
        )
        if is_calls:
            statements += 1
            if statements == at:
                reached[0] = True
                error, cause = kind
                raise error(str(cause)) from cause
        return execute(sql, params, many, context)

    with connection.execute_wrapper(fail):
        yield reached


@pytest.fixture
def ask(sides: tuple[Side, Side]) -> Callable[[str], Any]:  # noqa: F811
    """Return a function that makes a call with the caller's own identifiers, and undoes what it
    changed.
    """
    own = sides[0]
    client = ContractClient().sign_in(token_of(own.buyer))
    return lambda call: answer_to(client, call, own.ids)


def outcome(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json().get("code", "")


def by_statement(ask: Callable[[str], Any]) -> Iterator[tuple[str, int, Any]]:
    """Yield each call's answer when its first statement is lost, its second, and so on."""
    for call in CALLS:
        for number in range(1, 100):
            with failing(AWAY["lost"], at=number) as reached:
                answer = ask(call)
            if not reached[0]:
                break
            yield call, number, answer


def test_no_call_fails_for_good_whichever_statement_loses_the_database(
    ask: Callable[[str], Any],
) -> None:
    failures = [(call, number, outcome(answer)) for call, number, answer in by_statement(ask)]
    assert len(failures) > 2 * len(CALLS)
    assert [place for place in failures if place[2] != UNAVAILABLE] == []


def test_every_kind_of_outage_is_told_as_one(ask: Callable[[str], Any]) -> None:
    some = ("get notice", "post dashboard", "post temp-order", "post login")
    for (kind, fault), call in product({**AWAY, **HELD}.items(), some):
        with failing(fault, at=1):
            answer = ask(call)
        assert outcome(answer) == (UNAVAILABLE if kind in AWAY else BUSY), (kind, call)
        assert int(answer["Retry-After"]) > 0
        assert "try again" in answer.json()["message"]


@pytest.mark.parametrize("kind", FAULTS_OF_OURS)
def test_a_fault_of_ours_stays_one(ask: Callable[[str], Any], kind: str) -> None:
    error, _ = FAULTS_OF_OURS[kind]
    with failing(FAULTS_OF_OURS[kind], at=1), pytest.raises(error):
        ask("get notice")


def test_no_call_fails_for_good_while_files_cannot_be_kept(
    ask: Callable[[str], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def silent(*_: Any, **__: Any) -> None:
        raise OSError("The bucket does not answer: ReadTimeoutError")

    for name in ("_open", "_save", "exists", "delete", "size", "listdir"):
        monkeypatch.setattr(storages["private"], name, silent)
    for call, about in CALLS.items():
        is_kept = bool(about.file) and call != "post basket/review"
        expected = UNAVAILABLE[0] if is_kept else about.answer[0]
        assert ask(call).status_code == expected, call


def test_a_staff_session_that_somebody_else_keeps_waiting_is_no_bad_request(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    staff, page = staff_client("Sales"), "/admin/accounts/company/"
    assert staff.get(page).status_code == 200
    session = staff.session
    session["seen"] -= 120  # the next page notes in the session that its owner is there
    session.save()

    def locked(*_: Any, **__: Any) -> None:
        raise OperationalError("locked") from of_sqlite("SQLITE_BUSY")

    monkeypatch.setattr(Session, "save", locked)
    assert staff.get(page).status_code == 200, "what is only asked for is shown"
    staff.raise_request_exception = False
    refused = staff.post(f"{page}filters/save/", {"name": "Late", "query": "money=overdue"})
    assert (refused.status_code, "try again" in refused.text) == (409, True)
