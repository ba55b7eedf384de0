"""Mail templates that are rendered once for each shape of what they say, and then only filled in (decision 0079)."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from html import escape

from django.template.loader import render_to_string

Text = str | Sequence[tuple[str, str]]
Form = bool | tuple[tuple[bool, bool], ...]
Shape = tuple[tuple[str, Form], ...]

# Stands for the text of its number. Whether its `<` comes back escaped tells whether the text has to be.
STAND_IN = "\ue000{}<\ue001"
SPECIAL = re.compile("[&<>\"']")
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
        shape, texts = _shape_and_texts(context)
        first, places = self._pieces(shape)
        filled = [first]
        for number, is_escaped, piece in places:
            text = texts[number]
            filled.append(escape(text) if is_escaped and SPECIAL.search(text) else text)
            filled.append(piece)
        return "".join(filled)

    def _render(self, shape: Shape) -> tuple[str, list[tuple[int, bool, str]]]:
        """Return the template up to its first text; then each text's number, whether to escape it, and what follows."""
        count = 0

        def stand_in(is_there: bool) -> str:
            nonlocal count
            count += 1
            return STAND_IN.format(count - 1) if is_there else ""

        context = {
            name: stand_in(form) if isinstance(form, bool) else [(stand_in(one), stand_in(two)) for one, two in form]
            for name, form in shape
        }
        first, *rest = PLACE.split(render_to_string(self.name, context))
        places = zip(rest[::3], rest[1::3], rest[2::3], strict=True)
        return first, [(int(number), less == "&lt;", piece) for number, less, piece in places]


def _shape_and_texts(context: Mapping[str, Text]) -> tuple[Shape, list[str]]:
    """Return what the engine's course depends on, which texts are there at all; and the texts."""
    shape: list[tuple[str, Form]] = []
    texts: list[str] = []
    for name, text in context.items():
        if isinstance(text, str):
            shape.append((name, text != ""))
            texts.append(text)
        else:
            shape.append((name, tuple([(one != "", two != "") for one, two in text])))
            for pair in text:
                texts += pair
    return tuple(shape), texts
