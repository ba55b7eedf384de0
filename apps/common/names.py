"""Names as Korean staff write, sort and look for them."""

import re
from typing import Any
from unicodedata import normalize

from django.db import models
from django.db.models import F, Q, Value
from django.db.models.functions import Lower, Replace, Trim

# What a company is called by its form, not by its name: 주식회사 is “limited”.
LEGAL_FORMS = ("㈜", "(주)", "（주）", "주식회사")
INITIALS = "ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ"
FIRST_SYLLABLE, SYLLABLES = ord("가"), 588  # of each initial consonant, in this order
# A Korean keyboard writes two consonants in a row as one sign where a syllable may end so.
PAIRS = str.maketrans(
    {
        "ㄳ": "ㄱㅅ",
        "ㄵ": "ㄴㅈ",
        "ㄶ": "ㄴㅎ",
        "ㄺ": "ㄹㄱ",
        "ㄻ": "ㄹㅁ",
        "ㄼ": "ㄹㅂ",
        "ㄽ": "ㄹㅅ",
        "ㄾ": "ㄹㅌ",
        "ㄿ": "ㄹㅍ",
        "ㅀ": "ㄹㅎ",
        "ㅄ": "ㅂㅅ",
    }
)
LONGEST = 60  # signs of a word by initials: no name has more


class NameField(models.CharField):
    """A name, stored with its syllables composed (NFC), as keyboards write them; macOS takes them
    apart.
    """

    def get_prep_value(self, value: Any) -> Any:
        """Return the name as it is stored."""
        value = super().get_prep_value(value)
        return normalize("NFC", value) if isinstance(value, str) else value


def bare(name: str) -> str:
    """Return a company's name as it is compared: composed, in small letters, without its legal
    form (`㈜한빛` is `한빛`).
    """
    name = normalize("NFC", name)
    for form in LEGAL_FORMS:
        name = name.replace(form, "")
    return name.strip(" ").lower()


def bare_name(field: str) -> Any:
    """Return the expression of `bare`. Names sort by it: 가나다 is the order of composed
    syllables, whatever the database's collation.
    """
    name: Any = F(field)
    for form in LEGAL_FORMS:
        name = Replace(name, Value(form), Value(""))
    return Lower(Trim(name))


def by_initials(term: str) -> str:
    """Return the regular expression of what is looked for by initial consonants, with whole
    syllables among them (`홍ㄱㄷ` finds 홍길동); empty where a term has none.
    """
    letters = "".join(normalize("NFC", term).translate(PAIRS).split())[:LONGEST]
    if not set(letters) & set(INITIALS):
        return ""
    return " *".join(map(_sign, letters))


def _sign(letter: str) -> str:
    place = INITIALS.find(letter)
    if place < 0:
        return re.escape(letter)
    first = FIRST_SYLLABLE + place * SYLLABLES
    return f"[{letter}{chr(first)}-{chr(first + SYLLABLES - 1)}]"


def named(term: str, *fields: str) -> Q:
    """Return the condition that one of the names has the term, or its initial consonants."""
    pattern = by_initials(term)
    lookup, value = ("iregex", pattern) if pattern else ("icontains", normalize("NFC", term))
    return Q(*((f"{field}__{lookup}", value) for field in fields), _connector=Q.OR)
