"""The price list's rows: every product that a buyer sees, at what that buyer pays now."""
# ruff: noqa: S608 - constant fragments are joined together; every value travels as a parameter

from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal
from hashlib import blake2b
from typing import Any, NamedTuple

from django.db import connection

from apps.accounts.selectors import Buyer
from apps.catalog.selectors.products import (
    LISTED,
    OFFERED,
    OWN_BRANDS,
    PRODUCTS,
    RUNNING,
    Part,
    ProductRow,
    at,
    columns_with,
    visible_to,
)
from apps.common.db.rows import each_row, fetch_all
from apps.common.types import Json

JOINED_PRICE = "COALESCE(promoted.price, p.usd_supply)"
JOINED_QTY = "COALESCE(s.on_hand - s.allocated, 0)"
JOINED_HELD = "COALESCE(offered.held, 0)"
ALL_TABLES = f"""{PRODUCTS} LEFT JOIN catalog_stock s ON s.product_id = p.id
 LEFT JOIN (SELECT i.product_id, MIN(i.price) AS price FROM {RUNNING} GROUP BY i.product_id)
 promoted ON promoted.product_id = p.id
 LEFT JOIN (SELECT w.product_id, SUM(w.held) AS held FROM orders_wish w WHERE {OFFERED}
 GROUP BY w.product_id) offered ON offered.product_id = p.id"""


def price_list(*, buyer: Buyer, now: datetime) -> Iterator[Json]:
    """Yield the rows of the price list: every product that the buyer sees, brand by brand; never
    all in memory.
    """
    visible = visible_to(buyer, "p.brand_id")
    columns = columns_with(free=JOINED_QTY, held=JOINED_HELD, price=JOINED_PRICE)
    sql = f"SELECT {columns} FROM {ALL_TABLES} WHERE {LISTED} AND {visible.sql} ORDER BY p.sort_key"
    for product in each_row(ProductRow, sql, _values(buyer, now, visible)):
        yield {
            "brand": product.brand,
            "sku": product.sku,
            "eng_name": product.eng_name,
            "is_running": product.is_running,
            "usd_price": product.usd_price,
            "usd_supply": product.usd_supply,
            "minimum": product.minimum,
            "moq": product.moq,
            "step": product.step,
            "weight": product.weight_g,
            "qty": max(0, product.qty),  # what is owed beyond the shelf is nothing to order
            "ean": product.ean,
        }


def _values(buyer: Buyer, now: datetime, visible: Part) -> tuple[Any, ...]:
    return at(now), at(now), buyer.company_id, *visible.values


class CatalogState(NamedTuple):
    """What a price list depends on: changes of the catalogue, a company's brands and offers,
    running promotions.
    """

    changes: int | None
    brands: list[int] | None
    promotions: list[int] | None
    held: str | None


CATALOG_STATE = f"""SELECT (SELECT bit_xor(mark) FROM catalog_catalogchange) AS changes,
 (SELECT array_agg(brand_id ORDER BY brand_id) FROM ({OWN_BRANDS}) own) AS brands,
 (SELECT array_agg(id ORDER BY id) FROM catalog_promotion WHERE starts_at <= %s
 AND ends_at > %s) AS promotions,
 (SELECT string_agg(w.product_id || ':' || w.held, ' ' ORDER BY w.id) FROM orders_wish w
 WHERE {OFFERED}) AS held"""


class ListedRow(NamedTuple):
    """What a price list shows of a product."""

    id: int
    updated_at: datetime
    brand: str
    qty: int
    held: int
    usd_supply: Decimal


def price_list_fingerprint(*, buyer: Buyer, now: datetime) -> str:
    """Return a text that changes whenever a cell of the buyer's price list does.

    PostgreSQL reads no products for it: 78 times the blocks at 1,000,000 of them, 3 s.
    """
    if connection.vendor == "postgresql":
        (state,) = fetch_all(
            CatalogState, CATALOG_STATE, (buyer.company_id, at(now), at(now), buyer.company_id)
        )
        return repr(state if buyer.brands_restricted else state._replace(brands=None))
    visible = visible_to(buyer, "p.brand_id")
    shown = f"p.id, p.updated_at, b.eng, {JOINED_QTY}, {JOINED_HELD}, {JOINED_PRICE}"
    sql = f"SELECT {shown} FROM {ALL_TABLES} WHERE {LISTED} AND {visible.sql} ORDER BY p.id"
    hashed = blake2b(digest_size=16)
    for row in fetch_all(ListedRow, sql, _values(buyer, now, visible)):
        hashed.update(repr(row).encode())
    return hashed.hexdigest()
