"""What the short way of reading gives is what a cursor gives, type by type (decision 0082)."""

from collections.abc import Iterator
from datetime import UTC, date, datetime
from decimal import Decimal
from uuid import uuid4

import psycopg
import pytest
from django.db import (
    DEFAULT_DB_ALIAS,
    DataError,
    IntegrityError,
    OperationalError,
    ProgrammingError,
    connection,
    connections,
    transaction,
)
from django.utils import timezone

from apps.accounts.tests.factories import make_user
from apps.common.db.prepared import fetch_all
from apps.orders.models import TemporaryOrder
from portal.postgresql import statements

pytestmark = pytest.mark.django_db
postgresql = pytest.mark.postgresql


@pytest.fixture
def fresh(db: None) -> Iterator[None]:
    """Let this connection have prepared nothing, before and after."""

    def forget() -> None:
        with connection.cursor() as cursor:
            cursor.execute("DEALLOCATE ALL")
        vars(connections[DEFAULT_DB_ALIAS])["_statements"] = None

    forget()
    yield
    forget()


def test_every_type_is_read_as_by_a_cursor() -> None:
    TemporaryOrder.objects.create(
        user=make_user(),
        lines=[{"sku": "É-1", "count": 10}],
        total="12.30",
        count=1,
        weight_g=100,
        created_at=timezone.now(),
        expires_at=timezone.now(),
        idempotency_key=uuid4(),
    )
    sql = "SELECT t.*, u.uuid, u.is_active FROM orders_temporaryorder t JOIN accounts_user u ON u.id = t.user_id"
    with connection.cursor() as cursor:
        cursor.execute(sql)
        assert fetch_all(sql, []) == cursor.fetchall()


@postgresql
def test_every_type_is_written_as_by_a_cursor() -> None:
    sql = """SELECT CAST(%s AS bigint), CAST(%s AS text), CAST(%s AS numeric), CAST(%s AS timestamptz),
        CAST(%s AS uuid), CAST(%s AS boolean), CAST(%s AS date), CAST(%s AS text[]), CAST(%s AS text), '%%'"""
    uuid, moment = uuid4(), datetime(2026, 3, 1, 12, 30, tzinfo=UTC)
    for number in (1, 40_000, 3_000_000_000, -1):
        values = [number, "É%s 'x'", Decimal("12.30"), moment, uuid, True, date(2026, 3, 1), ["a", "b,"], None]
        with connection.cursor() as cursor:
            cursor.execute(sql, values)
            assert fetch_all(sql, values) == cursor.fetchall() == [(*values, "%")]


@postgresql
def test_a_statement_opens_the_transaction_that_a_refusal_ends() -> None:
    user = make_user()
    sql = "UPDATE accounts_user SET manager = %s WHERE id = %s RETURNING manager"
    with transaction.atomic():
        assert fetch_all(sql, ["Changed", user.pk]) == [("Changed",)]
        transaction.set_rollback(True)
    assert fetch_all("SELECT manager FROM accounts_user WHERE id = %s", [user.pk]) == [(user.manager,)]


@pytest.mark.django_db(transaction=True)
@postgresql
def test_the_first_statement_of_a_transaction_is_rolled_back_with_it() -> None:
    user = make_user()
    with transaction.atomic():
        fetch_all("UPDATE accounts_user SET manager = %s WHERE id = %s RETURNING id", ["Changed", user.pk])
        transaction.set_rollback(True)
    assert fetch_all("SELECT manager FROM accounts_user WHERE id = %s", [user.pk]) == [(user.manager,)]
    fetch_all("UPDATE accounts_user SET manager = %s WHERE id = %s RETURNING id", ["Changed", user.pk])
    assert fetch_all("SELECT manager FROM accounts_user WHERE id = %s", [user.pk]) == [("Changed",)]


@pytest.mark.parametrize(
    ("sql", "values", "refusal"),
    [
        ("SELECT 1 FROM nowhere", [], ProgrammingError),
        ("SELECT CAST(%s AS bigint)", ["x"], DataError),
        ("INSERT INTO accounts_company (name) VALUES (NULL) RETURNING id", [], IntegrityError),
        ("UPDATE accounts_company SET name = name", [], ProgrammingError),
    ],
    ids=["unknown table", "not a number", "null", "no rows"],
)
@postgresql
def test_the_databases_refusals_are_djangos(
    sql: str, values: list[object], refusal: type[Exception], fresh: None
) -> None:
    for _ in range(2):  # prepared anew, and already prepared
        with pytest.raises(refusal), transaction.atomic():
            fetch_all(sql, values)
    assert fetch_all("SELECT 1", []) == [(1,)]


@postgresql
def test_statements_beyond_what_the_server_should_keep_run_unprepared(
    fresh: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(statements, "MOST_STATEMENTS", 3)
    for number in range(6):
        assert fetch_all(f"SELECT CAST(%s AS bigint) + {number}", [1]) == [(1 + number,)]
    kept = fetch_all("SELECT COUNT(*) FROM pg_prepared_statements WHERE name LIKE 'portal|_%%' ESCAPE '|'", [])
    assert kept[0][0] <= 3
    assert fetch_all("SELECT CAST(%s AS bigint) + 5", [2]) == [(7,)]


@pytest.mark.django_db(transaction=True)
@postgresql
def test_a_connection_that_breaks_in_the_middle_is_replaced_and_its_statements_with_it() -> None:
    for number in (1, 2):  # at a statement that is prepared anew, and at one that is already
        sql = "SELECT CAST(%s AS bigint)" + (" + 0" if number == 1 else "")
        fetch_all("SELECT CAST(%s AS bigint)", [1])
        pid = connection.connection.info.backend_pid
        with psycopg.connect(**connection.get_connection_params(), autocommit=True) as other:
            other.execute("SELECT pg_terminate_backend(%s, 5000)", [pid])
        vars(connections[DEFAULT_DB_ALIAS])["health_check_done"] = True  # it broke after the request began
        with pytest.raises(OperationalError):
            fetch_all(sql, [2])
        connection.close()
        assert fetch_all(sql, [3]) == [(3,)]


@postgresql
def test_what_the_server_has_lost_is_prepared_anew(fresh: None) -> None:
    assert fetch_all("SELECT CAST(%s AS bigint)", [1]) == [(1,)]
    with connection.cursor() as cursor:
        cursor.execute("DEALLOCATE ALL")
    with pytest.raises(ProgrammingError), transaction.atomic():
        fetch_all("SELECT CAST(%s AS bigint)", [1])
    assert fetch_all("SELECT CAST(%s AS bigint)", [2]) == [(2,)]
