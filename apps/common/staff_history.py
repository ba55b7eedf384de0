"""What the history of a thing says of a form that was saved: each field, old → new."""

from collections.abc import Iterable, Iterator
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from django.db import models
from django.forms import BaseInlineFormSet, BaseModelForm
from django.utils.text import Truncator, capfirst

from apps.common.staff_fields import PercentField
from apps.common.staff_lists import figure_text, moment_text
from apps.common.texts import Text, in_english, joined

LONGEST = 80  # characters of a text; the rest of it is left out


def changes_text(
    form: "BaseModelForm[Any]", rows: Iterable["BaseInlineFormSet[Any, Any, Any]"], *, is_new: bool
) -> Text:
    """Return what a form and the rows below it changed; of what is added its figures."""
    with in_english():  # labels and choices are kept as keys
        parts = list(_figures(form, form.cleaned_data) if is_new else _changed(form))
        for formset in rows:
            parts += _rows(formset, adding=not is_new)
    if is_new:
        return Text("Added: %(changes)s", changes=joined("; ", parts)) if parts else Text("Added")
    return joined("; ", parts) if parts else Text("Nothing changed")


def _rows(formset: "BaseInlineFormSet[Any, Any, Any]", *, adding: bool) -> Iterator[Text]:
    by_row = {id(form.instance): form for form in formset.forms}
    for row in formset.new_objects:
        name = Text("added %(row)s", row=row) if adding else Text("%(row)s", row=row)
        form = by_row[id(row)]
        yield _row(name, _figures(form, form.cleaned_data))
    for row, _ in formset.changed_objects:
        yield _row(Text("%(row)s", row=row), _changed(by_row[id(row)]))
    for row in formset.deleted_objects:
        form = by_row[id(row)]
        yield _row(Text("taken out %(row)s", row=row), _figures(form, form.initial))


def _row(name: Text, changes: Iterable[Text]) -> Text:
    parts = list(changes)
    return Text("%(row)s: %(changes)s", row=name, changes=joined(", ", parts)) if parts else name


def _changed(form: "BaseModelForm[Any]") -> Iterator[Text]:
    for name, field, label in _fields(form):
        if name in form.changed_data:
            values = [one.get(name) for one in (form.initial, form.cleaned_data)]
            if isinstance(percent := form.fields[name], PercentField):
                values = [percent.prepare_value(value) for value in values]
            old, new = (_value_text(field, value) for value in values)
            yield Text("%(label)s %(old)s → %(new)s", label=label, old=old, new=new)


def _figures(form: "BaseModelForm[Any]", values: Any) -> Iterator[Text]:
    for name, field, label in _fields(form):
        is_figure = isinstance(field, models.DecimalField | models.IntegerField)
        if is_figure and not field.choices and values.get(name) is not None:
            yield Text("%(label)s %(figure)s", label=label, figure=_value_text(field, values[name]))


def _fields(form: "BaseModelForm[Any]") -> Iterator[tuple[str, Any, Text]]:
    """Yield the fields that a form keeps, with what it calls them."""
    columns = form._meta.model._meta.get_fields()
    stored_fields = {
        one.name: one for one in columns if one.concrete and not getattr(one, "primary_key", 0)
    }
    for name, field in form.fields.items():
        if name in stored_fields:
            label = capfirst(str(field.label or stored_fields[name].verbose_name))
            yield name, stored_fields[name], Text(label)


def _value_text(field: Any, value: Any) -> str | Text:
    """Return a value as staff read it; `value` may be the key of what a field leads to."""
    if value is None:
        return "–"
    if field.is_relation and not field.many_to_many and not isinstance(value, models.Model):
        value = field.related_model._base_manager.filter(pk=value).first() or value
    if getattr(field, "flatchoices", None):
        return Text(str(dict(field.flatchoices).get(value, value)))
    match value:
        case bool():
            return Text("yes") if value else Text("no")
        case Decimal() | int():
            return figure_text(value)
        case datetime():
            return moment_text(value)
        case date():
            return value.isoformat()
        case models.QuerySet() | list() | tuple():
            value = ", ".join(map(str, value))
    return Truncator(str(value)).chars(LONGEST) or "–"
