"""Fields judge the values of a body strictly, and a shape keeps nothing of the bodies that it has
read.
"""

from typing import Any

import pytest
from rest_framework import serializers

from apps.common.http.serializers import (
    CONTROL_CHARACTERS,
    WRONG_TYPE,
    CountField,
    TextField,
    validate,
)


class Named(serializers.Serializer):
    """A name, a note and a count."""

    name = TextField(max_length=5)
    note = TextField(max_length=5, lines=True, required=False, default="")
    count = CountField()
    lines = serializers.ListField(child=serializers.CharField(), required=False, default=list)


GOOD = {"name": "Ada", "count": 3}
READ = {**GOOD, "note": "", "lines": []}


@pytest.mark.parametrize(
    ("body", "cleaned"),
    [
        ({"name": " Ada "}, {}),
        ({"unknown": 1}, {}),
        ({"note": None}, {}),
        ({"note": "a\r\nb", "lines": ["x"]}, {"note": "a\nb", "lines": ["x"]}),
        ({"name": "김이박최"}, {"name": "김이박최"}),
        ({"name": "e\u0301" * 5}, {"name": "\xe9" * 5}),
        ({"count": 1_000_000}, {"count": 1_000_000}),
    ],
)
def test_good_values_are_cleaned(body: dict[str, Any], cleaned: dict[str, Any]) -> None:
    assert validate(Named, {**GOOD, **body}) == {**READ, **cleaned}


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ({"name": "a\x07"}, CONTROL_CHARACTERS),
        ({"name": "a\nb"}, CONTROL_CHARACTERS),
        ({"name": "abcdef"}, "Ensure this field has no more than 5 characters."),
        ({"name": "   "}, "This field may not be blank."),
        ({"name": None}, "This field may not be null."),
        ({"name": 5}, WRONG_TYPE),
        ({"note": "\ud800"}, "Surrogate characters are not allowed: U+D800."),
        ({"count": True}, WRONG_TYPE),
        ({"count": 3.0}, WRONG_TYPE),
        ({"count": "3"}, WRONG_TYPE),
        ({"count": 0}, "Ensure this value is greater than or equal to 1."),
        ({"count": 1_000_001}, "Ensure this value is less than or equal to 1000000."),
        ({"lines": "x"}, 'Expected a list of items but got type "str".'),
    ],
)
def test_a_bad_value_is_named(body: dict[str, Any], text: str) -> None:
    with pytest.raises(serializers.ValidationError) as refused:
        validate(Named, {**GOOD, **body})
    assert refused.value.detail == {name: [text] for name in body}


def test_a_shape_keeps_nothing_of_a_body() -> None:
    first = validate(Named, GOOD)
    first["lines"].append("x")
    with pytest.raises(serializers.ValidationError) as refused:
        validate(Named, {})
    assert set(refused.value.detail) == {"name", "count"}
    assert validate(Named, GOOD) == READ
