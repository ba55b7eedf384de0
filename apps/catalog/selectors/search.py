"""What a search finds: products that have every word in their name, SKU or brand, or as the end of
their EAN; what is suggested while somebody types, and what one may have meant who found nothing.

Of the products that are found, 1,000 at most are put in order, so that a common word costs no more
than a rare one. What is almost like a word takes 1 to 350 ms at 1,000,000 products on PostgreSQL,
by the trigrams' index.
"""

from datetime import datetime
from functools import reduce
from operator import or_

from django.db.models import Q

from apps.accounts.selectors import Buyer
from apps.catalog.models import Product
from apps.catalog.rules import end_of_ean, search_words, searchable, singular
from apps.catalog.selectors.products import brands_of, product_json, products_by_id, shown_to_buyer
from apps.common.db.dialect import almost_like
from apps.common.db.rows import Part, containing
from apps.common.types import Json

SHORTEST = 3  # letters of a word
MAX_MATCHES = 1_000  # products that are put in order
BRANDS_SUGGESTED, PRODUCTS_SUGGESTED = 3, 6
BRANDS_LIKE, PRODUCTS_LIKE = 5, 20
MAX_SEARCH_WORDS = 10


def searched_words(search: str) -> list[str]:
    """Return the words of a search, a plural as its singular, which the plural holds too."""
    return [singular(word) for word in search_words(search)[:MAX_SEARCH_WORDS]]


def products_with(search: str) -> Q:
    """Return the condition that a product has every word of a search."""
    return Q(*(with_word(word) for word in searched_words(search)))


def with_word(word: str, product: str = "") -> Q:
    """Return the condition that a product has this word; `product` leads to it, as `product__`."""
    stands = Q((f"{product}search_text__contains", searchable(word) or word))
    ean = end_of_ean(word)
    return stands | Q((f"{product}ean__endswith", ean)) if ean else stands


def has_word_sql(word: str) -> Part:
    """Return the condition of `with_word` as SQL, on `catalog_product p`."""
    stands = Part("p.search_text LIKE %s ESCAPE '\\'", (containing(searchable(word) or word),))
    ean = end_of_ean(word)
    return Part(f"({stands.sql} OR p.ean LIKE %s)", (*stands.values, f"%{ean}")) if ean else stands


def suggestions(*, buyer: Buyer, search: str) -> Json:
    """Return at most 3 brands and 6 products that the buyer sees, in two statements; none below
    three letters.
    """
    words = searched_words(search)
    if max(map(len, words), default=0) < SHORTEST:
        return {"success": 1, "brands": [], "products": []}
    matching = Q(*(Q(search_text__contains=searchable(word) or word) for word in words))
    brands = brands_of(buyer).filter(matching, product_count__gt=0).order_by("list_key")
    has_all = products_with(search)
    some = Product.objects.filter(shown_to_buyer(buyer), has_all).order_by()[:MAX_MATCHES]
    products = Product.objects.filter(pk__in=some.values("pk")).select_related("brand")
    return {
        "success": 1,
        "brands": [{"brand_id": one.pk, "eng": one.eng} for one in brands[:BRANDS_SUGGESTED]],
        "products": [
            {
                "sku": product.sku,
                "eng_name": product.eng_name,
                "brand": product.brand.eng,
                "image": product.image,
            }
            for product in products.order_by("sort_key")[:PRODUCTS_SUGGESTED]
        ],
    }


def products_like(*, buyer: Buyer, search: str, now: datetime) -> Json:
    """Return brands and products that are called almost like what was searched for, the likest
    first, in three statements.

    A product has something like every word in its SKU, brand or name; a brand like one of them.
    """
    words = [word for word in map(searchable, searched_words(search)) if len(word) >= SHORTEST]
    if not words:
        return {"success": 1, "brands": [], "products": []}
    condition, likeness = almost_like("search_text", words)
    some = Product.objects.filter(shown_to_buyer(buyer), condition).order_by()[:MAX_MATCHES]
    likest = Product.objects.filter(pk__in=some.values("pk")).order_by(likeness.desc(), "sort_key")
    ids = list(likest.values_list("pk", flat=True)[:PRODUCTS_LIKE])
    rows = products_by_id(buyer=buyer, ids=ids, now=now)
    one_of_them = reduce(or_, (almost_like("search_text", [word])[0] for word in words))
    brands = brands_of(buyer).filter(one_of_them, product_count__gt=0)
    brands = brands.order_by(likeness.desc(), "list_key")[:BRANDS_LIKE]
    return {
        "success": 1,
        "brands": [{"brand_id": brand.pk, "eng": brand.eng} for brand in brands],
        "products": [
            product_json(rows[id_], stock_free=buyer.stock_free) for id_ in ids if id_ in rows
        ],
    }
