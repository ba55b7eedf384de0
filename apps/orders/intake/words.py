"""The words of buyers' sheets and texts in eleven languages: `words.json`, each as `heading` writes
it. Here is what they say.
"""

import json
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from apps.common.tables.cells import heading

SKU, EAN, OWN, NAME = "sku", "ean", "own", "name"
QTY, CARTONS, PER_CARTON, PRICE, OTHER = "qty", "cartons", "per_carton", "price", "other"
NOTE, UNIT = "note", "unit"
KINDS = (SKU, EAN, OWN, NAME, QTY, CARTONS, PER_CARTON, UNIT, PRICE, NOTE, OTHER)
# Of two kinds that have the same heading the later is meant.
ORDER = (OTHER, PRICE, NAME, PER_CARTON, CARTONS, SKU, OWN, EAN, UNIT, NOTE, QTY)
WITHIN = (EAN, NOTE, PRICE, CARTONS, QTY, OWN, SKU, NAME)  # in a longer heading the first is meant
MOST_WORDS = 5  # of a heading
MOST_GREETED = 8  # words of a greeting

_DATA: dict[str, Any] = json.loads(Path(__file__).with_name("words.json").read_text("utf-8"))
HEADINGS: dict[str, list[str]] = _DATA["headings"]
EXACT = {name: kind for kind in ORDER for name in HEADINGS[kind]}
SIZES = {word: unit for unit, words in _DATA["sizes"].items() for word in words}
MONTHS: dict[str, int] = _DATA["months"]
OTHER_STEMS, FORMER_TABS = tuple(_DATA["other_stems"]), tuple(_DATA["former_tabs"])
FREE_STEMS = tuple(_DATA["free_stems"])
PIECES, NEUTRAL = frozenset(_DATA["pieces"]), frozenset(_DATA["neutral"])
PACKS = frozenset(_DATA["packs"]) | frozenset(_DATA["dozens"])
NOTHING, TOTALS = frozenset(_DATA["nothing"]), frozenset(_DATA["totals"])
PER, COUNTING = frozenset(_DATA["per"]), frozenset(_DATA["counting"])
IN_ONE = PACKS | frozenset(_DATA["in_one"])


def is_in(phrases: Collection[str], words: str) -> bool:
    """Return whether one of the phrases stands in words: anywhere where scripts part no words."""
    padded = f" {words} "
    return any(
        f" {phrase} " in padded if phrase[0] < "\u0590" else phrase in words
        for phrase in phrases
        if len(phrase) > 1
    )


def kind_of(text: str) -> str:
    """Return what a heading says that its column holds; empty where it says nothing known."""
    words = heading(text)
    if words in EXACT:
        return EXACT[words]
    parts = words.split()
    if not parts or len(parts) > MOST_WORDS:
        return ""
    if any(part.startswith(OTHER_STEMS) for part in parts):
        return OTHER
    return _kind_of_a_carton(parts, words, is_slashed="/" in text) or next(
        (kind for kind in WITHIN if is_in(HEADINGS[kind], words)), ""
    )


def _kind_of_a_carton(parts: Sequence[str], words: str, *, is_slashed: bool) -> str:
    """Return what a heading says of one carton: “pcs per carton” and “qty/ctn” are pieces in it,
    “kg/ctn” and “cartons per pallet” are something else. Empty where it speaks of no carton.
    """
    if is_in(HEADINGS[PER_CARTON], words):
        return OTHER if is_in(HEADINGS[PRICE], words) else PER_CARTON
    others = [part for part in parts if part not in IN_ONE]
    is_pair = len(parts) == 2 and (is_slashed or not PIECES.isdisjoint(others))
    if len(others) == len(parts) or not (is_pair or not PER.isdisjoint(others)):
        return ""
    is_one = len(others) == len(parts) - 1
    return PER_CARTON if is_one and (PER | PIECES | COUNTING).issuperset(others) else OTHER


def is_free(text: str) -> bool:
    """Return whether a heading says that its column holds pieces for nothing."""
    return any(part.startswith(FREE_STEMS) for part in heading(text).split())


def is_total(texts: Sequence[str]) -> bool:
    """Return whether a row adds others up, by its texts."""
    words = [words for text in texts if (words := heading(text))]
    return any(one in TOTALS or one.split()[0] in TOTALS for one in words)


def is_heading(texts: Sequence[str]) -> bool:
    """Return whether a row has nothing but headings."""
    return len(texts) > 1 and all(map(kind_of, texts))


def is_cancelled(text: str) -> bool:
    """Return whether words take an order back."""
    return is_in(_DATA["cancels"], heading(text))


def is_denied(text: str) -> bool:
    """Return whether words cancel, or take something away or in place of something."""
    return is_cancelled(text) or is_in(_DATA["denials"], heading(text))


def is_greeting(text: str) -> bool:
    """Return whether a line greets or thanks, and says nothing else."""
    words = heading(text)
    return len(words.split()) <= MOST_GREETED and (
        words in _DATA["greetings"]
        or is_in([one for one in _DATA["greetings"] if " " in one or len(one) > 3], words)
    )


def counts_packs(word: str) -> bool:
    """Return whether a word says cartons, packs or dozens, whose pieces are not known."""
    return heading(word) in PACKS


def unit_of(word: str) -> str:
    """Return what cartons are called, one of them: “Boxes” is “box”."""
    one = heading(word)
    singular = (one[: -len(ending)] for ending in ("es", "s") if one.endswith(ending))
    return next((word for word in singular if word in PACKS), one)
