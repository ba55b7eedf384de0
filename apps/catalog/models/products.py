"""Brands and products, and what searches and lists know them by."""

from collections.abc import Iterable, Sequence
from typing import Any
from unicodedata import normalize

from django.core.exceptions import ValidationError
from django.db import models, transaction
from django.db.models import Count, F, Func, OuterRef, Q, Subquery, Value
from django.db.models.functions import Coalesce, Length
from django.db.models.lookups import Exact, In
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from apps.accounts.models import Company
from apps.catalog.rules import images_of, searchable
from apps.common.db.columns import money_field
from apps.common.names import NameField


def list_key(brand: str) -> str:
    """Return what the products of a brand sort by before their own names; no brand's key begins
    another's.
    """
    return normalize("NFC", brand).lower().replace("\t", " ") + "\t"


class ListKeyField(models.CharField):
    """The key of a brand's name, set whenever a brand is written, also with many at once."""

    def pre_save(self, model_instance: models.Model, add: bool) -> str:
        """Return the key of the name that is being saved."""
        key = list_key(model_instance.eng)  # type: ignore[attr-defined]
        setattr(model_instance, self.attname, key)
        return key


class SearchTextField(models.CharField):
    """A brand's name in the form in which it is looked for, set as its key is."""

    def pre_save(self, model_instance: models.Model, add: bool) -> str:
        """Return that form of the name that is being saved."""
        text = searchable(model_instance.eng)[: self.max_length]  # type: ignore[attr-defined]
        setattr(model_instance, self.attname, text)
        return text


class BrandManager(models.Manager["Brand"]):
    """Brands, and the writer of their counters."""

    @transaction.atomic
    def recount_products(self, brand_ids: Iterable[int]) -> None:
        """Set how many products of these brands buyers see: whoever adds, moves or hides products
        calls it afterwards.

        Call it in the transaction that wrote the products. The brands are locked first and counted
        in a statement of its own, which sees what the transaction before has committed.
        """
        brands = self.filter(pk__in=list(brand_ids))
        list(brands.order_by("pk").select_for_update(no_key=True))
        listed = Product.objects.filter(brand=OuterRef("pk")).exclude(is_running=Running.HIDDEN)
        counted = listed.order_by().values("brand").values(count=Count("pk"))
        brands.update(product_count=Coalesce(Subquery(counted), 0))


class Brand(models.Model):
    """A brand; `product_count` is kept by `recount_products`: to count 1,000,000 products anew for
    the total of a page takes 120 ms, with an index of its own.

    Hidden products are not in it.
    """

    eng = NameField(_("name"), max_length=80, unique=True)
    list_key = ListKeyField(max_length=81, unique=True, editable=False)
    search_text = SearchTextField(max_length=80, editable=False)
    product_count = models.PositiveIntegerField(default=0, editable=False)

    objects = BrandManager()

    class Meta:
        ordering = ("list_key",)
        verbose_name = _("brand")
        verbose_name_plural = _("brands")

    def __str__(self) -> str:
        return self.eng

    @transaction.atomic
    def save(self, *args: Any, **kwargs: Any) -> None:
        """Save, count anew what somebody may have added since the brand was read, and rewrite the
        list keys.
        """
        super().save(*args, **kwargs)
        Brand.objects.recount_products([self.pk])
        products = list(self.products.all())
        for product in products:
            product.set_list_keys()
        Product.objects.bulk_update(products, ["sort_key", "search_text"], batch_size=500)

    def clean(self) -> None:
        """Refuse a name that differs from another brand's in case only: their products would stand
        mixed in lists.
        """
        if Brand.objects.filter(list_key=list_key(self.eng)).exclude(pk=self.pk).exists():
            raise ValidationError({"eng": _("There is a brand of this name.")})


class BrandAccess(models.Model):
    """A brand that a company with restricted brands may see."""

    company = models.ForeignKey(
        Company, models.CASCADE, related_name="brand_access", verbose_name=_("company")
    )
    brand = models.ForeignKey(
        Brand, models.CASCADE, related_name="company_access", verbose_name=_("brand")
    )

    class Meta:
        verbose_name = _("brand access")
        verbose_name_plural = _("brand access")
        constraints = [
            models.UniqueConstraint(fields=["company", "brand"], name="brandaccess_once")
        ]

    def __str__(self) -> str:
        return f"{self.company}: {self.brand}"


class Running(models.IntegerChoices):
    """Whether a product is on sale (section 3, is_running). No call to a buyer knows a
    hidden one.
    """

    DISCONTINUED = 0, _("Discontinued")
    ON_SALE = 1, _("On sale")
    CONTACT_US = 2, _("Contact us")
    HIDDEN = 3, _("Hidden")


SEARCH_TEXT = 340  # characters
EAN_HELP = _("8 or 13 digits with their check digit; several products may share one")
WITHOUT_DIGITS = Func(
    F("ean"), Value("0123456789"), function="LTRIM", output_field=models.CharField()
)


class Product(models.Model):
    """A product of the price list. Weights are grams of one piece, prices US dollars."""

    sku = models.CharField("SKU", max_length=40, unique=True)
    eng_name = NameField(_("name"), max_length=200)
    brand = models.ForeignKey(
        Brand, models.PROTECT, related_name="products", verbose_name=_("brand")
    )
    image = models.CharField(_("image"), max_length=120, blank=True)
    more_images = models.TextField(
        blank=True, default="", db_default="", editable=False, help_text="names behind `image`"
    )
    is_running = models.PositiveSmallIntegerField(
        _("sale"), choices=Running, default=Running.ON_SALE
    )
    is_special = models.BooleanField(
        _("special MOQ"),
        default=False,
        help_text=_("MOQ of the settings, any quantity from there."),
    )
    usd_price = money_field(verbose_name=_("USRP $"))
    usd_supply = money_field(verbose_name=_("wholesale $"))
    minimum = models.PositiveIntegerField(_("minimum"), default=10, help_text=_("in pieces"))
    weight_g = models.PositiveIntegerField(_("weight, g"), help_text=_("grams of one piece"))
    hs_code = models.CharField(_("HS code"), max_length=12, blank=True)
    origin = models.CharField(
        _("origin"), max_length=2, default="KR", help_text=_("country of origin, ISO 3166-1")
    )
    ean = models.CharField(  # noqa: DJ001 - where known
        "EAN", max_length=13, null=True, blank=True, help_text=EAN_HELP
    )
    sort_key = models.CharField(max_length=340, unique=True, editable=False)
    search_text = models.CharField(max_length=SEARCH_TEXT, editable=False)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ("sort_key",)
        verbose_name = _("product")
        verbose_name_plural = _("products")
        constraints = [
            models.CheckConstraint(
                condition=Q(usd_price__gte=0, usd_supply__gte=0), name="product_prices"
            ),
            models.CheckConstraint(condition=Q(minimum__gte=1), name="product_minimum"),
            models.CheckConstraint(
                condition=Q(Exact(WITHOUT_DIGITS, Value("")), In(Length("ean"), [8, 13])),
                name="product_ean",
            ),
            models.CheckConstraint(
                condition=~Q(image="") | Q(more_images=""), name="product_first_picture"
            ),
        ]
        indexes = [
            models.Index(fields=["brand", "sort_key"], name="product_brand_key"),
            models.Index(fields=["ean"], name="product_by_ean", condition=Q(ean__isnull=False)),
            models.Index(fields=["minimum"], name="product_by_minimum"),  # the largest of all
            models.Index(fields=["usd_supply", "id"], name="product_by_price"),
        ]

    def __str__(self) -> str:
        return f"{self.eng_name} ({self.sku})"

    @transaction.atomic
    def save(self, *args: Any, **kwargs: Any) -> None:
        """Save with fresh list keys, keep the price in its history, and let the brands that it
        leaves, joins or hides from count anew.
        """
        self.set_list_keys()
        if (fields := kwargs.get("update_fields")) is not None:
            kwargs["update_fields"] = {*fields, "sort_key", "search_text"}
        locked = Product.objects.select_for_update(no_key=True).filter(pk=self.pk)
        before = locked.values_list("brand_id", "is_running", "usd_supply").first()
        super().save(*args, **kwargs)
        brand_id, running, price = before or (self.brand_id, Running.HIDDEN, self.usd_supply)
        was_hidden, is_hidden = running == Running.HIDDEN, self.is_running == Running.HIDDEN
        if brand_id != self.brand_id or was_hidden != is_hidden:
            Brand.objects.recount_products({brand_id, self.brand_id})
        if price != self.usd_supply:
            self.prices.keep({self.pk: (price, self.usd_supply)}, now=timezone.now())

    @property
    def images(self) -> list[str]:
        """Return the names of its pictures in their order; lists show the first."""
        return images_of(self.image, self.more_images)

    @images.setter
    def images(self, names: Sequence[str]) -> None:
        self.image, self.more_images = (names[0], " ".join(names[1:])) if names else ("", "")

    def set_list_keys(self) -> None:
        """Set what lists sort by (brand, then name) and what a search looks through."""
        name = normalize("NFC", self.eng_name).lower()
        self.sort_key = f"{list_key(self.brand.eng)}{name}\t{self.sku}"
        names = map(searchable, (self.sku, self.brand.eng, self.eng_name))
        self.search_text = "\t".join(names)[:SEARCH_TEXT]


class CatalogChange(models.Model):
    """That something of the catalogue changed; on PostgreSQL triggers add a row for each statement
    that changed it.

    All marks together stand for a state of products, stock, brands and promotions: whoever commits
    adds one, and waits for nobody. `fold_changes` keeps the rows few.
    """

    mark = models.BigIntegerField()

    class Meta:
        verbose_name = _("catalog change")
        verbose_name_plural = _("catalog changes")

    def __str__(self) -> str:
        return str(self.mark)
