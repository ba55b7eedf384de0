"""Reads of brands, products and the price list: what one buyer may see, at what that buyer pays now.

Written by hand: these are the hottest reads, and a page must cost one statement however many products there are.
Only constant fragments are joined together; every value travels as a parameter, hence the rule that is off below.
"""
# ruff: noqa: S608

import base64
import binascii
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import lru_cache
from hashlib import blake2b
from typing import Any

from django.db import connection

from apps.accounts.selectors import Buyer
from apps.catalog.rules import availability_tag, can_select, effective_moq, quantity_step
from apps.common.errors import Invalid, NotFound
from apps.common.money import usd
from apps.common.prepared import read

PAGE_SIZE = 50
ALL_BRANDS = 0
MAX_SEARCH_WORDS = 10
CHUNK = 500

RUNNING = """catalog_promotionitem i JOIN catalog_promotion r ON r.id = i.promotion_id
 WHERE r.starts_at <= %s AND r.ends_at > %s"""
QTY = "COALESCE(s.on_hand - s.allocated, 0)"
TABLES = """catalog_product p JOIN catalog_brand b ON b.id = p.brand_id
 LEFT JOIN catalog_stock s ON s.product_id = p.id"""
# The price now: looked up for each product of a page where a promotion runs; joined once where all are read.
PRICE = f"""CASE WHEN (SELECT EXISTS (SELECT 1 FROM catalog_promotion WHERE starts_at <= %s AND ends_at > %s))
 THEN COALESCE((SELECT MIN(i.price) FROM {RUNNING} AND i.product_id = p.id), p.usd_supply) ELSE p.usd_supply END"""
JOINED_PRICE = "COALESCE(promoted.price, p.usd_supply)"
ALL_TABLES = f"""{TABLES} LEFT JOIN (SELECT i.product_id, MIN(i.price) AS price FROM {RUNNING} GROUP BY i.product_id)
 promoted ON promoted.product_id = p.id"""


def _columns(price: str) -> str:
    return f"""p.sku, p.eng_name, p.brand_id, b.eng, p.image, p.is_running, p.is_special, {QTY} AS qty,
 CAST(p.usd_price AS double precision) AS usd_price, CAST({price} AS double precision) AS usd_supply,
 p.minimum, p.weight_g, p.sort_key"""


COLUMNS = _columns(PRICE)
TIMES = 4  # how often the present comes as a parameter of COLUMNS

# A page of all that a company with restricted brands sees, brand after brand: the order of all products would lead past
# every product of the brands between. A page after the first needs no total. With IN the planner knows how many brands
# there are, and stops at a page's end instead of sorting what all of them have.
OWN_BRANDS = "SELECT brand_id FROM catalog_brandaccess WHERE company_id = %s"
TOTAL_OF_BRANDS = """(SELECT SUM(counted.product_count) FROM catalog_brand counted
 JOIN catalog_brandaccess own ON own.brand_id = counted.id WHERE own.company_id = %s)"""
BY_BRAND = f"""
SELECT {{total}} AS total, {COLUMNS}
FROM (SELECT id, eng, list_key FROM catalog_brand WHERE id IN ({OWN_BRANDS}) AND list_key >= %s) b
CROSS JOIN LATERAL (SELECT * FROM catalog_product WHERE brand_id = b.id AND sort_key > %s
 ORDER BY sort_key LIMIT {PAGE_SIZE + 1}) p
LEFT JOIN catalog_stock s ON s.product_id = p.id
ORDER BY b.list_key, p.sort_key LIMIT {PAGE_SIZE + 1}"""
FIRST_BY_BRAND, NEXT_BY_BRAND = BY_BRAND.format(total=TOTAL_OF_BRANDS), BY_BRAND.format(total="NULL")

Json = dict[str, Any]


@dataclass(frozen=True)
class Part:
    """A piece of SQL with its parameters."""

    sql: str
    values: tuple[Any, ...] = ()


def _time(moment: datetime) -> Any:
    return connection.ops.adapt_datetimefield_value(moment)


def _one_of(column: str, values: Sequence[str]) -> Part:
    """Return `column is one of values`, as one parameter where the database has arrays (one prepared statement)."""
    if connection.vendor == "postgresql":
        return Part(f"{column} = ANY(%s)", (list(values),))
    return Part(f"{column} IN ({', '.join(['%s'] * len(values))})", tuple(values))


def _visible(buyer: Buyer, column: str, *, each: bool = False) -> Part:
    """Return the condition that a brand is one the buyer's company may see (readings, Catalogue).

    As an array it leaves the order of the products to their index; with `each`, the brands themselves are looked at.
    """
    if not buyer.brands_restricted:
        return Part("1 = 1")
    allowed = "SELECT brand_id FROM catalog_brandaccess WHERE company_id = %s"
    as_array = connection.vendor == "postgresql" and not each
    return Part(f"{column} = ANY(ARRAY({allowed}))" if as_array else f"{column} IN ({allowed})", (buyer.company_id,))


def _searched(words: Sequence[str]) -> list[Part]:
    def pattern(word: str) -> str:
        for special in "\\%_":
            word = word.replace(special, f"\\{special}")
        return f"%{word}%"

    return [Part("p.search_text LIKE %s ESCAPE '\\'", (pattern(word),)) for word in words]


def _all(parts: Sequence[Part]) -> Part:
    return Part(" AND ".join(part.sql for part in parts), tuple(value for part in parts for value in part.values))


# Few different values in a catalogue: looked up instead of reckoned for each of a page's rows.
@lru_cache(maxsize=1024)
def _quantities(minimum: int, special: bool) -> tuple[int, int]:
    return effective_moq(minimum=minimum, special=special), quantity_step(minimum=minimum, special=special)


@lru_cache(maxsize=64)
def _sale(is_running: int, is_there: bool, stock_free: bool) -> tuple[str, int]:
    qty = int(is_there)
    selectable = can_select(is_running=is_running, qty=qty, stock_free=stock_free)
    return availability_tag(is_running=is_running, qty=qty), int(selectable)


def _product(row: Sequence[Any], *, stock_free: bool, count: int = 0) -> Json:
    """Return api.md's product from a row of COLUMNS; `count` is the pieces in a basket."""
    sku, eng_name, brand_id, brand, image, is_running, special, qty, usd_price, usd_supply, minimum, weight = row[:12]
    moq, step = _quantities(minimum, special)
    tag, selectable = _sale(is_running, qty > 0, stock_free)
    return {
        "sku": sku,
        "eng_name": eng_name,
        "brand_id": brand_id,
        "brand": brand,
        "image": image,
        "is_running": is_running,
        "qty": qty,
        "expect_qty": qty,
        "usd_price": usd_price,
        "usd_supply": usd_supply,
        "minimum": minimum,
        "weight": weight,
        "count": count,
        "moq": moq,
        "step": step,
        "availability": tag,
        "selectable": selectable,
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


def brand_list(*, buyer: Buyer) -> list[Json]:
    """Return the brands that the buyer may see, by name, case ignored."""
    visible = _visible(buyer, "b.id")
    rows = read(f"SELECT b.id, b.eng FROM catalog_brand b WHERE {visible.sql}", visible.values)
    return [{"brand_id": id_, "eng": eng} for id_, eng in sorted(rows, key=lambda row: row[1].casefold())]


def product_page(
    *, buyer: Buyer, brand_id: int = ALL_BRANDS, page: int = 1, after: str = "", search: str = "", now: datetime
) -> Json:
    """Return 50 products of a brand, or of all the buyer sees, in one statement (api.md, Product ordering).

    `after` is the `next` of the page before and wins over `page`; `search` keeps products that have every word in
    their name, SKU or brand.

    Raises:
        NotFound: the brand does not exist for this buyer.
        Invalid: `after` is not one of ours.
    """
    words = search.lower().split()[:MAX_SEARCH_WORDS]
    if brand_id == ALL_BRANDS and not words and (after or page == 1) and _reads_by_brand(buyer):
        return _answer(_brand_by_brand(buyer=buyer, after=after, now=now), buyer=buyer, page=page, after=after)
    own = [_visible(buyer, "p.brand_id")]
    known = Part("1 = 1")
    if brand_id != ALL_BRANDS:
        own.append(Part("p.brand_id = %s", (brand_id,)))
        visible = _visible(buyer, "b.id")
        known = Part(
            f"EXISTS (SELECT 1 FROM catalog_brand b WHERE b.id = %s AND {visible.sql})",
            (brand_id, *visible.values),
        )
    if words:
        total = _all(own + _searched(words))
        total = Part(f"SELECT COUNT(*) FROM catalog_product p WHERE {total.sql}", total.values)
    else:
        brands = [
            _visible(buyer, "b.id", each=True),
            *([Part("b.id = %s", (brand_id,))] if brand_id != ALL_BRANDS else []),
        ]
        total = _all(brands)
        total = Part(f"SELECT SUM(b.product_count) FROM catalog_brand b WHERE {total.sql}", total.values)
    return _page(buyer=buyer, where=own + _searched(words), known=known, total=total, page=page, after=after, now=now)


def promotion_page(*, buyer: Buyer, page: int = 1, after: str = "", search: str = "", now: datetime) -> Json:
    """Return 50 of the products in a running promotion that the buyer sees, in one statement.

    Raises:
        Invalid: `after` is not one of ours.
    """
    promoted = Part(
        f"p.id IN (SELECT i.product_id FROM {RUNNING})",
        (_time(now), _time(now)),
    )
    where = [_visible(buyer, "p.brand_id"), promoted, *_searched(search.lower().split()[:MAX_SEARCH_WORDS])]
    total = _all(where)
    total = Part(f"SELECT COUNT(*) FROM catalog_product p WHERE {total.sql}", total.values)
    return _page(buyer=buyer, where=where, known=Part("1 = 1"), total=total, page=page, after=after, now=now)


def _page(
    *, buyer: Buyer, where: Sequence[Part], known: Part, total: Part, page: int, after: str, now: datetime
) -> Json:
    first = page == 1 and not after
    if not first:
        total = Part("SELECT NULL")
    if after:
        where = [*where, Part("p.sort_key > %s", (_key_of(after),))]
    condition = _all(where)
    # Left out where it is zero: with an unknown OFFSET, PostgreSQL plans the statement anew at each call.
    offset = Part("") if first or after else Part("OFFSET %s", ((page - 1) * PAGE_SIZE,))
    # One row more than a page tells whether another follows; the left join brings the totals of an empty page too.
    sql = f"""
    SELECT meta.known, meta.total, page.* FROM (SELECT ({total.sql}) AS total, {known.sql} AS known) meta
    LEFT JOIN (SELECT {COLUMNS} FROM {TABLES} WHERE {condition.sql}
     ORDER BY p.sort_key LIMIT {PAGE_SIZE + 1} {offset.sql}) page ON 1 = 1 ORDER BY page.sort_key"""
    values = (*total.values, *known.values, *[_time(now)] * TIMES, *condition.values, *offset.values)
    rows = read(sql, values)
    if not rows[0][0]:
        raise NotFound
    return _answer([row[1:] for row in rows], buyer=buyer, page=page, after=after)


def _reads_by_brand(buyer: Buyer) -> bool:
    return buyer.brands_restricted and connection.vendor == "postgresql"


def _brand_by_brand(*, buyer: Buyer, after: str, now: datetime) -> list[tuple[Any, ...]]:
    key = _key_of(after) if after else ""
    brand, tab, _ = key.partition("\t")
    values = (*[_time(now)] * TIMES, buyer.company_id, brand + tab, key)
    return read(NEXT_BY_BRAND, values) if after else read(FIRST_BY_BRAND, (buyer.company_id, *values))


def _answer(rows: Sequence[tuple[Any, ...]], *, buyer: Buyer, page: int, after: str) -> Json:
    """Return the answer of a page from rows of the list's total and COLUMNS, one more than a page where more follow."""
    total = rows[0][0] if rows else 0
    products = [row[1:] for row in rows if row[1] is not None]
    has_next = len(products) > PAGE_SIZE
    products = products[:PAGE_SIZE]
    return {
        "success": 1,
        "result": [_product(row, stock_free=buyer.stock_free) for row in products],
        "page": None if after else page,
        "has_next": has_next,
        "next": _cursor_of(products[-1][12]) if has_next else None,
        "total": int(total or 0) if page == 1 and not after else None,
    }


def _by_sku(*, buyer: Buyer, skus: Sequence[str], now: datetime) -> list[tuple[Any, ...]]:
    """Return COLUMNS and the id of the visible products with these SKUs, in one statement."""
    if not skus:
        return []
    condition = _all([_one_of("p.sku", skus), _visible(buyer, "p.brand_id")])
    sql = f"SELECT {COLUMNS}, p.id FROM {TABLES} WHERE {condition.sql}"
    return read(sql, (*[_time(now)] * TIMES, *condition.values))


def cart_stock(*, buyer: Buyer, lines: Sequence[tuple[str, int]], now: datetime) -> list[Json]:
    """Return the products of a basket with their pieces, in the order asked; a SKU given twice is added up.

    SKUs that do not exist for this buyer are left out.
    """
    counts: dict[str, int] = {}
    for sku, count in lines:
        counts[sku] = counts.get(sku, 0) + count
    found = {row[0]: row for row in _by_sku(buyer=buyer, skus=list(counts), now=now)}
    return [
        _product(found[sku], stock_free=buyer.stock_free, count=count) for sku, count in counts.items() if sku in found
    ]


def products_behind_zeros(*, buyer: Buyer, bare: Sequence[str], now: datetime) -> dict[str, list[Json]]:
    """Return the visible products whose SKUs are these once their leading zeros are gone, by that bare SKU."""
    found: dict[str, list[Json]] = {}
    if bare:
        condition = _all([_one_of("LTRIM(p.sku, '0')", bare), _visible(buyer, "p.brand_id")])
        sql = f"SELECT {COLUMNS} FROM {TABLES} WHERE {condition.sql}"
        for row in read(sql, (*[_time(now)] * TIMES, *condition.values)):
            product = _product(row, stock_free=buyer.stock_free)
            found.setdefault(product["sku"].lstrip("0"), []).append(product)
    return found


@dataclass(frozen=True)
class ProductForOrder:
    """A product as an order takes it: `usd_supply` is what the buyer pays now, `qty` what can still be promised."""

    id: int
    sku: str
    eng_name: str
    image: str
    is_running: int
    special: bool
    minimum: int
    moq: int
    step: int
    weight_g: int
    usd_price: Decimal
    usd_supply: Decimal
    qty: int
    selectable: bool


def products_for_order(*, buyer: Buyer, counts: Mapping[str, int], now: datetime) -> dict[str, ProductForOrder]:
    """Return the products of these SKUs that exist for this buyer, by SKU, in one statement."""
    products = {}
    for row in _by_sku(buyer=buyer, skus=list(counts), now=now):
        sku, eng_name, _, _, image, is_running, special, qty, usd_price, usd_supply, minimum, weight_g, _, id_ = row
        products[sku] = ProductForOrder(
            id=id_,
            sku=sku,
            eng_name=eng_name,
            image=image,
            is_running=is_running,
            special=bool(special),
            minimum=minimum,
            moq=effective_moq(minimum=minimum, special=special),
            step=quantity_step(minimum=minimum, special=special),
            weight_g=weight_g,
            usd_price=usd(str(usd_price)),
            usd_supply=usd(str(usd_supply)),
            qty=qty,
            selectable=can_select(is_running=is_running, qty=qty, stock_free=buyer.stock_free),
        )
    return products


def price_list(*, buyer: Buyer, now: datetime) -> Iterator[Json]:
    """Yield the rows of the price list: every product that the buyer sees, brand by brand; never all in memory."""
    visible = _visible(buyer, "p.brand_id")
    sql = f"SELECT {_columns(JOINED_PRICE)} FROM {ALL_TABLES} WHERE {visible.sql} ORDER BY p.sort_key"
    with connection.chunked_cursor() as cursor:
        cursor.execute(sql, (_time(now), _time(now), *visible.values))
        while rows := cursor.fetchmany(CHUNK):
            for sku, eng_name, _, brand, _, is_running, special, qty, usrp, supply, minimum, weight, _ in rows:
                yield {
                    "brand": brand,
                    "sku": sku,
                    "eng_name": eng_name,
                    "is_running": is_running,
                    "usd_price": usrp,
                    "usd_supply": supply,
                    "minimum": minimum,
                    "moq": effective_moq(minimum=minimum, special=special),
                    "step": quantity_step(minimum=minimum, special=special),
                    "weight": weight,
                    "qty": qty,
                }


def price_list_fingerprint(*, buyer: Buyer, now: datetime) -> str:
    """Return a text that changes whenever a cell of the buyer's price list does."""
    visible = _visible(buyer, "p.brand_id")
    values = (_time(now), _time(now), *visible.values)
    shown = f"p.id, p.updated_at, b.eng, {QTY}, {JOINED_PRICE}"
    if connection.vendor == "postgresql":
        # Hashed where the rows are: reading ten thousand of them would cost more than sending the file.
        hashes = f"SELECT hash_record_extended(ROW({shown}), 0) AS h FROM {ALL_TABLES} WHERE {visible.sql}"
        ((count, total),) = read(f"SELECT COUNT(*), SUM(h) FROM ({hashes}) hashed", values)
        return f"{count}-{total}"
    digest = blake2b(digest_size=16)
    for row in read(f"SELECT {shown} FROM {ALL_TABLES} WHERE {visible.sql} ORDER BY p.id", values):
        digest.update(repr(row).encode())
    return digest.hexdigest()
