"""Reads of brands and products: what one buyer may see, at what that buyer pays now.

Written by hand: these are the hottest reads, and must cost one statement however many products there are.
Only constant fragments are joined together; every value travels as a parameter, hence the rule that is off below.
"""
# ruff: noqa: S608

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import lru_cache
from typing import Any

from django.db import connection

from apps.accounts.selectors import Buyer
from apps.catalog.rules import availability_tag, can_select, effective_moq, quantity_step
from apps.common.db.prepared import fetch_all
from apps.common.money import usd
from apps.common.types import Json

RUNNING = """catalog_promotionitem i JOIN catalog_promotion r ON r.id = i.promotion_id
 WHERE r.starts_at <= %s AND r.ends_at > %s"""
OWN_BRANDS = "SELECT brand_id FROM catalog_brandaccess WHERE company_id = %s"
QTY = "COALESCE(s.on_hand - s.allocated, 0)"
PRODUCTS = "catalog_product p JOIN catalog_brand b ON b.id = p.brand_id"
TABLES = f"{PRODUCTS} LEFT JOIN catalog_stock s ON s.product_id = p.id"
# A promotion's price: looked up for each product where one runs. Where all products are read, it is joined once.
PROMOTION_PRICE = f"""CASE WHEN (SELECT EXISTS (SELECT 1 FROM catalog_promotion WHERE starts_at <= %s AND ends_at > %s))
 THEN (SELECT MIN(i.price) FROM {RUNNING} AND i.product_id = p.id) END"""
TIMES = 4  # how often the present comes as a parameter of PROMOTION_PRICE


def columns_with(price: str) -> str:
    """Return a product's columns with this as its price now."""
    return f"""p.sku, p.eng_name, p.brand_id, b.eng, p.image, p.is_running, p.is_special, {QTY} AS qty,
 CAST(p.usd_price AS double precision) AS usd_price, CAST({price} AS double precision) AS usd_supply,
 p.minimum, p.weight_g"""


COLUMNS = columns_with(f"COALESCE({PROMOTION_PRICE}, p.usd_supply)")


@dataclass(frozen=True)
class Part:
    """A piece of SQL with its parameters."""

    sql: str
    values: tuple[Any, ...] = ()


def at(moment: datetime) -> Any:
    """Return a moment as the database's parameter."""
    return connection.ops.adapt_datetimefield_value(moment)


def one_of(column: str, values: Sequence[str]) -> Part:
    """Return `column is one of values`, as one parameter where the database has arrays (one prepared statement)."""
    if connection.vendor == "postgresql":
        return Part(f"{column} = ANY(%s)", (list(values),))
    return Part(f"{column} IN ({', '.join(['%s'] * len(values))})", tuple(values))


def visible_to(buyer: Buyer, column: str, *, each: bool = False) -> Part:
    """Return the condition that a brand is one the buyer's company may see (readings, Catalogue).

    As an array it leaves the order of the products to their index; with `each`, the brands themselves are looked at.
    """
    if not buyer.brands_restricted:
        return Part("1 = 1")
    as_array = connection.vendor == "postgresql" and not each
    return Part(
        f"{column} = ANY(ARRAY({OWN_BRANDS}))" if as_array else f"{column} IN ({OWN_BRANDS})", (buyer.company_id,)
    )


def all_of(parts: Sequence[Part]) -> Part:
    """Return the condition that all of these hold."""
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


def product_json(row: Sequence[Any], *, stock_free: bool, count: int = 0) -> Json:
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


def brand_list(*, buyer: Buyer) -> list[Json]:
    """Return the brands that the buyer may see, by name, case ignored."""
    visible = visible_to(buyer, "b.id")
    rows = fetch_all(f"SELECT b.id, b.eng FROM catalog_brand b WHERE {visible.sql}", visible.values)
    return [{"brand_id": id_, "eng": eng} for id_, eng in sorted(rows, key=lambda row: row[1].casefold())]


def _by_sku(*, buyer: Buyer, skus: Sequence[str], now: datetime) -> list[tuple[Any, ...]]:
    """Return COLUMNS and the id of the visible products with these SKUs, in one statement."""
    if not skus:
        return []
    condition = all_of([one_of("p.sku", skus), visible_to(buyer, "p.brand_id")])
    sql = f"SELECT {COLUMNS}, p.id FROM {TABLES} WHERE {condition.sql}"
    return fetch_all(sql, (*[at(now)] * TIMES, *condition.values))


def cart_stock(*, buyer: Buyer, lines: Sequence[tuple[str, int]], now: datetime) -> list[Json]:
    """Return the products of a basket with their pieces, in the order asked; a SKU given twice is added up.

    SKUs that do not exist for this buyer are left out.
    """
    counts: dict[str, int] = {}
    for sku, count in lines:
        counts[sku] = counts.get(sku, 0) + count
    found = {row[0]: row for row in _by_sku(buyer=buyer, skus=list(counts), now=now)}
    return [
        product_json(found[sku], stock_free=buyer.stock_free, count=count)
        for sku, count in counts.items()
        if sku in found
    ]


def products_behind_zeros(*, buyer: Buyer, bare: Sequence[str], now: datetime) -> dict[str, list[Json]]:
    """Return the visible products whose SKUs are these once their leading zeros are gone, by that bare SKU."""
    found: dict[str, list[Json]] = {}
    if bare:
        condition = all_of([one_of("LTRIM(p.sku, '0')", bare), visible_to(buyer, "p.brand_id")])
        sql = f"SELECT {COLUMNS} FROM {TABLES} WHERE {condition.sql}"
        for row in fetch_all(sql, (*[at(now)] * TIMES, *condition.values)):
            product = product_json(row, stock_free=buyer.stock_free)
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
        sku, eng_name, _, _, image, is_running, special, qty, usd_price, usd_supply, minimum, weight_g, id_ = row
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
