"""Numbers of a message in digits and words, and the units behind them. Pure functions."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import NamedTuple

from apps.catalog.reading import vocabulary
from apps.catalog.reading.words import Token, fold, stem

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
SPANISH_ONES = ("uno", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve")
NATIVE_TENS = ("열", "스물", "서른", "마흔", "쉰", "예순", "일흔", "여든", "아흔")
NATIVE_ONES = ("하나", "둘", "셋", "넷", "다섯", "여섯", "일곱", "여덟", "아홉")
NATIVE_ONES_BEFORE_UNIT = ("한", "두", "세", "네")
SINO = ("일", "이", "삼", "사", "오", "육", "칠", "팔", "구")


def _spelled() -> dict[str, int]:
    """Return each number word up to a hundred; compounds that are written as one word are among
    them.
    """
    twenties = {f"veinti{word}": 20 + value for value, word in enumerate(SPANISH_ONES, 1)}
    others = {fold(word): value for word, value in MORE.items()}
    return {
        **_listed(ONES, start=1),
        **_listed(TENS, start=2, step=10),
        **twenties,
        **_korean(),
        **others,
    }


def _listed(lines: Sequence[str], *, start: int, step: int = 1) -> dict[str, int]:
    """Return the words of each line with their values: its first is worth `start` steps."""
    return {
        fold(word): step * count for line in lines for count, word in enumerate(line.split(), start)
    }


def _korean() -> dict[str, int]:
    """Return the Korean compounds of tens and ones: the native words, then those that came from
    Chinese.
    """
    words: dict[str, int] = {}
    for tens, ten in enumerate(NATIVE_TENS, 1):
        for spelling in (NATIVE_ONES, NATIVE_ONES_BEFORE_UNIT):
            words |= {ten + one: 10 * tens + ones for ones, one in enumerate(spelling, 1)}
    for tens, ten in enumerate(("", *SINO[1:]), 1):
        words |= {f"{ten}십{one}": 10 * tens + ones for ones, one in enumerate(("", *SINO))}
    return words


def _folded(words: str) -> frozenset[str]:
    return frozenset(map(fold, words.split()))


SPELLED = _spelled()
PIECES, PACKS, DOZENS = (
    _folded(vocabulary.PIECES),
    _folded(vocabulary.PACKS),
    _folded(vocabulary.DOZENS),
)
SIZES = {fold(word): unit for unit, words in vocabulary.SIZES.items() for word in words.split()}
EACH, HEDGES, TIMES = (
    _folded(vocabulary.EACH),
    _folded(vocabulary.HEDGES),
    frozenset(vocabulary.TIMES.split()),
)
HUNDREDS = frozenset(("hundred", "cien", "백", "сто", "сотня"))
BY_COMMA = re.compile(r"\d{1,3}(?:[.,]\d{3})+")
OTHER_UNITS = _folded(vocabulary.OTHER_UNITS) | {"%", "$", "€"}
OTHER_BEFORE = _folded(vocabulary.OTHER_BEFORE) | {"$", "€", "№", "+"}
SHADES = frozenset(("호", "тон", "тона", "tono", "shade"))
SHADE_LETTERS = frozenset("ncw")
CONTAINING, PER = frozenset(("of", "de", "по", "à", "a", "(")), frozenset(("per", "por", "в"))
HALVES = frozenset(("half", "media", "пол"))
PIECE, PACK, DOZEN, SIZE, PLAIN, NAME, OTHER = (
    "piece",
    "pack",
    "dozen",
    "size",
    "plain",
    "name",
    "other",
)
SETS = ("set", "세트")
WHOLE_TENS = range(20, 100, 10)


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
    is_times: bool = False  # the sign of times does

    @property
    def is_of_sets(self) -> bool:
        """Return whether it counts sets, which are products themselves."""
        return self.kind == PACK and self.unit.startswith(SETS)


@dataclass(frozen=True)
class Unit:
    """What stands behind a number: its kind, and how many tokens it takes."""

    kind: str
    tokens: int
    name: str = ""
    is_each: bool = False


def numbers_of(tokens: Sequence[Token], *, names: frozenset[str]) -> list[Number]:
    """Return the numbers among tokens; a number word that is one of the `names` counts only before
    a unit.
    """
    found: list[Number] = []
    place = 0
    while place < len(tokens):
        number = _number_at(tokens, place, names)
        if number is None:
            place += 1
            continue
        found.append(number)
        place = number.last
    return _in_packs(_reckoned(found, tokens), tokens)


def _reckoned(found: Sequence[Number], tokens: Sequence[Token]) -> list[Number]:
    """Return numbers; of a sum such as “20 x 9.50 = 190.00” the price and the amount
    count nothing.
    """
    numbers = list(found)
    for place in range(len(numbers) - 2):
        count, price, amount = numbers[place : place + 3]
        is_equal = any(token.word == "=" for token in tokens[price.last : amount.first])
        if is_equal and count.value > 0 and count.value * _decimal(price) == _decimal(amount):
            numbers[place] = count._replace(kind=PLAIN, is_marked=True, is_times=True)
            numbers[place + 1 : place + 3] = [one._replace(kind=OTHER) for one in (price, amount)]
    return numbers


def _decimal(number: Number) -> Decimal:
    """Return a number as it is written, `9.50`; NaN where that is none, which equals nothing."""
    try:
        return Decimal(number.written)
    except InvalidOperation:
        return Decimal("NaN")


def _in_packs(found: Sequence[Number], tokens: Sequence[Token]) -> list[Number]:
    """Return numbers; packs with how many are in one, “2 boxes of 36” or “2 boxes (36 per box)”,
    are pieces.
    """
    counted = [one for one in found if one.kind in (PLAIN, PIECE, PACK)]
    if len(counted) != 2:
        return list(found)
    packs, content = counted
    if not _holds(packs, content, tokens):
        return list(found)
    whole = packs._replace(
        kind=PIECE, value=packs.value * content.value, written=content.written, unit=""
    )
    return [{packs: whole, content: content._replace(kind=OTHER)}.get(one, one) for one in found]


def _holds(packs: Number, content: Number, tokens: Sequence[Token]) -> bool:
    """Return whether the second of two numbers says how many are in one of the packs that the first
    counts.
    """
    is_pack = packs.kind == PACK and not packs.is_of_sets and packs.value > 0
    between = [token.word for token in tokens[packs.last : content.first]]
    is_said = (len(between) == 1 and between[0] in CONTAINING) or _is_per_pack(content, tokens)
    return is_pack and is_said and content.kind != PACK and content.value > 1


def _is_per_pack(number: Number, tokens: Sequence[Token]) -> bool:
    """Return whether “per box” stands behind a number."""
    words = [token.word for token in tokens[number.last : number.last + 2]]
    return len(words) == 2 and words[0] in PER and words[1] in PACKS


def _number_at(tokens: Sequence[Token], place: int, names: frozenset[str]) -> Number | None:
    read = _value_at(tokens, place)
    if read is None:
        return None
    value, taken = read
    token, behind = tokens[place], place + taken
    unit = _unit_at(tokens, behind)
    if unit.kind == PLAIN and token.is_number:
        unit = _other_kind(tokens, place) or unit
    elif unit.kind == PLAIN and (token.word in names or value < 2):
        return None
    if unit.kind == DOZEN:
        value *= _in_dozen(tokens, place)
    written = token.word.replace(",", ".")
    is_times = _is_times(tokens, place, behind, unit)
    is_marked = is_times or _is_marked(tokens, place, unit)
    return Number(
        place,
        behind + unit.tokens,
        value,
        written,
        unit.kind,
        unit.name,
        unit.is_each,
        is_marked,
        is_times,
    )


def counts_packs(word: str) -> bool:
    """Return whether a word behind a number says cartons, packs or dozens; sets are products
    themselves.
    """
    folded = fold(word.strip("."))
    return folded in PACKS | DOZENS and not folded.startswith(SETS)


def unit_of(word: str) -> str:
    """Return what cartons are called, so that its forms are one: “Boxes” is “box”."""
    return stem(fold(word.strip(". ")))


def _in_dozen(tokens: Sequence[Token], place: int) -> int:
    """Return how many pieces are in the dozen that stands here: six where half of one is meant."""
    return 6 if HALVES & {token.word for token in tokens[max(place - 2, 0) : place]} else 12


def _is_marked(tokens: Sequence[Token], place: int, unit: Unit) -> bool:
    """Return whether a unit of pieces or packs, or brackets, say that a number is a quantity."""
    return unit.kind in (PIECE, PACK, DOZEN) or _is_in_brackets(tokens, place)


def _is_times(tokens: Sequence[Token], place: int, behind: int, unit: Unit) -> bool:
    """Return whether a sign of times on either side of a number says that it is a quantity."""
    if place and tokens[place - 1].word in TIMES:
        return True
    return unit.name in TIMES and not _is_number_at(tokens, behind + 1)


def _other_kind(tokens: Sequence[Token], place: int) -> Unit | None:
    """Return what a number is that counts nothing: of a shade (21N), a date, a price, a telephone;
    else None.
    """
    after = tokens[place + 1] if place + 1 < len(tokens) else None
    if after and _is_shade(tokens[place], after):
        return Unit(NAME, 1)
    if after and stem_of(after.word) in OTHER_UNITS:
        return Unit(OTHER, 1)
    before = _word_before(tokens, place)
    if before in OTHER_BEFORE:
        return Unit(OTHER, 0)
    return Unit(NAME, 0) if before == "#" else None


def _is_shade(number: Token, after: Token) -> bool:
    """Return whether what follows a number makes a shade of it: a word for shades, or a letter
    without a space.
    """
    return after.word in SHADES or (after.start == number.end and after.word in SHADE_LETTERS)


def _word_before(tokens: Sequence[Token], place: int) -> str:
    """Return the word before a place, without the full stop that ends an abbreviation."""
    before = place - 1
    if before > 0 and tokens[before].word == ".":
        before -= 1
    return tokens[before].word if before >= 0 else ""


def stem_of(word: str) -> str:
    """Return a Korean word of time without the particle behind it, other words as they are."""
    return word.removesuffix("에").removesuffix("까지") if len(word) > 1 else word


def _is_in_brackets(tokens: Sequence[Token], place: int) -> bool:
    around = [tokens[at].word for at in (place - 1, place + 1) if 0 <= at < len(tokens)]
    return around == ["(", ")"]


def _is_number_at(tokens: Sequence[Token], place: int) -> bool:
    return place < len(tokens) and tokens[place].is_number


def _value_at(tokens: Sequence[Token], place: int) -> tuple[int, int] | None:
    """Return the number that begins here and how many tokens it takes; -1 is a number that is no
    count.
    """
    word = tokens[place].word
    if tokens[place].is_number:
        return _count(word), 1
    if word in DOZENS:
        return 1, 0
    return _spelled_at(tokens, place) if word in SPELLED else None


def _spelled_at(tokens: Sequence[Token], place: int) -> tuple[int, int]:
    """Return the number of a word and those behind it, and how many they are: forty-two, treinta y
    cinco.
    """
    value = SPELLED[tokens[place].word]
    following = [token.word for token in tokens[place + 1 : place + 3]] + ["", ""]
    if value in WHOLE_TENS:
        joined = 1 if following[0] in ("-", "y") else 0
        ones = SPELLED.get(following[joined], 0)
        if 0 < ones < 10:
            return value + ones, 2 + joined
    if value < 10 and following[0] in HUNDREDS:
        return value * 100, 2
    return value, 1


def _count(word: str) -> int:
    digits = re.sub("[.,]", "", word) if BY_COMMA.fullmatch(word) else word
    return min(int(digits), MOST) if digits.isdecimal() and len(digits) <= 9 else -1


def _unit_at(tokens: Sequence[Token], place: int) -> Unit:
    """Return the unit that stands here, with a full stop or `each` behind it."""
    words = [token.word for token in tokens[place : place + 3]] + ["", "", ""]
    if words[0] == "de" and words[1] in EACH:
        return Unit(PLAIN, 2, is_each=True)
    kind, name = _kind_of(words[0])
    taken = 1 if kind != PLAIN or name else 0
    if kind != PLAIN and words[1] == ".":
        taken = 2
    has_each_behind = words[taken] in EACH
    return Unit(kind, taken + has_each_behind, name, has_each_behind or words[0] in EACH)


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
