"""Texts of staff pages that are kept: a key with its values, read in the language of the reader.

English is the key. What a buyer gets, what a paper shows and what is logged is English, whoever
causes it (`in_english`).
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime
from decimal import Decimal

from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.timezone import localtime
from django.utils.translation import (
    get_language,
    gettext as gettext,  # for rules, which know no more of Django
    override,
    pgettext,
    pgettext_lazy as pgettext_lazy,
)

from apps.common.types import Label


class Text:
    """An English text with `%(name)s` for its values; `str` gives it in the language of the page.

    A value may be a text itself, an amount (kept as `1,234.50`), a day or a moment.
    """

    def __init__(self, key: str, /, **values: object) -> None:
        self.key = key
        self.values = {name: worded(value) for name, value in values.items()}

    def __str__(self) -> str:
        translation = self.key
        if get_language() != "en":  # a label begins with a small letter elsewhere
            keys = (self.key, self.key[:1].lower() + self.key[1:])
            translation = next((text for one in keys if (text := gettext(one)) != one), self.key)
        values = {
            name: day_text(value) if isinstance(value, date) else value
            for name, value in self.values.items()
        }
        return translation % values if values else translation

    def stored(self) -> str:
        """Return what the database keeps: the key alone, or JSON with its values."""
        return json.dumps(self, default=_as_json, ensure_ascii=False) if self.values else self.key


def worded(value: object) -> object:
    """Return an amount as pages show it (`1,234.50`), anything else as it is."""
    return f"{value:,.2f}" if isinstance(value, Decimal) else value


def phrase(key: str, /, **values: object) -> str:
    """Return an English text with its values in the language of the page, now."""
    return str(Text(key, **values))


def joined(separator: str, texts: list[Text]) -> Text:
    """Return several texts as one."""
    values = {str(number): text for number, text in enumerate(texts)}
    return Text(separator.join(f"%({number})s" for number in values), **values)


def stored(text: Label | Text) -> str:
    """Return what the database keeps of a text or of a plain sentence, which stays in English."""
    if isinstance(text, str):
        return text
    with in_english():
        return text.stored() if isinstance(text, Text) else str(text)


def read(stored_text: str) -> str:
    """Return what the database keeps, in the language of the page; an old sentence as it is."""
    return str(text_of(stored_text))


def text_of(stored_text: str) -> Text:
    """Return what the database keeps as a text; what somebody typed that looks like one is none."""
    try:
        value = _value(json.loads(stored_text))
    except ValueError:
        value = None
    return value if isinstance(value, Text) else Text(stored_text)


def day_text(day: date) -> str:
    """Return a day of these weeks (`Fri 11 Dec`) in the language of the page; a moment with its
    time at the seller's (`Tue 24 Nov, 18:00`).
    """
    if isinstance(day, datetime):
        return date_format(localtime(day), pgettext("date format", "D j M, H:i"))
    return date_format(day, pgettext("date format", "D j M"))


@contextmanager
def in_english() -> Iterator[None]:
    """Make everything in a block or function in English, as buyers and papers have it."""
    with override("en"):
        yield


def _as_json(value: object) -> object:
    """Return as JSON what JSON has no form of."""
    match value:
        case Text():
            return {"key": value.key, "values": value.values}
        case Promise():  # a label
            with in_english():
                return _as_json(Text(str(value)))
        case date():
            return {"day": value.isoformat()}
    return str(value)


def _value(stored_value: object) -> object:
    """Return what `_as_json` made such JSON of."""
    match stored_value:
        case {"key": str(key), "values": dict(values)}:
            return Text(key, **{name: _value(value) for name, value in values.items()})
        case {"day": str(day)}:
            return (datetime if "T" in day else date).fromisoformat(day)
    return stored_value
