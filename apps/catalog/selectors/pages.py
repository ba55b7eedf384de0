"""Pages of products. First pages alone tell a total: what is searched or filtered is counted up to 10,000."""
# ruff: noqa: S608 - constant fragments are joined together; every value travels as a parameter

import base64
import binascii
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.db import connection

from apps.accounts.selectors import Buyer
from apps.catalog.models import Running
from apps.catalog.rules import ean_of, singular
from apps.catalog.selectors.products import (
    COLUMNS,
    LISTED,
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
from apps.common.lists import MOST_COUNTED
from apps.common.types import Json

PAGE_SIZE = 50
ALL_BRANDS = 0
MAX_SEARCH_WORDS = 10
FAR = 10_000  # products of the order of a list that a search for a common word goes through before it finds all

# A page of all that a company with restricted brands sees, brand after brand: the order of all products would lead past
# every product of the brands between. With IN the planner knows how many brands there are, and stops at a page's end
# instead of sorting what all of them have.
BY_BRAND = f"""
SELECT {COLUMNS}, {{total}} AS total
FROM (SELECT id, eng, list_key FROM catalog_brand WHERE id IN ({OWN_BRANDS}) AND list_key >= %s) b
CROSS JOIN LATERAL (SELECT * FROM catalog_product p WHERE brand_id = b.id AND sort_key > %s AND {LISTED}
 ORDER BY sort_key LIMIT {PAGE_SIZE + 1}) p
ORDER BY b.list_key, p.sort_key LIMIT {PAGE_SIZE + 1}"""
NO_TOTAL = Part("NULL")
# The default order has an index and pages that begin after a product; the others are cut by their number.
ORDERS = {"": "p.sort_key", "name": "LOWER(p.eng_name), p.id", "price": "usd_supply, p.id", "new": "p.id DESC"}
IN_STOCK = Part("EXISTS (SELECT 1 FROM catalog_stock s WHERE s.product_id = p.id AND s.on_hand > s.allocated)")
ON_SALE = Part(f"p.is_running = {Running.ON_SALE:d}")


@dataclass(frozen=True)
class WantedProducts:
    """Which products of a list are wanted, and in which order: by brand and name, or as `sort` says."""

    search: str = ""
    sort: str = ""
    in_stock: bool = False
    on_sale: bool = False
    promotion: bool = False


EVERYTHING = WantedProducts()


def product_page(
    *,
    buyer: Buyer,
    brand_id: int = ALL_BRANDS,
    page: int = 1,
    after: str = "",
    wanted: WantedProducts = EVERYTHING,
    now: datetime,
) -> Json:
    """Return 50 products of a brand, or of all the buyer sees (api.md, Product ordering).

    `after` is the `next` of the page before and wins over `page`; a search keeps products that have every word in
    their name, SKU or brand. One statement; an empty page of a brand asks in another whether there is such a brand.

    Raises:
        NotFound: the brand does not exist for this buyer.
        Invalid: `after` is not one of ours.
    """
    narrowed = _narrowed(wanted, now)
    plain = not narrowed and not wanted.sort
    if brand_id == ALL_BRANDS and plain and (after or page == 1) and _reads_by_brand(buyer):
        rows = _brand_by_brand(buyer=buyer, after=after, now=now)
        return _answer(rows, buyer=buyer, page=page, after=after)
    where = [visible_to(buyer, "p.brand_id"), *narrowed]
    if brand_id != ALL_BRANDS:
        where.append(Part("p.brand_id = %s", (brand_id,)))
    total = _counted(where) if narrowed else _total_of_brands(buyer, brand_id)
    rows = _rows(where=where, total=total, page=page, after=after, wanted=wanted, now=now)
    if not rows and brand_id != ALL_BRANDS:
        _check_brand(buyer, brand_id)
    return _answer(rows, buyer=buyer, page=page, after=after, sort=wanted.sort, most=MOST_COUNTED if narrowed else None)


def promotion_page(
    *, buyer: Buyer, page: int = 1, after: str = "", wanted: WantedProducts = EVERYTHING, now: datetime
) -> Json:
    """Return 50 of the products in a running promotion that the buyer sees.

    Raises:
        Invalid: `after` is not one of ours.
    """
    where = [visible_to(buyer, "p.brand_id"), *_narrowed(replace(wanted, promotion=True), now)]
    rows = _rows(where=where, total=_counted(where), page=page, after=after, wanted=wanted, now=now)
    return _answer(rows, buyer=buyer, page=page, after=after, sort=wanted.sort, most=MOST_COUNTED)


def _narrowed(wanted: WantedProducts, now: datetime) -> list[Part]:
    """Return the conditions that keep what is wanted; none where all products are."""
    where = [named(word) for word in words_wanted(wanted.search)]
    if wanted.promotion:
        where.append(Part(f"p.id IN (SELECT i.product_id FROM {RUNNING})", (at(now), at(now))))
    if wanted.on_sale:
        where.append(ON_SALE)
    if wanted.on_sale or wanted.in_stock:
        where.append(IN_STOCK)
    return where


def named(word: str) -> Part:
    """Return the condition that a word stands in a product's name, SKU or brand, or is its EAN."""
    stands = Part("p.search_text LIKE %s ESCAPE '\\'", (containing(word),))
    ean = ean_of(word)
    return Part(f"({stands.sql} OR p.ean = %s)", (*stands.values, ean)) if ean else stands


def words_wanted(search: str) -> list[str]:
    """Return the words of a search, a plural as its singular, which the plural holds too."""
    return [singular(word) for word in search.lower().split()[:MAX_SEARCH_WORDS]]


def _counted(where: Sequence[Part]) -> Part:
    """Return the number of these products; one more than are counted stands for all that are more."""
    condition = all_of([Part(LISTED), *where])
    some = f"SELECT 1 FROM catalog_product p WHERE {condition.sql} LIMIT {MOST_COUNTED + 1}"
    return Part(f"(SELECT COUNT(*) FROM ({some}) counted)", condition.values)


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


def _rows(
    *, where: Sequence[Part], total: Part, page: int, after: str, wanted: WantedProducts, now: datetime
) -> list[ProductRow]:
    """Return the products of a page, and one more where more follow; the first page alone asks for the total."""
    first = page == 1 and not after
    if wanted.sort and after:
        page, after = _page_of(after), ""
    place = Part("p.sort_key > %s", (_key_of(after),)) if after else Part("1 = 1")
    condition = all_of([Part(LISTED), *where, *([place] if after else [])])
    # Left out where it is zero: with an unknown OFFSET, PostgreSQL plans the statement anew at each call.
    cut = Part("") if page == 1 or after else Part("OFFSET %s", ((page - 1) * PAGE_SIZE,))
    cut = Part(f"ORDER BY {ORDERS[wanted.sort]} LIMIT {PAGE_SIZE + 1} {cut.sql}", cut.values)
    if wanted.search.strip():
        if not wanted.sort and (first or after):
            return _found_some(condition=condition, place=place, cut=cut, now=now)
        return _found(condition=condition, cut=cut, sort=wanted.sort, now=now)
    total = total if first else NO_TOTAL
    sql = f"SELECT {COLUMNS}, {total.sql} AS total FROM {PRODUCTS} WHERE {condition.sql} {cut.sql}"
    return fetch_all(ProductRow, sql, (*[at(now)] * TIMES, *total.values, *condition.values, *cut.values))


def _found_some(*, condition: Part, place: Part, cut: Part, now: datetime) -> list[ProductRow]:
    """Return the products of a page that a search finds, in the list's order.

    Where there are more than are counted, a page is soon full in the list's order (at 1,000,000 products: 8 ms of a
    word of all, 50 of 50,000), unless they stand together at its end, like those of a brand: then all are found.
    """
    rows = _found(condition=condition, cut=cut, now=now, most=MOST_COUNTED + 1)
    if not rows or (rows[0].total or 0) <= MOST_COUNTED:
        return rows
    sql = f"""SELECT {COLUMNS}, {MOST_COUNTED + 1} AS total
     FROM (SELECT * FROM catalog_product p WHERE {place.sql} ORDER BY p.sort_key LIMIT {FAR}) p
     JOIN catalog_brand b ON b.id = p.brand_id WHERE {condition.sql} {cut.sql}"""
    rows = fetch_all(ProductRow, sql, (*[at(now)] * TIMES, *place.values, *condition.values, *cut.values))
    return rows if len(rows) > PAGE_SIZE else _found(condition=condition, cut=cut, now=now)


def _found(*, condition: Part, cut: Part, now: datetime, sort: str = "", most: int = 0) -> list[ProductRow]:
    """Return the products of a page that a search finds, all of which, or `most` of them, are found first, and counted.

    Left alone, PostgreSQL goes through the list's order until a page is full: at 1,000,000 products a word of none
    takes 2 to 6 s so, and 1 ms by the trigrams; a word of 256 products takes 5 ms, of 6,000 40, of 50,000 190,
    of all 740.
    """
    inner, outer = (Part(""), cut) if sort else (cut, Part(f"ORDER BY {ORDERS[sort]}"))
    found = f"SELECT p.id, p.sort_key FROM catalog_product p WHERE {condition.sql} {f'LIMIT {most}' if most else ''}"
    sql = f"""WITH found AS MATERIALIZED ({found})
     SELECT {COLUMNS}, (SELECT COUNT(*) FROM found) AS total FROM {PRODUCTS}
     WHERE p.id IN (SELECT p.id FROM found p {inner.sql}) {outer.sql}"""
    return fetch_all(ProductRow, sql, (*condition.values, *[at(now)] * TIMES, *inner.values, *outer.values))


def _reads_by_brand(buyer: Buyer) -> bool:
    return buyer.brands_restricted and connection.vendor == "postgresql"


def _brand_by_brand(*, buyer: Buyer, after: str, now: datetime) -> list[ProductRow]:
    key = _key_of(after) if after else ""
    brand, tab, _ = key.partition("\t")
    total = NO_TOTAL if after else _total_of_brands(buyer, ALL_BRANDS)
    values = (*[at(now)] * TIMES, *total.values, buyer.company_id, brand + tab, key)
    return fetch_all(ProductRow, BY_BRAND.format(total=total.sql), values)


def _answer(
    rows: list[ProductRow], *, buyer: Buyer, page: int, after: str, sort: str = "", most: int | None = None
) -> Json:
    """Return the answer of a page from its products, one more than a page where more follow; `most` are counted."""
    has_next = len(rows) > PAGE_SIZE
    total = (rows[0].total if rows else 0) if page == 1 and not after else None
    rows = rows[:PAGE_SIZE]
    return {
        "success": 1,
        "result": [product_json(row, stock_free=buyer.stock_free) for row in rows],
        "page": None if after else page,
        "has_next": has_next,
        "next": _cursor_of(_next_of(rows, page=page, after=after, sort=sort)) if has_next else None,
        "total": None if total is None else min(int(total), most or int(total)),
        "total_is_least": total is not None and most is not None and total > most,
    }


def _next_of(rows: list[ProductRow], *, page: int, after: str, sort: str) -> str:
    if sort:
        return str((_page_of(after) if after else page) + 1)
    return rows[-1].sort_key


def _page_of(after: str) -> int:
    key = _key_of(after)
    if not (key.isascii() and key.isdigit() and len(key) < 8):
        raise Invalid(errors={"after": ["Not a place in this list."]})
    return int(key)


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
