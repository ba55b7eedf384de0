"""Statements that are written once: a hot call should not spend longer on its SQL than the database does."""

from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.models import Field, Model, QuerySet

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


class PreparedInsert:
    """An INSERT whose SQL is written once: the named columns travel as parameters, the others get their default.

    No signals are sent, and `pre_save` of the fields is not asked. With `unless_taken`, the columns of a unique
    constraint, a row that is there already keeps the new one out without an error:

        NEW_EVENT = PreparedInsert(OrderEvent, "order_id", "kind", "at")
        NEW_EVENT(OrderEvent(order_id=7, kind="status", at=now))
    """

    def __init__(self, model: type[Model], *columns: str, unless_taken: Sequence[str] = ()) -> None:
        self.model = model
        self.columns = columns
        self.unless_taken = unless_taken
        self._compiled: dict[tuple[str, int], tuple[str, list[Field[Any, Any]]]] = {}

    def __call__(self, *rows: Model) -> bool:
        """Insert the rows in one statement and give them their ids; return whether nothing kept them out."""
        database = connections[DEFAULT_DB_ALIAS]  # asking `connection` for it at each value would cost more
        sql, fields = self._compiled.get((database.vendor, len(rows))) or self._compile(len(rows))
        values = [field.get_db_prep_save(getattr(row, field.attname), database) for row in rows for field in fields]
        keys = read(sql, values)
        for row, (key,) in zip(rows, keys, strict=False):
            row.pk = key
            row._state.adding, row._state.db = False, DEFAULT_DB_ALIAS
        return bool(keys)

    def _compile(self, number: int) -> tuple[str, list["Field[Any, Any]"]]:
        quote = connection.ops.quote_name
        columns = [field for field in self.model._meta.concrete_fields if field is not self.model._meta.pk]
        if unknown := set(self.columns) - {field.attname for field in columns}:
            raise ValueError(f"no such columns: {unknown}")
        given = [field for field in columns if field.attname in self.columns]
        row = ", ".join("%s" if field in given else _default(field) for field in columns)
        taken = f"ON CONFLICT ({', '.join(map(quote, self.unless_taken))}) DO NOTHING" if self.unless_taken else ""
        names = ", ".join(quote(str(field.column)) for field in columns)
        rows = ", ".join([f"({row})"] * number)
        table, key = quote(self.model._meta.db_table), quote(str(self.model._meta.pk.column))
        sql = f"INSERT INTO {table} ({names}) VALUES {rows} {taken} RETURNING {key}"  # noqa: S608 - names of the model
        self._compiled[connection.vendor, number] = compiled = (sql, given)
        return compiled


def _default(field: "Field[Any, Any]") -> str:
    """Return a field's default as a constant of SQL.

    Raises:
        ValueError: it has none that is the same for every row.
    """
    value = None if field.has_default() and callable(field.default) else field.get_default()
    if value is None and field.null:
        return "NULL"
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, int):
        return str(int(value))
    if isinstance(value, Decimal):
        return str(value)
    if isinstance(value, str) and "%" not in value:
        return "'" + value.replace("'", "''") + "'"
    raise ValueError(f"{field.attname} has to be given")
