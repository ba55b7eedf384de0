"""Brands, products, their stock, promotions."""

from collections.abc import Iterable
from typing import Any, ClassVar

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models, transaction
from django.db.models import Count, F, Func, OuterRef, Q, Subquery, Value
from django.db.models.functions import Coalesce, Length
from django.db.models.lookups import Exact, In

from apps.accounts.models import Company
from apps.catalog.words import LONGEST, words_of
from apps.common.db.columns import money_field


def list_key(brand: str) -> str:
    """Return what the products of a brand sort by before their own names; no brand's key begins another's."""
    return brand.lower().replace("\t", " ") + "\t"


class ListKeyField(models.CharField):
    """The key of a brand's name, set whenever a brand is written, also with many at once."""

    def pre_save(self, model_instance: models.Model, add: bool) -> str:
        """Return the key of the name that is being saved."""
        key = list_key(model_instance.eng)  # type: ignore[attr-defined]
        setattr(model_instance, self.attname, key)
        return key


class BrandManager(models.Manager["Brand"]):
    """Brands, and the writer of their counters."""

    @transaction.atomic
    def recount_products(self, brand_ids: Iterable[int]) -> None:
        """Set how many products of these brands buyers see: whoever adds, moves or hides products calls it afterwards.

        Call it in the transaction that wrote the products. The brands are locked first and counted in a statement of
        its own, which sees what the transaction before has committed.
        """
        brands = self.filter(pk__in=list(brand_ids))
        list(brands.order_by("pk").select_for_update(no_key=True))
        listed = Product.objects.filter(brand=OuterRef("pk")).exclude(is_running=Running.HIDDEN)
        counted = listed.order_by().values("brand").values(count=Count("pk"))
        brands.update(product_count=Coalesce(Subquery(counted), 0))


class Brand(models.Model):
    """A brand; `product_count` is kept by `recount_products`, so that a page's total costs no count.

    Hidden products are not in it.
    """

    eng = models.CharField("name", max_length=80, unique=True)
    list_key = ListKeyField(max_length=81, unique=True, editable=False)
    product_count = models.PositiveIntegerField(default=0, editable=False)

    objects = BrandManager()

    class Meta:
        ordering = ("eng",)

    def __str__(self) -> str:
        return self.eng

    @transaction.atomic
    def save(self, *args: Any, **kwargs: Any) -> None:
        """Save, count anew what somebody may have added since the brand was read, and rewrite the list keys."""
        super().save(*args, **kwargs)
        Brand.objects.recount_products([self.pk])
        products = list(self.products.all())
        for product in products:
            product.set_list_keys()
        Product.objects.bulk_update(products, ["sort_key", "search_text"], batch_size=500)
        SearchWord.objects.learn([self.eng])

    def clean(self) -> None:
        """Refuse a name that differs from another brand's in case only: their products would stand mixed in lists."""
        if Brand.objects.filter(list_key=list_key(self.eng)).exclude(pk=self.pk).exists():
            raise ValidationError({"eng": "There is a brand of this name."})


class BrandAccess(models.Model):
    """A brand that a company with restricted brands may see."""

    company = models.ForeignKey(Company, models.CASCADE, related_name="brand_access")
    brand = models.ForeignKey(Brand, models.CASCADE, related_name="company_access")

    class Meta:
        verbose_name_plural = "brand access"
        constraints: ClassVar = [models.UniqueConstraint(fields=["company", "brand"], name="brandaccess_once")]

    def __str__(self) -> str:
        return f"{self.company}: {self.brand}"


class Running(models.IntegerChoices):
    """Whether a product is on sale (section 3, is_running). No call to a buyer knows a hidden one."""

    DISCONTINUED = 0, "Discontinued"
    ON_SALE = 1, "On sale"
    CONTACT_US = 2, "Contact us"
    HIDDEN = 3, "Hidden"


EAN_HELP = "8 or 13 digits with their check digit; several products may share one"
WITHOUT_DIGITS = Func(F("ean"), Value("0123456789"), function="LTRIM", output_field=models.CharField())


class Product(models.Model):
    """A product of the price list. Weights are grams of one piece, prices US dollars."""

    sku = models.CharField("SKU", max_length=40, unique=True)
    eng_name = models.CharField("name", max_length=200)
    brand = models.ForeignKey(Brand, models.PROTECT, related_name="products")
    image = models.CharField(max_length=120, blank=True)
    is_running = models.PositiveSmallIntegerField("sale", choices=Running, default=Running.ON_SALE)
    is_special = models.BooleanField("special MOQ", default=False, help_text="MOQ 20, any quantity from there.")
    usd_price = money_field(verbose_name="USRP $")
    usd_supply = money_field(verbose_name="wholesale $")
    minimum = models.PositiveIntegerField(default=10, help_text="pieces; the effective MOQ is at least 10")
    weight_g = models.PositiveIntegerField("weight, g", help_text="grams of one piece")
    hs_code = models.CharField("HS code", max_length=12, blank=True)
    origin = models.CharField(max_length=2, default="KR", help_text="country of origin, ISO 3166-1")
    ean = models.CharField("EAN", max_length=13, null=True, blank=True, help_text=EAN_HELP)  # noqa: DJ001 - where known
    sort_key = models.CharField(max_length=340, unique=True, editable=False)
    search_text = models.CharField(max_length=340, editable=False)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ("sort_key",)
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(usd_price__gte=0, usd_supply__gte=0), name="product_prices"),
            models.CheckConstraint(condition=Q(minimum__gte=1), name="product_minimum"),
            models.CheckConstraint(
                condition=Q(Exact(WITHOUT_DIGITS, Value("")), In(Length("ean"), [8, 13])), name="product_ean"
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["brand", "sort_key"], name="product_brand_key"),
            models.Index(fields=["ean"], name="product_by_ean", condition=Q(ean__isnull=False)),
        ]

    def __str__(self) -> str:
        return f"{self.eng_name} ({self.sku})"

    @transaction.atomic
    def save(self, *args: Any, **kwargs: Any) -> None:
        """Save with fresh list keys, and let the brands that it leaves, joins or hides from count anew."""
        self.set_list_keys()
        if (fields := kwargs.get("update_fields")) is not None:
            kwargs["update_fields"] = {*fields, "sort_key", "search_text"}
        locked = Product.objects.select_for_update(no_key=True).filter(pk=self.pk)
        before = dict(locked.values_list("brand_id", "is_running"))
        super().save(*args, **kwargs)
        SearchWord.objects.learn([self.eng_name])
        was_hidden, is_hidden = Running.HIDDEN in before.values(), self.is_running == Running.HIDDEN
        if before.keys() != {self.brand_id} or was_hidden != is_hidden:
            Brand.objects.recount_products({*before, self.brand_id})

    def set_list_keys(self) -> None:
        """Set what lists sort by (brand, then name) and what a search looks through."""
        self.sort_key = f"{list_key(self.brand.eng)}{self.eng_name.lower()}\t{self.sku}"
        self.search_text = f"{self.eng_name}\t{self.sku}\t{self.brand.eng}".lower()


class SearchWordManager(models.Manager["SearchWord"]):
    """The words, and their one writer."""

    def learn(self, names: Iterable[str]) -> None:
        """Keep the words of these names of products or brands: whoever writes names calls it afterwards."""
        words = words_of("\t".join(names))
        known = set(self.filter(word__in=words).values_list("word", flat=True))
        # Sorted, so that two writers wait for each other in one order.
        self.bulk_create([SearchWord(word=word) for word in sorted(words - known)], ignore_conflicts=True)


class SearchWord(models.Model):
    """A word that a product or brand is called by, or once was: what a search that finds nothing may have meant."""

    word = models.CharField(max_length=LONGEST, primary_key=True)

    objects = SearchWordManager()

    def __str__(self) -> str:
        return self.word


class CatalogChange(models.Model):
    """That something of the catalogue changed; on PostgreSQL triggers add a row for each statement that changed it.

    All marks together stand for a state of products, stock, brands and promotions: whoever commits adds one, and waits
    for nobody. `fold_changes` keeps the rows few.
    """

    mark = models.BigIntegerField()

    def __str__(self) -> str:
        return str(self.mark)


class Stock(models.Model):
    """Pieces of one product. Only `catalog/services/stock.py` writes it; narrow, so that product rows stay packed."""

    product = models.OneToOneField(Product, models.CASCADE, primary_key=True, related_name="stock")
    on_hand = models.PositiveIntegerField(default=0)
    allocated = models.PositiveIntegerField(default=0, help_text="promised to orders not yet shipped, and held")
    short = models.PositiveIntegerField(default=0, help_text="promised beyond the shelf on purpose")

    class Meta:
        verbose_name_plural = "stock"
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(on_hand__gte=0, allocated__gte=0, short__gte=0), name="stock_not_negative"
            ),
            models.CheckConstraint(condition=Q(allocated__lte=F("on_hand") + F("short")), name="stock_not_oversold"),
        ]
        indexes: ClassVar = [models.Index(fields=["product"], name="stock_short", condition=Q(short__gt=0))]

    def __str__(self) -> str:
        return f"{self.product}: {self.on_hand} on hand, {self.allocated} allocated"


class StockHold(models.Model):
    """Pieces held while a PayPal deposit of a temporary order is under way; counted in `Stock.allocated`."""

    invoice_code = models.CharField(max_length=40)
    product = models.ForeignKey(Product, models.PROTECT, related_name="holds")
    quantity = models.PositiveIntegerField()
    expires_at = models.DateTimeField(db_index=True, null=True, blank=True, help_text="empty: until it is settled")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["invoice_code", "product"], name="stockhold_once"),
            models.CheckConstraint(condition=Q(quantity__gt=0), name="stockhold_quantity"),
        ]

    def __str__(self) -> str:
        return f"{self.invoice_code}: {self.quantity} x {self.product}"


class StockChange(models.Model):
    """A change of `on_hand`, by whom and why. Never edited."""

    product = models.ForeignKey(Product, models.PROTECT, related_name="stock_changes")
    change = models.IntegerField(help_text="pieces added to or taken off the shelf")
    on_hand = models.PositiveIntegerField(help_text="pieces on the shelf afterwards")
    reason = models.CharField(max_length=200)
    invoice_code = models.CharField(max_length=40, blank=True)
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering = ("-at", "-id")

    def __str__(self) -> str:
        return f"{self.product}: {self.change:+d}"


class Promotion(models.Model):
    """Products promoted for a time, some at a promotional wholesale price."""

    name = models.CharField(max_length=120)
    starts_at = models.DateTimeField()
    ends_at = models.DateTimeField()

    class Meta:
        ordering = ("-starts_at",)
        constraints: ClassVar = [models.CheckConstraint(condition=Q(ends_at__gt=F("starts_at")), name="promotion_ends")]

    def __str__(self) -> str:
        return self.name


class PromotionItem(models.Model):
    """A product in a promotion; without a price it is only promoted."""

    promotion = models.ForeignKey(Promotion, models.CASCADE, related_name="items")
    product = models.ForeignKey(Product, models.CASCADE, related_name="promotion_items")
    price = money_field(null=True, blank=True, verbose_name="promotional wholesale $")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["promotion", "product"], name="promotionitem_once"),
            models.CheckConstraint(condition=Q(price__isnull=True) | Q(price__gte=0), name="promotionitem_price"),
        ]

    def __str__(self) -> str:
        return f"{self.promotion}: {self.product}"


IMPORT_FOLDER = "imports"


def stored_path(storage_name: str) -> str:
    """Return where the file of an import lies in the private storage."""
    return f"{IMPORT_FOLDER}/{storage_name}"


def rows_path(storage_name: str) -> str:
    """Return where the rows of a table lie while it is read, unpacked once for all its slices."""
    return f"{IMPORT_FOLDER}/{storage_name}.rows"


class Import(models.Model):
    """A file of products, prices and stock, or of pictures, that staff sent: read, looked at, applied, undone."""

    class Kind(models.TextChoices):
        """What the file holds."""

        TABLE = "table", "Products, prices and stock"
        PICTURES = "pictures", "Pictures"

    class State(models.TextChoices):
        """Where it stands; the sweep works on what is being read, applied or undone."""

        READING = "reading", "Being read"
        REVIEW = "review", "Waits for review"
        APPLYING = "applying", "Being applied"
        APPLIED = "applied", "Applied"
        UNDOING = "undoing", "Being undone"
        UNDONE = "undone", "Undone"
        REFUSED = "refused", "Refused"
        DISCARDED = "discarded", "Thrown away"

    name = models.CharField("file", max_length=200)
    kind = models.CharField(max_length=10, choices=Kind, default=Kind.TABLE)
    storage_name = models.CharField(max_length=40)
    state = models.CharField(max_length=10, choices=State, default=State.READING, db_index=True)
    remark = models.CharField(max_length=300, blank=True, help_text="why it was refused, or has to be looked at again")
    unread = models.CharField(max_length=200, blank=True, help_text="headings of columns that are not read")
    rows_read = models.PositiveIntegerField(default=0)
    rows_written = models.PositiveIntegerField(default=0, help_text="applied, or put back, so far")
    rows_expected = models.PositiveIntegerField(default=0, help_text="an estimate, for the bar")
    counts = models.JSONField(default=dict)
    tries = models.PositiveSmallIntegerField(default=0)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    created_at = models.DateTimeField()
    read_at = models.DateTimeField(null=True, blank=True)
    applied_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    applied_at = models.DateTimeField(null=True, blank=True)
    undone_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    undone_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-id",)

    def __str__(self) -> str:
        return self.name


class ImportRow(models.Model):
    """A row of an import: what it would change, or did. `old` and `new` hold the fields that differ, by name."""

    class Result(models.TextChoices):
        """What applying does with the row."""

        SAME = "same", "Same"
        CHANGED = "changed", "Changed"
        NEW = "new", "New product"
        UNKNOWN = "unknown", "Unknown SKU"
        TWICE = "twice", "Twice"
        FAULTY = "faulty", "Cannot be read"

    source = models.ForeignKey(Import, models.CASCADE, related_name="rows", verbose_name="import")
    number = models.PositiveIntegerField(help_text="in the file")
    sku = models.CharField("SKU", max_length=60, blank=True)
    product = models.ForeignKey(Product, models.SET_NULL, null=True, blank=True, related_name="+")
    result = models.CharField(max_length=10, choices=Result)
    old = models.JSONField(default=dict)
    new = models.JSONField(default=dict)
    remark = models.CharField(max_length=300, blank=True)
    has_price = models.BooleanField(default=False)
    has_stock = models.BooleanField(default=False)
    price_drop = models.PositiveSmallIntegerField(default=0, help_text="percent, where it is more than 30")
    price_rise = models.PositiveIntegerField(default=0, help_text="percent, where it is more than 100")
    short = models.PositiveIntegerField(default=0, help_text="pieces that are promised beyond the new count")
    stock_fall = models.PositiveIntegerField(default=0, help_text="pieces, where less than a tenth is left")
    is_twice = models.BooleanField(default=False, help_text="the last of the rows with its SKU")
    is_touched = models.BooleanField(default=False, help_text="changed by somebody else since")
    is_done = models.BooleanField(default=False, help_text="written, and not put back")

    class Meta:
        ordering = ("number",)
        constraints: ClassVar = [models.UniqueConstraint(fields=["source", "number"], name="importrow_once")]
        indexes: ClassVar = [
            models.Index(fields=["source", "sku", "number"], name="importrow_sku"),
            models.Index(fields=["source", "result", "number"], name="importrow_result"),
            models.Index(fields=["source", "product"], name="importrow_product"),
        ]

    def __str__(self) -> str:
        return f"{self.source}, row {self.number}"


MAX_OWN_CODE = 60


class OwnCode(models.Model):
    """What a company calls a product in its own lists; learned when one of its buyers says which product is meant."""

    company = models.ForeignKey(Company, models.CASCADE, related_name="own_codes", db_index=False)
    code = models.CharField(max_length=MAX_OWN_CODE, help_text="in capitals, as lists are read")
    product = models.ForeignKey(Product, models.CASCADE, related_name="own_codes")
    learned_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+", db_index=False
    )
    learned_at = models.DateTimeField()

    class Meta:
        ordering = ("code",)
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["company", "code"], name="owncode_once"),
            models.CheckConstraint(condition=~models.Q(code=""), name="owncode_named"),
        ]

    def __str__(self) -> str:
        return f"{self.company}: {self.code}"
