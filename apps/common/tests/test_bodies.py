"""A body answers as REST framework's own serializer with the same fields does."""

import pytest
from rest_framework import serializers

from apps.common.http.serializers import Body, CountField, TextField


class Named(serializers.Serializer):
    name = TextField(max_length=5)
    note = TextField(max_length=5, lines=True, required=False, default="")
    count = CountField()
    lines = serializers.ListField(child=serializers.CharField(), required=False, default=list)

    def validate(self, attrs):
        if attrs["name"] == "no":
            raise serializers.ValidationError({"name": ["Not this."]})
        return attrs


class Quick(Named, Body):
    """The same, made once."""


GOOD = {"name": " Ada ", "count": 3}


@pytest.mark.parametrize(
    "body",
    [
        GOOD,
        {**GOOD, "note": "a\r\nb", "lines": ["x"], "unknown": 1},
        {**GOOD, "name": "김이박최"},
        {**GOOD, "name": "e\u0301" * 5},
        {**GOOD, "name": "a\x07"},
        {**GOOD, "name": "a\nb"},
        {**GOOD, "name": "abcdef"},
        {**GOOD, "name": "   "},
        {**GOOD, "name": None},
        {**GOOD, "name": 5},
        {**GOOD, "name": "no"},
        {**GOOD, "note": None},
        {**GOOD, "note": "\ud800"},
        {**GOOD, "count": True},
        {**GOOD, "count": 0},
        {**GOOD, "count": 1_000_001},
        {**GOOD, "count": "3"},
        {**GOOD, "lines": "x"},
        {},
        [],
        None,
    ],
)
def test_a_body_judges_as_rest_framework_does(body: object) -> None:
    quick, plain = Quick(data=body), Named(data=body)
    assert quick.is_valid() == plain.is_valid()
    assert (quick.errors, quick.validated_data) == (plain.errors, plain.validated_data)


def test_a_method_that_would_not_be_asked_is_refused() -> None:
    class Asked(Body):
        name = TextField(max_length=5)

        def validate_name(self, value: str) -> str:
            return value.upper()

    with pytest.raises(TypeError, match="name: "):
        Asked(data={"name": "a"}).is_valid()


def test_a_body_keeps_nothing_of_another_and_changes_no_class() -> None:
    assert Quick(data=GOOD).is_valid()  # from here on its fields are made
    made = vars(serializers.Field)["_creation_counter"]
    bad = Quick(data={})
    assert not bad.is_valid()
    good = Quick(data=GOOD)
    assert good.is_valid()
    assert (set(bad.errors), good.errors, good.validated_data["name"]) == ({"name", "count"}, {}, "Ada")
    assert not Quick(data={"name": "no", "count": 3}).is_valid()
    assert vars(serializers.Field)["_creation_counter"] == made
