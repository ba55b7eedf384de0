"""Texts: kept as keys and read in the language of the page; amounts, addresses and HTML as they are
typed.
"""

import json
import re
from decimal import Decimal
from pathlib import Path

import pytest
from django.core.exceptions import ValidationError
from django.utils import translation
from django.utils.html import format_html
from django.utils.translation import gettext_lazy

from apps.common import texts
from apps.common.email_addresses import check_email
from apps.common.money import read_usd
from apps.common.rich_text import has_words, sanitised
from apps.common.texts import Text, in_english, joined, read, stored

KOREAN = {
    "Confirmed %(total)s by %(step)s": "%(step)s 확정: %(total)s",
    "price": "가격",
    "Put away": "보관함",
}


@pytest.fixture(autouse=True)
def _catalogue(monkeypatch: pytest.MonkeyPatch) -> None:
    def korean(key: str) -> str:
        return KOREAN.get(key, key) if translation.get_language() == "ko" else key

    monkeypatch.setattr(texts, "gettext", korean)


def test_a_text_is_kept_as_a_key_and_read_in_the_language_of_the_page() -> None:
    text = Text("Confirmed %(total)s by %(step)s", total="$5", step=Text("Price"))
    stored_text = text.stored()
    assert (str(text), read(stored_text)) == ("Confirmed $5 by Price",) * 2
    with translation.override("ko"):
        assert (str(text), read(stored_text), f"{text}") == ("가격 확정: $5",) * 3
        with in_english():
            assert read(stored_text) == "Confirmed $5 by Price"
        assert text.stored() == stored_text


def test_a_text_without_values_is_kept_as_it_is() -> None:
    assert Text("Put away").stored() == "Put away"
    with translation.override("ko"):
        assert (read("Put away"), read("An old 100% {sentence}"), read("")) == (
            "보관함",
            "An old 100% {sentence}",
            "",
        )


def test_several_texts_are_read_as_one() -> None:
    both = joined("; ", [Text("price"), Text("50%")])
    assert read(both.stored()) == "price; 50%"
    with translation.override("ko"):
        assert str(both) == "가격; 50%"


def test_a_label_among_the_values_is_kept_as_a_key() -> None:
    with translation.override("ko"):
        stored_text = Text(
            "Confirmed %(total)s by %(step)s", total="$5", step=gettext_lazy("Yes")
        ).stored()
    assert read(stored_text) == "Confirmed $5 by Yes"


def test_a_plain_sentence_is_kept_in_english() -> None:
    with translation.override("ko"):
        assert stored(gettext_lazy("Yes")) == "Yes"


def test_a_text_is_escaped_in_html() -> None:
    assert format_html("{}", Text("%(name)s", name="<b>")) == "&lt;b&gt;"


@pytest.mark.parametrize(
    ("text", "amount"),
    [("86.4", "86.40"), (" 1,234.56 ", "1234.56"), ("1234", "1234.00"), ("-5.00", "-5.00")],
)
def test_an_amount_is_read(text, amount):
    assert read_usd(text) == Decimal(amount)


@pytest.mark.parametrize(
    "text", ["86,40", "1,2345", "1.005", "1e3", "NaN", "Infinity", "٣", "12 000", "$5", "-"]
)
def test_what_can_be_read_in_two_ways_is_not_guessed(text):
    with pytest.raises(ValueError, match=re.escape(text)):
        read_usd(text)


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


INVISIBLE = "\u00ad\u115f\u200b\u200d\u202e\u2060\u3164\ufe0f\ufeff\x00\t\n\x7f\u2028\u2800\ud800"


@pytest.mark.parametrize(
    "email",
    [
        "ines@glow.test",
        "o'neil+orders@sub.glow.co.kr",
        "a@MÜNCHEN.de",
        "a@xn--mnchen-3ya.de",
        "a@한국.kr",
        f"{'a' * 64}@{'b' * 63}.com",
        f"a@{'b.' * 124}comm",  # 254 characters
    ],
)
def test_an_address_is_taken(email: str) -> None:
    check_email(email)


@pytest.mark.parametrize("place", ["a{}b@glow.com", "a@gl{}ow.com", "a@glow.com{}"])
def test_what_nobody_sees_is_refused(place: str) -> None:
    for character in INVISIBLE:
        with pytest.raises(ValidationError):
            check_email(place.format(character))


@pytest.mark.parametrize(
    "email",
    [
        "",
        "a@localhost",
        "a@[127.0.0.1]",
        "a@127.0.0.1",
        "a@printer.local",
        "a@glow.com.",
        "a@glow..com",
        "a@xn--0.com",
        "a@ｇlow.com",
        "a@straße.de",  # `strasse.de` to those who send
        "ä@glow.com",
        '"a b"@glow.com',
        "a@glow.com,b@glow.com",
        "Ines <a@glow.com>",
        f"{'a' * 65}@glow.com",
        f"a@{'b' * 64}.com",
    ],
)
def test_what_no_mail_reaches_is_refused(email: str) -> None:
    with pytest.raises(ValidationError) as refused:
        check_email(email)
    assert len(refused.value.messages[0]) < 150


def test_a_text_that_is_too_long_is_not_even_read() -> None:
    with pytest.raises(ValidationError, match="at most 254 characters"):
        check_email(f"{'a' * 1_000_000}@glow.com")
