"""Columns that several apps share."""

from typing import Any

from django.db import models


def money_field(**options: Any) -> models.DecimalField:
    """Return a column for US dollars: 12 digits, two of them cents."""
    return models.DecimalField(max_digits=12, decimal_places=2, **options)
