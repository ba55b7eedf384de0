"""How many pieces a cell or a word asks for, or why that is asked; and the words of buyers' sheets
and texts in eleven languages (`words.json`, each as `heading` writes it). Nothing is guessed: a
number is taken where it can be read in one way.
"""

import json
import re
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path
from typing import Any

from apps.common.http.serializers import MAX_COUNT
from apps.common.tables.cells import (
    Cell,
    CellFault,
    Doubtful,
    Shown,
    Unreadable,
    count_of,
    heading,
    is_nothing,
    number_of,
    plain_signs,
    stored_value,
    text_or_none,
)

SKU, EAN, OWN, NAME = "sku", "ean", "own", "name"
QTY, CARTONS, PER_CARTON, PRICE, OTHER = "qty", "cartons", "per_carton", "price", "other"
NOTE, UNIT = "note", "unit"
KINDS = (SKU, EAN, OWN, NAME, QTY, CARTONS, PER_CARTON, UNIT, PRICE, NOTE, OTHER)
# Of two kinds that have the same heading the later is meant.
ORDER = (OTHER, PRICE, NAME, PER_CARTON, CARTONS, SKU, OWN, EAN, UNIT, NOTE, QTY)
WITHIN = (EAN, NOTE, PRICE, CARTONS, QTY, OWN, SKU, NAME)  # in a longer heading the first is meant
MOST_WORDS = 5  # of a heading
MOST_GREETED, MOST_NOTED = 8, 15  # words of a greeting or title, of a note
LONG_MONTH = 5  # letters of a month that is no other word

_DATA: dict[str, Any] = json.loads(Path(__file__).with_name("words.json").read_text("utf-8"))


def _phrases(phrases: Iterable[str]) -> list[str]:
    """Return phrases as they are looked for in words: whole, but anywhere where scripts part no
    words.
    """
    return [f" {one} " if one[0] < "\u0590" else one for one in phrases if len(one) > 1]


HEADINGS = {kind: _phrases(names) for kind, names in _DATA["headings"].items()}
EXACT = {name: kind for kind in ORDER for name in _DATA["headings"][kind]}
SIZES = {word: unit for unit, words in _DATA["sizes"].items() for word in words}
MONTHS: dict[str, int] = _DATA["months"]
_WORDS = {name: frozenset(words) for name, words in _DATA.items()}
APART, REFUSALS, AGREEMENTS = _WORDS["apart"], _WORDS["refusals"], _WORDS["agreements"]
PIECES, NEUTRAL, DOZENS = _WORDS["pieces"], _WORDS["neutral"], _WORDS["dozens"]
PACKS, IDLE = _WORDS["packs"] | DOZENS, NEUTRAL | _WORDS["remarks"]  # remarks that change nothing
# That stand in headings of pieces and change nothing.
PLAIN_WORDS = NEUTRAL | PIECES | {word for name in _DATA["headings"][QTY] for word in name.split()}
PLAIN_PARTS = re.compile("|".join(sorted(filter(str.isalpha, PLAIN_WORDS), key=len, reverse=True)))
NOTHING, TOTALS, FORMER_TABS = _WORDS["nothing"], _WORDS["totals"], _WORDS["former_tabs"]
PER, COUNTING, IN_ONE = _WORDS["per"], _WORDS["counting"], _WORDS["in_one"] | PACKS
CANCELS, DENIALS, SET_APART = map(_phrases, (_WORDS["cancels"], _WORDS["denials"], APART))
GREETINGS = _phrases(one for one in _DATA["greetings"] if " " in one or len(one) > 3)
OTHER_STEMS, FREE_STEMS, QUANTITY_STEMS, VARIANT_STEMS, KIND_STEMS = (
    tuple(_DATA[f"{name}_stems"]) for name in ("other", "free", "quantity", "variant", "kind")
)
OTHERWISE = _phrases(_WORDS["otherwise"])
# In a sentence: words of other scripts have endings, or stand without spaces.
NOTED_QUANTITIES = [one if one > "\u0590" else f" {one}" for one in QUANTITY_STEMS]
NOTED_PACKS = [
    *_phrases(one for one in PACKS if one < "\u0370" or one > "\u0590"),
    *(f" {one}" for one in PACKS if "\u0370" < one < "\u0590" and len(one) > 3),
    "箱",
]
IN_SEVERAL = re.compile(r"\b(?:in|x|a|je|per|par|por|по|pro) \d{2,}\b")
MAX_SHOWN, FEW_DIGITS = 30, 5
DIGITS = re.compile(r"\d+")
OF_SEVERAL = re.compile(r"\b(?:x|a|of|de|von|je|per|par|por|по)\s?(?:[2-9]|[1-9]\d{1,2})$")
NUMBER_AND_UNIT = re.compile(r"(\d[\d.,'’\u066c\s]*)([^\W\d_]+)\.?")
NO_NUMBER = re.compile(r"[^\d\s.,'’\u066c()−-]")  # `20+`, `$20` and `20kgs` are no pieces
GROUPED = re.compile(r"\d{1,3}(?:[\s'’]\d{3})+(?:[.,]\d+)?")
A_DOZEN = re.compile(r"(?:a|one|une?|una|eine?|uma?) \w+")
CARTON, DOZEN = "carton", 12


def is_in(phrases: Collection[str], words: str) -> bool:
    """Return whether one of the phrases (`_phrases`) stands in words."""
    padded = f" {words} "
    return any(phrase in padded for phrase in phrases)


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
    kind = _kind_of_a_carton(parts, words, is_slashed="/" in text) or next(
        (kind for kind in WITHIN if is_in(HEADINGS[kind], words)), ""
    )
    is_of_packs = not PACKS.isdisjoint(parts) or OF_SEVERAL.search(words)
    return CARTONS if kind == QTY and is_of_packs else kind


def is_plain_quantity(text: str) -> bool:
    """Return whether a heading says pieces and nothing else: “left”, “per shop” or “000” may say
    that they are not ordered, or not all.
    """
    words = heading(text)
    return words in EXACT or all(
        part in PLAIN_WORDS or (part > "\u0590" and not PLAIN_PARTS.sub("", part))
        for part in words.split()
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


def meaning_of_note(text: str) -> str:
    """Return what a line outside of the rows says of all quantities: that they are `CARTONS`, or
    something `OTHER` than all pieces (per shop, in hundreds, doubled, some cancelled); else empty.
    """
    words = heading(text)
    parts = words.split()
    if len(parts) > MOST_NOTED or is_in(HEADINGS[PRICE], words):
        return ""
    if is_cancelled(text):
        return OTHER
    if not is_in(NOTED_QUANTITIES, words):
        return ""
    if is_in(NOTED_PACKS, words):
        return CARTONS
    return OTHER if is_in(OTHERWISE, words) or IN_SEVERAL.search(words) else ""


def sets_apart(title: str) -> bool:
    """Return whether a title takes back the rows below it, or makes another thing of them: they are
    free, shipped already, for another month.
    """
    words = heading(title)
    months = (part for part in words.split() if part in MONTHS and len(part) >= LONG_MONTH)
    return len(words.split()) <= MOST_GREETED and (
        is_cancelled(title) or is_in(SET_APART, words) or any(months)
    )


def is_free(text: str) -> bool:
    """Return whether words say that pieces are for nothing."""
    return any(part.startswith(FREE_STEMS) for part in heading(text).split())


def is_total(texts: Sequence[str]) -> bool:
    """Return whether a row adds others up, by its texts."""
    words = [words for text in texts if (words := heading(text))]
    spread = ("".join(one.split()) for one in words if all(len(part) == 1 for part in one.split()))
    return any(one in TOTALS or one.split()[0] in TOTALS for one in (*words, *spread))


def is_heading(texts: Sequence[str]) -> bool:
    """Return whether a row has nothing but headings."""
    return len(texts) > 1 and all(map(kind_of, texts))


def is_cancelled(text: str) -> bool:
    """Return whether words take an order back."""
    return is_in(CANCELS, heading(text))


def is_denied(text: str) -> bool:
    """Return whether words cancel, or take something away or in place of something."""
    return is_cancelled(text) or is_in(DENIALS, heading(text))


def is_greeting(text: str) -> bool:
    """Return whether a line greets or thanks, and says nothing else."""
    words = heading(text)
    return len(words.split()) <= MOST_GREETED and (
        words in _WORDS["greetings"] or is_in(GREETINGS, words)
    )


def counts_packs(word: str) -> bool:
    """Return whether a word says cartons, packs or dozens, whose pieces are not known."""
    return heading(word) in PACKS


def unit_of(word: str) -> str:
    """Return what cartons are called, one of them: “Boxes” is “box”."""
    one = heading(word)
    singular = (one[: -len(ending)] for ending in ("es", "s") if one.endswith(ending))
    return next((word for word in singular if word in PACKS), one)


@dataclass(frozen=True)
class Amount:
    """Pieces, or the question how many: `guess` are those that may be proposed, if any.

    `packs` are cartons whose pieces are asked and nothing else, `unit` what they are called.
    """

    count: int = 0
    question: str = ""
    guess: int = 0
    packs: int = 0
    unit: str = ""
    is_formula: bool = False  # without a value

    @property
    def is_none(self) -> bool:
        """Return whether nothing is asked for."""
        return not self.count and not self.question


def text_in(cell: Cell) -> str:
    """Return a cell as text on one line; empty for none, an error, or a formula without a value."""
    return text_or_none(stored_value(cell))


def texts_in(cells: Iterable[Cell]) -> list[str]:
    """Return cells as texts without those that are empty."""
    return list(filter(None, map(text_in, cells)))


def has_digit(text: str) -> bool:
    """Return whether a digit stands in a text."""
    return any(map(str.isdigit, text))


def plain_digits(text: str) -> str:
    """Return a text with digits of any script as ours."""
    return "".join(
        str(unicodedata.decimal(sign)) if sign.isdecimal() else sign for sign in plain_signs(text)
    ).strip()


def number_text(number: Decimal) -> str:
    """Return a number as it is ordered: without decimals that say nothing, thousands parted."""
    return f"{number.normalize():,f}"


def amount_in(cell: Cell, mark: str = "") -> Amount:
    """Return what a cell of quantities asks for; `mark` begins decimals in its column."""
    cell = stored_value(cell)
    if isinstance(cell, Unreadable):
        return replace(asked(f"{cell.text}."), is_formula=True)
    if isinstance(cell, Shown):
        cell = f"{cell:f} {cell.unit}"
    if isinstance(cell, str):
        cell = plain_digits(cell)
        if is_nothing(cell) or NOTHING & {cell.casefold(), heading(cell)}:
            return Amount()
        if A_DOZEN.fullmatch(words := heading(cell)) and words.split()[-1] in DOZENS:
            return amount_of(DOZEN)
        if (match := NUMBER_AND_UNIT.fullmatch(cell)) and heading(match[2]) in PIECES:
            cell = match[1].strip()
        elif match and counts_packs(match[2]) and match[1].strip().isdigit():
            return amount_of_packs(int(match[1]), unit_of(match[2]), cell=cell)
        cell = cell[:-1] if cell[:-1].isdecimal() and cell.endswith(".") else cell
    return _amount_of_number(cell, mark)


def _amount_of_number(cell: Cell, mark: str) -> Amount:
    try:
        is_spaced = isinstance(cell, str) and len(cell.split()) > 1
        if isinstance(cell, str) and (
            NO_NUMBER.search(cell) or (is_spaced and not GROUPED.fullmatch(cell))
        ):
            raise CellFault(f"“{cell[:MAX_SHOWN]}” is not a number")
        count = count_of(cell, mark) or 0
    except Doubtful:
        ways = " or ".join(number_text(number_of(cell, one) or Decimal(0)) for one in ",.")
        return asked(f"“{text_in(cell)}” can be read as {ways}.")
    except CellFault as fault:
        return asked(f"{fault}.", guess=_guess(cell))
    return amount_of(count)


def asked(question: str, guess: int = 0) -> Amount:
    """Return pieces that are asked."""
    return Amount(question=f"Quantity: {question}", guess=guess)


def amount_of(count: int) -> Amount:
    """Return pieces; asked where a line cannot have so many."""
    if count > MAX_COUNT:
        return Amount(question=f"A line has at most {MAX_COUNT:,} pieces.")
    return Amount(count)


def amount_of_packs(packs: int, unit: str, *, cell: str = "") -> Amount:
    """Return cartons, or what else is counted, whose pieces are not known but of a dozen."""
    if unit in DOZENS:
        return amount_of(DOZEN * packs)
    excerpt = f"“{cell[:MAX_SHOWN]}”" if cell else f"{packs:,} × {unit or CARTON}"
    amount = asked(f"{excerpt}: how many pieces is that?")
    return replace(amount, packs=packs, unit=unit) if 0 < packs <= MAX_COUNT else amount


def _guess(cell: Cell) -> int:
    """Return the one number in words around it (“about 20”), to be proposed; 0 where there is none
    or it may count something else: below zero, a range, a sum, packs, a cancelled row.
    """
    if not isinstance(cell, str) or is_denied(cell):
        return 0
    numbers = DIGITS.findall(cell)
    words = [word for word in cell.split() if not DIGITS.fullmatch(word)]
    is_plain = all(word.strip(".,~!").isalpha() and not counts_packs(word) for word in words)
    if len(numbers) == 1 and is_plain and words and len(numbers[0]) <= FEW_DIGITS:
        return int(numbers[0])
    return 0
