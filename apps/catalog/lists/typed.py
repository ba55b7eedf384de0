"""A list as people type it, each row a SKU or a name and a quantity with spaces between. Pure
functions.
"""

import re
from collections.abc import Callable, Collection, Sequence
from typing import Any, NamedTuple

from apps.catalog.reading.codes import MOST_PARTS, is_code
from apps.catalog.reading.quantities import counts_packs
from apps.catalog.rules import ean_of

TIMES = re.compile(r"(?<![^\s\d])[x×*](?![^\s\d])", re.IGNORECASE)  # `x 20`, `x20`, `10 x`, `10x`
UNIT = re.compile(r"(?<=\d)\s*(?:pcs?|pieces?|units?|ea)\.?(?=\s|$)", re.IGNORECASE)
LIST_NUMBER = re.compile(r"\s*\d{1,3}[.)]\s+(?=\S)")  # `1. ABC-1 20`, `1) ABC-1 20`
PAIR = re.compile(r"\s*([^\s:=]{3,})\s*[:=]+\s*(\d+)\s*")  # `ABC-1: 30`; `12:30` is none
LABELS = frozenset(("ean", "gtin", "upc"))
PRINTED = re.compile(
    r"(?<!\d)(\d)[ -](\d{6})[ -](\d{6})(?![\d-])"
)  # below its bars: `9 527384 455703`
MOST_GROUPS = 6  # of an EAN in groups of another kind
SEPARATORS = frozenset("\t;,")
FEW_DIGITS = 5  # a quantity has no more
SIZE = re.compile(r"\d+(?:ml|g|gr)", re.IGNORECASE)  # of a name, no code: `50ml`
FEWEST_WORDS = 2  # of a name: one word alone may be a code


FindKnown = Callable[[Collection[str]], Collection[str]]


def nothing_known(_: object) -> dict[str, Any]:
    """Return that no code is known, and no layout."""
    return {}


class NamedRow(NamedTuple):
    """A typed row that names its product: its number, its name, its quantity as written, and all
    its words.
    """

    number: int
    name: str
    quantity: str
    words: str


def table_of(content: bytes, find: FindKnown = nothing_known) -> tuple[bytes, list[NamedRow]]:
    """Return a typed list with a tab between SKU and quantity where only spaces part them, and its
    rows of names.

    In the table those are blank, so that every row keeps its number. `find` returns which codes are
    known: one may have spaces in it.
    """
    text = content.decode("utf-8", "surrogateescape")
    rows = [
        row if SEPARATORS & set(row) else LIST_NUMBER.sub("", row, count=1)
        for row in text.splitlines()
    ]
    rows, named = _without_row_numbers(rows), []
    rows = _with_codes_joined(rows, find)
    for place, row in enumerate(rows):
        if found := _name_and_quantity(row):
            named.append(NamedRow(place + 1, *found, row.strip()))
            rows[place] = ""
    return "\n".join(map(_typed_row, rows)).encode("utf-8", "surrogateescape"), named


def _without_row_numbers(rows: Sequence[str]) -> list[str]:
    """Return typed rows without 1, 2, 3… before them, where each of these rows ends with its
    quantity.
    """
    cut = [row.split(maxsplit=1) for row in rows]
    numbered = [place for place, row in enumerate(rows) if _may_be_numbered(row)]
    is_counted = all(_ends_with_number(cut[place][1]) for place in numbered)
    if not is_counted or not is_running([int(cut[place][0]) for place in numbered]):
        return list(rows)
    return [cut[place][1] if place in numbered else row for place, row in enumerate(rows)]


def _may_be_numbered(row: str) -> bool:
    parts = row.split(maxsplit=1)
    if len(parts) < 2 or not _is_number(parts[0]) or SEPARATORS & set(row):
        return False
    return not any(start == 0 for start, _ in _eans(_words(row)))


def _ends_with_number(text: str) -> bool:
    """Return whether a quantity stands behind something else."""
    words = _words(text)
    return len(words) > 1 and _is_number(words[-1])


def is_running(numbers: Sequence[int]) -> bool:
    """Return whether numbers are 1, 2, 3…, as rows are numbered."""
    return len(numbers) > 1 and list(numbers) == list(range(1, len(numbers) + 1))


def _typed_row(row: str) -> str:
    """Return a row as people type it (`ABC-1 20`, `ABC-1: 20`, `10 x ABC-1`, an EAN in groups) as
    SKU, tab, quantity.

    What stands beside a SKU and is no number is kept as its quantity: the review asks about it. So
    are two numbers.
    """
    if SEPARATORS & set(row):
        return row
    words = _words(row)
    if eans := _eans(words):
        return _row_of_ean(words, eans)
    return _row_of_sku(words) if len(words) > 1 else row


def _with_codes_joined(rows: Sequence[str], find: FindKnown) -> list[str]:
    """Return typed rows with a tab between a code that is known though it has spaces in it, and its
    quantity.
    """
    spaced = [_codes_apart(row) for row in rows]
    asked = {code for codes in spaced for code in codes}
    known = find(asked) if asked else ()
    found = [next((code for code in codes if code in known), "") for codes in spaced]
    return [
        f"{code}\t{codes[code]}" if code else row
        for row, codes, code in zip(rows, spaced, found, strict=True)
    ]


def _codes_apart(row: str) -> dict[str, str]:
    """Return what may be a code of several words before or behind the quantity, the longest first,
    each with that.

    The first word is among them, as a code that is known by itself needs no other.
    """
    words = [] if SEPARATORS & set(row) else _words(row)
    if len(words) <= FEWEST_WORDS or _eans(words):
        return {}
    name, quantity, _ = _parted(words)
    runs = [(name[:length], quantity) for length in (1, *range(min(MOST_PARTS, len(name)), 1, -1))]
    first = _counted(words)
    runs.append((words[first:], words[:first]))  # its last digits are no quantity: `20 ABC 025`
    found = {
        " ".join(run).upper(): " ".join(quantity) for run, quantity in reversed(runs) if quantity
    }
    return {code: found[code] for code in reversed(found) if is_code(code)}


def _name_and_quantity(row: str) -> tuple[str, str] | None:
    """Return the name and the quantity of a row whose code would be a word among others; None where
    it has a code.
    """
    words = [] if SEPARATORS & set(row) else _words(row)
    if len(words) <= FEWEST_WORDS or _eans(words):
        return None
    name, quantity, code = _parted(words)
    is_name = _is_word(code) and sum(map(_is_word, name)) >= FEWEST_WORDS
    return (" ".join(name), " ".join(quantity)) if is_name else None


def _parted(words: Sequence[str]) -> tuple[Sequence[str], Sequence[str], str]:
    """Return the words before or behind a quantity, those of the quantity, and the one that would
    be the code.

    Between two quantities, of which nobody knows which is meant, both are kept.
    """
    first, last = _counted(words), 2 if counts_packs(words[-1]) else 1
    is_last = _is_number(words[-last])
    if first and is_last and (between := words[first:-last]):
        return between, [*words[:first], "or", *words[-last:]], _code_among(between) or between[0]
    if first and not _is_number(words[-1]):
        return words[first:], words[:first], words[-1]
    if is_last:
        return words[:-last], words[-last:], words[0]
    return [], [], ""


def _code_among(words: Sequence[str]) -> str:
    """Return the first word with letters and digits that is no size; empty where none is."""
    return next((word for word in words if _has_both(word) and not _is_word(word)), "")


def _counted(words: Sequence[str]) -> int:
    """Return how many of the first words are a quantity: a number, with what says cartons behind
    it; 0 for none.
    """
    if not _is_number(words[0]) or len(words[0]) > FEW_DIGITS:
        return 0
    return 2 if len(words) > 1 and counts_packs(words[1]) else 1


def _is_word(word: str) -> bool:
    """Return whether a word is none of a code: letters alone, or a size."""
    return word.strip(".!?").isalpha() or SIZE.fullmatch(word) is not None


def _row_of_sku(words: Sequence[str]) -> str:
    """Return a SKU, which stands first or behind its quantity, and the quantity."""
    first, last = words[0], words[-1]
    is_last = _is_number(last)
    if _is_number(first) and len(first) <= FEW_DIGITS:
        if not (is_last and len(last) <= FEW_DIGITS):
            return f"{last}\t{' '.join(words[: _counted(words[:-1])])}"
        if code := _code_among(words[1:-1]):
            return f"{code}\t{first} or {last}"
    return f"{first}\t{last if is_last else ' '.join(words[1:])}"


def _eans(words: Sequence[str]) -> list[tuple[int, int]]:
    """Return where the words, some together, are an EAN as it is printed; none where a SKU stands
    before it.
    """
    skus = next((place for place, word in enumerate(words) if _has_both(word)), len(words))
    return [
        (start, end)
        for start in range(skus)
        for end in range(start + 1, min(start + MOST_GROUPS, skus) + 1)
        if ean_of("".join(words[start:end])) is not None
    ]


def _row_of_ean(words: Sequence[str], eans: Sequence[tuple[int, int]]) -> str:
    """Return an EAN and its quantity; where other words could be the EAN too, all numbers stand as
    the quantity.
    """
    digits = ["".join(words[start:end]) for start, end in eans]
    ean = max(digits, key=len)
    start, end = eans[digits.index(ean)]
    numbers = [word for word in (*words[:start][:1], *words[end:][-1:]) if _is_number(word)]
    is_other = sum(len(other) == len(ean) for other in digits) > 1
    if is_other or (not numbers and len(eans) > 1):
        return f"{ean}\t{' or '.join(filter(_is_number, words))}"
    return f"{ean}\t{' or '.join(numbers) or ' '.join(words[end:])}"


def _words(row: str) -> list[str]:
    """Return a row's words, without what only says pieces, times or EAN."""
    words = PRINTED.sub(r"\1\2\3", TIMES.sub(" ", UNIT.sub(" ", row)))
    if pair := PAIR.fullmatch(words):
        return list(pair.groups())
    found = [word.rstrip(":=") for word in words.split()]
    return [word for word in found if word and word.casefold() not in LABELS]


def _has_both(word: str) -> bool:
    return any(map(str.isalpha, word)) and any(map(str.isdigit, word))


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdigit()
