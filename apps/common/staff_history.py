"""What the history of a thing says of a form that was saved: each field, old → new."""

from collections.abc import Iterable, Iterator
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from django.db import models
from django.forms import BaseInlineFormSet, BaseModelForm
from django.utils import timezone
from django.utils.text import Truncator, capfirst

from apps.common.staff_lists import shown

LONGEST = 80  # characters of a text; the rest of it is left out


def changes_text(
    form: "BaseModelForm[Any]", rows: Iterable["BaseInlineFormSet[Any, Any, Any]"], *, is_new: bool
) -> str:
    """Return what a form and the rows below it changed; of what is added its figures."""
    parts = list(_added(form) if is_new else _changed(form))
    for formset in rows:
        parts += _rows(formset, adding="" if is_new else "added ")
    text = "; ".join(parts)
    if is_new:
        return f"Added: {text}" if text else "Added"
    return text or "Nothing changed"


def _rows(formset: "BaseInlineFormSet[Any, Any, Any]", *, adding: str) -> Iterator[str]:
    by_row = {id(form.instance): form for form in formset.forms}
    for row in formset.new_objects:
        yield _row(adding, row, _added(by_row[id(row)]))
    for row, _ in formset.changed_objects:
        yield _row("", row, _changed(by_row[id(row)]))
    for row in formset.deleted_objects:
        yield _row("taken out ", row, _removed(by_row[id(row)]))


def _row(verb: str, row: models.Model, changes: Iterable[str]) -> str:
    text = ", ".join(changes)
    return f"{verb}{row}: {text}" if text else f"{verb}{row}"


def _changed(form: "BaseModelForm[Any]") -> Iterator[str]:
    for name, field, label in _fields(form):
        if name in form.changed_data:
            old, new = (_said(field, one.get(name)) for one in (form.initial, form.cleaned_data))
            yield f"{label} {old} → {new}"


def _added(form: "BaseModelForm[Any]") -> Iterator[str]:
    return _figures(form, form.cleaned_data)


def _removed(form: "BaseModelForm[Any]") -> Iterator[str]:
    return _figures(form, form.initial)


def _figures(form: "BaseModelForm[Any]", values: Any) -> Iterator[str]:
    for name, field, label in _fields(form):
        is_figure = isinstance(field, models.DecimalField | models.IntegerField)
        if is_figure and not field.choices and values.get(name) is not None:
            yield f"{label} {_said(field, values[name])}"


def _fields(form: "BaseModelForm[Any]") -> Iterator[tuple[str, Any, str]]:
    """Yield the fields that a form keeps, with what it calls them."""
    columns = form._meta.model._meta.get_fields()
    kept = {one.name: one for one in columns if one.concrete and not getattr(one, "primary_key", 0)}
    for name, field in form.fields.items():
        if name in kept:
            yield name, kept[name], capfirst(str(field.label or kept[name].verbose_name))


def _said(field: Any, value: Any) -> str:
    """Return a value as staff read it; `value` may be the key of what a field leads to."""
    if value is None:
        return "–"
    if field.is_relation and not field.many_to_many and not isinstance(value, models.Model):
        value = field.related_model._base_manager.filter(pk=value).first() or value
    if getattr(field, "flatchoices", None):
        return str(dict(field.flatchoices).get(value, value))
    match value:
        case bool():
            return "yes" if value else "no"
        case Decimal() | int():
            return shown(value)
        case datetime():
            return f"{timezone.localtime(value):%Y-%m-%d %H:%M}"
        case date():
            return value.isoformat()
        case models.QuerySet() | list() | tuple():
            value = ", ".join(map(str, value))
    return Truncator(str(value)).chars(LONGEST) or "–"
