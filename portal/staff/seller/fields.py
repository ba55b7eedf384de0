"""Fields of the page "Settings", and forms of which two people may save at once."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from apps.accounts.models import AddressEntry


class CountriesField(forms.CharField):
    """Countries by ISO code, typed and shown by name, one a line."""

    widget = forms.Textarea(attrs={"rows": 4, "spellcheck": "false"})

    def to_python(self, value: Any) -> Any:
        """Return the codes, in the order of their names.

        Raises:
            ValidationError: it names the lines that are no country.
        """
        names = [
            line.strip() for line in str(super().to_python(value)).splitlines() if line.strip()
        ]
        known = {}
        for code, name in _countries():
            known[code.casefold()] = known[name.casefold()] = code
        if unknown := [name for name in names if name.casefold() not in known]:
            raise ValidationError(
                _("No country is called %(names)s."), params={"names": ", ".join(unknown)}
            )
        chosen = {known[name.casefold()] for name in names}
        return [code for code, _ in _countries() if code in chosen]

    def prepare_value(self, value: Any) -> Any:
        """Return the names of stored codes."""
        if isinstance(value, str):
            return value
        return "\n".join(name for code, name in _countries() if code in (value or ()))


def _countries() -> Sequence[tuple[str, str]]:
    countries = AddressEntry.objects.filter(parent__isnull=True).order_by("content")
    return list(countries.values_list("code", "content"))


class SharedForm(forms.ModelForm):
    """A form that writes what was changed on it, and nothing else: what somebody else saved since
    it was opened stays. Each field carries along what it showed.

    Whoever reads it has locked what it writes.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.pk is not None:
            for name in self._meta.fields or ():
                self.fields[name].show_hidden_initial = True

    def clean(self) -> Any:
        """Take what is stored where nothing was changed; a change of what is another by now is
        refused once, at its field.
        """
        cleaned: Any = super().clean() or self.cleaned_data
        for name in [name for name in cleaned if self.fields[name].show_hidden_initial]:
            field, bound = self.fields[name], self[name]
            stored = self.get_initial_for_field(field, name)
            if name not in self.changed_data:
                cleaned[name] = getattr(self.instance, name)
            elif field.has_changed(stored, self.data.get(bound.html_initial_name, stored)):
                said = field.prepare_value(stored)
                seen: Any = self.data.copy()  # type: ignore[attr-defined]
                seen[bound.html_initial_name] = "" if said is None else said
                self.data = seen
                is_now = _("Somebody else saved “%(now)s” meanwhile. Save again to replace it.")
                self.add_error(name, is_now % {"now": "–" if said in (None, "") else said})
        return cleaned
