"""Pages of products. First pages alone tell a total: what is searched or filtered is counted up to
10,000.
"""
# ruff: noqa: S608 - constant fragments are joined together; every value travels as a parameter

import base64
import binascii
from dataclasses import dataclass
from datetime import datetime

from apps.accounts.selectors import Buyer
from apps.catalog.models import Running
from apps.catalog.selectors.prices import BEGUN, GROUP, IN_FORCE, RUNNING, price_sql, usual_sql
from apps.catalog.selectors.products import (
    LISTED,
    OFFERED,
    PRODUCTS,
    ProductRow,
    brands_of,
    columns,
    product_json,
    visible_to,
)
from apps.catalog.selectors.search import has_word_sql, searched_words
from apps.common.db.dialect import each_with, is_postgresql
from apps.common.db.rows import Part, all_of, at, fetch_all, joined
from apps.common.errors import Invalid, NotFound
from apps.common.lists import MOST_COUNTED
from apps.common.types import Json

PAGE_SIZE = 50
ALL_BRANDS = 0
# Products of the order of a list that a search for a common word goes through before it finds all
FAR = 10_000

# A page of all for a company that sees some brands only, brand after brand: the order of all
# products would lead past every product of the brands between. With IN the planner knows how many
# brands there are, and stops at a page's end instead of sorting what all of them have.
BY_BRAND = f"""
SELECT {{columns}}, {{total}} AS total
FROM (SELECT id, eng, list_key FROM catalog_brand WHERE {{seen}}
AND list_key >= %s {{nearest}}) b
CROSS JOIN LATERAL (SELECT * FROM catalog_product p WHERE brand_id = b.id AND sort_key > %s
AND {{condition}}
 ORDER BY sort_key LIMIT {PAGE_SIZE + 1}) p
ORDER BY b.list_key, p.sort_key LIMIT {PAGE_SIZE + 1}"""
NEAREST_BRANDS = (
    "ORDER BY list_key LIMIT 5"  # where a search for a common word looks before it finds all
)
NO_TOTAL = Part("NULL")
NO_PLACE = "Not a place in this list."
# The default order has an index and pages that begin after a product; the others are cut by their
# number.
ORDERS = {
    "": "p.sort_key",
    "name": "LOWER(p.eng_name), p.id",
    "price": "{price}, p.usd_supply, p.id",
    "new": "p.id DESC",
}
# What is held for the buyer's company is there for it. Asked beside the pieces it leaves the plan
# as it is: at 200,000 products 9,250 blocks a page with 200 offers or none; asked beside the
# products, 38,000.
IN_STOCK = f"""EXISTS (SELECT 1 FROM catalog_stock s WHERE s.product_id = p.id
 AND (s.on_hand > s.allocated OR s.product_id IN (SELECT w.product_id FROM orders_wish w
 WHERE {OFFERED})))"""
ON_SALE = Part(f"p.is_running = {Running.ON_SALE:d}")


# Of several group prices in force the one that began last holds.
BEGAN_LAST = f"""NOT EXISTS (SELECT 1 FROM {GROUP} AND g.product_id = i.product_id AND {IN_FORCE}
 AND (g.starts_at > i.starts_at OR (i.starts_at IS NULL AND g.starts_at IS NOT NULL)))"""


@dataclass(frozen=True)
class ProductListRequest:
    """Which products of a list are wanted, and in which order: by brand and name, or as `sort`
    says.
    """

    search: str = ""
    sort: str = ""
    in_stock: bool = False
    on_sale: bool = False
    promotion: bool = False


EVERYTHING = ProductListRequest()
NOT_COUNTED: Json = {"total": None, "total_is_least": False}


def product_page(
    *,
    buyer: Buyer,
    brand_id: int = ALL_BRANDS,
    page: int = 1,
    after: str = "",
    request: ProductListRequest = EVERYTHING,
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
    is_first, narrowed = page == 1 and not after, _narrowed(request, buyer, now)
    key, number = _place(after, is_sorted=bool(request.sort)) if after else ("", page)
    where = [visible_to(buyer, "p.brand_id"), *narrowed]
    if brand_id != ALL_BRANDS:
        where.append(Part("p.brand_id = %s", (brand_id,)))
    condition = all_of([Part(LISTED), *where])
    total = _total(buyer, brand_id, condition if narrowed else None) if is_first else NO_TOTAL
    if key and not request.sort:
        condition = all_of([Part(LISTED), *where, Part("p.sort_key > %s", (key,))])
    statement = _Statement(
        columns=columns(buyer, now),
        condition=condition,
        cut=_cut(request.sort, number, buyer, now),
        key=key,
        buyer=buyer,
        now=now,
    )
    is_all = brand_id == ALL_BRANDS and not narrowed
    rows = statement.rows(total, request=request, number=number, is_all=is_all)
    if not rows and brand_id != ALL_BRANDS and not brands_of(buyer).filter(pk=brand_id).exists():
        raise NotFound
    counted: Json = NOT_COUNTED
    if is_first:
        count = int((rows[0].total if rows else 0) or 0)
        is_least = bool(narrowed) and count > MOST_COUNTED
        counted = {"total": MOST_COUNTED if is_least else count, "total_is_least": is_least}
    return {
        "success": 1,
        "result": [product_json(row, stock_free=buyer.stock_free) for row in rows[:PAGE_SIZE]],
        "page": None if after else page,
        **_next(rows, number if request.sort else None),
        **counted,
    }


def _cut(sort: str, number: int, buyer: Buyer, now: datetime) -> Part:
    """Return the order of a list and which of its products a page has, one more than it shows."""
    price = price_sql(buyer.price_group_id, now) if sort == "price" else Part("")
    order = f"ORDER BY {ORDERS[sort].format(price=price.sql)} LIMIT {PAGE_SIZE + 1}"
    # No OFFSET where it is zero: with an unknown one PostgreSQL plans the statement anew each time.
    if number == 1:
        return Part(order, price.values)
    return Part(f"{order} OFFSET %s", (*price.values, (number - 1) * PAGE_SIZE))


def _next(rows: list[ProductRow], number: int | None) -> Json:
    """Return whether more follow, and the `next` that leads there: by the page's number in a
    sorted list, else by its last product.
    """
    has_next = len(rows) > PAGE_SIZE
    place = rows[PAGE_SIZE - 1].sort_key if number is None and has_next else str((number or 0) + 1)
    following = place.encode() if has_next else b""
    return {
        "has_next": has_next,
        "next": base64.urlsafe_b64encode(following).decode().rstrip("=") or None,
    }


def _total(buyer: Buyer, brand_id: int, narrowed: Part | None) -> Part:
    """Return how many products there are in all, in a narrowed list at most one more than are
    counted, which stands for all that are more.
    """
    if narrowed is not None:
        some = f"SELECT 1 FROM catalog_product p WHERE {narrowed.sql} LIMIT {MOST_COUNTED + 1}"
        return Part(f"(SELECT COUNT(*) FROM ({some}) counted)", narrowed.values)
    own = Part("1 = 1") if brand_id == ALL_BRANDS else Part("b.id = %s", (brand_id,))
    visible = all_of([visible_to(buyer, "b.id", each=True), own])
    sums = f"(SELECT SUM(b.product_count) FROM catalog_brand b WHERE {visible.sql})"
    return Part(sums, visible.values)


def _narrowed(request: ProductListRequest, buyer: Buyer, now: datetime) -> list[Part]:
    """Return the conditions that keep what a buyer wants; none where all products are."""
    where = [has_word_sql(word) for word in searched_words(request.search)]
    if request.promotion:
        where.append(Part(f"p.id IN (SELECT i.product_id FROM {RUNNING})", (at(now), at(now))))
    if request.on_sale:
        where.append(ON_SALE)
    if request.on_sale or request.in_stock:
        where.append(Part(IN_STOCK, (buyer.company_id,)))
    return where


def _reads_by_brand(buyer: Buyer) -> bool:
    is_narrowed = buyer.brands_restricted or buyer.closed_in is not None
    return is_narrowed and is_postgresql()


@dataclass(frozen=True)
class _Statement:
    """The products of a page and one more where more follow: by their columns, condition, order and
    the key behind which they stand.
    """

    columns: Part
    condition: Part
    cut: Part
    key: str
    buyer: Buyer
    now: datetime

    def _fetch(self, sql: str, *parts: Part) -> list[ProductRow]:
        return fetch_all(ProductRow, sql, [value for part in parts for value in part.values])

    def in_order(self, total: Part) -> list[ProductRow]:
        """Return the products in the list's order."""
        sql = (
            f"SELECT {self.columns.sql}, {total.sql} AS total FROM {PRODUCTS} "
            f"WHERE {self.condition.sql} {self.cut.sql}"
        )
        return self._fetch(sql, self.columns, total, self.condition, self.cut)

    def rows(
        self, total: Part, *, request: ProductListRequest, number: int, is_all: bool
    ) -> list[ProductRow]:
        """Return the products by the way that is quickest for the request."""
        is_beginning = not request.sort and number == 1
        if request.search.strip() and is_beginning:
            return self.search_page()
        if request.search.strip():
            return self.search_results(is_sorted=bool(request.sort))
        if is_all and is_beginning and _reads_by_brand(self.buyer):
            return self.by_brand(total, condition=Part(LISTED))
        if request.sort == "price" and not request.promotion:
            return self.by_price(total, number)
        return self.in_order(total)

    def search_results(self, *, is_sorted: bool = False, most: int = 0) -> list[ProductRow]:
        """Return the products that a search finds, all of which, or `most` of them, are found
        first, and counted.

        Left alone, PostgreSQL goes through the list's order until a page is full: at 1,000,000
        products a word of none takes 2 to 6 s so, and 1 ms by the trigrams; a word of 256 products
        takes 5 ms, of 6,000 40, of 50,000 190, of all 740.
        """
        all_rows, in_order = Part(""), Part(f"ORDER BY {ORDERS['']}")
        inner, outer = (all_rows, self.cut) if is_sorted else (self.cut, in_order)
        limit = f"LIMIT {most}" if most else ""
        sql = f"""WITH found AS MATERIALIZED (SELECT p.id, p.sort_key FROM catalog_product p
         WHERE {self.condition.sql} {limit})
         SELECT {self.columns.sql}, (SELECT COUNT(*) FROM found) AS total FROM {PRODUCTS}
         WHERE p.id IN (SELECT p.id FROM found p {inner.sql}) {outer.sql}"""
        return self._fetch(sql, self.condition, self.columns, inner, outer)

    def search_page(self) -> list[ProductRow]:
        """Return the products that a search finds, in the list's order.

        Where there are more than are counted, a page is soon full in the list's order (at 1,000,000
        products: 8 ms of a word of all, 50 of 50,000), unless they stand together at its end, like
        those of a brand: then all are found. A company that sees some brands looks through those:
        the list may begin with others' for long.
        """
        rows = self.search_results(most=MOST_COUNTED + 1)
        if not rows or (rows[0].total or 0) <= MOST_COUNTED:
            return rows
        many = Part(str(MOST_COUNTED + 1))
        if _reads_by_brand(self.buyer):
            rows = self.by_brand(many, condition=self.condition, nearest=NEAREST_BRANDS)
        else:
            place = Part("p.sort_key > %s", (self.key,))
            sql = f"""SELECT {self.columns.sql}, {many.sql} AS total FROM (SELECT * FROM
             catalog_product p WHERE {place.sql} ORDER BY p.sort_key LIMIT {FAR}) p
             JOIN catalog_brand b ON b.id = p.brand_id WHERE {self.condition.sql} {self.cut.sql}"""
            rows = self._fetch(sql, self.columns, place, self.condition, self.cut)
        return rows if len(rows) > PAGE_SIZE else self.search_results()

    def by_price(self, total: Part, number: int) -> list[ProductRow]:
        """Return the products in the order of their prices."""
        before = (number - 1) * PAGE_SIZE
        # No unknown numbers on the first page, as in `_cut`.
        most = Part("%s", (before + PAGE_SIZE + 1,)) if before else Part(str(PAGE_SIZE + 1))
        offset = Part("OFFSET %s", (before,)) if before else Part("")
        cheapest_ids = _cheapest(
            self.buyer.price_group_id, self.now, condition=self.condition, most=most
        )
        sql = f"""SELECT {self.columns.sql}, {total.sql} AS total FROM {PRODUCTS}
         JOIN ({cheapest_ids.sql}) f ON f.id = p.id
         ORDER BY f.price, p.usd_supply, p.id LIMIT {PAGE_SIZE + 1} {offset.sql}"""
        return self._fetch(sql, self.columns, total, cheapest_ids, offset)

    def by_brand(self, total: Part, *, condition: Part, nearest: str = "") -> list[ProductRow]:
        """Return the products of a company that sees some brands, brand after brand."""
        brand, tab, _ = self.key.partition("\t")
        visible = visible_to(self.buyer, "id", each=True)
        sql = BY_BRAND.format(
            columns=self.columns.sql,
            total=total.sql,
            seen=visible.sql,
            condition=condition.sql,
            nearest=nearest,
        )
        place = Part("", (brand + tab, self.key))
        return self._fetch(sql, self.columns, total, visible, place, condition)


def _cheapest(group_id: int | None, now: datetime, *, condition: Part, most: Part) -> Part:
    """Return the products that a condition names, `most` of each kind of price, as a subquery of
    `id` and `price`; among them are the `most` cheapest of all.

    What has no price of its own stands in the order of wholesale prices, what the group has a price
    of in the order of that; only products of running promotions, and those whose wholesale price
    began and is not written yet, are all priced. At 1,000,000 products the first page reads 2,600
    blocks instead of 2,100,000, and 7,000 instead of 3,500,000 where the group has 20,000 prices.
    """
    usual, price = usual_sql(group_id, Part("p.usd_supply")), price_sql(group_id, now)
    special = Part(
        f"SELECT i.product_id FROM {RUNNING} UNION ALL SELECT n.product_id FROM {BEGUN}",
        (at(now),) * 3,
    )
    is_special = Part(f"p.id IN ({special.sql})", special.values)
    is_usual = [condition, Part(f"NOT {is_special.sql}", special.values)]
    walks = [_walk("catalog_product p", price, [condition, is_special], price, most)]
    if group_id is not None:
        in_force = (at(now), at(now))
        holds = Part(
            f"i.group_id = %s AND {IN_FORCE.replace('g.', 'i.')} AND {BEGAN_LAST}",
            (group_id, *in_force, group_id, *in_force),
        )
        own = Part("i.price")
        items = each_with(
            "catalog_pricegroupitem i", key="i.product_id", one="catalog_product", row="p"
        )
        walks.append(_walk(items, own, [*is_usual, holds], own, most))
        item = f"SELECT 1 FROM {GROUP} AND g.product_id = p.id AND {IN_FORCE}"
        is_usual.append(Part(f"NOT EXISTS ({item})", (group_id, *in_force)))
    walks.append(_walk("catalog_product p", usual, is_usual, Part("p.usd_supply"), most))
    return joined(" UNION ALL ", walks)


def _walk(source: str, price: Part, where: list[Part], order: Part, most: Part) -> Part:
    condition = all_of(where)
    return Part(
        f"""SELECT * FROM (SELECT p.id, {price.sql} AS price FROM {source}
         WHERE {condition.sql} ORDER BY {order.sql}, p.usd_supply, p.id LIMIT {most.sql}) walk""",
        price.values + condition.values + order.values + most.values,
    )


def _place(after: str, *, is_sorted: bool) -> tuple[str, int]:
    """Return the key behind which a page begins, and its number in a sorted list."""
    padded = after + "=" * (-len(after) % 4)
    try:
        key = base64.b64decode(padded, altchars=b"-_", validate=True).decode()
    except (ValueError, binascii.Error) as error:
        raise Invalid(after=NO_PLACE) from error
    is_number = key.isascii() and key.isdigit() and len(key) < 8
    if "\x00" in key or (is_sorted and not is_number):
        raise Invalid(after=NO_PLACE)
    return key, int(key) if is_sorted else 1
