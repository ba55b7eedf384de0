"""Rows of hand-written SQL, by name."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import lru_cache, partial
from inspect import Parameter, signature
from itertools import starmap
from typing import Any, TypeVar, get_args

from django.db import connection, models
from django.db.models.expressions import Col

from apps.common.db.columns import money_field

R = TypeVar("R")
AT_ONCE = 1_000  # rows
FIELDS: dict[type, "models.Field[Any, Any]"] = {
    Decimal: money_field(),
    bool: models.BooleanField(),
}


@dataclass(frozen=True)
class Part:
    """A piece of SQL with its parameters."""

    sql: str
    values: tuple[Any, ...] = ()


def at(moment: datetime) -> Any:
    """Return a moment as the database's parameter."""
    return connection.ops.adapt_datetimefield_value(moment)


def joined(between: str, parts: Iterable[Part]) -> Part:
    """Return pieces of SQL as one, with a text between them."""
    some = list(parts)
    return Part(
        between.join(part.sql for part in some),
        tuple(value for part in some for value in part.values),
    )


def all_of(parts: Iterable[Part]) -> Part:
    """Return the condition that all of these hold."""
    return joined(" AND ", parts)


def fetch_all(row: Callable[..., R], sql: str, values: Sequence[Any] = ()) -> list[R]:
    """Return a statement's rows, each as a `row`: a NamedTuple or dataclass that names the columns
    in their order.

    What it declares as money or a truth value is one on SQLite too, by Django's own converters.
    """
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        return list(_converted(row, cursor.fetchall()))


def fetch_each(row: Callable[..., R], sql: str, values: Sequence[Any] = ()) -> Iterator[R]:
    """Yield what `fetch_all` returns, never all in memory."""
    with connection.chunked_cursor() as cursor:
        cursor.execute(sql, values)
        while rows := cursor.fetchmany(AT_ONCE):
            yield from _converted(row, rows)


def _converted(row: Callable[..., R], rows: list[Any]) -> Iterator[R]:
    for place, convert in _converters(row, connection.vendor):
        rows = [(*values[:place], convert(values[place]), *values[place + 1 :]) for values in rows]
    return starmap(row, rows)


def containing(word: str) -> str:
    r"""Return the pattern of `LIKE … ESCAPE '\'` that finds a word anywhere in a text."""
    for special in "\\%_":
        word = word.replace(special, f"\\{special}")
    return f"%{word}%"


@lru_cache
def _converters(row: Callable[..., Any], vendor: str) -> list[tuple[int, Callable[[Any], Any]]]:
    """Return what Django does to the columns as this database gives them: nothing on PostgreSQL."""
    if vendor == "postgresql":
        return []
    converters: list[tuple[int, Callable[[Any], Any]]] = []
    for place, column in enumerate(signature(row).parameters.values()):
        kinds = (column.annotation, *get_args(column.annotation))
        field = next((FIELDS[kind] for kind in kinds if kind in FIELDS), None)
        if field is not None and column.default is Parameter.empty:
            source = Col("", field)
            converters += [
                (place, partial(convert, expression=source, connection=connection))
                for convert in connection.ops.get_db_converters(source)
            ]
    return converters


def add_up(rows: Collection[models.Model], *, by: Sequence[str], sums: Sequence[str]) -> None:
    """Add the `sums` of rows to those that have the same `by`, which are unique; new ones where
    there are none. One statement for 1,000, which locks in the order of `by`.

    By hand: where a row is there, Django can set a column to another value, not to a sum.
    """
    ordered = sorted(rows, key=lambda row: [getattr(row, name) for name in by])
    for start in range(0, len(ordered), AT_ONCE):
        some = ordered[start : start + AT_ONCE]
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
