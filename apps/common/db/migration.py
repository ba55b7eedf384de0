"""SQL in migrations that differs by database."""

from collections.abc import Callable
from typing import Any

from django.db import migrations


def run_sql(*, postgresql: list[str], sqlite: list[str], undo_postgresql: list[str], undo_sqlite: list[str]) -> Any:
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
