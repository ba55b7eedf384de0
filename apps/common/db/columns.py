"""Columns that several apps share."""

from datetime import datetime
from typing import Any

from django.conf import settings
from django.db import models


def money_field(**options: Any) -> models.DecimalField:
    """Return a column for US dollars: 12 digits, two of them cents."""
    return models.DecimalField(max_digits=12, decimal_places=2, **options)


def person_field(**options: Any) -> Any:
    """Return a column for who did something: a person who did stays."""
    return models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", **options)


def moment_field(**options: Any) -> "models.DateTimeField[Any, datetime | None]":
    """Return a column for when something happened or is due: empty as long as there is none."""
    return models.DateTimeField(null=True, blank=True, **options)
