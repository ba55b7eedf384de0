"""Statements that are written once: a hot call should not spend longer on its SQL than the database does."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from types import NoneType
from typing import Any, Generic, TypeVar
from uuid import UUID

from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.models import Field, JSONField, Model

M = TypeVar("M", bound=Model)
Row = tuple[Any, ...]
Statement = tuple[str, list[Any]]
# A column's name, the types whose values travel as they are, and the conversion of all others.
Column = tuple[str, frozenset[type], Callable[..., Any]]
PLAIN = {
    "sqlite": frozenset({NoneType, bool, int, str}),
    # Whole numbers are not among them: the driver would name a type by their size, and prepare anew for each.
    "postgresql": frozenset({NoneType, bool, str, datetime, Decimal, UUID}),
}
# A column's place, the conversion of its values, and the expression that the conversion asks for.
Converter = tuple[int, Callable[..., Any], Any]


def fetch_all(sql: str, values: Sequence[Any]) -> list[Row]:
    """Return a statement's rows."""
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        rows: list[Row] = cursor.fetchall()
    return rows


class PreparedUpdate(Generic[M]):
    """A hand-written statement on one table that returns the rows it changed: `RETURNING {columns}` ends it.

    CLAIM = PreparedUpdate(Draft, "UPDATE drafts SET claimed_at = %s WHERE id = %s")
    drafts = CLAIM([now, 7])
    """

    def __init__(self, model: type[M], sql: str) -> None:
        self.model = model
        self.sql = sql
        self._compiled: dict[str, tuple[str, list[str], list[Converter]]] = {}

    def __call__(self, values: Sequence[Any]) -> list[M]:
        """Run it and return the changed rows as objects."""
        sql, names, converters = self._compiled.get(connection.vendor) or self._compile()
        rows = _converted(fetch_all(sql, values), converters)
        return [self.model.from_db(DEFAULT_DB_ALIAS, names, row) for row in rows]

    def _compile(self) -> tuple[str, list[str], list[Converter]]:
        fields = self.model._meta.concrete_fields
        columns = ", ".join(connection.ops.quote_name(str(field.column)) for field in fields)
        compiler = self.model._default_manager.all().query.get_compiler(connection=connection)
        table = self.model._meta.db_table
        converters = _converters(compiler, [field.get_col(table) for field in fields])
        compiled = (f"{self.sql} RETURNING {columns}", [field.attname for field in fields], converters)
        self._compiled[connection.vendor] = compiled
        return compiled


class PreparedInsert:
    """An INSERT whose SQL is written once: the named columns travel as parameters, the others get their default.

    `fixed` are columns that hold the same in every row, and not their default. No signals are sent, and `pre_save` of
    the fields is not asked. With `unless_taken`, the columns of a unique constraint, a row that is there already keeps
    the new one out without an error:

        NEW_EVENT = PreparedInsert(OrderEvent, "order_id", "kind", "at")
        NEW_EVENT(OrderEvent(order_id=7, kind="status", at=now))
        NEW_EVENT.add({"order_id": 7, "kind": "status", "at": now})  # where nobody needs the object
    """

    def __init__(
        self,
        model: type[Model],
        *columns: str,
        fixed: Mapping[str, Any] | None = None,
        unless_taken: Sequence[str] = (),
    ) -> None:
        self.model = model
        self.columns = columns
        self.fixed = fixed or {}
        self.unless_taken = unless_taken
        self._compiled: dict[tuple[str, int], tuple[str, list[Column]]] = {}

    def __call__(self, *rows: Model) -> bool:
        """Insert the rows in one statement and give them their ids; return whether nothing kept them out."""
        keys = self._insert([row.__dict__ for row in rows])
        for row, (key,) in zip(rows, keys, strict=False):
            stored(row, key)
        return bool(keys)

    def add(self, *rows: Mapping[str, Any]) -> list[int]:
        """Insert rows, given by their named columns, in one statement; return the ids of those that went in."""
        return [key for (key,) in self._insert(rows)]

    def statement(self, *rows: Mapping[str, Any]) -> Statement:
        """Return the statement that would insert rows and return their ids, to stand in a longer one."""
        database = connections[DEFAULT_DB_ALIAS]  # asking `connection` for it at each value would cost more
        sql, columns = self._compiled.get((database.vendor, len(rows))) or self._compile(len(rows))
        return sql, [value for row in rows for value in _values(columns, row, database)]

    def _insert(self, rows: Sequence[Mapping[str, Any]]) -> list[Row]:
        return fetch_all(*self.statement(*rows))

    def _compile(self, number: int) -> tuple[str, list[Column]]:
        quote = connection.ops.quote_name
        columns = [field for field in self.model._meta.concrete_fields if field is not self.model._meta.pk]
        if unknown := {*self.columns, *self.fixed} - {field.attname for field in columns}:
            raise ValueError(f"no such columns: {unknown}")
        given = [field for field in columns if field.attname in self.columns]
        row = ", ".join("%s" if field in given else self._constant(field) for field in columns)
        taken = f"ON CONFLICT ({', '.join(map(quote, self.unless_taken))}) DO NOTHING" if self.unless_taken else ""
        names = ", ".join(quote(str(field.column)) for field in columns)
        rows = ", ".join([f"({row})"] * number)
        table, key = quote(self.model._meta.db_table), quote(str(self.model._meta.pk.column))
        sql = f"INSERT INTO {table} ({names}) VALUES {rows} {taken} RETURNING {key}"  # noqa: S608 - names of the model
        plain = PLAIN[connection.vendor]
        prepared = [
            (field.attname, frozenset() if isinstance(field, JSONField) else plain, field.get_db_prep_save)
            for field in given
        ]
        self._compiled[connection.vendor, number] = compiled = (sql, prepared)
        return compiled

    def _constant(self, field: "Field[Any, Any]") -> str:
        return _literal(field, self.fixed[field.attname]) if field.attname in self.fixed else _default(field)


def stored(row: Model, key: int) -> None:
    """Note on an object that its row is stored under this id."""
    row.pk = key
    row._state.adding, row._state.db = False, DEFAULT_DB_ALIAS


def _values(columns: Sequence[Column], row: Mapping[str, Any], database: Any) -> list[Any]:
    """Return a row's parameters, converted as the ORM converts them."""
    return [
        value if type(value := row[name]) in plain else convert(value, database) for name, plain, convert in columns
    ]


def _converters(compiler: Any, columns: Sequence[Any]) -> list[Converter]:
    return [
        (place, convert, expression)
        for place, (converts, expression) in compiler.get_converters(columns).items()
        for convert in converts
    ]


def _converted(rows: list[Row], converters: Sequence[Converter]) -> list[Row]:
    """Return rows as the ORM reads them."""
    for place, convert, expression in converters:
        rows = [
            (*row[:place], convert(row[place], expression, connection), *row[place + 1 :])  # in the column's place
            for row in rows
        ]
    return rows


def _default(field: "Field[Any, Any]") -> str:
    """Return a field's default as a constant of SQL.

    Raises:
        ValueError: it has none that is the same for every row.
    """
    return _literal(field, None if field.has_default() and callable(field.default) else field.get_default())


def _literal(field: "Field[Any, Any]", value: object) -> str:
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
