"""What is suggested while somebody types into the search: brands, and products that have every word
so far.

Of the products that are found, 1,000 at most are put in order, so that a common word costs no more
than a rare one.
"""
# ruff: noqa: S608 - constant fragments are joined together; every value travels as a parameter

from typing import NamedTuple

from apps.accounts.selectors import Buyer
from apps.catalog.rules import searchable
from apps.catalog.selectors.products import LISTED, PRODUCTS, BrandRow, Part, all_of, visible_to
from apps.catalog.selectors.search import named, words_wanted
from apps.common.db.rows import containing, fetch_all
from apps.common.types import Json

MOST_BRANDS, MOST_PRODUCTS = 3, 6
MOST_FOUND = 1_000
SHORTEST = 3  # letters of a word from which on something is suggested


class SuggestedRow(NamedTuple):
    """A product by what it is recognised."""

    sku: str
    eng_name: str
    brand: str
    image: str


def suggestions(*, buyer: Buyer, search: str) -> Json:
    """Return at most 3 brands and 6 products that the buyer sees, in two statements; none below
    three letters.
    """
    words = words_wanted(search)
    if max(map(len, words), default=0) < SHORTEST:
        return {"success": 1, "brands": [], "products": []}
    return {
        "success": 1,
        "brands": [{"brand_id": brand.id, "eng": brand.eng} for brand in _brands(buyer, words)],
        "products": [product._asdict() for product in _products(buyer, words)],
    }


def _brands(buyer: Buyer, words: list[str]) -> list[BrandRow]:
    like = "b.search_text LIKE %s ESCAPE '\\'"
    likes = [Part(like, (containing(searchable(word) or word),)) for word in words]
    condition = all_of([*likes, Part("b.product_count > 0"), visible_to(buyer, "b.id", each=True)])
    sql = f"SELECT b.id, b.eng FROM catalog_brand b WHERE {condition.sql} ORDER BY b.list_key LIMIT {MOST_BRANDS}"
    return fetch_all(BrandRow, sql, condition.values)


def _products(buyer: Buyer, words: list[str]) -> list[SuggestedRow]:
    condition = all_of([Part(LISTED), *map(named, words), visible_to(buyer, "p.brand_id")])
    sql = f"""WITH found AS MATERIALIZED (SELECT p.id, p.sort_key FROM catalog_product p
      WHERE {condition.sql} LIMIT {MOST_FOUND})
     SELECT p.sku, p.eng_name, b.eng AS brand, p.image FROM {PRODUCTS}
     WHERE p.id IN (SELECT id FROM found ORDER BY sort_key LIMIT {MOST_PRODUCTS}) ORDER BY p.sort_key"""
    return fetch_all(SuggestedRow, sql, condition.values)
