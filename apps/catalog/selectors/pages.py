"""Pages of products. First pages alone tell a total."""
# ruff: noqa: S608 - constant fragments are joined together; every value travels as a parameter

import base64
import binascii
from collections.abc import Sequence
from datetime import datetime

from django.db import connection

from apps.accounts.selectors import Buyer
from apps.catalog.selectors.products import (
    COLUMNS,
    OWN_BRANDS,
    PRODUCTS,
    RUNNING,
    TIMES,
    BrandRow,
    Part,
    ProductRow,
    all_of,
    at,
    product_json,
    visible_to,
)
from apps.common.db.rows import containing, fetch_all
from apps.common.errors import Invalid, NotFound
from apps.common.types import Json

PAGE_SIZE = 50
ALL_BRANDS = 0
MAX_SEARCH_WORDS = 10

# A page of all that a company with restricted brands sees, brand after brand: the order of all products would lead past
# every product of the brands between. With IN the planner knows how many brands there are, and stops at a page's end
# instead of sorting what all of them have.
BY_BRAND = f"""
SELECT {COLUMNS}, {{total}} AS total
FROM (SELECT id, eng, list_key FROM catalog_brand WHERE id IN ({OWN_BRANDS}) AND list_key >= %s) b
CROSS JOIN LATERAL (SELECT * FROM catalog_product WHERE brand_id = b.id AND sort_key > %s
 ORDER BY sort_key LIMIT {PAGE_SIZE + 1}) p
ORDER BY b.list_key, p.sort_key LIMIT {PAGE_SIZE + 1}"""
NO_TOTAL = Part("NULL")


def product_page(
    *,
    buyer: Buyer,
    brand_id: int = ALL_BRANDS,
    page: int = 1,
    after: str = "",
    search: str = "",
    now: datetime,
) -> Json:
    """Return 50 products of a brand, or of all the buyer sees (api.md, Product ordering).

    `after` is the `next` of the page before and wins over `page`; `search` keeps products that have every word in
    their name, SKU or brand. One statement; an empty page of a brand asks in another whether there is such a brand.

    Raises:
        NotFound: the brand does not exist for this buyer.
        Invalid: `after` is not one of ours.
    """
    words = _words_of(search)
    if brand_id != ALL_BRANDS:
        rows = _of_brand(brand_id, buyer=buyer, words=words, page=page, after=after, now=now)
    elif not words and (after or page == 1) and _reads_by_brand(buyer):
        rows = _brand_by_brand(buyer=buyer, after=after, now=now)
    else:
        where = [visible_to(buyer, "p.brand_id"), *_searched(words)]
        total = _counted(where) if words else _total_of_brands(buyer, ALL_BRANDS)
        rows = _rows(where=where, total=total, page=page, after=after, now=now)
    return _answer(rows, buyer=buyer, page=page, after=after)


def promotion_page(*, buyer: Buyer, page: int = 1, after: str = "", search: str = "", now: datetime) -> Json:
    """Return 50 of the products in a running promotion that the buyer sees.

    Raises:
        Invalid: `after` is not one of ours.
    """
    promoted = Part(f"p.id IN (SELECT i.product_id FROM {RUNNING})", (at(now), at(now)))
    where = [visible_to(buyer, "p.brand_id"), promoted, *_searched(_words_of(search))]
    rows = _rows(where=where, total=_counted(where), page=page, after=after, now=now)
    return _answer(rows, buyer=buyer, page=page, after=after)


def _of_brand(
    brand_id: int, *, buyer: Buyer, words: Sequence[str], page: int, after: str, now: datetime
) -> list[ProductRow]:
    """Return the products of a page of one brand.

    Raises:
        NotFound: the brand does not exist for this buyer.
    """
    where = [visible_to(buyer, "p.brand_id"), *_searched(words), Part("p.brand_id = %s", (brand_id,))]
    total = _counted(where) if words else _total_of_brands(buyer, brand_id)
    rows = _rows(where=where, total=total, page=page, after=after, now=now)
    if not rows:
        _check_brand(buyer, brand_id)
    return rows


def _words_of(search: str) -> list[str]:
    return search.lower().split()[:MAX_SEARCH_WORDS]


def _searched(words: Sequence[str]) -> list[Part]:
    return [Part("p.search_text LIKE %s ESCAPE '\\'", (containing(word),)) for word in words]


def _counted(where: Sequence[Part]) -> Part:
    condition = all_of(where)
    return Part(f"(SELECT COUNT(*) FROM catalog_product p WHERE {condition.sql})", condition.values)


def _total_of_brands(buyer: Buyer, brand_id: int) -> Part:
    """Return the number of a brand's products, or of all the buyer sees, from the brands' counters."""
    own = Part("1 = 1") if brand_id == ALL_BRANDS else Part("b.id = %s", (brand_id,))
    condition = all_of([visible_to(buyer, "b.id", each=True), own])
    return Part(f"(SELECT SUM(b.product_count) FROM catalog_brand b WHERE {condition.sql})", condition.values)


def _check_brand(buyer: Buyer, brand_id: int) -> None:
    """Refuse a brand that does not exist for a buyer.

    Raises:
        NotFound: it does not.
    """
    visible = visible_to(buyer, "b.id")
    sql = f"SELECT b.id, b.eng FROM catalog_brand b WHERE b.id = %s AND {visible.sql}"
    if not fetch_all(BrandRow, sql, (brand_id, *visible.values)):
        raise NotFound


def _rows(*, where: Sequence[Part], total: Part, page: int, after: str, now: datetime) -> list[ProductRow]:
    """Return the products of a page, and one more where more follow; the first page alone asks for the total."""
    if page > 1 or after:
        total = NO_TOTAL
    if after:
        where = [*where, Part("p.sort_key > %s", (_key_of(after),))]
    condition = all_of(where)
    # Left out where it is zero: with an unknown OFFSET, PostgreSQL plans the statement anew at each call.
    offset = Part("") if page == 1 or after else Part("OFFSET %s", ((page - 1) * PAGE_SIZE,))
    sql = f"""SELECT {COLUMNS}, {total.sql} AS total FROM {PRODUCTS} WHERE {condition.sql}
     ORDER BY p.sort_key LIMIT {PAGE_SIZE + 1} {offset.sql}"""
    return fetch_all(ProductRow, sql, (*[at(now)] * TIMES, *total.values, *condition.values, *offset.values))


def _reads_by_brand(buyer: Buyer) -> bool:
    return buyer.brands_restricted and connection.vendor == "postgresql"


def _brand_by_brand(*, buyer: Buyer, after: str, now: datetime) -> list[ProductRow]:
    key = _key_of(after) if after else ""
    brand, tab, _ = key.partition("\t")
    total = NO_TOTAL if after else _total_of_brands(buyer, ALL_BRANDS)
    values = (*[at(now)] * TIMES, *total.values, buyer.company_id, brand + tab, key)
    return fetch_all(ProductRow, BY_BRAND.format(total=total.sql), values)


def _answer(rows: list[ProductRow], *, buyer: Buyer, page: int, after: str) -> Json:
    """Return the answer of a page from its products, one more than a page where more follow."""
    has_next = len(rows) > PAGE_SIZE
    total = (rows[0].total if rows else 0) if page == 1 and not after else None
    rows = rows[:PAGE_SIZE]
    return {
        "success": 1,
        "result": [product_json(row, stock_free=buyer.stock_free) for row in rows],
        "page": None if after else page,
        "has_next": has_next,
        "next": _cursor_of(rows[-1].sort_key) if has_next else None,
        "total": None if total is None else int(total),
    }


def _cursor_of(sort_key: str) -> str:
    return base64.urlsafe_b64encode(sort_key.encode()).decode().rstrip("=")


def _key_of(after: str) -> str:
    try:
        key = base64.b64decode(after + "=" * (-len(after) % 4), altchars=b"-_", validate=True).decode()
    except (ValueError, binascii.Error) as error:
        raise Invalid(errors={"after": ["Not a place in this list."]}) from error
    if "\x00" in key:
        raise Invalid(errors={"after": ["Not a place in this list."]})
    return key
