"""Fields of the calls' bodies: strict about types, clean about text (api.md, Rules for
every call).
"""

import re
from collections.abc import Mapping
from datetime import date, datetime
from decimal import Decimal
from functools import cache
from typing import Annotated, Any, get_args, get_origin
from unicodedata import normalize
from uuid import UUID

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.common.ids import MAX_ID

MAX_COUNT = 1_000_000
MAX_LINES = 2_000
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
CONTROL_BUT_LINES = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
WRONG_TYPE = "Not of the expected type."
CONTROL_CHARACTERS = "Control characters are not allowed."


def validate(shape: type[serializers.Serializer], data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of a body's fields.

    Raises:
        ValidationError: a field is not what it should be.
    """
    values: dict[str, Any] = _serializer_of(shape).run_validation(data)
    return values


@cache
def _serializer_of(shape: type[serializers.Serializer]) -> serializers.Serializer:
    """Return the one serializer of a shape; it keeps nothing of a body.

    An order of ten lines is read in 100 microseconds, and in 490 where the serializer is made for
    each body.
    """
    return shape()


class TextField(serializers.CharField):
    """Text: a JSON string, NFC, trimmed, without control characters, capped. With `lines`, breaks
    and tabs may stay.
    """

    def __init__(self, *, max_length: int, lines: bool = False, **options: Any) -> None:
        self.forbidden = CONTROL_BUT_LINES if lines else CONTROL
        self.longest = max_length
        options.setdefault("allow_blank", "default" in options or not options.get("required", True))
        super().__init__(max_length=max_length, **options)

    def run_validation(self, data: Any = serializers.empty) -> Any:
        """Clean the text before its length is judged; null is no text where none is asked for."""
        if data is None and not self.required:
            data = ""
        if isinstance(data, str):
            data = normalize("NFC", data.replace("\r\n", "\n")).strip()
            if self.forbidden.search(data):
                raise serializers.ValidationError(CONTROL_CHARACTERS)
            if data.isascii() and 0 < len(data) <= self.longest:
                return data  # there is nothing more to judge
        return super().run_validation(data)

    def to_internal_value(self, data: Any) -> str:
        """Refuse numbers that REST framework would turn into text."""
        if not isinstance(data, str):
            raise serializers.ValidationError(WRONG_TYPE)
        return data


class WholeNumberField(serializers.IntegerField):
    """A JSON integer within two bounds; neither `"5"` nor 5.0 nor true."""

    def __init__(self, *, min_value: int, max_value: int, **options: Any) -> None:
        self.bounds = (min_value, max_value)
        super().__init__(min_value=min_value, max_value=max_value, **options)

    def run_validation(self, data: Any = serializers.empty) -> Any:
        """Return a number between the bounds as it is."""
        if type(data) is int and self.bounds[0] <= data <= self.bounds[1]:
            return data
        return super().run_validation(data)

    def to_internal_value(self, data: Any) -> int:
        """Return the number as it is."""
        if type(data) is not int:
            raise serializers.ValidationError(WRONG_TYPE)
        return data


class CountField(WholeNumberField):
    """Pieces of a line: 1 to 1,000,000."""

    def __init__(self, **options: Any) -> None:
        super().__init__(min_value=1, max_value=MAX_COUNT, **options)


class OptionalIdField(WholeNumberField):
    """The id of an address entry; null, '' and absent are none."""

    def __init__(self, **options: Any) -> None:
        super().__init__(min_value=1, max_value=MAX_ID, allow_null=True, default=None, **options)

    def run_validation(self, data: Any = serializers.empty) -> Any:
        """Read an empty text as none."""
        return super().run_validation(None if data == "" else data)


@extend_schema_field({"type": "integer", "enum": [0, 1]})
class FlagField(serializers.Field):
    """A yes or no that travels as 1 or 0."""

    def to_internal_value(self, data: Any) -> bool:
        """Return whether it is 1."""
        if type(data) is not int or data not in (0, 1):
            raise serializers.ValidationError(WRONG_TYPE)
        return data == 1

    def to_representation(self, value: Any) -> int:
        """Return 1 or 0."""
        return int(bool(value))


@extend_schema_field({"type": "number"})
class MoneyField(serializers.DecimalField):
    """US dollars: a JSON number with at most two decimals."""

    def __init__(self, **options: Any) -> None:
        super().__init__(max_digits=12, decimal_places=2, **options)

    def to_internal_value(self, data: Any) -> Decimal:
        """Refuse text, NaN and a third decimal."""
        if type(data) not in (int, float):
            raise serializers.ValidationError(WRONG_TYPE)
        return super().to_internal_value(data)


ANSWERED: dict[Any, type[serializers.Field]] = {
    str: serializers.CharField,
    int: serializers.IntegerField,
    bool: serializers.BooleanField,
    float: serializers.FloatField,
    Decimal: MoneyField,
    date: serializers.DateField,
    datetime: serializers.DateTimeField,
    UUID: serializers.UUIDField,
}


class Answer(serializers.Serializer):
    """What a call answers. A field is declared by its type, `count: int`, `until: date | None`,
    `lines: list[Line]`, with what the contract says of it as in `Annotated[int, "in grams"]`.
    """

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        for name, kind in vars(cls).get("__annotations__", {}).items():
            cls._declared_fields[name] = _field_of(kind)


def _field_of(kind: Any, **options: Any) -> Any:
    """Return the field of a type."""
    inner, *more = get_args(kind) or [None]
    if get_origin(kind) is Annotated:
        return _field_of(inner, help_text=more[0], **options)
    if more:  # or None
        return _field_of(inner, allow_null=True, **options)
    if inner is None:
        return ANSWERED.get(kind, kind)(**options)
    if inner in ANSWERED:
        return serializers.ListField(child=_field_of(inner), **options)
    return inner(many=True, **options)


class Success(Answer):
    """An answer that says only that it worked."""

    success: int


class Refusal(Success):
    """Any refusal but the missing sign-in."""

    code: str
    message: str
    errors = serializers.DictField(  # type: ignore[assignment]
        child=serializers.ListField(child=serializers.CharField()), required=False
    )


class SignInAgain(Answer):
    """The token is missing or no longer good; no `success`, and nothing else answers 403."""

    message: str
