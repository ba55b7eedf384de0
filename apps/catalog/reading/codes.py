"""The codes of a list or message: SKUs, EANs, and a company's own codes of products. Pure
functions.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple, Protocol

from apps.catalog.reading.words import Token, fold
from apps.catalog.rules import EAN_LENGTHS

LONGEST_CODE = 7  # tokens
SHORTEST_CODE, FEWEST_DIGITS = 3, 5  # of a code from which signs are left out
MOST_PARTS = 4  # words of a code
BY_CODE = "by its code"
MARKS = re.compile(r"\d[.,]\d")
FOREIGN_LETTERS = str.maketrans("авсенкмортхуі", "abcehkmoptxyi")  # that look like Latin ones
OWN_CODE = re.compile(r"[^\W\d_]{1,5}-[^\W_]*\d[^\W_]*")
SHORT_CODE = re.compile(r"[a-z]{1,3}\d{2,5}")
NO_CODES = frozenset(("x", "spf", "pa", "no", "n", "po", "pi", "nr", "usd"))


class Code(NamedTuple):
    """A code in the tokens from `first` up to `last`, without it: the SKU it means, or one of the
    company's own.
    """

    first: int
    last: int
    sku: str = ""
    own: str = ""


NO_CODE = Code(0, 0)


class Coded(Protocol):
    """A product by what it is known by."""

    @property
    def sku(self) -> str:
        """Return its SKU."""

    @property
    def ean(self) -> str | None:
        """Return its EAN."""


def code_key(code: str) -> str:
    """Return a SKU, EAN or own code without signs between its letters and digits, in small Latin
    letters.
    """
    return "".join(sign for sign in fold(code).translate(FOREIGN_LETTERS) if sign.isalnum())


class Codes:
    """What codes mean, however they are spelled: with other signs between, in small letters, or
    another script's.

    A code as it is kept means that one. Else a SKU, with or without the zeros in front of it, goes
    before the company's own code, and that before an EAN; what may be several products' is asked,
    unless the company has said which.
    """

    def __init__(self, rows: Iterable[Coded], words: Mapping[str, str]) -> None:
        """Take products, and the company's `words` for them, of which those with a
        digit are codes.
        """
        rows, own = list(rows), _own_codes(words)
        self.exact = _by_key((fold(code), sku) for code, sku in own) | {
            fold(row.sku): {row.sku} for row in rows
        }
        called, skus = _by_key((code_key(code), sku) for code, sku in own), _by_sku(rows)
        sure = {key: meant for key, meant in skus.items() if len(meant) == 1}
        self.by_key = _by_ean(rows) | skus | called | sure

    def meant(self, code: str) -> Collection[str]:
        """Return the SKUs that a code may mean."""
        written, key = fold(code), code_key(code)
        if written in self.exact:
            return self.exact[written]
        return self.by_key.get(key, frozenset()) if written == key or is_code(code) else frozenset()


def is_code(code: str) -> bool:
    """Return whether signs may be left out of what is written: of `AUR GY025`, not of `12.50`,
    `10-20` or a name.
    """
    key = code_key(code)
    if key.isdigit():
        return len(key) >= FEWEST_DIGITS and not MARKS.search(code)
    return (
        len(key) >= SHORTEST_CODE and any(map(str.isdigit, key)) and len(code.split()) <= MOST_PARTS
    )


def may_be_several(code: str, skus: Sequence[str]) -> str:
    """Return the question which of several products a code means."""
    return f"{code} may be {', '.join(skus[:-1])} or {skus[-1]}: which product is meant?"


def _own_codes(words: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return those of a company's words that are codes: they have a digit."""
    return [(code, sku) for code, sku in words.items() if any(map(str.isdigit, code))]


def _by_ean(rows: Sequence[Coded]) -> dict[str, set[str]]:
    return _by_key((row.ean, row.sku) for row in rows if row.ean)


def _by_sku(rows: Sequence[Coded]) -> dict[str, set[str]]:
    """Return SKUs by their keys, and by those without the zeros in front, which another SKU may
    have as its own.
    """
    zeros = [row.sku for row in rows if row.sku.startswith("0") and row.sku.isdigit()]
    return _by_key((code_key(sku).lstrip("0"), sku) for sku in zeros) | _by_key(
        (code_key(row.sku), row.sku) for row in rows
    )


def _by_key(pairs: Iterable[tuple[str, str]]) -> dict[str, set[str]]:
    """Return by each key all SKUs that have it."""
    found: dict[str, set[str]] = {}
    for key, sku in pairs:
        found.setdefault(key, set()).add(sku)
    return found


def known_codes(tokens: Sequence[Token], codes: Codes) -> list[Code]:
    """Return the codes among tokens; of several products one is the company's own: it is asked
    which it means.
    """
    found, first = [], 0
    while first < len(tokens):
        known = _code_at(tokens, first, codes)
        if known:
            found.append(known)
        first = known.last if known else first + 1
    return found


def _code_at(tokens: Sequence[Token], first: int, codes: Codes) -> Code | None:
    """Return the code that begins here, as long as it can be: what is written together goes before
    words apart.
    """
    if not tokens[first].word[:1].isalnum():
        return None
    together = _end_of_run(tokens, first)
    longest = min(first + LONGEST_CODE, len(tokens))
    for last in (*range(min(together, longest), first, -1), *range(longest, together, -1)):
        written = _written(tokens[first:last])
        skus = codes.meant(written) if written[-1].isalnum() else ()
        if len(skus) == 1:
            return Code(first, last, sku=next(iter(skus)))
        if skus:
            return Code(first, last, own=written.upper())
    return None


def _written(tokens: Sequence[Token]) -> str:
    """Return tokens as they are written, one space for what parts them."""
    gaps = [" " if one.end < other.start else "" for one, other in pairwise(tokens)]
    return "".join(token.word + gap for token, gap in zip(tokens, [*gaps, ""], strict=True))


def own_code(tokens: Sequence[Token]) -> Code:
    """Return what looks like a code of the company's own: HB-101, or A11 and an EAN where a clause
    begins with it.
    """
    for first in range(len(tokens)):
        last = _end_of_run(tokens, first)
        together = "".join(token.word for token in tokens[first:last])
        if OWN_CODE.fullmatch(together) or (
            first == 0 and _is_code_in_front(tokens[0].word, together)
        ):
            return Code(first, last, own=together.upper())
    return NO_CODE


def _end_of_run(tokens: Sequence[Token], first: int) -> int:
    """Return the place behind the tokens that are written together from the first on."""
    last = first + 1
    while last < len(tokens) and tokens[last - 1].end == tokens[last].start:
        last += 1
    return last


def _is_code_in_front(word: str, together: str) -> bool:
    if together.isdigit() and len(together) in EAN_LENGTHS:
        return True
    return word not in NO_CODES and SHORT_CODE.fullmatch(together) is not None
