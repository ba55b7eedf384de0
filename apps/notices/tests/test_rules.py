"""What a notice's HTML may hold, by a list of hostile texts."""

import json
from pathlib import Path

import pytest

from apps.notices.rules import has_words, sanitised

HOSTILE = json.loads((Path(__file__).parent / "vectors" / "hostile_html.json").read_text())


@pytest.mark.parametrize(
    ("html", "clean"), [row[1:] for row in HOSTILE], ids=[row[0] for row in HOSTILE]
)
def test_nothing_harmful_is_left(html: str, clean: str) -> None:
    assert sanitised(html) == clean
    assert sanitised(clean) == clean  # clean text stays as it is, however often it is cleaned


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
