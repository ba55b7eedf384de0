"""Names as Korean staff write, sort and look for them."""

import re
from typing import Any
from unicodedata import normalize

from django.db import models
from django.db.models import F, Q, Value
from django.db.models.functions import Lower, Replace, Trim

# What a company is called by its form, not by its name: 주식회사 is “limited”.
LEGAL_FORMS = ("㈜", "(주)", "（주）", "주식회사")
# Each initial consonant, and the 588 syllables that begin with it: 가 to 깋, 까 to 낗, …
INITIALS = {
    letter: f"[{letter}{chr(0xAC00 + 588 * place)}-{chr(0xAE4B + 588 * place)}]"
    for place, letter in enumerate("ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ")
}
# A Korean keyboard writes two consonants in a row as one sign where a syllable may end so.
PAIRS = str.maketrans(
    {
        pair: first + second
        for pair, first, second in zip(
            "ㄳㄵㄶㄺㄻㄼㄽㄾㄿㅀㅄ",
            "ㄱㄴㄴㄹㄹㄹㄹㄹㄹㄹㅂ",
            "ㅅㅈㅎㄱㅁㅂㅅㅌㅍㅎㅅ",
            strict=True,
        )
    }
)


class NameField(models.CharField):
    """A name, stored with its syllables composed (NFC), as keyboards write them; macOS takes them
    apart.
    """

    def get_prep_value(self, value: Any) -> Any:
        """Return the name as it is stored."""
        value = super().get_prep_value(value)
        return value and normalize("NFC", value)


def bare(name: str) -> str:
    """Return a company's name as it is compared: in small letters, without its legal form
    (`㈜한빛` is `한빛`).
    """
    for form in LEGAL_FORMS:
        name = name.replace(form, "")
    return name.strip(" ").lower()


def bare_name(field: str) -> Any:
    """Return the expression of `bare`. Names sort by it: 가나다 is the order of composed
    syllables, whatever the database's collation.
    """
    name: Any = F(field)
    for form in LEGAL_FORMS:
        name = Replace(name, Value(form))
    return Lower(Trim(name))


def by_initials(term: str) -> str:
    """Return the regular expression of what is looked for by initial consonants, with whole
    syllables among them (`홍ㄱㄷ` finds 홍길동); empty where a term has none.
    """
    letters = term.translate(PAIRS).replace(" ", "")[:60]  # no name has more
    if INITIALS.keys().isdisjoint(letters):
        return ""
    return " *".join(INITIALS.get(letter) or re.escape(letter) for letter in letters)


def name_condition(term: str, *fields: str) -> Q:
    """Return the condition that one of the names has the term, or its initial consonants."""
    term = normalize("NFC", term)
    pattern = by_initials(term)
    lookup = "iregex" if pattern else "icontains"
    return Q(*((f"{field}__{lookup}", pattern or term) for field in fields), _connector=Q.OR)
