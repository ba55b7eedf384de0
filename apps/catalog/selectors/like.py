"""What a buyer may have meant whose search found nothing: each word as it is typed, or with one
letter mended.

At 1,000,000 products of 20,000 words, on PostgreSQL, it takes 5 to 50 ms: the words of all names
are a small table, looked at by its key for all that one letter makes of what was typed, and so are
the SKUs; products of the mended words are found by the trigrams' index.
"""
# ruff: noqa: S608 - constant fragments are joined together; every value travels as a parameter

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from apps.accounts.selectors import Buyer
from apps.catalog.rules import singular
from apps.catalog.selectors.products import (
    COLUMNS,
    LISTED,
    PRODUCTS,
    BrandRow,
    Part,
    ProductRow,
    all_of,
    column_values,
    one_of,
    product_json,
    visible_to,
)
from apps.catalog.selectors.search import named, words_wanted
from apps.catalog.words import LONGEST, SHORTEST, SKU_SIGNS, one_letter_off
from apps.common.db.rows import containing, fetch_all
from apps.common.types import Json

MOST_BRANDS, MOST_PRODUCTS = 5, 20
MOST_FOUND = 1_000  # products that are put in order
MOST_MENDED = 5  # words that one typed word may stand for


class KnownWord(NamedTuple):
    """A word of some product's or brand's name."""

    word: str


def products_like(*, buyer: Buyer, search: str, now: datetime) -> Json:
    """Return brands and products that are called almost like what was searched for, in three
    statements.

    A product has every word, as typed or with one letter mended, in its name, SKU or brand; a brand
    has one of them.
    """
    mended = _mended(words_wanted(search))
    if not mended:
        return {"success": 1, "brands": [], "products": []}
    return {
        "success": 1,
        "brands": [{"brand_id": brand.id, "eng": brand.eng} for brand in _brands(buyer, mended)],
        "products": [
            product_json(product, stock_free=buyer.stock_free)
            for product in _products(buyer, mended, now=now)
        ],
    }


def _mended(words: Sequence[str]) -> Mapping[str, list[str]]:
    """Return by each typed word what it may mean: itself, and the known words that differ by one
    letter.
    """
    near = {
        word: one_letter_off(word) if SHORTEST <= len(word) <= LONGEST else set() for word in words
    }
    asked = set().union(*near.values()) if near else set()
    found = _known(asked) if asked else []
    return {
        word: [word, *[singular(one) for one in found if one in near[word]][:MOST_MENDED]]
        for word in words
    }


def _known(words: Iterable[str]) -> list[str]:
    """Return which of these words are known, the longest first."""
    named = one_of("word", sorted(words))
    rows = fetch_all(
        KnownWord, f"SELECT word FROM catalog_searchword WHERE {named.sql}", named.values
    )
    return sorted((row.word for row in rows), key=lambda word: (-len(word), word))


def _any_of(parts: Sequence[Part]) -> Part:
    values = tuple(value for part in parts for value in part.values)
    return Part(f"({' OR '.join(part.sql for part in parts)})", values)


def _brands(buyer: Buyer, mended: Mapping[str, Sequence[str]]) -> list[BrandRow]:
    meant = {one for ones in mended.values() for one in ones if len(one) >= SHORTEST}
    likes = [Part("b.list_key LIKE %s ESCAPE '\\'", (containing(one),)) for one in sorted(meant)]
    if not likes:
        return []
    condition = all_of(
        [_any_of(likes), Part("b.product_count > 0"), visible_to(buyer, "b.id", each=True)]
    )
    sql = f"SELECT b.id, b.eng FROM catalog_brand b WHERE {condition.sql} ORDER BY b.list_key LIMIT {MOST_BRANDS}"
    return fetch_all(BrandRow, sql, condition.values)


def _products(
    buyer: Buyer, mended: Mapping[str, Sequence[str]], *, now: datetime
) -> list[ProductRow]:
    where = [_any_of([*map(named, ones), *_skus_like(word)]) for word, ones in mended.items()]
    condition = all_of([Part(LISTED), *where, visible_to(buyer, "p.brand_id")])
    sql = f"""WITH found AS MATERIALIZED (SELECT p.id, p.sort_key FROM catalog_product p
      WHERE {condition.sql} LIMIT {MOST_FOUND})
     SELECT {COLUMNS} FROM {PRODUCTS}
     WHERE p.id IN (SELECT id FROM found ORDER BY sort_key LIMIT {MOST_PRODUCTS}) ORDER BY p.sort_key"""
    return fetch_all(ProductRow, sql, (*condition.values, *column_values(buyer, now)))


def _skus_like(word: str) -> list[Part]:
    """Return the condition that a SKU differs by one sign; what has no digit is a word,
    not a SKU.
    """
    if not any(sign.isdigit() for sign in word) or len(word) > LONGEST:
        return []
    return [one_of("p.sku", sorted(one_letter_off(word.upper(), SKU_SIGNS)))]
