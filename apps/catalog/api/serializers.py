"""Bodies and answers of the product ordering calls."""

from rest_framework import serializers

from apps.catalog.lists.amounts import MAX_CARTON
from apps.catalog.lists.columns import (
    ASKS_CARTON,
    ASKS_COLUMNS,
    ASKS_QUANTITY,
    COLUMNS_SHOWN,
    KINDS,
)
from apps.catalog.review.problems import PROBLEMS
from apps.common.http.serializers import MAX_LINES, CountField, FlagField, MoneyField, TextField

MAX_TABS = 100
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
        allow_null=True, help_text="**+** without its promotion; null where it has no other price"
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


class ListUpload(serializers.Serializer):
    """A list of SKUs and quantities: .xlsx or .csv, or a text (.txt) with a line for each.

    `columns` is a `SaidColumns` for each tab whose columns the buyer names, as JSON: they are
    remembered. `uuid` names the list from then on; sent again it is the same list, whose file need
    not be sent again.
    """

    list = serializers.FileField(required=False)
    uuid = serializers.UUIDField(
        required=False, help_text="**+** made by the caller, else by the portal"
    )
    columns = serializers.JSONField(
        binary=True, required=False, help_text="**+** what the buyer says of columns"
    )


class SaidColumns(serializers.Serializer):
    """What each column of a tab holds; `tab` and `head` are as the review had them."""

    tab = serializers.IntegerField(min_value=0, max_value=MAX_TABS)
    head = serializers.IntegerField(min_value=0, max_value=2**31 - 1)
    kinds = serializers.ListField(
        child=serializers.ChoiceField(choices=KINDS), max_length=COLUMNS_SHOWN
    )
    carton = serializers.IntegerField(min_value=0, max_value=MAX_CARTON, required=False, default=0)


class SaidTabs(serializers.Serializer):
    """The columns of several tabs."""

    columns = serializers.ListField(child=SaidColumns(), max_length=MAX_TABS)


class Fix(serializers.Serializer):
    """What a button beside a problem does to its line; null: leaves it as it is. Without both it
    accepts the line.
    """

    text = serializers.CharField()
    sku = serializers.CharField(allow_null=True)
    count = serializers.IntegerField(allow_null=True)


class LineProblem(serializers.Serializer):
    """Why a line cannot be ordered as it stands, with the fixes that there are, the
    nearest first.
    """

    code = serializers.ChoiceField(choices=PROBLEMS)
    text = serializers.CharField()
    fixes = Fix(many=True)


class CandidateProduct(serializers.Serializer):
    """A product that the buyer's words may mean, why, and which of its words agree, in small
    letters.
    """

    product = Product()
    why = serializers.CharField()
    agreeing = serializers.ListField(child=serializers.CharField())


class ReviewedLine(serializers.Serializer):
    """A SKU of the list: the first row that names it, what it is called there, its product and its
    pieces.

    Of a message: a part of it that asks for a product; `row` is its place among them.
    """

    row = serializers.IntegerField()
    rows = serializers.ListField(
        child=serializers.IntegerField(), help_text="**+** all rows that name it"
    )
    sku = serializers.CharField()
    own_code = serializers.CharField(help_text="what the company calls it in the list, else empty")
    product = Product(allow_null=True)
    count = serializers.IntegerField()
    problems = LineProblem(many=True)
    words = serializers.CharField(help_text="**+** the buyer's words in a message, else empty")
    called = serializers.CharField(
        help_text="**+** what of them names the product, and may be remembered"
    )
    packs = serializers.IntegerField(help_text="**+** cartons that its rows ask for, else 0")
    unit = serializers.CharField(help_text="**+** what they are called, else empty")
    candidates = CandidateProduct(
        many=True, help_text="**+** which product may be meant, the likeliest first"
    )


class SheetRow(serializers.Serializer):
    """A row of a sheet, as texts."""

    row = serializers.IntegerField()
    cells = serializers.ListField(child=serializers.CharField())


class SheetColumns(serializers.Serializer):
    """A tab of a sheet: its first rows, what is thought of each column (empty: asked), and what is
    asked first.

    `asks` is `columns` (which is what), `quantity` (which holds it), `carton` (how many pieces are
    in one), or empty.
    """

    tab = serializers.IntegerField()
    name = serializers.CharField()
    head = serializers.IntegerField(help_text="the row of its headings, 0: none")
    count = serializers.IntegerField(help_text="rows with anything in them")
    rows = SheetRow(many=True)
    kinds = serializers.ListField(child=serializers.ChoiceField(choices=KINDS, allow_blank=True))
    carton = serializers.IntegerField(help_text="pieces in a carton, 0: asked at each row")
    asks = serializers.ChoiceField(
        choices=(ASKS_COLUMNS, ASKS_QUANTITY, ASKS_CARTON), allow_blank=True
    )
    is_remembered = serializers.BooleanField()


class PassedRow(serializers.Serializer):
    """A row of the list that is no line of the order: what stands there, and why."""

    row = serializers.IntegerField()
    text = serializers.CharField()
    why = serializers.CharField()


class PassedWhy(serializers.Serializer):
    """How many rows are no lines of the order for the same reason."""

    why = serializers.CharField()
    rows = serializers.IntegerField()


class ListReview(serializers.Serializer):
    """The list as it would be ordered, or what a message asks for, questions first."""

    success = serializers.IntegerField()
    lines = ReviewedLine(many=True)
    without_quantity = serializers.IntegerField(help_text="rows that were passed over")
    unread = serializers.ListField(
        child=serializers.CharField(),
        help_text="**+** a message's words with a number that name no product",
    )
    columns = SheetColumns(
        many=True, help_text="**+** the tabs of a sheet, none of a message or a typed list"
    )
    passed = PassedRow(
        many=True, help_text="**+** rows that were passed over: of each reason the first 300"
    )
    passed_why = PassedWhy(
        many=True, help_text="**+** how many were for which reason, the commonest first"
    )
    list = serializers.UUIDField(
        allow_null=True, help_text="**+** of the list in hand; null: it could not be kept"
    )


class ReviewUse(serializers.Serializer):
    """Which review uses a list or message up: a UUID that the caller makes once, and repeats while
    it has no answer.
    """

    key = serializers.UUIDField()
