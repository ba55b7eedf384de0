"""The price list's rows: every product that a buyer sees, at what that buyer pays now."""
# ruff: noqa: S608 - constant fragments are joined together; every value travels as a parameter

from collections.abc import Iterator
from datetime import datetime
from hashlib import blake2b

from django.db import connection

from apps.accounts.selectors import Buyer
from apps.catalog.rules import effective_moq, quantity_step
from apps.catalog.selectors.products import QTY, RUNNING, TABLES, at, columns_with, visible_to
from apps.common.db.prepared import fetch_all
from apps.common.types import Json

CHUNK = 500
JOINED_PRICE = "COALESCE(promoted.price, p.usd_supply)"
ALL_TABLES = f"""{TABLES} LEFT JOIN (SELECT i.product_id, MIN(i.price) AS price FROM {RUNNING} GROUP BY i.product_id)
 promoted ON promoted.product_id = p.id"""


def price_list(*, buyer: Buyer, now: datetime) -> Iterator[Json]:
    """Yield the rows of the price list: every product that the buyer sees, brand by brand; never all in memory."""
    visible = visible_to(buyer, "p.brand_id")
    sql = f"SELECT {columns_with(JOINED_PRICE)} FROM {ALL_TABLES} WHERE {visible.sql} ORDER BY p.sort_key"
    with connection.chunked_cursor() as cursor:
        cursor.execute(sql, (at(now), at(now), *visible.values))
        while rows := cursor.fetchmany(CHUNK):
            for sku, eng_name, _, brand, _, is_running, special, qty, usrp, supply, minimum, weight in rows:
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
    visible = visible_to(buyer, "p.brand_id")
    values = (at(now), at(now), *visible.values)
    shown = f"p.id, p.updated_at, b.eng, {QTY}, {JOINED_PRICE}"
    if connection.vendor == "postgresql":
        # Hashed where the rows are: reading ten thousand of them would cost more than sending the file.
        hashes = f"SELECT hash_record_extended(ROW({shown}), 0) AS h FROM {ALL_TABLES} WHERE {visible.sql}"
        ((count, total),) = fetch_all(f"SELECT COUNT(*), SUM(h) FROM ({hashes}) hashed", values)
        return f"{count}-{total}"
    digest = blake2b(digest_size=16)
    for row in fetch_all(f"SELECT {shown} FROM {ALL_TABLES} WHERE {visible.sql} ORDER BY p.id", values):
        digest.update(repr(row).encode())
    return digest.hexdigest()
