"""Columns that several apps share."""

from typing import Any

from django.conf import settings
from django.db import models


def money_field(**options: Any) -> models.DecimalField:
    """Return a column for US dollars: 12 digits, two of them cents."""
    return models.DecimalField(max_digits=12, decimal_places=2, **options)


def person_field(**options: Any) -> Any:
    """Return a column for who did something: a person who did stays."""
    return models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", **options)
