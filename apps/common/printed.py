"""Texts that end on an invoice: what the documents' fonts lack is refused where it is typed."""

from collections.abc import Mapping
from typing import ClassVar
from unicodedata import normalize

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext, gettext_noop as _

from apps.common.errors import Invalid
from apps.common.texts import Text, in_english

# What the contract says of such a field.
PRINTED = "**+** stands on invoices: 400 for characters that they cannot print, unless it is kept"
LATIN = _("Invoices cannot print “%(text)s”: please write this in Latin letters.")
MAX_NAMED = 20
FIGURES = ("phone", "zipcode")  # how the names of such fields end


def usual_width(figures: str) -> str:
    """Return a telephone number or a zip code in signs of usual width: Korean and Japanese
    keyboards write wide ones too.
    """
    return normalize("NFKC", figures)


def check_printed(text: str) -> None:
    """Refuse a text that invoices cannot print; any script that their fonts have may stay.

    Raises:
        ValidationError: its sentence names the characters.
    """
    if missing := _missing(text):
        raise ValidationError(gettext(LATIN), params={"text": missing})


def _missing(text: str) -> str:
    """Return the characters of a text that invoices cannot print, the first of many."""
    if text.isascii():
        return ""
    # Here, because the fonts take ReportLab along, which a server may never need.
    from apps.common.fonts import unprintable

    missing = unprintable(text)
    return missing if len(missing) <= MAX_NAMED else f"{missing[:MAX_NAMED]}…"


def printing_faults(
    values: Mapping[str, object], *, stored: Mapping[str, object] | None = None
) -> dict[str, list[str]]:
    """Return what `unprinted` does as an answer of the API has it, in English."""
    with in_english():
        return {name: [str(text)] for name, text in unprinted(values, stored=stored).items()}


def unprinted(
    values: Mapping[str, object], *, stored: Mapping[str, object] | None = None
) -> dict[str, Text]:
    """Return a refusal for each text that invoices cannot print, by field. What stands in the
    database already (`stored`, by the same names) may stay.
    """
    stored = stored or {}
    changed = {name: value for name, value in values.items() if value != stored.get(name)}
    return {
        name: Text(LATIN, text=missing)
        for name, value in changed.items()
        if isinstance(value, str) and (missing := _missing(value))
    }


def refuse_unprintable(
    values: Mapping[str, object], *, stored: Mapping[str, object] | None = None
) -> None:
    """Refuse a body with texts that invoices cannot print, but for what is `stored`.

    Raises:
        Invalid: its `errors` name each field and the characters.
    """
    if faults := printing_faults(values, stored=stored):
        raise Invalid(errors=faults)


class PrintedForm(forms.BaseForm):
    """A form that refuses what invoices cannot print, in those of its fields that were changed."""

    printed: ClassVar[tuple[str, ...]]

    def clean(self) -> None:
        """Refuse the changed texts of `printed` that cannot be printed."""
        super().clean()
        fields = self.cleaned_data
        for name in self.printed:
            if name.endswith(FIGURES):
                fields[name] = usual_width(fields.get(name) or "")
        changed = {name: fields.get(name) for name in self.printed if name in self.changed_data}
        for name, faults in printing_faults(changed).items():
            self.add_error(name, faults)
