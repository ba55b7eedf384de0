"""ORM queries that are compiled once: a hot read should not spend longer being written than being answered."""

from collections.abc import Callable, Sequence
from typing import Any

from django.db import connection
from django.db.models import QuerySet

Row = tuple[Any, ...]
# Stands for a parameter while the query is compiled; small enough for every integer column.
FIRST_STAND_IN = 32_000


def read(sql: str, values: Sequence[Any]) -> list[Row]:
    """Return a statement's rows, by the short way where the database has one (decision 0074)."""
    short: Callable[[str, Sequence[Any]], list[Row]] | None = getattr(connection, "read", None)
    if short is not None:
        return short(sql, values)
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        rows: list[Row] = cursor.fetchall()
    return rows


class PreparedQuery:
    """A `values_list` query of fixed shape; its parameters are the integers and texts of exact look-ups.

    `build` gets a stand-in for each of its keyword arguments and must use each in the query as it is:

        LINES = PreparedQuery(lambda order_id: OrderLine.objects.filter(order_id=order_id).values_list("id", "sku"))
        rows = LINES(order_id=7)
    """

    def __init__(self, build: Callable[..., QuerySet[Any, Any]], **kinds: type[int] | type[str]) -> None:
        self.build = build
        self.kinds = kinds
        self._compiled: dict[str, tuple[str, list[tuple[str, Any]], Any]] = {}

    def __call__(self, **values: int | str) -> list[Row]:
        """Return the rows, converted as the ORM converts them."""
        sql, slots, converters = self._compiled.get(connection.vendor) or self._compile()
        rows = read(sql, [values[name] if name else constant for name, constant in slots])
        for place, convert, expression in converters:
            rows = [
                (*row[:place], convert(row[place], expression, connection), *row[place + 1 :])  # in the column's place
                for row in rows
            ]
        return rows

    def _compile(self) -> tuple[str, list[tuple[str, Any]], Any]:
        stand_ins: dict[str, Any] = {
            name: FIRST_STAND_IN + number if kind is int else f"stand-in {number}"
            for number, (name, kind) in enumerate(self.kinds.items())
        }
        query = self.build(**stand_ins).query
        sql, params = query.sql_with_params()
        names = {value: name for name, value in stand_ins.items()}
        slots = [(names.get(param, ""), param) for param in params]
        if {name for name, _ in slots if name} != set(stand_ins):
            raise ValueError("every parameter must stand in the query as it is")
        compiler = query.get_compiler(connection=connection)
        compiler.pre_sql_setup()
        columns = [select[0] for select in compiler.select]
        converters = [
            (place, convert, expression)
            for place, (converts, expression) in compiler.get_converters(columns).items()
            for convert in converts
        ]
        self._compiled[connection.vendor] = compiled = (sql, slots, converters)
        return compiled
