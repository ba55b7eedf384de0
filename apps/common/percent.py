"""A share, typed and shown as per cent."""

from decimal import Decimal
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _


class PercentField(forms.DecimalField):
    """A share from 0 to 1, typed and shown as per cent with so many decimals."""

    def __init__(self, *, decimals: int = 2, **options: Any) -> None:
        super().__init__(**options)
        self.decimals = decimals

    def to_python(self, value: Any) -> Any:
        """Return the share."""
        percent = super().to_python(value)
        return None if percent is None else percent / 100

    def validate(self, value: Any) -> None:
        """Refuse what is no share, and more decimals than are kept.

        Raises:
            ValidationError: below 0, above 100 or with too many decimals.
        """
        super().validate(value)
        if value is None or (0 <= value <= 1 and value == round(value, self.decimals + 2)):
            return
        if self.decimals:
            raise ValidationError(_("From 0 to 100, with at most two decimals."))
        raise ValidationError(_("A whole number from 0 to 100."))

    def prepare_value(self, value: Any) -> Any:
        """Return the per cent of a stored share; what was typed stays as it is."""
        return f"{(value * 100).normalize():f}" if isinstance(value, Decimal) else value
