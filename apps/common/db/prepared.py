"""Reads whose statement Django writes once."""

from collections import namedtuple
from collections.abc import Callable
from datetime import datetime
from functools import lru_cache, wraps
from inspect import signature
from typing import Any, ParamSpec
from uuid import UUID

from django.db import connections, models
from django.db.models import QuerySet, Value

P = ParamSpec("P")
STATEMENTS = 64  # of one read that are kept
FIELDS: dict[Any, "models.Field[Any, Any]"] = {
    int: models.BigIntegerField(),
    str: models.TextField(),
    datetime: models.DateTimeField(),
    UUID: models.UUIDField(),
}


class Argument(Value):
    """Stands in a statement where a value comes that every call brings along."""

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, Any]:
        """Return its place, and itself in it."""
        return "%s", [self]


def prepared(make: Callable[P, QuerySet[Any]]) -> Callable[P, list[Any]]:
    """Return a function that returns the rows of `make`, which names its columns by `values` and
    whose arguments are all named; a row knows its columns by their names.

    Those that are declared as int, str, datetime or UUID reach `make` as expressions that stand for
    their values; the others, which may be kept as keys, decide what the statement is. For each of
    these Django writes it once, which takes it longer than the database takes to answer: of an
    order list 2.0 ms of 3.2, of an order's details 5.6 of 7.7.
    """
    annotations = {name: one.annotation for name, one in signature(make).parameters.items()}
    fields = {name: FIELDS[kind] for name, kind in annotations.items() if kind in FIELDS}

    @lru_cache(STATEMENTS)
    def compiled(shape: frozenset[tuple[str, Any]]) -> tuple[Any, Any, str, tuple[Any, ...], Any]:
        places: Any = {name: Argument(name, output_field=one) for name, one in fields.items()}
        queryset: Any = make(**places, **dict(shape))  # type: ignore[call-arg]
        compiler = queryset.query.get_compiler(queryset.db)
        sql, arguments = compiler.as_sql()
        converters = compiler.get_converters([column[0] for column in compiler.select])
        row = namedtuple("Row", queryset._fields)  # type: ignore[misc]
        return compiler, converters, sql, arguments, row._make

    @wraps(make)
    def run(*_: P.args, **arguments: P.kwargs) -> list[Any]:
        compiler, converters, sql, places, row = compiled(
            frozenset((name, value) for name, value in arguments.items() if name not in fields)
        )
        connection = connections[compiler.using]
        values = {
            name: one.get_db_prep_value(arguments[name], connection) for name, one in fields.items()
        }
        sent = [values[one.value] if isinstance(one, Argument) else one for one in places]
        with connection.cursor() as cursor:
            cursor.execute(sql, sent)
            rows = cursor.fetchall()
        if converters:
            rows = compiler.apply_converters(rows, converters)
        return [row(one) for one in rows]

    return run
