"""A moment in forms of staff: a day and a time as text, in the seller's time."""

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.functional import lazy
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _, gettext_noop

from apps.common.types import Label

CITY = _(settings.TIME_ZONE.rpartition("/")[2].replace("_", " "))
gettext_noop("Seoul")


# A name without what it belongs to: `From` of `Popup, from`.
_own_name: Any = lazy(lambda name: str(name).partition(", ")[2].capitalize() or str(name), str)


class ShortTime(forms.TimeInput):
    """A time as people write it: without its seconds where there are none."""

    def format_value(self, value: Any) -> str | None:
        """Return 09:00 or 23:59:59."""
        text = super().format_value(value)
        return text.removesuffix(":00") if text and text.count(":") == 2 else text


class MomentWidget(forms.SplitDateTimeWidget):
    """A day by the browser's picker, and a time as text: 09:00 or 23:59:59."""

    def __init__(self, name: Label, *, seconds: bool) -> None:
        day_name: Any = format_lazy(_("{name}, date"), name=name)
        time_name: Any = format_lazy(_("{name}, time"), name=name)
        super().__init__(
            date_format="%Y-%m-%d",
            time_format="%H:%M:%S" if seconds else "%H:%M",
            date_attrs={"aria-label": day_name, "class": "day"},
            time_attrs={
                "aria-label": time_name,
                "placeholder": "HH:MM",
                "maxlength": "8",
                "class": "time",
            },
        )
        day, clock = self.widgets
        day.input_type = "date"
        self.widgets = (day, ShortTime(attrs=clock.attrs, format=clock.format))


def moment(
    name: Label, *, seconds: bool = True, required: bool = False
) -> forms.SplitDateTimeField:
    """Return a field for a moment in the seller's time."""
    return forms.SplitDateTimeField(
        label=_own_name(name),
        required=required,
        input_date_formats=["%Y-%m-%d"],
        input_time_formats=["%H:%M:%S", "%H:%M"],
        widget=MomentWidget(name, seconds=seconds),
        error_messages={
            "invalid_date": _("Write the date as 2026-12-01."),
            "invalid_time": _("Write the time as 09:00 or 23:59:59."),
        },
    )


def day_field(label: Label, **options: Any) -> forms.DateField:
    """Return a field of a day, by the browser's picker."""
    widget = forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"})
    return forms.DateField(label=label, widget=widget, **options)


def opened_at(data: Mapping[str, Any]) -> datetime | None:
    """Return when the form that was sent was opened, as it says itself; None where it does not."""
    try:
        opened = parse_datetime(data.get("_opened", ""))
    except ValueError:
        return None
    return opened if opened and timezone.is_aware(opened) else None


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
