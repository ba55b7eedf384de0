"""Running figures, which are added up in the database."""

from collections.abc import Collection, Sequence
from typing import Any

from django.db import connection, models

ROWS = 1_000  # of one statement


def add_up(rows: Collection[models.Model], *, by: Sequence[str], sums: Sequence[str]) -> None:
    """Add the `sums` of rows to those that have the same `by`, which are unique; new ones where
    there are none. One statement for 1,000, which locks in the order of `by`.

    By hand: where a row is there, Django can set a column to another value, not to a sum.
    """
    ordered = sorted(rows, key=lambda row: [getattr(row, name) for name in by])
    for start in range(0, len(ordered), ROWS):
        some = ordered[start : start + ROWS]
        fields: list[Any] = [some[0]._meta.get_field(name) for name in (*by, *sums)]
        table, columns = some[0]._meta.db_table, [field.column for field in fields]
        adds = (f"{name} = {table}.{name} + excluded.{name}" for name in columns[len(by) :])
        places = f"({', '.join(['%s'] * len(columns))})"
        values = [
            field.get_db_prep_save(getattr(row, field.attname), connection)
            for row in some
            for field in fields
        ]
        with connection.cursor() as cursor:
            cursor.execute(
                f"INSERT INTO {table} ({', '.join(columns)}) VALUES "  # noqa: S608 - names only
                f"{', '.join([places] * len(some))} ON CONFLICT ({', '.join(columns[: len(by)])}) "
                f"DO UPDATE SET {', '.join(adds)}",
                values,
            )
