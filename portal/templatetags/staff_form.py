"""What a change page of staff shows of a fieldset: first what is typed, then what is only read."""

from typing import Any

from django import template

register = template.Library()


@register.filter
def inputs(fieldset: Any) -> list[Any]:
    """Return the fields of a fieldset that can be changed."""
    return [
        field for line in fieldset for field in line if not getattr(field, "is_readonly", False)
    ]


@register.filter
def facts(fieldset: Any) -> list[Any]:
    """Return the fields of a fieldset that are only read."""
    return [field for line in fieldset for field in line if getattr(field, "is_readonly", False)]
