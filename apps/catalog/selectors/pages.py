"""Pages of products. A page whose products were all written before is not written again (decision 0084)."""
# ruff: noqa: S608 - constant fragments are joined together; every value travels as a parameter

import base64
import binascii
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from operator import itemgetter
from typing import Any, NamedTuple

import orjson
from django.db import DEFAULT_DB_ALIAS, connection, connections

from apps.accounts.selectors import Buyer
from apps.catalog.selectors.products import (
    OWN_BRANDS,
    PRODUCTS,
    PROMOTION_PRICE,
    RUNNING,
    TIMES,
    Part,
    all_of,
    at,
    product_json,
    visible_to,
)
from apps.common.db.prepared import Row, fetch_all
from apps.common.errors import Invalid, NotFound
from apps.common.http.renderers import dumps
from apps.common.types import Json

PAGE_SIZE = 50
ALL_BRANDS = 0
MAX_SEARCH_WORDS = 10
# For each connection, and for buyers with and without stock limits; about a kilobyte each.
MOST_SHOWN = 4096

# What decides how a product is shown: its row, the row's version (on PostgreSQL, where it lies and who wrote it), its
# brand's name, its pieces and its promotion's price. The pieces by a subquery: before a join the planner would put a
# cache that is of no use.
VERSION = {"postgresql": "p.id, p.ctid, p.xmin", "sqlite": "NULL AS id, NULL AS ctid, NULL AS xmin"}
FACTS = f"""b.eng, COALESCE((SELECT s.on_hand - s.allocated FROM catalog_stock s WHERE s.product_id = p.id), 0) AS qty,
 CAST({PROMOTION_PRICE} AS double precision) AS promoted"""
REST = """p.sku, p.eng_name, p.brand_id, p.image, p.is_running, p.is_special,
 CAST(p.usd_price AS double precision) AS usd_price, CAST(p.usd_supply AS double precision) AS usd_supply,
 p.minimum, p.weight_g, p.sort_key"""
SEEN = itemgetter(slice(2, 8))  # of a row
SEEN_OF_PAGE = "page.id, page.ctid, page.xmin, page.eng, page.qty, page.promoted"

# A page of all that a company with restricted brands sees, brand after brand: the order of all products would lead past
# every product of the brands between. A page after the first needs no total. With IN the planner knows how many brands
# there are, and stops at a page's end instead of sorting what all of them have.
TOTAL_OF_BRANDS = """(SELECT SUM(counted.product_count) FROM catalog_brand counted
 JOIN catalog_brandaccess own ON own.brand_id = counted.id WHERE own.company_id = %s)"""
BY_BRAND = f"""
SELECT TRUE AS known, {{total}} AS total, {VERSION["postgresql"]}, {FACTS}{{rest}}
FROM (SELECT id, eng, list_key FROM catalog_brand WHERE id IN ({OWN_BRANDS}) AND list_key >= %s) b
CROSS JOIN LATERAL (SELECT ctid, xmin, {{product}} FROM catalog_product WHERE brand_id = b.id AND sort_key > %s
 ORDER BY sort_key LIMIT {PAGE_SIZE + 1}) p
ORDER BY b.list_key, p.sort_key LIMIT {PAGE_SIZE + 1}"""


class Statement(NamedTuple):
    """A page's statement in two forms: with what decides how its products are shown, and with all of them.

    Both return two columns of the list (whether it exists, its total) before those of each product.
    """

    seen: str
    whole: str


FIRST_BY_BRAND, NEXT_BY_BRAND = (
    Statement(
        BY_BRAND.format(total=total, product="id, sort_key", rest=""),
        BY_BRAND.format(total=total, product="*", rest=f", {REST}"),
    )
    for total in (TOTAL_OF_BRANDS, "NULL")
)


class Shown(NamedTuple):
    """A product as a page shows it: its JSON, and its place in the list."""

    json: orjson.Fragment
    sort_key: str


class Found(NamedTuple):
    """What a page's statement found."""

    is_known: bool
    total: int | None
    products: list[Shown]


def product_page(
    *,
    buyer: Buyer,
    brand_id: int = ALL_BRANDS,
    page: int = 1,
    after: str = "",
    search: str = "",
    now: datetime,
    seen_first: bool = False,
) -> Json:
    """Return 50 products of a brand, or of all the buyer sees (api.md, Product ordering); each is JSON already.

    `after` is the `next` of the page before and wins over `page`; `search` keeps products that have every word in
    their name, SKU or brand. One statement. With `seen_first` it asks at first only whether all products of the page
    are as they were when they were written before; where they are not, that makes two.

    Raises:
        NotFound: the brand does not exist for this buyer.
        Invalid: `after` is not one of ours.
    """
    words = search.lower().split()[:MAX_SEARCH_WORDS]
    if brand_id == ALL_BRANDS and not words and (after or page == 1) and _reads_by_brand(buyer):
        found = _brand_by_brand(buyer=buyer, after=after, now=now, seen_first=seen_first)
        return _answer(found, page=page, after=after)
    own = [visible_to(buyer, "p.brand_id")]
    known = Part("1 = 1")
    if brand_id != ALL_BRANDS:
        own.append(Part("p.brand_id = %s", (brand_id,)))
        visible = visible_to(buyer, "b.id")
        known = Part(
            f"EXISTS (SELECT 1 FROM catalog_brand b WHERE b.id = %s AND {visible.sql})",
            (brand_id, *visible.values),
        )
    if words:
        total = all_of(own + _searched(words))
        total = Part(f"SELECT COUNT(*) FROM catalog_product p WHERE {total.sql}", total.values)
    else:
        brands = [
            visible_to(buyer, "b.id", each=True),
            *([Part("b.id = %s", (brand_id,))] if brand_id != ALL_BRANDS else []),
        ]
        total = all_of(brands)
        total = Part(f"SELECT SUM(b.product_count) FROM catalog_brand b WHERE {total.sql}", total.values)
    return _page(
        buyer=buyer,
        where=own + _searched(words),
        known=known,
        total=total,
        page=page,
        after=after,
        now=now,
        seen_first=seen_first,
    )


def promotion_page(*, buyer: Buyer, page: int = 1, after: str = "", search: str = "", now: datetime) -> Json:
    """Return 50 of the products in a running promotion that the buyer sees; each is JSON already.

    Raises:
        Invalid: `after` is not one of ours.
    """
    promoted = Part(f"p.id IN (SELECT i.product_id FROM {RUNNING})", (at(now), at(now)))
    where = [visible_to(buyer, "p.brand_id"), promoted, *_searched(search.lower().split()[:MAX_SEARCH_WORDS])]
    total = all_of(where)
    total = Part(f"SELECT COUNT(*) FROM catalog_product p WHERE {total.sql}", total.values)
    return _page(buyer=buyer, where=where, known=Part("1 = 1"), total=total, page=page, after=after, now=now)


def _searched(words: Sequence[str]) -> list[Part]:
    def pattern(word: str) -> str:
        for special in "\\%_":
            word = word.replace(special, f"\\{special}")
        return f"%{word}%"

    return [Part("p.search_text LIKE %s ESCAPE '\\'", (pattern(word),)) for word in words]


def _page(
    *,
    buyer: Buyer,
    where: Sequence[Part],
    known: Part,
    total: Part,
    page: int,
    after: str,
    now: datetime,
    seen_first: bool = False,
) -> Json:
    first = page == 1 and not after
    if not first:
        total = Part("SELECT NULL")
    if after:
        where = [*where, Part("p.sort_key > %s", (_key_of(after),))]
    condition = all_of(where)
    # Left out where it is zero: with an unknown OFFSET, PostgreSQL plans the statement anew at each call.
    offset = Part("") if first or after else Part("OFFSET %s", ((page - 1) * PAGE_SIZE,))
    # One row more than a page tells whether another follows; the left join brings the totals of an empty page too.
    rest = f"""
    FROM (SELECT ({total.sql}) AS total, {known.sql} AS known) meta
    LEFT JOIN (SELECT {VERSION[connection.vendor]}, {FACTS}, {REST} FROM {PRODUCTS} WHERE {condition.sql}
     ORDER BY p.sort_key LIMIT {PAGE_SIZE + 1} {offset.sql}) page ON 1 = 1 ORDER BY page.sort_key"""
    statement = Statement(*(f"SELECT meta.known, meta.total, {columns} {rest}" for columns in (SEEN_OF_PAGE, "page.*")))
    values = (*total.values, *known.values, *[at(now)] * TIMES, *condition.values, *offset.values)
    found = _find(statement, values, buyer=buyer, seen_first=seen_first)
    if not found.is_known:
        raise NotFound
    return _answer(found, page=page, after=after)


def _reads_by_brand(buyer: Buyer) -> bool:
    return buyer.brands_restricted and connection.vendor == "postgresql"


def _brand_by_brand(*, buyer: Buyer, after: str, now: datetime, seen_first: bool) -> Found:
    key = _key_of(after) if after else ""
    brand, tab, _ = key.partition("\t")
    values = (*[at(now)] * TIMES, buyer.company_id, brand + tab, key)
    statement, values = (NEXT_BY_BRAND, values) if after else (FIRST_BY_BRAND, (buyer.company_id, *values))
    return _find(statement, values, buyer=buyer, seen_first=seen_first)


def _find(statement: Statement, values: Sequence[Any], *, buyer: Buyer, seen_first: bool) -> Found:
    """Return what a page's statement finds, from what was written before where all of that is still the same."""
    database = connections[DEFAULT_DB_ALIAS]  # looked up once, not at each question
    if seen_first and _shown_before(database, buyer):
        rows = fetch_all(statement.seen, values)
        if rows and rows[0][2] is None:
            return _found(rows, [])
        shown = _shown_before(database, buyer)  # asked for again: the read may have opened another connection
        with suppress(KeyError):
            return _found(rows, [*map(shown.__getitem__, map(SEEN, rows))])
    rows = fetch_all(statement.whole, values)
    shown = _shown_before(database, buyer)
    if len(shown) + len(rows) > MOST_SHOWN:
        shown.clear()
    products = []
    for row in rows:
        if row[-1] is not None:
            product = _show(row[5:], stock_free=buyer.stock_free)
            products.append(product)
            if row[2] is not None:
                shown[SEEN(row)] = product
    return _found(rows, products)


def _found(rows: Sequence[Row], products: list[Shown]) -> Found:
    return Found(bool(rows[0][0]), rows[0][1], products) if rows else Found(True, None, [])


def _shown_before(database: Any, buyer: Buyer) -> dict[Row, Shown]:
    """Return what was written for such buyers over this connection, by what decided it; nothing where none is kept."""
    kept: dict[Any, dict[Row, Shown]] = getattr(database, "kept", {})
    return kept.setdefault((__name__, buyer.stock_free), {})


def _show(row: Row, *, stock_free: bool) -> Shown:
    brand, qty, promoted, sku, name, brand_id, image, is_running, special, usrp, supply, minimum, weight, sort_key = row
    price = supply if promoted is None else promoted
    columns = (sku, name, brand_id, brand, image, is_running, special, qty, usrp, price, minimum, weight)
    json = dumps(product_json(columns, stock_free=stock_free))
    # Copied: what orjson returns keeps its whole buffer, eight kilobytes.
    return Shown(orjson.Fragment(bytes(memoryview(json))), sort_key)


def _answer(found: Found, *, page: int, after: str) -> Json:
    """Return the answer of a page from what was found, one product more than a page where more follow."""
    has_next = len(found.products) > PAGE_SIZE
    products = found.products[:PAGE_SIZE]
    return {
        "success": 1,
        "result": [product.json for product in products],
        "page": None if after else page,
        "has_next": has_next,
        "next": _cursor_of(products[-1].sort_key) if has_next else None,
        "total": int(found.total or 0) if page == 1 and not after else None,
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
