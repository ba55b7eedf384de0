"""Texts of staff pages that are kept: a key with its values, read in the language of the reader.

English is the key. What a buyer gets, what a paper shows and what is logged is English, whoever
causes it (`in_english`).
"""

import json
from typing import Any

from django.utils import translation
from django.utils.translation import gettext

from apps.common.types import Label


class Text:
    """An English text with `%(name)s` for its values; `str` gives it in the language of the page.

    A value may be a text itself.
    """

    def __init__(self, key: str, /, **values: object) -> None:
        self.key, self.values = key, values

    def __str__(self) -> str:
        said = _translated(self.key)
        return said % self.values if self.values else said

    def stored(self) -> str:
        """Return what the database keeps: the key alone, or JSON with its values."""
        return json.dumps(self._parts(), ensure_ascii=False) if self.values else self.key

    def _parts(self) -> dict[str, Any]:
        values = {
            name: value._parts() if isinstance(value, Text) else str(value)
            for name, value in self.values.items()
        }
        return {"key": self.key, "values": values}


def joined(separator: str, texts: list[Text]) -> Text:
    """Return several texts as one."""
    values = {f"text{number}": text for number, text in enumerate(texts)}
    return Text(separator.join(f"%({name})s" for name in values), **values)


def stored(text: Label | Text) -> str:
    """Return what the database keeps of a text or of a plain sentence, which stays in English."""
    if isinstance(text, Text):
        return text.stored()
    with in_english():
        return str(text)


def read(kept: str) -> str:
    """Return what the database keeps, in the language of the page; an old sentence as it is."""
    return str(text_of(kept))


def text_of(kept: str) -> Text:
    """Return what the database keeps as a text; what somebody typed that looks like one is none."""
    try:
        return _text(json.loads(kept)) if kept.startswith('{"key": ') else Text(kept)
    except (ValueError, LookupError, TypeError, AttributeError):
        return Text(kept)


def in_english() -> translation.override:
    """Return a block in which everything is made in English, as buyers and papers have it."""
    return translation.override("en")


def _text(parts: dict[str, Any]) -> Text:
    values = {
        name: _text(value) if isinstance(value, dict) else value
        for name, value in parts["values"].items()
    }
    return Text(parts["key"], **values)


def _translated(key: str) -> str:
    """Return a text in the language of the page; a label begins with a small letter elsewhere."""
    if not key:
        return key
    said = gettext(key)
    label = key[0].lower() + key[1:]
    return said if said != key or gettext(label) == label else gettext(label)
