"""Bodies and answers of the product ordering calls."""

from rest_framework import serializers

from apps.common.http.serializers import MAX_LINES, CountField, FlagField, MoneyField, TextField

MAX_SKU = 40
EAN = "**+** 8 or 13 digits; null where it is not known"


class Brand(serializers.Serializer):
    """A brand of the brand list."""

    brand_id = serializers.IntegerField()
    eng = serializers.CharField()


class BrandList(serializers.Serializer):
    """The brands that the buyer sees, by name."""

    success = serializers.IntegerField()
    result = Brand(many=True)


class Product(serializers.Serializer):
    """A product card; `count` is the pieces in the basket, 0 in lists."""

    sku = serializers.CharField()
    eng_name = serializers.CharField()
    brand_id = serializers.IntegerField()
    brand = serializers.CharField()
    image = serializers.CharField()
    images = serializers.ListField(
        child=serializers.CharField(), help_text="**+** all pictures in their order; `image` first"
    )
    ean = serializers.CharField(allow_null=True, help_text=EAN)
    is_running = serializers.IntegerField()
    qty = serializers.IntegerField()
    expect_qty = serializers.IntegerField()
    held = serializers.IntegerField(
        help_text="pieces of qty that are held for the buyer's company alone, whatever the MOQ"
    )
    usd_price = MoneyField()
    usd_supply = MoneyField()
    usual_price = MoneyField(
        allow_null=True, help_text="**+** from `price_until` on; null where that is not more"
    )
    price_until = serializers.DateTimeField(
        allow_null=True, help_text="**+** when a promotion's or the group's lower price ends"
    )
    minimum = serializers.IntegerField()
    weight = serializers.IntegerField(help_text="grams of one piece")
    count = serializers.IntegerField()
    moq = serializers.IntegerField()
    step = serializers.IntegerField()
    availability = serializers.CharField()
    selectable = FlagField()


class ProductPage(serializers.Serializer):
    """At most 50 products. `page` is null after `after`, `total` after the first page, `next` at
    the end.
    """

    success = serializers.IntegerField()
    result = Product(many=True)
    page = serializers.IntegerField(allow_null=True)
    has_next = serializers.BooleanField()
    next = serializers.CharField(allow_null=True)
    total = serializers.IntegerField(allow_null=True)
    total_is_least = serializers.BooleanField(
        help_text="**+** there are more: of what is searched or filtered 10,000 are counted"
    )


class LikeResult(serializers.Serializer):
    """At most 5 brands and 20 products that are called almost as was searched for."""

    success = serializers.IntegerField()
    brands = Brand(many=True)
    products = Product(many=True)


class SuggestedProduct(serializers.Serializer):
    """A product by what it is recognised."""

    sku = serializers.CharField()
    eng_name = serializers.CharField()
    brand = serializers.CharField()
    image = serializers.CharField()


class Suggestions(serializers.Serializer):
    """At most 3 brands and 6 products that have every word so far."""

    success = serializers.IntegerField()
    brands = Brand(many=True)
    products = SuggestedProduct(many=True)


class LikeQuery(serializers.Serializer):
    """What was searched for."""

    search = TextField(max_length=100, required=False, default="")


class PageQuery(serializers.Serializer):
    """Which part of a product list."""

    page = serializers.IntegerField(min_value=1, max_value=1_000_000, required=False, default=1)
    after = TextField(max_length=2_000, required=False, default="")
    search = TextField(max_length=100, required=False, default="")
    sort = serializers.ChoiceField(choices=["name", "price", "new"], required=False, default="")
    in_stock = serializers.BooleanField(required=False, default=False)
    on_sale = serializers.BooleanField(required=False, default=False)
    promotion = serializers.BooleanField(required=False, default=False)


class BasketLine(serializers.Serializer):
    """A line of the basket: pieces of a SKU."""

    sku = TextField(max_length=MAX_SKU)
    count = CountField()


class CartStock(serializers.Serializer):
    """The basket to check."""

    uuid = TextField(max_length=64)
    skuData = serializers.ListField(child=BasketLine(), max_length=MAX_LINES)


class CartStockResult(serializers.Serializer):
    """The basket's products, in the order asked."""

    success = serializers.IntegerField()
    result = Product(many=True)


class PriceListRow(serializers.Serializer):
    """A row of the price list."""

    brand = serializers.CharField()
    sku = serializers.CharField()
    eng_name = serializers.CharField()
    is_running = serializers.IntegerField()
    usd_price = MoneyField()
    usd_supply = MoneyField()
    usual_price = MoneyField(allow_null=True, help_text="**+** as of a product")
    price_until = serializers.DateTimeField(allow_null=True, help_text="**+** as of a product")
    minimum = serializers.IntegerField()
    moq = serializers.IntegerField()
    step = serializers.IntegerField()
    weight = serializers.IntegerField(help_text="grams of one piece")
    qty = serializers.IntegerField()
    ean = serializers.CharField(allow_null=True, help_text=EAN)


class PriceList(serializers.Serializer):
    """Every product that the buyer sees."""

    success = serializers.IntegerField()
    result = PriceListRow(many=True)
