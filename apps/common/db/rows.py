"""Rows of hand-written SQL, by name."""

from collections.abc import Callable, Iterable, Sequence
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
        rows = cursor.fetchall()
        for place, convert in _converters(row, connection.vendor):
            rows = [(*found[:place], convert(found[place]), *found[place + 1 :]) for found in rows]
        return list(starmap(row, rows))


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
