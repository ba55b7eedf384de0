"""Bodies and answers of the product ordering calls."""

from datetime import datetime
from decimal import Decimal
from typing import Annotated

from rest_framework import serializers

from apps.common.http.serializers import (
    MAX_LINES,
    Answer,
    CountField,
    FlagField,
    Success,
    TextField,
)

MAX_SKU = 40
EAN = "**+** 8 or 13 digits; null where it is not known"


class Brand(Answer):
    """A brand of the brand list."""

    brand_id: int
    eng: str


class BrandList(Success):
    """The brands that the buyer sees, by name."""

    result: list[Brand]


class Product(Answer):
    """A product card; `count` is the pieces in the basket, 0 in lists."""

    sku: str
    eng_name: str
    brand_id: int
    brand: str
    image: str
    images: Annotated[list[str], "**+** all pictures in their order; `image` first"]
    ean: Annotated[str | None, EAN]
    is_running: int
    qty: int
    expect_qty: int
    held: Annotated[
        int, "pieces of qty that are held for the buyer's company alone, whatever the MOQ"
    ]
    usd_price: Decimal
    usd_supply: Decimal
    usual_price: Annotated[
        Decimal | None, "**+** from `price_until` on; null where that is not more"
    ]
    price_until: Annotated[
        datetime | None, "**+** when a promotion's or the group's lower price ends"
    ]
    minimum: int
    weight: Annotated[int, "grams of one piece"]
    count: int
    moq: int
    step: int
    availability: str
    selectable: FlagField


class ProductPage(Success):
    """At most 50 products. `page` is null after `after`, `total` after the first page, `next` at
    the end.
    """

    result: list[Product]
    page: int | None
    has_next: bool
    next: str | None
    total: int | None
    total_is_least: Annotated[
        bool, "**+** there are more: of what is searched or filtered 10,000 are counted"
    ]


class LikeResult(Success):
    """At most 5 brands and 20 products that are called almost as was searched for."""

    brands: list[Brand]
    products: list[Product]


class SuggestedProduct(Answer):
    """A product by what it is recognised."""

    sku: str
    eng_name: str
    brand: str
    image: str


class Suggestions(Success):
    """At most 3 brands and 6 products that have every word so far."""

    brands: list[Brand]
    products: list[SuggestedProduct]


class LikeQuery(serializers.Serializer):
    """What was searched for."""

    search = TextField(max_length=100, default="")


class PageQuery(serializers.Serializer):
    """Which part of a product list."""

    page = serializers.IntegerField(min_value=1, max_value=1_000_000, default=1)
    after = TextField(max_length=2_000, default="")
    search = TextField(max_length=100, default="")
    sort = serializers.ChoiceField(choices=["name", "price", "new"], default="")
    in_stock = serializers.BooleanField(default=False)
    on_sale = serializers.BooleanField(default=False)
    promotion = serializers.BooleanField(default=False)


class BasketLine(serializers.Serializer):
    """A line of the basket: pieces of a SKU."""

    sku = TextField(max_length=MAX_SKU)
    count = CountField()


class CartStock(serializers.Serializer):
    """The basket to check."""

    uuid = TextField(max_length=64)
    skuData = serializers.ListField(child=BasketLine(), max_length=MAX_LINES)


class CartStockResult(Success):
    """The basket's products, in the order asked."""

    result: list[Product]


class PriceListRow(Answer):
    """A row of the price list."""

    brand: str
    sku: str
    eng_name: str
    is_running: int
    usd_price: Decimal
    usd_supply: Decimal
    usual_price: Annotated[Decimal | None, "**+** as of a product"]
    price_until: Annotated[datetime | None, "**+** as of a product"]
    minimum: int
    moq: int
    step: int
    weight: Annotated[int, "grams of one piece"]
    qty: int
    ean: Annotated[str | None, EAN]


class PriceList(Success):
    """Every product that the buyer sees."""

    result: list[PriceListRow]
