"""Operations of migrations: SQL that differs by database, indexes of tables in use."""

import logging
from collections.abc import Callable
from typing import Any
from unicodedata import is_normalized

from django.db import Error, migrations, transaction


def run_sql(
    *, postgresql: list[str], sqlite: list[str], undo_postgresql: list[str], undo_sqlite: list[str]
) -> Any:
    """Return an operation that runs the statements of the database in use."""

    def run(statements: dict[str, list[str]]) -> Callable[[Any, Any], None]:
        def execute(apps: Any, schema_editor: Any) -> None:
            with schema_editor.connection.cursor() as cursor:
                for statement in statements[schema_editor.connection.vendor]:
                    cursor.execute(statement)

        return execute

    return migrations.RunPython(
        run({"postgresql": postgresql, "sqlite": sqlite}),
        run({"postgresql": undo_postgresql, "sqlite": undo_sqlite}),
    )


def compose_names(app: str, model: str, field: str) -> Any:
    """Return an operation that composes the names that macOS took apart, now of a `NameField`."""

    def compose(apps: Any, schema_editor: Any) -> None:
        rows = apps.get_model(app, model).objects
        for pk, name in rows.values_list("pk", field).iterator():
            if not is_normalized("NFC", name):
                rows.filter(pk=pk).update(**{field: name})

    return migrations.RunPython(compose, migrations.RunPython.noop)


class AddIndexInUse(migrations.AddIndex):
    """Adds an index to a table that is written to meanwhile; in a migration that is not `atomic`.

    PostgreSQL's own way stops every write: ten seconds for nine million order events.
    """

    def database_forwards(
        self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any
    ) -> None:
        """Add the index, unless it is there whole."""
        sql = str(
            self.index.create_sql(
                to_state.apps.get_model(app_label, self.model_name), schema_editor
            )
        )
        if schema_editor.connection.vendor != "postgresql":
            schema_editor.execute(sql.replace("INDEX", "INDEX IF NOT EXISTS", 1))
        elif not _is_whole(schema_editor, self.index.name):
            _build(schema_editor, self.index.name, sql.replace("INDEX", "INDEX CONCURRENTLY", 1))

    def database_backwards(
        self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any
    ) -> None:
        """Remove the index."""
        in_use = "CONCURRENTLY" if schema_editor.connection.vendor == "postgresql" else ""
        schema_editor.execute(f"DROP INDEX {in_use} IF EXISTS {self.index.name}")


def add_hash(*, index: str, table: str, column: str) -> Any:
    """Return an operation that indexes a column by hash, which SQLite has not; in use, as above."""
    return add_postgresql(index=index, table=table, how=f"USING hash ({column})")


def add_postgresql(*, index: str, table: str, how: str) -> Any:
    """Return an operation that adds an index of a kind which PostgreSQL alone has; in use, as
    above.
    """

    def add(apps: Any, schema_editor: Any) -> None:
        if schema_editor.connection.vendor == "postgresql" and not _is_whole(schema_editor, index):
            _build(schema_editor, index, f"CREATE INDEX CONCURRENTLY {index} ON {table} {how}")

    return migrations.RunPython(add, _dropping(index))


def add_trigrams(*, index: str, table: str, columns: str, slow: str) -> Any:
    """Return an operation that indexes what lists search through, where the server has trigrams; in
    use, as above.

    Elsewhere, as on SQLite, a search reads the table: `slow` says which, for the log.
    """

    def add(apps: Any, schema_editor: Any) -> None:
        connection = schema_editor.connection
        if connection.vendor != "postgresql" or _is_whole(schema_editor, index):
            return
        with connection.cursor() as cursor:
            try:
                with transaction.atomic(using=connection.alias):
                    # A trusted extension: the database's owner may, without being a superuser.
                    cursor.execute("CREATE EXTENSION IF NOT EXISTS pg_trgm")
            except Error as error:
                logging.getLogger("portal.migrations").warning(
                    "No trigram index, %s: %s", slow, error
                )
                return
        _build(
            schema_editor,
            index,
            f"CREATE INDEX CONCURRENTLY {index} ON {table} USING gin ({columns})",
        )

    return migrations.RunPython(add, _dropping(index))


def _dropping(index: str) -> Callable[[Any, Any], None]:
    def drop(apps: Any, schema_editor: Any) -> None:
        if schema_editor.connection.vendor == "postgresql":
            schema_editor.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {index}")

    return drop


def _is_whole(schema_editor: Any, index: str) -> bool:
    with schema_editor.connection.cursor() as cursor:
        cursor.execute(
            "SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass(%s)", [index]
        )
        return bool(cursor.fetchone() == (True,))


def _build(schema_editor: Any, index: str, sql: str) -> None:
    """Build an index beside the work; it waits for transactions under way, a backup's too, and
    nobody waits for it. A table that the same transaction made is nobody's yet.
    """
    if schema_editor.connection.in_atomic_block:
        schema_editor.execute(sql.replace(" CONCURRENTLY", ""))
        return
    schema_editor.execute("SET lock_timeout = 0")
    try:
        # What an interrupted attempt left.
        schema_editor.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {index}")
        schema_editor.execute(sql)
    finally:
        schema_editor.execute("RESET lock_timeout")
