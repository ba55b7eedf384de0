"""Pages of products. First pages alone tell a total: what is searched or filtered is counted up to
10,000.
"""
# ruff: noqa: S608 - constant fragments are joined together; every value travels as a parameter

import base64
import binascii
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.db import connection

from apps.accounts.selectors import Buyer
from apps.catalog.models import Running
from apps.catalog.selectors.products import (
    COLUMNS,
    LISTED,
    OFFERED,
    OWN_BRANDS,
    PRODUCTS,
    RUNNING,
    BrandRow,
    Part,
    ProductRow,
    all_of,
    at,
    column_values,
    product_json,
    visible_to,
)
from apps.catalog.selectors.search import named, words_wanted
from apps.common.db.rows import fetch_all
from apps.common.errors import Invalid, NotFound
from apps.common.lists import MOST_COUNTED
from apps.common.types import Json

PAGE_SIZE = 50
ALL_BRANDS = 0
# Products of the order of a list that a search for a common word goes through before it finds all
FAR = 10_000

# A page of all that a company with restricted brands sees, brand after brand: the order of all
# products would lead past every product of the brands between. With IN the planner knows how many
# brands there are, and stops at a page's end instead of sorting what all of them have.
BY_BRAND = f"""
SELECT {COLUMNS}, {{total}} AS total
FROM (SELECT id, eng, list_key FROM catalog_brand WHERE id IN ({OWN_BRANDS})
AND list_key >= %s {{nearest}}) b
CROSS JOIN LATERAL (SELECT * FROM catalog_product p WHERE brand_id = b.id AND sort_key > %s
AND {{condition}}
 ORDER BY sort_key LIMIT {PAGE_SIZE + 1}) p
ORDER BY b.list_key, p.sort_key LIMIT {PAGE_SIZE + 1}"""
NEAREST_BRANDS = (
    "ORDER BY list_key LIMIT 5"  # where a search for a common word looks before it finds all
)
NO_TOTAL = Part("NULL")
# The default order has an index and pages that begin after a product; the others are cut by their
# number.
ORDERS = {
    "": "p.sort_key",
    "name": "LOWER(p.eng_name), p.id",
    "price": "usd_supply, p.id",
    "new": "p.id DESC",
}
# What is held for the buyer's company is there for it. Asked beside the pieces it leaves the plan
# as it is: at 200,000 products 9,250 blocks a page with 200 offers or none; asked beside the
# products, 38,000.
IN_STOCK = f"""EXISTS (SELECT 1 FROM catalog_stock s WHERE s.product_id = p.id
 AND (s.on_hand > s.allocated OR s.product_id IN (SELECT w.product_id FROM orders_wish w
 WHERE {OFFERED})))"""
ON_SALE = Part(f"p.is_running = {Running.ON_SALE:d}")


@dataclass(frozen=True)
class WantedProducts:
    """Which products of a list are wanted, and in which order: by brand and name, or as `sort`
    says.
    """

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

    `after` is the `next` of the page before and wins over `page`; a search keeps products that have
    every word in their name, SKU or brand. One statement; an empty page of a brand asks in another
    whether there is such a brand.

    Raises:
        NotFound: the brand does not exist for this buyer.
        Invalid: `after` is not one of ours.
    """
    narrowed = _narrowed(wanted, buyer, now)
    is_all = brand_id == ALL_BRANDS and not narrowed and not wanted.sort
    if is_all and _reads_by_brand(buyer) and (after or page == 1):
        return _page_by_brand(buyer=buyer, page=page, after=after, now=now)
    where = [visible_to(buyer, "p.brand_id"), *narrowed, *_of_brand(brand_id)]
    total = _counted(where) if narrowed else _total_of_brands(buyer, brand_id)
    rows = _rows(
        buyer=buyer, where=where, total=total, page=page, after=after, wanted=wanted, now=now
    )
    if not rows:
        _check_brand(buyer, brand_id)
    return _answer(
        rows,
        buyer=buyer,
        page=page,
        after=after,
        sort=wanted.sort,
        most=MOST_COUNTED if narrowed else None,
    )


def _of_brand(brand_id: int) -> list[Part]:
    return [] if brand_id == ALL_BRANDS else [Part("p.brand_id = %s", (brand_id,))]


def _page_by_brand(*, buyer: Buyer, page: int, after: str, now: datetime) -> Json:
    """Return 50 of all products that a company with restricted brands sees."""
    total = NO_TOTAL if after else _total_of_brands(buyer, ALL_BRANDS)
    rows = _brand_by_brand(buyer=buyer, after=after, total=total, condition=Part(LISTED), now=now)
    return _answer(rows, buyer=buyer, page=page, after=after)


def promotion_page(
    *,
    buyer: Buyer,
    page: int = 1,
    after: str = "",
    wanted: WantedProducts = EVERYTHING,
    now: datetime,
) -> Json:
    """Return 50 of the products in a running promotion that the buyer sees.

    Raises:
        Invalid: `after` is not one of ours.
    """
    where = [
        visible_to(buyer, "p.brand_id"),
        *_narrowed(replace(wanted, promotion=True), buyer, now),
    ]
    rows = _rows(
        buyer=buyer,
        where=where,
        total=_counted(where),
        page=page,
        after=after,
        wanted=wanted,
        now=now,
    )
    return _answer(rows, buyer=buyer, page=page, after=after, sort=wanted.sort, most=MOST_COUNTED)


def _narrowed(wanted: WantedProducts, buyer: Buyer, now: datetime) -> list[Part]:
    """Return the conditions that keep what a buyer wants; none where all products are."""
    where = [named(word) for word in words_wanted(wanted.search)]
    if wanted.promotion:
        where.append(Part(f"p.id IN (SELECT i.product_id FROM {RUNNING})", (at(now), at(now))))
    if wanted.on_sale:
        where.append(ON_SALE)
    if wanted.on_sale or wanted.in_stock:
        where.append(Part(IN_STOCK, (buyer.company_id,)))
    return where


def _counted(where: Sequence[Part]) -> Part:
    """Return the number of these products; one more than are counted stands for all
    that are more.
    """
    condition = all_of([Part(LISTED), *where])
    some = f"SELECT 1 FROM catalog_product p WHERE {condition.sql} LIMIT {MOST_COUNTED + 1}"
    return Part(f"(SELECT COUNT(*) FROM ({some}) counted)", condition.values)


def _total_of_brands(buyer: Buyer, brand_id: int) -> Part:
    """Return the number of a brand's products, or of all the buyer sees, from the
    brands' counters.
    """
    own = Part("1 = 1") if brand_id == ALL_BRANDS else Part("b.id = %s", (brand_id,))
    condition = all_of([visible_to(buyer, "b.id", each=True), own])
    return Part(
        f"(SELECT SUM(b.product_count) FROM catalog_brand b WHERE {condition.sql})",
        condition.values,
    )


def _check_brand(buyer: Buyer, brand_id: int) -> None:
    """Refuse a brand that does not exist for a buyer.

    Raises:
        NotFound: it does not.
    """
    if brand_id == ALL_BRANDS:
        return
    visible = visible_to(buyer, "b.id")
    sql = f"SELECT b.id, b.eng FROM catalog_brand b WHERE b.id = %s AND {visible.sql}"
    if not fetch_all(BrandRow, sql, (brand_id, *visible.values)):
        raise NotFound


def _rows(
    *,
    buyer: Buyer,
    where: Sequence[Part],
    total: Part,
    page: int,
    after: str,
    wanted: WantedProducts,
    now: datetime,
) -> list[ProductRow]:
    """Return the products of a page, and one more where more follow; the first page alone asks for
    the total.
    """
    first = page == 1 and not after
    if wanted.sort and after:
        page, after = _page_of(after), ""
    condition = all_of([Part(LISTED), *where, *_behind(after)])
    cut = _cut(wanted.sort, 1 if after else page)
    if wanted.search.strip():
        if not wanted.sort and (first or after):
            return _found_some(buyer=buyer, condition=condition, after=after, cut=cut, now=now)
        return _found(buyer=buyer, condition=condition, cut=cut, sort=wanted.sort, now=now)
    total = total if first else NO_TOTAL
    sql = f"SELECT {COLUMNS}, {total.sql} AS total FROM {PRODUCTS} WHERE {condition.sql} {cut.sql}"
    return fetch_all(
        ProductRow, sql, (*column_values(buyer, now), *total.values, *condition.values, *cut.values)
    )


def _cut(sort: str, page: int) -> Part:
    """Return the order of a page, and where it begins and ends."""
    # Left out where it is zero: with an unknown OFFSET, PostgreSQL plans the statement anew at each
    # call.
    offset = Part("") if page == 1 else Part("OFFSET %s", ((page - 1) * PAGE_SIZE,))
    return Part(f"ORDER BY {ORDERS[sort]} LIMIT {PAGE_SIZE + 1} {offset.sql}", offset.values)


def _behind(after: str) -> list[Part]:
    return [_place(after)] if after else []


def _place(after: str) -> Part:
    return Part("p.sort_key > %s", (_key_of(after),)) if after else Part("1 = 1")


def _found_some(
    *, buyer: Buyer, condition: Part, after: str, cut: Part, now: datetime
) -> list[ProductRow]:
    """Return the products of a page that a search finds, in the list's order.

    Where there are more than are counted, a page is soon full in the list's order (at 1,000,000
    products: 8 ms of a word of all, 50 of 50,000), unless they stand together at its end, like
    those of a brand: then all are found. A company with restricted brands looks through its own
    brands: the list may begin with others' for long.
    """
    rows = _found(buyer=buyer, condition=condition, cut=cut, now=now, most=MOST_COUNTED + 1)
    if not rows or (rows[0].total or 0) <= MOST_COUNTED:
        return rows
    many = Part(str(MOST_COUNTED + 1))
    if _reads_by_brand(buyer):
        rows = _brand_by_brand(
            buyer=buyer,
            after=after,
            total=many,
            condition=condition,
            nearest=NEAREST_BRANDS,
            now=now,
        )
    else:
        place = _place(after)
        sql = f"""SELECT {COLUMNS}, {many.sql} AS total
         FROM (SELECT * FROM catalog_product p WHERE {place.sql} ORDER BY p.sort_key LIMIT {FAR}) p
         JOIN catalog_brand b ON b.id = p.brand_id WHERE {condition.sql} {cut.sql}"""
        rows = fetch_all(
            ProductRow,
            sql,
            (*column_values(buyer, now), *place.values, *condition.values, *cut.values),
        )
    return (
        rows
        if len(rows) > PAGE_SIZE
        else _found(buyer=buyer, condition=condition, cut=cut, now=now)
    )


def _found(
    *, buyer: Buyer, condition: Part, cut: Part, now: datetime, sort: str = "", most: int = 0
) -> list[ProductRow]:
    """Return the products of a page that a search finds, all of which, or `most` of them, are found
    first, and counted.

    Left alone, PostgreSQL goes through the list's order until a page is full: at 1,000,000 products
    a word of none takes 2 to 6 s so, and 1 ms by the trigrams; a word of 256 products takes 5 ms,
    of 6,000 40, of 50,000 190, of all 740.
    """
    inner, outer = (Part(""), cut) if sort else (cut, Part(f"ORDER BY {ORDERS[sort]}"))
    found = (
        f"SELECT p.id, p.sort_key FROM catalog_product p WHERE {condition.sql} "
        f"{f'LIMIT {most}' if most else ''}"
    )
    sql = f"""WITH found AS MATERIALIZED ({found})
     SELECT {COLUMNS}, (SELECT COUNT(*) FROM found) AS total FROM {PRODUCTS}
     WHERE p.id IN (SELECT p.id FROM found p {inner.sql}) {outer.sql}"""
    return fetch_all(
        ProductRow,
        sql,
        (*condition.values, *column_values(buyer, now), *inner.values, *outer.values),
    )


def _reads_by_brand(buyer: Buyer) -> bool:
    return buyer.brands_restricted and connection.vendor == "postgresql"


def _brand_by_brand(
    *, buyer: Buyer, after: str, total: Part, condition: Part, nearest: str = "", now: datetime
) -> list[ProductRow]:
    key = _key_of(after) if after else ""
    brand, tab, _ = key.partition("\t")
    values = (
        *column_values(buyer, now),
        *total.values,
        buyer.company_id,
        brand + tab,
        key,
        *condition.values,
    )
    sql = BY_BRAND.format(total=total.sql, condition=condition.sql, nearest=nearest)
    return fetch_all(ProductRow, sql, values)


def _answer(
    rows: list[ProductRow],
    *,
    buyer: Buyer,
    page: int,
    after: str,
    sort: str = "",
    most: int | None = None,
) -> Json:
    """Return the answer of a page from its products, one more than a page where more follow; `most`
    are counted.
    """
    has_next = len(rows) > PAGE_SIZE
    total = (int(rows[0].total or 0) if rows else 0) if page == 1 and not after else None
    rows = rows[:PAGE_SIZE]
    return {
        "success": 1,
        "result": [product_json(row, stock_free=buyer.stock_free) for row in rows],
        "page": None if after else page,
        "has_next": has_next,
        "next": _cursor_of(_next_of(rows, page=page, after=after, sort=sort)) if has_next else None,
        **_as_total(total, most),
    }


def _as_total(total: int | None, most: int | None) -> Json:
    """Return how many products there are, or that there are at least `most`."""
    if total is None or most is None:
        return {"total": total, "total_is_least": False}
    return {"total": min(total, most), "total_is_least": total > most}


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
        key = base64.b64decode(
            after + "=" * (-len(after) % 4), altchars=b"-_", validate=True
        ).decode()
    except (ValueError, binascii.Error) as error:
        raise Invalid(errors={"after": ["Not a place in this list."]}) from error
    if "\x00" in key:
        raise Invalid(errors={"after": ["Not a place in this list."]})
    return key
