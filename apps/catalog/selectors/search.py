"""What a search finds: products that have every word in their name, SKU or brand, or as the end of
their EAN.
"""

from django.db.models import Q

from apps.catalog.rules import end_of_ean, search_words, searchable, singular
from apps.catalog.selectors.products import Part
from apps.common.db.rows import containing

MAX_SEARCH_WORDS = 10


def words_wanted(search: str) -> list[str]:
    """Return the words of a search, a plural as its singular, which the plural holds too."""
    return [singular(word) for word in search_words(search)[:MAX_SEARCH_WORDS]]


def products_with(search: str, product: str = "") -> Q:
    """Return the condition that a product has every word of a search; `product` leads to it, as
    `product__`.
    """
    return Q(*(with_word(word, product) for word in words_wanted(search)))


def with_word(word: str, product: str = "") -> Q:
    """Return the condition that a product has this word."""
    stands = Q((f"{product}search_text__contains", searchable(word) or word))
    ean = end_of_ean(word)
    return stands | Q((f"{product}ean__endswith", ean)) if ean else stands


def named(word: str) -> Part:
    """Return the condition of `with_word` as SQL, on `catalog_product p`."""
    stands = Part("p.search_text LIKE %s ESCAPE '\\'", (containing(searchable(word) or word),))
    ean = end_of_ean(word)
    return Part(f"({stands.sql} OR p.ean LIKE %s)", (*stands.values, f"%{ean}")) if ean else stands
