"""What the HTML of a text may hold, by a list of hostile texts."""

import json
from pathlib import Path

import pytest

from apps.common.rich_text import has_words, sanitised

HOSTILE = json.loads((Path(__file__).parent / "vectors" / "hostile_html.json").read_text())


def test_nothing_harmful_is_left() -> None:
    for name, html, clean in HOSTILE:
        assert sanitised(html) == clean, name
        assert sanitised(clean) == clean, name  # what is clean stays, however often it is cleaned


@pytest.mark.parametrize(
    ("html", "words"),
    [
        ("<p></p>", False),
        (" ", False),
        ("<p>&nbsp;</p><ul><li></li></ul>", False),
        ("<p>a</p>", True),
    ],
)
def test_a_text_has_words(html: str, words: bool) -> None:
    assert has_words(html) is words
