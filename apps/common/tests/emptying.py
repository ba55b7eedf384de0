"""Empties the tables after a test that committed: only those it wrote to, for most of a hundred are
empty already.
"""

from django.apps import apps
from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper
from django.test import TransactionTestCase

# Django fills them after the migrations, and no test changes them.
KEPT = ("django_content_type", "auth_permission")
# Their triggers refuse a DELETE (payments 0002, 0011, 0017).
APPEND_ONLY = (
    "payments_walletentry",
    "payments_paymentevent",
    "payments_wiremove",
    "payments_wirerefund",
)


def empty_tables(test: TransactionTestCase) -> None:
    """Delete every row but Django's own; as a test case's `_fixture_teardown`, instead of the
    command `flush`.

    On PostgreSQL `flush` truncates all tables, which takes a busy disk seconds.
    """
    with transaction.atomic(), connection.cursor() as cursor:
        filled = filled_tables(cursor)
        if not filled.isdisjoint(APPEND_ONLY):
            empty_append_only(cursor)
        # In any order: keys between tables are looked at when the transaction ends.
        for table in filled - {*APPEND_ONLY}:
            cursor.execute(f"DELETE FROM {connection.ops.quote_name(table)}")


def filled_tables(cursor: CursorWrapper) -> set[str]:
    """Return the names of the tables that hold rows."""
    models = apps.get_models(include_auto_created=True)
    tables = {
        model._meta.db_table for model in models if model._meta.managed and not model._meta.proxy
    } - {*KEPT}
    quote = connection.ops.quote_name
    looks = (
        f"SELECT '{table}' WHERE EXISTS (SELECT 1 FROM {quote(table)})" for table in sorted(tables)
    )
    cursor.execute(" UNION ALL ".join(looks))
    return {name for (name,) in cursor.fetchall()}


def empty_append_only(cursor: CursorWrapper) -> None:
    """Empty the append-only tables past their triggers, all at once: one refers to another, and
    what is owed by bank to them.
    """
    if connection.vendor == "postgresql":
        cursor.execute(f"TRUNCATE {', '.join(APPEND_ONLY)}, payments_banktransfer")
        return
    places = ", ".join("%s" for _ in APPEND_ONLY)
    cursor.execute(
        f"SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name IN ({places})",
        APPEND_ONLY,
    )
    triggers = cursor.fetchall()
    for name, _ in triggers:
        cursor.execute(f"DROP TRIGGER {name}")
    for table in APPEND_ONLY:
        cursor.execute(f"DELETE FROM {table}")
    for _, made in triggers:
        cursor.execute(made)
