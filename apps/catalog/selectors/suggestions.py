"""What is suggested while somebody types into the search: brands, and products that have every word
so far.

Of the products that are found, 1,000 at most are put in order, so that a common word costs no more
than a rare one.
"""

from django.db.models import Q, QuerySet

from apps.accounts.selectors import Buyer
from apps.catalog.models import Brand, Product
from apps.catalog.rules import searchable
from apps.catalog.selectors.search import with_word, words_wanted
from apps.catalog.selectors.shown import brands_of, shown_to_buyer
from apps.common.types import Json

MOST_BRANDS, MOST_PRODUCTS = 3, 6
MOST_FOUND = 1_000
SHORTEST = 3  # letters of a word from which on something is suggested


def suggestions(*, buyer: Buyer, search: str) -> Json:
    """Return at most 3 brands and 6 products that the buyer sees, in two statements; none below
    three letters.
    """
    words = words_wanted(search)
    if max(map(len, words), default=0) < SHORTEST:
        return {"success": 1, "brands": [], "products": []}
    return {
        "success": 1,
        "brands": [{"brand_id": brand.pk, "eng": brand.eng} for brand in _brands(buyer, words)],
        "products": [
            {
                "sku": product.sku,
                "eng_name": product.eng_name,
                "brand": product.brand.eng,
                "image": product.image,
            }
            for product in _products(buyer, words)
        ],
    }


def _brands(buyer: Buyer, words: list[str]) -> QuerySet[Brand]:
    has_all = Q(*(Q(search_text__contains=searchable(word) or word) for word in words))
    return (
        brands_of(buyer)
        .filter(product_count__gt=0)
        .filter(has_all)
        .order_by("list_key")[:MOST_BRANDS]
    )


def _products(buyer: Buyer, words: list[str]) -> QuerySet[Product]:
    has_all = Q(*(with_word(word) for word in words))
    some = Product.objects.filter(shown_to_buyer(buyer), has_all).order_by()[:MOST_FOUND]
    products = Product.objects.filter(pk__in=some.values("pk")).select_related("brand")
    return products.order_by("sort_key")[:MOST_PRODUCTS]
