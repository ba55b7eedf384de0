"""Numbers of a message in digits and words, and the units behind them. Pure functions."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from apps.catalog.reading import vocabulary
from apps.catalog.reading.words import Token, fold

MOST = 1_000_000
ONES = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen",
    "uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciseis diecisiete "
    "dieciocho diecinueve",
    "один два три четыре пять шесть семь восемь девять десять одиннадцать двенадцать тринадцать четырнадцать "
    "пятнадцать шестнадцать семнадцать восемнадцать девятнадцать",
    "하나 둘 셋 넷 다섯 여섯 일곱 여덟 아홉 열",
    "한 두 세 네",
)
TENS = (
    "twenty thirty forty fifty sixty seventy eighty ninety hundred",
    "veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa cien",
    "двадцать тридцать сорок пятьдесят шестьдесят семьдесят восемьдесят девяносто сто",
    "스물 서른 마흔 쉰 예순 일흔 여든 아흔 백",
    "스무 삼십 사십 오십 육십 칠십 팔십 구십 백",
)
MORE = {
    "fourty": 40, "ninty": 90, "veintiun": 21, "ciento": 100, "две": 2, "десятка": 10, "десяток": 10, "полсотни": 50,
    "сотня": 100, "сотню": 100, "двадцати": 20, "тридцати": 30, "сорока": 40, "пятьдесяти": 50, "십": 10, "이십": 20,
}  # fmt: skip
NATIVE_TENS = ("열", "스물", "서른", "마흔", "쉰", "예순", "일흔", "여든", "아흔")
NATIVE_ONES = ("하나", "둘", "셋", "넷", "다섯", "여섯", "일곱", "여덟", "아홉")
SINO = ("일", "이", "삼", "사", "오", "육", "칠", "팔", "구")


def _spelled() -> dict[str, int]:
    """Return each number word up to a hundred; compounds that are written as one word are among them."""
    words = {fold(word): value for line in ONES for value, word in enumerate(line.split(), 1)}
    words |= {fold(word): 10 * value for line in TENS for value, word in enumerate(line.split(), 2)}
    for value, word in enumerate(["uno", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve"], 1):
        words[f"veinti{word}"] = 20 + value
    for tens, ten in enumerate(NATIVE_TENS, 1):
        for ones, one in enumerate((*NATIVE_ONES, "한", "두", "세", "네"), 1):
            words[ten + one] = 10 * tens + (ones if ones < 10 else ones - 9)
    for tens, ten in enumerate(("", *SINO[1:]), 1):
        for ones, one in enumerate(("", *SINO)):
            words[f"{ten}십{one}"] = 10 * tens + ones
    return words | {fold(word): value for word, value in MORE.items()}


def _folded(words: str) -> frozenset[str]:
    return frozenset(map(fold, words.split()))


SPELLED = _spelled()
PIECES, PACKS, DOZENS = _folded(vocabulary.PIECES), _folded(vocabulary.PACKS), _folded(vocabulary.DOZENS)
SIZES = {fold(word): unit for unit, words in vocabulary.SIZES.items() for word in words.split()}
EACH, HEDGES, TIMES = _folded(vocabulary.EACH), _folded(vocabulary.HEDGES), frozenset(vocabulary.TIMES.split())
HUNDREDS = frozenset(("hundred", "cien", "백", "сто", "сотня"))
BY_COMMA = re.compile(r"\d{1,3}(?:[.,]\d{3})+")
OTHER_UNITS, OTHER_BEFORE = _folded(vocabulary.OTHER_UNITS), _folded(vocabulary.OTHER_BEFORE)
SHADES = frozenset(("호", "тон", "тона", "tono", "shade"))
HALVES = frozenset(("half", "media", "пол"))
PIECE, PACK, DOZEN, SIZE, PLAIN, NAME, OTHER = "piece", "pack", "dozen", "size", "plain", "name", "other"


class Number(NamedTuple):
    """A number with what stands behind it, in the tokens from `first` up to `last`, without it."""

    first: int
    last: int
    value: int
    written: str  # as a name may have it, such as 0.1 or 04
    kind: str
    unit: str = ""  # of a size
    is_each: bool = False
    is_marked: bool = False  # a sign of times or a unit says that it is a quantity


@dataclass(frozen=True)
class Unit:
    """What stands behind a number: its kind, and how many tokens it takes."""

    kind: str
    tokens: int
    name: str = ""
    is_each: bool = False


def numbers_of(tokens: Sequence[Token], *, names: frozenset[str]) -> list[Number]:
    """Return the numbers among tokens; a number word that is one of the `names` counts only before a unit."""
    found: list[Number] = []
    place = 0
    while place < len(tokens):
        number = _number_at(tokens, place, names)
        if number is None:
            place += 1
            continue
        found.append(number)
        place = number.last
    return found


def _number_at(tokens: Sequence[Token], place: int, names: frozenset[str]) -> Number | None:
    read = _value_at(tokens, place)
    if read is None:
        return None
    value, taken = read
    unit = _unit_at(tokens, place + taken)
    token = tokens[place]
    is_spelled = not token.is_number
    if is_spelled and unit.kind == PLAIN and (token.word in names or value < 2):
        return None
    if unit.kind == PLAIN and not is_spelled:
        unit = _other_kind(tokens, place, unit)
    before = tokens[place - 1].word if place else ""
    is_times = before in TIMES or (unit.name in TIMES and not _is_number_at(tokens, place + taken + 1))
    if unit.kind == DOZEN:
        value *= 6 if HALVES & {token.word for token in tokens[max(place - 2, 0) : place]} else 12
    written = token.word.replace(",", ".")
    is_marked = is_times or unit.kind in (PIECE, PACK, DOZEN) or _is_in_brackets(tokens, place)
    return Number(place, place + taken + unit.tokens, value, written, unit.kind, unit.name, unit.is_each, is_marked)


def _other_kind(tokens: Sequence[Token], place: int, unit: Unit) -> Unit:
    """Return what a number is that counts nothing: of a shade (21N), a date, a price, a telephone."""
    token = tokens[place]
    before = tokens[place - 1] if place else None
    if before and before.word == "." and place > 1:
        before = tokens[place - 2]
    after = tokens[place + 1] if place + 1 < len(tokens) else None
    glued = after is not None and after.start == token.end
    if after and (after.word in SHADES or (glued and len(after.word) == 1 and after.word in "ncw")):
        return Unit(NAME, 1)
    if after and (after.word in ("%", "$", "€") or stem_of(after.word) in OTHER_UNITS):
        return Unit(OTHER, 1)
    if before and (before.word in OTHER_BEFORE or before.word in ("$", "€", "№", "+")):
        return Unit(OTHER, 0)
    if before and before.word == "#":
        return Unit(NAME, 0)
    return unit


def stem_of(word: str) -> str:
    """Return a Korean word of time without the particle behind it, other words as they are."""
    return word.removesuffix("에").removesuffix("까지") if len(word) > 1 else word


def _is_in_brackets(tokens: Sequence[Token], place: int) -> bool:
    around = [tokens[at].word for at in (place - 1, place + 1) if 0 <= at < len(tokens)]
    return around == ["(", ")"]


def _is_number_at(tokens: Sequence[Token], place: int) -> bool:
    return place < len(tokens) and tokens[place].is_number


def _value_at(tokens: Sequence[Token], place: int) -> tuple[int, int] | None:
    """Return the number that begins here and how many tokens it takes; -1 is a number that is no count."""
    word = tokens[place].word
    if tokens[place].is_number:
        return _count(word), 1
    if word in DOZENS:
        return 1, 0
    if word not in SPELLED:
        return None
    value = SPELLED[word]
    following = [token.word for token in tokens[place + 1 : place + 3]]
    if 20 <= value < 100 and value % 10 == 0:
        joined = 1 if following[:1] in (["-"], ["y"]) else 0
        ones = SPELLED.get(following[joined], 0) if len(following) > joined else 0
        if 0 < ones < 10:
            return value + ones, 2 + joined
    if value < 10 and following[:1] and following[0] in HUNDREDS:
        return value * 100, 2
    return value, 1


def _count(word: str) -> int:
    digits = re.sub("[.,]", "", word) if BY_COMMA.fullmatch(word) else word
    return min(int(digits), MOST) if digits.isdecimal() and len(digits) <= 9 else -1


def _unit_at(tokens: Sequence[Token], place: int) -> Unit:
    """Return the unit that stands here, with a full stop or `each` behind it."""
    words = [token.word for token in tokens[place : place + 3]] + ["", "", ""]
    kind, name = _kind_of(words[0])
    taken = 1 if kind != PLAIN or name else 0
    if kind == PLAIN and words[0] == "de" and words[1] in EACH:
        return Unit(PLAIN, 2, is_each=True)
    if taken and words[taken] == "." and kind != PLAIN:
        taken += 1
    is_each = words[taken] in EACH or words[0] in EACH
    return Unit(kind, taken + (words[taken] in EACH), name, is_each)


def _kind_of(word: str) -> tuple[str, str]:
    if word in SIZES:
        return SIZE, SIZES[word]
    if word in DOZENS:
        return DOZEN, ""
    if word in PACKS:
        return PACK, word
    if word in PIECES:
        return PIECE, ""
    # Korean units take particles and endings: 20개씩, 20개요.
    if word[:1] in ("개", "병", "장") and len(word) <= 4:
        return PIECE, ""
    if word[:2] in ("박스", "상자", "카톤", "세트"):
        return PACK, word
    return PLAIN, word if word in TIMES else ""
