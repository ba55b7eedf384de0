"""Mail templates that are rendered once for each shape of what they say, and then only filled in (decision 0079)."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from html import escape

from django.template.loader import render_to_string

Text = str | Sequence[tuple[str, str]]
Shape = tuple[tuple[str, bool | tuple[tuple[bool, bool], ...]], ...]

# Stands for the text of its number. Whether its `<` comes back escaped tells whether the text has to be.
STAND_IN = "\ue000{}<\ue001"
PLACE = re.compile("\ue000([0-9]+)(<|&lt;)\ue001")
MAX_SHAPES = 256


class FilledTemplate:
    """A template that writes plain texts, repeats pairs of them, and asks no more than whether one is empty.

    Rendering by the engine costs more than everything else that a mail of an order needs:

        LETTER = FilledTemplate("mail/order.txt")
        LETTER({"text": "Thank you.", "facts": [("Deposit", "$10.00")]})
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._pieces = lru_cache(MAX_SHAPES)(self._render)

    def __call__(self, context: Mapping[str, Text]) -> str:
        """Return what the engine would make of it."""
        pieces = self._pieces(_shape(context))
        texts = list(_texts(context))
        filled = list(pieces[::3])
        for at, (number, is_escaped) in enumerate(zip(pieces[1::3], pieces[2::3], strict=True)):
            text = texts[int(number)]
            filled[at] += escape(text) if is_escaped == "&lt;" else text
        return "".join(filled)

    def _render(self, shape: Shape) -> list[str]:
        """Return the template's own text, with the number of a text and its stand-in's `<` between the pieces."""
        count = 0

        def stand_in(is_there: bool) -> str:
            nonlocal count
            count += 1
            return STAND_IN.format(count - 1) if is_there else ""

        context = {
            name: stand_in(form) if isinstance(form, bool) else [(stand_in(one), stand_in(two)) for one, two in form]
            for name, form in shape
        }
        return PLACE.split(render_to_string(self.name, context))


def _shape(context: Mapping[str, Text]) -> Shape:
    """Return what the engine's course depends on: which texts are there at all."""
    return tuple(
        (name, bool(text) if isinstance(text, str) else tuple((bool(one), bool(two)) for one, two in text))
        for name, text in context.items()
    )


def _texts(context: Mapping[str, Text]) -> Iterator[str]:
    for text in context.values():
        if isinstance(text, str):
            yield text
        else:
            for pair in text:
                yield from pair
