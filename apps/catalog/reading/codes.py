"""The codes of a message: SKUs, EANs, and what a company calls products by a code of its own. Pure functions."""

import re
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from apps.catalog.reading.candidates import Row
from apps.catalog.reading.words import Token, fold
from apps.catalog.rules import EAN_LENGTHS

LONGEST_CODE = 7  # tokens
FOREIGN_LETTERS = str.maketrans("авсенкмортхуі", "abcehkmoptxyi")  # that look like Latin ones
OWN_CODE = re.compile(r"[^\W\d_]{1,5}-[^\W_]*\d[^\W_]*")
SHORT_CODE = re.compile(r"[a-z]{1,3}\d{2,5}")
NO_CODES = frozenset(("x", "spf", "pa", "no", "n", "po", "pi", "nr", "usd"))


class Code(NamedTuple):
    """A code in the tokens from `first` up to `last`, without it: the SKU it means, or one of the company's own."""

    first: int
    last: int
    sku: str = ""
    own: str = ""


NO_CODE = Code(0, 0)


def code_key(code: str) -> str:
    """Return a SKU, EAN or own code without signs between its letters and digits, in small Latin letters."""
    return "".join(sign for sign in fold(code).translate(FOREIGN_LETTERS) if sign.isalnum())


def meant_by_codes(rows: Collection[Row], words: Mapping[str, str]) -> dict[str, str]:
    """Return the SKU that each key certainly means.

    A SKU, with or without the zeros in front of it, goes before the company's own code, that before an EAN; an EAN that
    several products have means none.
    """
    own = {code_key(code): sku for code, sku in words.items() if any(map(str.isdigit, code))}
    bare = {code_key(row.sku).lstrip("0"): row.sku for row in rows if row.sku.startswith("0") and row.sku.isdigit()}
    return {**_by_ean(rows), **own, **bare, **{code_key(row.sku): row.sku for row in rows}}


def _by_ean(rows: Collection[Row]) -> dict[str, str]:
    skus: dict[str, list[str]] = {}
    for row in rows:
        if row.ean:
            skus.setdefault(row.ean, []).append(row.sku)
    return {ean: having[0] for ean, having in skus.items() if len(having) == 1}


def known_codes(tokens: Sequence[Token], codes: Mapping[str, str]) -> list[Code]:
    """Return the codes among tokens, each as long as it can be; `codes` are those that mean a SKU, by their keys."""
    found, first = [], 0
    while first < len(tokens):
        sizes = range(min(LONGEST_CODE, len(tokens) - first), 0, -1)
        runs = (("".join(token.word for token in tokens[first : first + size]), size) for size in sizes)
        known = next(((codes[key], size) for run, size in runs if (key := code_key(run)) in codes), None)
        if known and tokens[first].word[:1].isalnum():
            found.append(Code(first, first + known[1], sku=known[0]))
        first += known[1] if known else 1
    return found


def own_code(tokens: Sequence[Token]) -> Code:
    """Return what looks like a code of the company's own: HB-101, or A11 and an EAN where a clause begins with it."""
    for first in range(len(tokens)):
        last = _end_of_run(tokens, first)
        together = "".join(token.word for token in tokens[first:last])
        if OWN_CODE.fullmatch(together) or (first == 0 and _is_code_in_front(tokens[0].word, together)):
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
