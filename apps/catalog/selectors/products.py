"""Reads of brands and products: what one buyer may see, at what that buyer pays now.

Written by hand, for pages and for single products alike: Django has no words for what keeps a page
of 1,000,000 products as quick as one of 10,000 (`LATERAL`, a materialized search), nor for
"looked up once for all rows". Only constant fragments are joined together; every value travels as a
parameter, hence the rule that is off below.
"""
# ruff: noqa: S608

from collections.abc import Collection, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any, NamedTuple

from django.db.models import Q, QuerySet

from apps.accounts.models import Company
from apps.accounts.selectors import Buyer
from apps.catalog.models import Brand, BrandAccess, BrandClosure, Running
from apps.catalog.rules import (
    HIDDEN,
    Price,
    availability_tag,
    can_select,
    effective_moq,
    images_of,
    quantity_step,
)
from apps.catalog.selectors.prices import price_facts, read_price
from apps.common.db.dialect import one_of, one_of_rows
from apps.common.db.rows import Part, all_of, fetch_all, joined
from apps.common.seller import seller
from apps.common.types import Json


def shown_to(company: Company) -> Q:
    """Return the condition that a product is not hidden, and its brand one that the company may
    see.
    """
    restricted = company.pk if company.brands_restricted else None
    return _shown("", restricted, company.country_id)


def shown_to_buyer(buyer: Buyer, product: str = "") -> Q:
    """Return the same for a buyer's company; `product` leads to the product, as `product__`."""
    restricted = buyer.company_id if buyer.brands_restricted else None
    return _shown(product, restricted, buyer.closed_in)


def own_brands(company: Any) -> QuerySet[Any, Any]:
    """Return the ids of the brands that a restricted company was given."""
    return BrandAccess.objects.filter(company=company).values("brand")


def closed_brands(country: Any) -> QuerySet[Any, Any]:
    """Return the ids of the brands that are closed to a country's companies."""
    return BrandClosure.objects.filter(country=country).values("brand")


def brands_of(buyer: Buyer) -> QuerySet[Brand]:
    """Return the brands that a buyer's company may see."""
    brands = Brand.objects.all()
    if buyer.brands_restricted:
        brands = brands.filter(pk__in=own_brands(buyer.company_id))
    return brands.exclude(pk__in=closed_brands(buyer.closed_in)) if buyer.closed_in else brands


def _shown(product: str, restricted: int | None, country: int | None) -> Q:
    condition = ~Q((f"{product}is_running", Running.HIDDEN))
    if restricted is not None:
        condition &= Q((f"{product}brand__in", own_brands(restricted)))
    if country is not None:
        condition &= ~Q((f"{product}brand__in", closed_brands(country)))
    return condition


# The one parameter of these is the company, the country.
OWN_BRANDS, _ = own_brands(0).query.sql_with_params()
CLOSED_BRANDS, _ = closed_brands(0).query.sql_with_params()
LISTED = f"p.is_running <> {HIDDEN}"  # what there is for buyers at all
PRODUCTS = "catalog_product p JOIN catalog_brand b ON b.id = p.brand_id"
# Pieces are looked up for each product of a few.
FREE = (
    "COALESCE((SELECT s.on_hand - s.allocated FROM catalog_stock s WHERE s.product_id = p.id), 0)"
)
# What is held for the buyer's company alone. Wishes are the orders'; they are read here by their
# table's name, so that a page says in its one statement what this buyer can order. Where a company
# has no offer, no product is looked up.
OFFERED = "w.company_id = %s AND w.held > 0"
HELD = f"""CASE WHEN (SELECT EXISTS (SELECT 1 FROM orders_wish w WHERE {OFFERED}))
 THEN (SELECT COALESCE(SUM(w.held), 0) FROM orders_wish w
 WHERE {OFFERED} AND w.product_id = p.id) ELSE 0 END"""


class ProductRow(NamedTuple):
    """A product as a buyer sees it now: `base` to `items` say its price, `free` what nobody is
    promised.

    `held` is promised to the buyer's company alone, by offers to its wishes; pieces both.
    """

    id: int
    sku: str
    eng_name: str
    brand_id: int
    brand: str
    image: str
    more_images: str
    is_running: int
    is_special: bool
    minimum: int
    weight_g: int
    usd_price: Decimal
    base: Decimal
    percent: Decimal | None
    running: str | None
    promoted: str | None
    items: str | None
    free: int
    held: int
    ean: str | None
    sort_key: str
    total: int | None = None  # of the list that it stands in; first pages alone ask for it

    @property
    def price(self) -> Price:
        """Return what the buyer pays, and by which rule."""
        return read_price(self.base, self.percent, self.running, self.promoted, self.items)

    @property
    def usd_supply(self) -> Decimal:
        """Return what the buyer pays for a piece, in US dollars."""
        return self.price.price

    @property
    def qty(self) -> int:
        """Return the pieces that the buyer can order."""
        return max(0, self.free) + self.held if self.held else self.free

    @property
    def moq(self) -> int:
        """Return the fewest pieces of an order."""
        return quantities(self.minimum, self.is_special)[0]

    @property
    def step(self) -> int:
        """Return the pieces by which an order's may differ."""
        return quantities(self.minimum, self.is_special)[1]

    def available(self, *, stock_free: bool) -> int:
        """Return the pieces that an order of the buyer can have: of what is not sold any more, what
        is held for him.
        """
        return (
            self.qty
            if can_select(is_running=self.is_running, qty=self.qty, stock_free=stock_free)
            else self.held
        )


NAMES = [name for name in ProductRow._fields if name not in ProductRow._field_defaults]


def columns(buyer: Buyer, now: datetime) -> Part:
    """Return the columns of a ProductRow."""
    computed = {
        "brand": Part("b.eng"),
        "free": Part(FREE),
        "held": Part(HELD, (buyer.company_id,) * 2),
        **price_facts(buyer.price_group_id, now),
    }
    return joined(", ", (computed.get(name, Part(f"p.{name}")) for name in NAMES))


def visible_to(buyer: Buyer, column: str, *, each: bool = False) -> Part:
    """Return the condition that a brand is one the buyer's company may see (readings, Catalogue).

    As an array it leaves the order of the products to their index; with `each`, the brands
    themselves are looked at.
    """
    closed = Part("1 = 1")
    if buyer.closed_in is not None:
        closed = Part(f"{column} NOT IN ({CLOSED_BRANDS})", (buyer.closed_in,))
    if not buyer.brands_restricted:
        return closed
    own = one_of_rows(column, OWN_BRANDS, as_array=not each)
    return all_of([Part(own, (buyer.company_id,)), closed])


def quantities(minimum: int, special: bool) -> tuple[int, int]:
    """Return the fewest pieces of an order, and those by which it may differ, of a product with
    this minimum of its own.
    """
    now = seller()
    moq = effective_moq(
        minimum=minimum, special=special, floor=now.least_moq, special_moq=now.special_moq
    )
    return moq, quantity_step(minimum=minimum, special=special, floor=now.least_moq)


def product_json(product: ProductRow, *, stock_free: bool, count: int = 0) -> Json:
    """Return api.md's product; `count` is the pieces in a basket."""
    price, _, former, until = product.price
    moq, step = quantities(product.minimum, product.is_special)
    qty = product.qty
    sale = {"is_running": product.is_running, "qty": qty}
    return {
        "sku": product.sku,
        "eng_name": product.eng_name,
        "brand_id": product.brand_id,
        "brand": product.brand,
        "image": product.image,
        "images": images_of(product.image, product.more_images),
        "ean": product.ean,
        "is_running": product.is_running,
        "qty": qty,
        "expect_qty": qty,
        "held": product.held,
        "usd_price": product.usd_price,
        "usd_supply": price,
        "usual_price": former,
        "price_until": until,
        "minimum": product.minimum,
        "weight": product.weight_g,
        "count": count,
        "moq": moq,
        "step": step,
        "availability": availability_tag(**sale),
        "selectable": int(can_select(**sale, stock_free=stock_free)),
    }


def brand_list(*, buyer: Buyer) -> list[Json]:
    """Return the brands that the buyer may see, by name, case ignored."""
    brands = sorted(brands_of(buyer).order_by(), key=lambda brand: brand.eng.casefold())
    return [{"brand_id": brand.pk, "eng": brand.eng} for brand in brands]


def _products(*, buyer: Buyer, selection: Part, now: datetime) -> list[ProductRow]:
    """Return the products that a condition names and the buyer sees, in one statement."""
    condition = all_of([selection, Part(LISTED), visible_to(buyer, "p.brand_id")])
    columns_read = columns(buyer, now)
    sql = f"SELECT {columns_read.sql} FROM {PRODUCTS} WHERE {condition.sql}"
    return fetch_all(ProductRow, sql, columns_read.values + condition.values)


def products_by_sku(*, buyer: Buyer, skus: Collection[str], now: datetime) -> dict[str, ProductRow]:
    """Return the products of these SKUs that exist for this buyer, by SKU, in one statement."""
    rows = _products(buyer=buyer, selection=one_of("p.sku", list(skus)), now=now) if skus else []
    return {product.sku: product for product in rows}


def products_by_id(*, buyer: Buyer, ids: Collection[int], now: datetime) -> dict[int, ProductRow]:
    """Return the products of these numbers that exist for this buyer, in one statement."""
    rows = _products(buyer=buyer, selection=one_of("p.id", list(ids)), now=now) if ids else []
    return {product.id: product for product in rows}


def cart_stock(*, buyer: Buyer, lines: Sequence[tuple[str, int]], now: datetime) -> list[Json]:
    """Return the products of a basket with their pieces, in the order asked; a SKU given twice is
    added up.

    SKUs that do not exist for this buyer are left out.
    """
    counts: dict[str, int] = {}
    for sku, count in lines:
        counts[sku] = counts.get(sku, 0) + count
    products = products_by_sku(buyer=buyer, skus=counts, now=now)
    return [
        product_json(products[sku], stock_free=buyer.stock_free, count=count)
        for sku, count in counts.items()
        if sku in products
    ]
