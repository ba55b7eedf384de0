"""Words of a message: cut out of the text with their places, and folded so that one word's forms
are one.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from apps.catalog.rules import singular

TOKEN = re.compile(
    r"(?<!\w)[^\W\d_]&[^\W\d_](?!\w)|\d+(?:[.,]\d+)*|[^\W\d_](?:[^\W\d_]|[\u0300-\u036f]|(?<=\w)['’](?=\w))*|\n|[^\w\s]|_"
)
HANGUL = re.compile("[가-힣]")
CYRILLIC = re.compile("[а-я]")
PARTICLE_WORDS = "입니다 이에요 이요 예요 으로 에서 이랑 하고 까지 부터 은 는 이 가 을 를 의 에 로 도 만 와 과 랑"
PARTICLES = tuple(PARTICLE_WORDS.split())
RUSSIAN_ENDINGS = re.compile(
    "(?:иями|ями|ами|ого|его|ому|ему|ыми|ими|ая|яя|ое|ее|ые|ие|ий|ый|ой|ей|ую|юю|ых|их|ым|им|ом|ем|ов|ев|ам|ям|ах|ях|ия"
    "|ию|ии|а|я|о|е|ы|и|у|ю|ь)$"
)
SHORTEST_STEM = 3

# How a syllable of Hangul is written in Latin letters: what it begins with, its vowel, what it ends
# with.
INITIALS = "g k n d d l m b b s s - j j ch k t p h".replace("-", "").split(" ")
MEDIALS = "a ae ya ya eo e yeo e o wa wae oe yo u wo we wi yu eu ui i -".replace("-", "").split(" ")
FINALS = "- k k k n n n t l k m l l l p l m p p t t ng t t k t p t".replace("-", "").split(" ")
CYRILLIC_LETTERS = "абвгдежзийклмнопрстуфхцчшщъыьэюя"
LATIN = dict(
    zip(
        CYRILLIC_LETTERS,
        "a b v g d e zh z i i k l m n o p r s t u f h c ch sh sh - y - e yu ya".replace(
            "-", ""
        ).split(" "),
        strict=True,
    )
)
# How words sound alike that were written down by ear in another script.
HEARD = """ph>f sch>s sh>s ch>s th>s ck>k qu>kw x>ks ce>se ci>si cy>si zh>s c>k j>s z>s v>b w>u f>p r>l eu> eo>o ae>e
y>i ee>i oo>u"""
SOUNDS = [pair.split(">") for pair in HEARD.split()]
DOUBLED = re.compile(r"(.)\1+")


class Token(NamedTuple):
    """A word, number or sign of the text, from `start` to `end`; `word` is folded."""

    start: int
    end: int
    word: str

    @property
    def is_number(self) -> bool:
        """Return whether it begins with a digit."""
        return self.word[:1].isdigit()


def tokens_of(text: str) -> Iterator[Token]:
    """Yield the words, numbers and signs of a text in their order."""
    for found in TOKEN.finditer(text):
        yield Token(found.start(), found.end(), fold(found[0]))


def fold(word: str) -> str:
    """Return a word in small letters without accents; digits of any script as ours."""
    if word.isascii():
        return word.lower()  # the same, ten times as quick: most of a catalogue
    word = unicodedata.normalize("NFKC", word).casefold()
    if HANGUL.search(word):
        return word
    plain = unicodedata.normalize("NFKD", word).replace("’", "'")
    return "".join(sign for sign in plain if not unicodedata.combining(sign)) or word


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """Return what the forms of a folded word share: no plural, no Russian case, no
    Korean particle.
    """
    if HANGUL.match(word):
        return without_particle(word)
    if CYRILLIC.match(word):
        short = RUSSIAN_ENDINGS.sub("", word)
        return short if len(short) >= SHORTEST_STEM else word
    return singular(word.removesuffix("'s"))


def without_particle(word: str) -> str:
    """Return a Korean word without the particle at its end, if more than one syllable is left."""
    for particle in PARTICLES:
        if word.endswith(particle) and len(word) - len(particle) > 1:
            return word[: -len(particle)]
    return word


def is_foreign(word: str) -> bool:
    """Return whether a word is written in Hangul or Cyrillic."""
    return bool(HANGUL.search(word) or CYRILLIC.search(word))


@lru_cache(maxsize=20_000)
def sound_of(word: str) -> str:
    """Return how a word of any script sounds, roughly: two words written down by ear have nearly
    the same.
    """
    latin = "".join(map(_latin, word))
    for written, heard in SOUNDS:
        latin = latin.replace(written, heard)
    return DOUBLED.sub(r"\1", latin)


def _latin(sign: str) -> str:
    if "가" <= sign <= "힣":
        syllable = ord(sign) - ord("가")
        return INITIALS[syllable // 588] + MEDIALS[syllable % 588 // 28] + FINALS[syllable % 28]
    return LATIN.get(sign, sign)
