"""A row as people type it: code or whole name and one plain number of pieces are taken, every other
row is asked with its words. Nothing here is worse than linear in a row, and a long one is only
shown.
"""

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple

from apps.common.http.serializers import MAX_COUNT
from apps.common.tables.cells import heading
from apps.common.tables.spreadsheets import Row
from apps.orders.intake.catalogue import MOST_PARTS, Catalogue, sizes_of, words_of
from apps.orders.intake.words import (
    NEUTRAL,
    OTHER,
    PACKS,
    PIECES,
    PRICE,
    SIZES,
    Amount,
    amount_of_packs,
    counts_packs,
    has_digit,
    is_denied,
    is_greeting,
    is_heading,
    is_total,
    kind_of,
    plain_digits,
    texts_in,
    unit_of,
)

MAX_ROW_SHOWN = 200
MOST_LETTERS, MOST_WORDS, MOST_CUT = 300, 40, 8
FEWEST_DIGITS = 4  # of a code without letters
NUMBER = re.compile(r"[x×*х]?([1-9]\d{0,6})[x×*х]?", re.IGNORECASE)  # `04` is a shade
WITH_UNIT = re.compile(r"(\d{1,7})([^\W\d_]{1,12})")
LIST_MARK = re.compile(r"\d{1,3}[.)]|[a-z][.)]", re.IGNORECASE)
POINTED = re.compile(r"\.\d+|\d+\.{2,}")  # a decimal, or the beginning of a number
IN_BRACKETS = re.compile(r"\( (\d+) \)")
EDGE, OPEN = ",;:.[]{}«»“”„\"'=•·|!→", "-–—−*•·"
LONE = frozenset(["=", ":", "•", "·", "*", "x", "×", "х", "→", "|", "->", "=>"])
DASHES = frozenset(["-", "–", "—", "...", "&"])  # of a number that ends a row they say something
CODE_PLACE = "\0\0"  # in place of a word that is of a code
SPLITTING = "x×*х:=,;-"  # between a code and its pieces

WHY_EMPTY, WHY_NO_QUANTITY = "An empty row.", "No quantity."
WHY_GREETING, WHY_TOTAL, WHY_HEADING = "A greeting or signature.", "A total.", "A heading."
HOW_MANY = "How many pieces do you want?"
OTHERS = "This may name other products, which need rows of their own."
Candidate = tuple[str, str, list[str]]  # SKU, why, and the words that agree


@dataclass(frozen=True)
class Code:
    """A code of a row; `is_ours` where nearly every code of its column is known."""

    text: str
    is_ours: bool = False


@dataclass(frozen=True)
class Line:
    """A row that orders something: what names its product, how many pieces; then (`match`) which
    product that is, or what is asked: `which` is the question for the product, `amount` has the one
    for the pieces.
    """

    row: int
    amount: Amount
    codes: Sequence[Code] = ()
    name: str = ""
    price: Decimal | None = None
    is_hidden: bool = False  # in the sheet, by hand or by a filter
    words: str = ""
    sku: str = ""
    which: str = ""
    either: Sequence[Candidate] = ()
    own_code: str = ""  # what the company calls the product in this row
    called: str = ""  # by what the answer is remembered
    by_memory: int = 0  # pieces, by what the company said of its cartons before
    beside: Sequence[str] = ()  # other codes of a product that is known
    texts: Sequence[str] = ()  # what may say which product it is: names, brand, shade, size
    naming: Sequence[str] = ()  # those by which it is remembered
    variants: Sequence[str] = ()  # those under a heading of shades or sizes
    parent: str = ""  # the title that it stands under

    @property
    def names(self) -> list[str]:
        """Return its name, and what stands in columns of codes."""
        return [self.name, *(code.text for code in self.codes)]


class Passed(NamedTuple):
    """A row that asks for nothing, why, and what stands there."""

    row: int
    why: str
    text: str


def text_of_row(row: Row) -> str:
    """Return what stands in a row, as it is shown."""
    return " · ".join(texts_in(row.cells))[:MAX_ROW_SHOWN]


def passed(row: Row, why: str) -> Passed:
    """Return a row that asks for nothing."""
    nothing = "–" if why == WHY_EMPTY else ""
    return Passed(row.number, why, text_of_row(row) or nothing)


def typed_row(row: Row, catalogue: Catalogue) -> Line | Passed:
    """Return what a typed row asks for."""
    text = plain_digits(" ".join(texts_in(row.cells)))
    text = IN_BRACKETS.sub(r"(\1)", text)
    words = _words(text[: MOST_LETTERS + 1], catalogue)
    if len(text) > MOST_LETTERS or len(words) > MOST_WORDS:
        return _unknown_row(row, text, [])
    if not any(map(str.isalnum, text)):
        return passed(row, WHY_EMPTY)
    codes, rest = _codes(words, catalogue)
    if codes:
        name, amount = "", _amount_beside(codes, rest, catalogue)
    else:
        name, amount = _by_whole_name(words, catalogue)
    if codes or name:
        if amount.is_none:
            return passed(row, WHY_NO_QUANTITY)
        line_codes, excerpt = [Code(code) for code in codes], text_of_row(row)
        return Line(row.number, amount, line_codes, name, is_hidden=row.is_hidden, words=excerpt)
    if not has_digit(text) and is_greeting(text):
        return passed(row, WHY_GREETING)
    if is_total([text]):
        return passed(row, WHY_TOTAL)
    if is_heading(words):
        return passed(row, WHY_HEADING)
    return _unknown_row(row, text, words)


def is_signature(row: Row, catalogue: Catalogue) -> bool:
    """Return whether a row behind a greeting is of few words, none of a product and no number."""
    words = words_of(text_of_row(row)[:MOST_LETTERS])
    return len(words) <= MOST_PARTS and not any(
        word.isdecimal() or word in catalogue.all_words for word in words
    )


def _unknown_row(row: Row, text: str, words: Sequence[str]) -> Line:
    """Return a row whose product is asked by its words; one plain number at an end of it is its
    pieces, and no word of the product. A code that nobody knows may be all else: `NEW-1 20`.
    """
    amount, codes, name = Amount(question=HOW_MANY), [], text[:MOST_LETTERS]
    numbers = list(filter(has_digit, words))
    others = [word for word in words if not _plain(word) and heading(word) not in PIECES]
    if len(words) == len(numbers) == 2 and len(others) == 1 and _is_new_code(others[0]):
        numbers.remove(others[0])
        codes, name = [Code(others[0])], ""
    plain = _plain(numbers[0]) if len(numbers) == 1 else 0
    is_at_end = bool(words) and (
        _plain(words[0]) or _plain(words[-1]) or heading(words[-1]) in PIECES | PACKS
    )
    packs = next(filter(counts_packs, words), "")
    if plain and is_at_end and not is_denied(text):
        amount = amount_of_packs(plain, unit_of(packs)) if packs else Amount(plain)
        name = name if packs or codes else " ".join(others) or name
    return Line(row.number, amount, codes, name, words=text_of_row(row))


def _is_new_code(word: str) -> bool:
    """Return whether a word may be a code: letters and digits, and no size."""
    return any(map(str.isalpha, word)) and has_digit(word) and not sizes_of(words_of(word))


def _plain(word: str) -> int:
    """Return the pieces that a word is, `20`, `x20` or `20pcs`; 0 where it is none."""
    if match := NUMBER.fullmatch(word):
        return min(int(match[1]), MAX_COUNT)
    match = WITH_UNIT.fullmatch(word)
    return min(int(match[1]), MAX_COUNT) if match and heading(match[2]) in PIECES else 0


def _words(text: str, catalogue: Catalogue) -> list[str]:
    """Return the words of a row without marks around them; a number stays as it is written (`-20`,
    `(20)`, `20 -`), and one that stands at its code is a word of its own.
    """
    words: list[str] = []
    parts = text.split()
    for place, part in enumerate(parts):
        if part in DASHES:
            is_end = place + 1 == len(parts) or heading(parts[place + 1]) in PIECES
            words += [part] if words and _plain(words[-1]) and is_end else []
        elif POINTED.fullmatch(part):
            words.append(part)
        elif place or not LIST_MARK.fullmatch(part):
            word = part.strip(EDGE)
            if word[:1] in OPEN and word[1:2].isalpha():
                word = word.lstrip(OPEN)
            if not word.strip("()").isdecimal():
                word = word.strip("()").strip(EDGE)
            elif not (word.startswith("(") and word.endswith(")")):
                word = word.strip("()")
            if word and word.casefold() not in LONE:
                words += _split(word, catalogue)
    return words


def _split(word: str, catalogue: Catalogue) -> list[str]:
    """Return a word, or the code and the number that it is made of: `ABC-1x20`, `20×ABC-1`."""
    if catalogue.skus_of_code(word):
        return [word]
    for sign in SPLITTING:
        head, _, tail = word.rpartition(sign)
        if tail.isdecimal() and head and catalogue.skus_of_code(head):
            return [head, f"-{tail}" if sign == "-" else tail]
        head, _, tail = word.partition(sign)
        if head.isdecimal() and tail and catalogue.skus_of_code(tail):
            return [head, tail]
    return [word]


def _codes(words: Sequence[str], catalogue: Catalogue) -> tuple[list[str], list[str]]:
    """Return the codes among words, the longest first, and the other words."""
    codes: list[str] = []
    remaining = [word if any(map(str.isalnum, word)) else "\0" for word in words]
    for length in range(min(MOST_PARTS, len(words)), 0, -1):
        for place in range(len(remaining) - length + 1):
            code = " ".join(remaining[place : place + length])
            is_long = not code.isdecimal() or len(code) >= FEWEST_DIGITS
            may_be = "\0" not in code and is_long and has_digit(code)
            may_be = may_be and not catalogue.is_learned_name(code)
            if may_be and catalogue.skus_of_code(code):
                codes.append(code)
                remaining[place : place + length] = [CODE_PLACE] * length
    return codes, [word for word, part in zip(words, remaining, strict=True) if part != CODE_PLACE]


def _amount_beside(codes: Sequence[str], rest: Sequence[str], catalogue: Catalogue) -> Amount:
    """Return the pieces that the words beside a code say: one plain number, where all other words
    are the product's own or say nothing.
    """
    skus = {sku for code in codes for sku in catalogue.skus_of_code(code)}
    own = {word for sku in skus for word in catalogue.words[sku]}
    numbers, strange, packs, has_name = _sorted(rest, skus, own, catalogue)
    if has_name and len(numbers) > 1:
        of_name = next((word for word in numbers if word in own), None)
        numbers = [word for word in numbers if word is not of_name]
    excerpt = f"“{' '.join(rest)[:80]}”" if strange else ""
    if len(numbers) > 1 and catalogue.all_words & {*words_of(" ".join(strange))}:
        return Amount(question=f"{excerpt}: {OTHERS} {HOW_MANY}")
    is_plain = all(word.isalpha() and not is_denied(word) for word in strange)
    is_of_name = has_name and own.issuperset(numbers)
    return _one_amount(numbers, packs, excerpt, is_plain=is_plain, is_of_name=is_of_name)


def _sorted(
    words: Sequence[str], skus: Set[str], own: Set[str], catalogue: Catalogue
) -> tuple[list[str], list[str], str, bool]:
    """Return of the words beside a code the numbers, those that are not its products', the one for
    cartons, and whether a product is named; `own` are the products' words.
    """
    numbers: list[str] = []
    strange: list[str] = []
    packs, has_name = "", False
    for word in _with_sizes(words):
        size = sizes_of(words_of(word)) if word[:1].isdecimal() else set()
        if size and not any(size <= catalogue.sizes[sku] for sku in skus):
            strange.append(word)
        elif size:
            strange = [] if not numbers and _describes(strange) else strange
        elif _plain(word) or word in ("0", "00"):
            numbers.append(word)
        elif heading(word) and own >= {*words_of(word)}:
            has_name = has_name or (word.isalpha() and len(word) > 2)
        elif counts_packs(word):
            packs = word
        elif not _says_nothing(word):
            strange.append(word)
    return numbers, strange, packs, has_name


def _with_sizes(words: Sequence[str]) -> list[str]:
    """Return words, a number and the unit of a size behind it as one."""
    joined: list[str] = []
    for word in words:
        if joined and joined[-1].isdecimal() and heading(word) in SIZES:
            joined[-1] += f" {word}"
        else:
            joined.append(word)
    return joined


def _describes(words: Sequence[str]) -> bool:
    """Return whether words before a product's own size may be its name in another language: they
    have no number, take nothing away, and speak of no stock or price.
    """
    return all(
        word.isalpha() and not is_denied(word) and kind_of(word) not in (OTHER, PRICE)
        for word in words
    )


def _one_amount(
    numbers: Sequence[str],
    packs: str,
    excerpt: str = "",
    *,
    is_plain: bool,
    is_of_name: bool = False,
) -> Amount:
    """Return the one number as pieces; asked where there is none or another, where it may be the
    name's, or beside other words: what is `said`, to be proposed if they are plain ones.
    """
    if len(numbers) != 1 or is_of_name:
        several = f"{' or '.join(numbers)}: which is it?" if len(numbers) > 1 else HOW_MANY
        return Amount(question=f"{excerpt}: {HOW_MANY}" if excerpt else several)
    count = _plain(numbers[0])
    if packs:
        return amount_of_packs(count, unit_of(packs))
    if excerpt:
        return Amount(question=f"{excerpt}: {HOW_MANY}", guess=count if is_plain else 0)
    return Amount(count)


def _by_whole_name(words: Sequence[str], catalogue: Catalogue) -> tuple[str, Amount]:
    """Return the whole name of a product among words, with the pieces before or behind it; empty
    where no product is called so.
    """
    for start in _cut(words):
        for end in _cut(words[::-1]):
            name, rest = words[start : len(words) - end], [*words[:start], *words[::-1][:end]]
            numbers = list(filter(_plain, rest))
            if len(name) > 1 and len(numbers) < 2 and catalogue.skus_of_name(" ".join(name)):
                packs = next(filter(counts_packs, rest), "")
                return " ".join(name), _one_amount(numbers, packs, is_plain=True)
    return "", Amount()


def _cut(words: Sequence[str]) -> Iterator[int]:
    """Yield how many words from one end may be none of a name: pieces, or what says nothing."""
    yield 0
    for count, word in enumerate(words[:MOST_CUT], 1):
        if not (_plain(word) or counts_packs(word) or _says_nothing(word)):
            return
        yield count


def _says_nothing(word: str) -> bool:
    plain = heading(word)
    return bool(plain) and (NEUTRAL | PIECES).issuperset(plain.split())
