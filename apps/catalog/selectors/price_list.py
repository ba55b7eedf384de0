"""The price list's rows: every product that a buyer sees, at what that buyer pays now."""

from collections.abc import Iterator
from datetime import datetime
from hashlib import blake2b
from typing import Any

from django.apps import apps
from django.contrib.postgres.aggregates import BitXor
from django.db.models import Max, QuerySet

from apps.accounts.selectors import Buyer
from apps.catalog.models import CatalogChange, PriceGroupItem, ProductPrice, Promotion
from apps.catalog.selectors.products import (
    LISTED,
    PRODUCTS,
    ProductRow,
    brands_of,
    columns,
    quantities,
    visible_to,
)
from apps.common.db.dialect import is_postgresql
from apps.common.db.rows import fetch_each
from apps.common.types import Json


def price_list(*, buyer: Buyer, now: datetime) -> Iterator[Json]:
    """Yield the rows of the price list: every product that the buyer sees, brand by brand; never
    all in memory. One statement.
    """
    columns_read, visible = columns(buyer, now), visible_to(buyer, "p.brand_id")
    sql = f"""SELECT {columns_read.sql} FROM {PRODUCTS} WHERE {LISTED} AND {visible.sql}
     ORDER BY p.sort_key"""  # noqa: S608 - constant fragments; every value is a parameter
    for product in fetch_each(ProductRow, sql, columns_read.values + visible.values):
        price = product.price
        yield {
            "brand": product.brand,
            "sku": product.sku,
            "eng_name": product.eng_name,
            "is_running": product.is_running,
            "usd_price": product.usd_price or None,  # 0.00 is none
            "usd_supply": price.price,
            "usual_price": price.former,
            "price_until": price.until,
            "minimum": product.minimum,
            "moq": product.moq,
            "step": product.step,
            "weight": product.weight_g,
            "qty": max(0, product.qty),  # what is owed beyond the shelf is nothing to order
            "ean": product.ean,
        }


def _offers(buyer: Buyer) -> QuerySet[Any]:
    """Return the wishes for which something is held: orders stand above this app."""
    wishes = apps.get_model("orders.Wish")._default_manager
    return wishes.filter(company=buyer.company_id, held__gt=0)


def price_list_fingerprint(*, buyer: Buyer, now: datetime) -> str:
    """Return a text that changes whenever a cell of the buyer's price list does.

    PostgreSQL reads no products for it: 78 times the blocks at 1,000,000 of them, 3 s.
    """
    if not is_postgresql():
        hashed = blake2b(digest_size=16)
        for row in price_list(buyer=buyer, now=now):
            hashed.update(repr(row).encode())
        return hashed.hexdigest()
    is_narrowed = buyer.brands_restricted or buyer.closed_in is not None
    running = Promotion.objects.filter(starts_at__lte=now, ends_at__gt=now)
    # The last moments at which prices began or ended by themselves.
    begun = ProductPrice.objects.filter(is_written=False, starts_at__lte=now)
    turns: list[tuple[QuerySet[Any], str]] = [(begun, "starts_at")]
    if buyer.price_group_id is not None:
        items = PriceGroupItem.objects.filter(group=buyer.price_group_id)
        turns += [(items.filter(starts_at__lte=now), "starts_at")]
        turns += [(items.filter(ends_at__lte=now), "ends_at")]
    return repr(
        [
            CatalogChange.objects.aggregate(changes=BitXor("mark")),
            is_narrowed and list(brands_of(buyer).order_by("pk").values_list("pk", flat=True)),
            list(running.order_by("id").values_list("id")),
            buyer.price_group_id,
            *(rows.aggregate(last=Max(name))["last"] for rows, name in turns),
            list(_offers(buyer).order_by("id").values_list("product", "held")),
            quantities(1, special=False) + quantities(1, special=True),
        ]
    )
