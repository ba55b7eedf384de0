"""Fields of the calls' bodies: strict about types, clean about text (api.md, Rules for every call)."""

import re
from collections.abc import Callable
from decimal import Decimal
from functools import cache
from typing import Any
from unicodedata import normalize

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.utils.serializer_helpers import BindingDict

MAX_ID = 2**31 - 1
MAX_COUNT = 1_000_000
MAX_LINES = 2_000
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
CONTROL_BUT_LINES = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
MISSING = serializers.empty
WRONG_TYPE = "Not of the expected type."
CONTROL_CHARACTERS = "Control characters are not allowed."


class Body(serializers.Serializer):
    """Base of what is read at every order or page: its fields keep nothing of a request and are made once.

    A good body passes by its fields' `run_validation` and `validate` alone; REST framework's own course is taken by one
    that has faults, which it names. Methods `validate_<field>` would not be asked, and are refused.
    """

    def __init__(self, instance: Any = None, data: Any = serializers.empty, **options: Any) -> None:
        if data is serializers.empty or instance is not None or options:
            super().__init__(instance, data, **options)
        else:
            # Not by REST framework, which counts what it makes in an attribute of the class: each time, Python forgets
            # what it knows of that class and of all below it.
            self.__dict__.update(_made(type(self)))
            self.initial_data = data

    @property
    def fields(self) -> Any:
        """Return the fields, which belong to another serializer of this class."""
        return _fields_of(type(self))

    def run_validation(self, data: Any = serializers.empty) -> Any:
        """Return the values of a JSON object's fields."""
        if type(data) is dict:
            try:
                given = data.get
                return self.validate({name: judge(given(name, MISSING)) for name, judge in _judges_of(type(self))})
            except (serializers.ValidationError, serializers.SkipField):
                pass
        return super().run_validation(data)


@cache
def _made(shape: type[Body]) -> dict[str, Any]:
    """Return what REST framework makes of a serializer of this class."""
    return {name: value for name, value in vars(shape()).items() if name not in ("_args", "_kwargs")}


@cache
def _fields_of(shape: type[Body]) -> BindingDict:
    maker = shape()
    fields = BindingDict(maker)
    for name, field in maker.get_fields().items():
        if hasattr(shape, f"validate_{name}") or field.read_only:
            raise TypeError(f"{name}: a body's fields are written, and judged by themselves or by `validate`")
        fields[name] = field
    return fields


@cache
def _judges_of(shape: type[Body]) -> list[tuple[str, Callable[[Any], Any]]]:
    return [(name, field.run_validation) for name, field in _fields_of(shape).items()]


class TextField(serializers.CharField):
    """Text: a JSON string, NFC, trimmed, without control characters, capped. With `lines`, breaks and tabs may stay."""

    def __init__(self, *, max_length: int, lines: bool = False, **options: Any) -> None:
        self.forbidden = CONTROL_BUT_LINES if lines else CONTROL
        self.longest = max_length
        options.setdefault("allow_blank", not options.get("required", True))
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
        super().__init__(min_value=1, max_value=MAX_ID, required=False, allow_null=True, default=None, **options)

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


class Success(serializers.Serializer):
    """An answer that says only that it worked."""

    success = serializers.IntegerField()


class Refusal(serializers.Serializer):
    """Any refusal but the missing sign-in."""

    success = serializers.IntegerField()
    code = serializers.CharField()
    message = serializers.CharField()
    errors = serializers.DictField(  # type: ignore[assignment]
        child=serializers.ListField(child=serializers.CharField()), required=False
    )


class SignInAgain(serializers.Serializer):
    """The token is missing or no longer good; no `success`, and nothing else answers 403."""

    message = serializers.CharField()
