"""Forms whose figures are looked at again: what a guard names stands at its field, and is saved
once staff tick that they have seen just that (decision 0052).
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from django import forms
from django.http import QueryDict

from apps.catalog.guards import GuardWarning
from apps.common.texts import Text, in_english


@dataclass(frozen=True)
class Sentence:
    """What is named at a field of a form, and what the field is about where a page has many."""

    form: forms.BaseForm
    field: str
    text: str | Text
    about: str = ""

    def __str__(self) -> str:
        return f"{self.about or self.form.fields[self.field].label}: {self.text}"


@dataclass(frozen=True)
class Tick:
    """The tick that lets named figures pass: its value is what is named, so that one that was set
    for other sentences says nothing. It is English in every language: that may change meanwhile.
    """

    name: ClassVar[str] = "_looked_at"
    sentences: tuple[Sentence, ...]
    is_set: bool

    @property
    def value(self) -> str:
        """Return what the browser sends where it is set."""
        with in_english():
            return " ".join(map(str, self.sentences))

    @classmethod
    def of(cls, sentences: Iterable[Sentence], data: Any) -> "Tick | None":
        """Return the tick for these sentences, None where there is none. As long as one of them is
        not ticked, each stands at its field as an error.
        """
        texts = tuple(sentences)
        if not texts:
            return None
        ticked = " ".join(data.getlist(cls.name)) if isinstance(data, QueryDict) else ""
        with in_english():
            is_set = all(str(one) in ticked for one in texts)
        if not is_set:
            for one in texts:
                one.form.add_error(one.field, str(one.text))
        return cls(texts, is_set)


def sentence(warning: GuardWarning) -> Text:
    """Return what a guard says, in the language of the page."""
    return Text(warning.key, **warning.values)


class GuardedForm(forms.BaseForm):
    """A form with guards. `tick` is shown beside its button where anything is named."""

    tick: Tick | None = None

    def warnings(self) -> Iterator[tuple[str, Text]]:
        """Yield fields with what has to be looked at there, of those that can be read."""
        raise NotImplementedError

    def clean(self) -> None:
        """Name what has to be looked at."""
        super().clean()
        self.tick = Tick.of([Sentence(self, *one) for one in self.warnings()], self.data)
