"""A release's migrations run while the release before it takes orders: none stops a
table for long.
"""

from collections.abc import Iterable, Iterator

import pytest
from django.db import connection, migrations, models
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState

from apps.common.db.migration import AddIndexInUse

# Up to these migrations tables were small, or an index was made as Django does.
BEFORE = {
    "accounts": "0008",
    "catalog": "0012",
    "notices": "0002",
    "orders": "0025",
    "payments": "0018",
    "portal": "0011",
}


def indexes_added(operations: Iterable[Operation]) -> Iterator[migrations.AddIndex]:
    """Yield what adds an index in the database."""
    for operation in operations:
        if isinstance(operation, migrations.SeparateDatabaseAndState):
            yield from indexes_added(operation.database_operations)
        elif isinstance(operation, migrations.AddIndex):
            yield operation


def test_an_index_of_a_table_that_was_there_before_stops_no_writes() -> None:
    stopping = []
    for (app, name), migration in MigrationLoader(None).disk_migrations.items():
        if name[:4] <= BEFORE.get(app, "9999"):
            continue
        new = {
            part.name_lower
            for part in migration.operations
            if isinstance(part, migrations.CreateModel)
        }
        for added in indexes_added(migration.operations):
            if isinstance(added, AddIndexInUse):
                assert not migration.atomic, (app, name)
            elif added.model_name_lower not in new:
                stopping.append((app, name, added.index.name))
    assert not stopping


@pytest.mark.django_db(transaction=True)
def test_an_index_is_added_once_beside_the_work_and_removed_again() -> None:
    before = ProjectState.from_apps(MigrationLoader(connection).project_state().apps)
    index = models.Index(fields=["note"], name="event_note", condition=~models.Q(note=""))
    operation, after = AddIndexInUse("orderevent", index), before.clone()
    operation.state_forwards("orders", after)

    def names() -> list[str]:
        with connection.cursor() as cursor:
            return list(connection.introspection.get_constraints(cursor, "orders_orderevent"))

    for _ in range(2):  # the second finds it whole
        with connection.schema_editor(atomic=False) as editor:
            operation.database_forwards("orders", editor, before, after)
        assert "event_note" in names()
    with connection.schema_editor(atomic=False) as editor:
        operation.database_backwards("orders", editor, after, before)
    assert "event_note" not in names()
