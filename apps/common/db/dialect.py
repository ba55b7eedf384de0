"""What PostgreSQL and SQLite say differently, for the statements that are written by hand."""

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, reduce
from operator import add, and_, or_
from typing import Any

from django.contrib.postgres.lookups import TrigramWordSimilar
from django.contrib.postgres.search import TrigramWordSimilarity
from django.db import connection
from django.db.models import Case, F, Model, Q, Value, When

from apps.common.db.rows import Part

LEAST = {"postgresql": "LEAST", "sqlite": "MIN"}
LISTED = {"postgresql": "STRING_AGG", "sqlite": "GROUP_CONCAT"}
ELEMENTS = {
    "postgresql": "jsonb_array_elements(CAST({} AS jsonb)) WITH ORDINALITY AS {}(value, key)",
    "sqlite": "json_each({}) {}",
}
COLLECTED = {
    "postgresql": "COALESCE(jsonb_agg(value ORDER BY key), '[]')",
    "sqlite": "json_group_array(json(value))",  # in the order of the rows
}


# OFFSET 0 keeps PostgreSQL at an index of `many`, row by row, as far as a page of prices: it would
# read all of `one` instead, 1.3 s for the fortieth page.
EACH = {
    "postgresql": "{many} CROSS JOIN LATERAL (SELECT * FROM {one} WHERE id = {key} OFFSET 0) {row}",
    "sqlite": "{one} {row} JOIN {many} ON {key} = {row}.id",
}


def is_postgresql() -> bool:
    """Return whether the database is PostgreSQL, where a read goes another way."""
    return connection.vendor == "postgresql"


def each_with(many: str, *, key: str, one: str, row: str) -> str:
    """Return the rows of a table joined with the `row` of another that their `key` names."""
    return EACH[connection.vendor].format(many=many, key=key, one=one, row=row)


def locked(order: str, alias: str) -> str:
    """Return the end of a SELECT that locks rows in an order. On SQLite every writing transaction
    holds the only write lock from its start.
    """
    return f"ORDER BY {order} FOR UPDATE OF {alias}" if is_postgresql() else ""


def lock_table(model: type[Model]) -> None:
    """Wait for whoever is writing a table, and let nobody else begin before the transaction ends;
    on SQLite nobody else is.
    """
    if is_postgresql():
        with connection.cursor() as cursor:
            cursor.execute(f"LOCK TABLE {model._meta.db_table} IN SHARE ROW EXCLUSIVE MODE")


def write_both(first: Part, second: Part) -> None:
    """Run two writes that do not see each other: as one statement where the database can."""
    with connection.cursor() as cursor:
        if is_postgresql():
            sql = f"WITH second AS ({second.sql}) {first.sql}"
            cursor.execute(sql, second.values + first.values)
        else:
            cursor.execute(first.sql, first.values)
            cursor.execute(second.sql, second.values)


def one_of_rows(column: str, rows: str, *, as_array: bool) -> str:
    """Return `column is one of rows`; as an array, where the database has them, it leaves the order
    of a list to an index.
    """
    return (
        f"{column} = ANY(ARRAY({rows}))"
        if as_array and is_postgresql()
        else f"{column} IN ({rows})"
    )


def least(*values: str) -> str:
    """Return the least of values as SQL."""
    return f"{LEAST[connection.vendor]}({', '.join(values)})"


def listed(value: str) -> str:
    """Return texts of several rows as one, with a semicolon between them."""
    return f"{LISTED[connection.vendor]}({value}, ';')"


def elements(array: str, alias: str) -> str:
    """Return the elements of a JSON array as a table of `value` and `key`, their order."""
    return ELEMENTS[connection.vendor].format(array, alias)


def collected() -> str:
    """Return the `value`s of rows in the order of `key` as a JSON array."""
    return COLLECTED[connection.vendor]


def one_of(column: str, values: Sequence[Any]) -> Part:
    """Return `column is one of values`, as one parameter where the database has arrays (one
    prepared statement).
    """
    if is_postgresql():
        return Part(f"{column} = ANY(%s)", (list(values),))
    return Part(f"{column} IN ({', '.join(['%s'] * len(values))})", tuple(values))


def pairs_of(pieces: Mapping[int, int]) -> tuple[str, list[Any]]:
    """Return products and pieces as a table, in parameters of a fixed number: one statement to
    prepare.

    PostgreSQL expects ten rows of arrays and a hundred of JSON, for which it would read the whole
    shelf: 0.3 and 5.8 ms of an order of ten lines.
    """
    if is_postgresql():
        sql = (
            "SELECT * FROM unnest(CAST(%s AS bigint[]), CAST(%s AS integer[])) AS "
            "pair(product_id, pieces)"
        )
        return sql, [_array(pieces), _array(pieces.values())]
    sql = "SELECT value ->> 0 AS product_id, value ->> 1 AS pieces FROM json_each(%s)"
    return sql, [json.dumps(list(pieces.items()))]


def _array(numbers: Iterable[int]) -> str:
    """Return PostgreSQL's text of an array: the driver would write a list number by number, in a
    type of their size.
    """
    return "{" + ",".join(map(str, numbers)) + "}"


def almost_like(column: str, words: Sequence[str]) -> tuple[Q, Any]:
    """Return the condition that a text has something like every word in it, and how much it has.

    How like a word must be says `POSTGRES_SEARCH` (portal/settings/services.py). Without trigrams,
    as on SQLite, the condition is that the text has one of the words as it is.
    """
    if _has_trigrams():
        near = [Q(TrigramWordSimilar(F(column), word)) for word in words]
        return reduce(and_, near), reduce(
            add, (TrigramWordSimilarity(word, column) for word in words)
        )
    has = [Q((f"{column}__contains", word)) for word in words]
    number = [Case(When(one, then=1), default=0) for one in has]
    return reduce(or_, has), reduce(add, number, Value(0))


@cache
def _has_trigrams() -> bool:
    if connection.vendor != "postgresql":
        return False
    with connection.cursor() as cursor:
        cursor.execute("SELECT EXISTS (SELECT 1 FROM pg_extension WHERE extname = 'pg_trgm')")
        return bool(cursor.fetchone()[0])
