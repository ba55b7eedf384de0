"""Texts that are kept as keys, and read in the language of the page."""

import pytest
from django.utils import translation
from django.utils.html import format_html
from django.utils.translation import gettext_lazy

from apps.common import texts
from apps.common.texts import Text, in_english, joined, read, stored

KOREAN = {
    "Confirmed %(total)s by %(step)s": "%(step)s 확정: %(total)s",
    "price": "가격",
    "Put away": "보관함",
}


@pytest.fixture(autouse=True)
def _catalogue(monkeypatch: pytest.MonkeyPatch) -> None:
    def said(key: str) -> str:
        return KOREAN.get(key, key) if translation.get_language() == "ko" else key

    monkeypatch.setattr(texts, "gettext", said)


def test_a_text_is_kept_as_a_key_and_read_in_the_language_of_the_page() -> None:
    text = Text("Confirmed %(total)s by %(step)s", total="$5", step=Text("Price"))
    kept = text.stored()
    assert (str(text), read(kept)) == ("Confirmed $5 by Price",) * 2
    with translation.override("ko"):
        assert (str(text), read(kept), f"{text}") == ("가격 확정: $5",) * 3
        with in_english():
            assert read(kept) == "Confirmed $5 by Price"
        assert text.stored() == kept


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
        kept = Text(
            "Confirmed %(total)s by %(step)s", total="$5", step=gettext_lazy("Yes")
        ).stored()
    assert read(kept) == "Confirmed $5 by Yes"


def test_a_plain_sentence_is_kept_in_english() -> None:
    with translation.override("ko"):
        assert stored(gettext_lazy("Yes")) == "Yes"


def test_a_text_is_escaped_in_html() -> None:
    assert format_html("{}", Text("%(name)s", name="<b>")) == "&lt;b&gt;"
