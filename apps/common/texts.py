"""Texts of staff pages that are kept: a key with its values, read in the language of the reader.

English is the key. What a buyer gets, what a paper shows and what is logged is English, whoever
causes it (`in_english`).
"""

import json
from collections.abc import Callable
from datetime import date, datetime
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from django.conf import settings
from django.utils import translation
from django.utils.functional import Promise
from django.utils.translation import gettext, pgettext_lazy

from apps.common.prose import day_text, soon_text
from apps.common.types import Label

__all__ = [  # of Django, for rules, which know nothing else of it
    "Text",
    "gettext",
    "in_english",
    "joined",
    "made_in_english",
    "made_in_staff_language",
    "pgettext_lazy",
    "read",
    "stored",
]
P = ParamSpec("P")
T = TypeVar("T")


class Text:
    """An English text with `%(name)s` for its values; `str` gives it in the language of the page.

    A value may be a text itself, a day or a moment.
    """

    def __init__(self, key: str, /, **values: object) -> None:
        self.key, self.values = key, values

    def __str__(self) -> str:
        said = _translated(self.key)
        values = {name: _shown(value) for name, value in self.values.items()}
        return said % values if values else said

    def stored(self) -> str:
        """Return what the database keeps: the key alone, or JSON with its values."""
        return json.dumps(self._parts(), ensure_ascii=False) if self.values else self.key

    def _parts(self) -> dict[str, Any]:
        return {
            "key": self.key,
            "values": {name: _kept(value) for name, value in self.values.items()},
        }


def _shown(value: object) -> object:
    if isinstance(value, datetime):
        return soon_text(value)
    return day_text(value) if isinstance(value, date) else value


def _kept(value: object) -> Any:
    if isinstance(value, Text):
        return value._parts()
    if isinstance(value, Promise):  # a label
        with in_english():
            return {"key": str(value), "values": {}}
    if isinstance(value, datetime):
        return {"moment": value.isoformat()}
    return {"day": value.isoformat()} if isinstance(value, date) else str(value)


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


def made_in_english(make: Callable[P, T]) -> Callable[P, T]:
    """Let a function make what buyers or papers have in English, whoever causes it."""
    return _made_in(lambda: "en", make)


def made_in_staff_language(make: Callable[P, T]) -> Callable[P, T]:
    """Let a function make what a shared mailbox of the staff gets in STAFF_LANGUAGE, whoever causes
    it.
    """
    return _made_in(lambda: settings.STAFF_LANGUAGE, make)


def _made_in(language: Callable[[], str], make: Callable[P, T]) -> Callable[P, T]:
    @wraps(make)
    def run(*args: P.args, **kwargs: P.kwargs) -> T:
        with translation.override(language()):  # anew each call: one `override` is no two threads'
            return make(*args, **kwargs)

    return run


def _text(parts: dict[str, Any]) -> Text:
    return Text(parts["key"], **{name: _value(kept) for name, kept in parts["values"].items()})


def _value(kept: Any) -> object:
    if not isinstance(kept, dict):
        return kept
    if "moment" in kept:
        return datetime.fromisoformat(kept["moment"])
    return date.fromisoformat(kept["day"]) if "day" in kept else _text(kept)


def _translated(key: str) -> str:
    """Return a text in the language of the page; a label begins with a small letter elsewhere."""
    if not key:
        return key
    said = gettext(key)
    label = key[0].lower() + key[1:]
    return said if said != key or gettext(label) == label else gettext(label)
