"""Wholesale prices by time, what price groups pay, what promotions ask; brands that are closed."""

from collections.abc import Mapping
from datetime import date, datetime
from decimal import Decimal

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from apps.accounts.models import AddressEntry, PriceGroup
from apps.catalog.models.products import Brand, Product
from apps.common.days import end_of, last_day_before
from apps.common.db.columns import money_field


class ProductPriceManager(models.Manager["ProductPrice"]):
    """Wholesale prices by time, and the writer of their history."""

    def keep(self, changed: Mapping[int, tuple[Decimal, Decimal]], *, now: datetime) -> None:
        """Keep what wholesale prices are from now on (product's id to former and new, US dollars):
        whoever writes `usd_supply` calls it, in the same transaction.

        What was to be written of these products and has begun is over.
        """
        due = ProductPrice.objects.filter(is_written=False, starts_at__lte=now)
        due.filter(product__in=changed).update(is_written=True)
        ProductPrice.objects.bulk_create(
            (
                ProductPrice(product_id=pk, price=price, starts_at=now, is_written=True)
                for pk, (former, price) in changed.items()
                if former != price
            ),
            update_conflicts=True,
            unique_fields=["product", "starts_at"],
            update_fields=["price", "is_written"],
        )


class ProductPrice(models.Model):
    """A base price from a moment on: what `Product.usd_supply` was made, or will be.

    One that has begun holds from then on, before the sweep writes it into the product.
    """

    product = models.ForeignKey(Product, models.CASCADE, related_name="prices", db_index=False)
    price = money_field(verbose_name=_("wholesale $"))
    starts_at = models.DateTimeField(_("holds from"))
    is_written = models.BooleanField(default=False, help_text="into the product, or over")

    objects = ProductPriceManager()

    class Meta:
        ordering = ("-starts_at",)
        verbose_name = _("wholesale price")
        verbose_name_plural = _("wholesale prices")
        constraints = [
            models.UniqueConstraint(fields=["product", "starts_at"], name="productprice_once"),
            models.CheckConstraint(condition=Q(price__gte=0), name="productprice_price"),
        ]
        indexes = [
            models.Index(
                fields=["starts_at"], name="productprice_coming", condition=Q(is_written=False)
            )
        ]

    def __str__(self) -> str:
        return f"{self.product}: {self.price}"


class PriceGroupItem(models.Model):
    """What a price group pays for a product, for a time or always.

    Of several in force the one that began last holds.
    """

    group = models.ForeignKey(
        PriceGroup,
        models.CASCADE,
        related_name="items",
        verbose_name=_("price group"),
        db_index=False,
    )
    product = models.ForeignKey(
        Product, models.CASCADE, related_name="group_prices", verbose_name=_("product")
    )
    price = money_field(verbose_name=_("group price $"))
    starts_at = models.DateTimeField(_("holds from"), null=True, blank=True)
    ends_at = models.DateTimeField(_("ends at"), null=True, blank=True)

    class Meta:
        verbose_name = _("group price")
        verbose_name_plural = _("group prices")
        constraints = [
            models.UniqueConstraint(
                fields=["group", "product", "starts_at"], name="pricegroupitem_once"
            ),
            models.UniqueConstraint(
                fields=["group", "product"],
                condition=Q(starts_at__isnull=True),
                name="pricegroupitem_always_once",
            ),
            models.CheckConstraint(
                condition=Q(starts_at__isnull=True)
                | Q(ends_at__isnull=True)
                | Q(ends_at__gt=F("starts_at")),
                name="pricegroupitem_ends",
            ),
            models.CheckConstraint(condition=Q(price__gte=0), name="pricegroupitem_price"),
        ]
        indexes = [
            # Pages read a product's prices from it alone.
            models.Index(
                fields=["group", "product"],
                include=["starts_at", "ends_at", "price"],
                name="pricegroupitem_product",
            ),
            models.Index(fields=["group", "price"], name="pricegroupitem_price_key"),
            models.Index(fields=["group", "starts_at"], name="pricegroupitem_begun"),
            models.Index(fields=["group", "ends_at"], name="pricegroupitem_ended"),
        ]

    def __str__(self) -> str:
        return f"{self.group}: {self.product}"

    @property
    def last_day(self) -> date | None:
        """Return the last of the seller's days on which it holds; None where it holds on."""
        return last_day_before(self.ends_at) if self.ends_at else None

    @last_day.setter
    def last_day(self, day: date | None) -> None:
        self.ends_at = end_of(day)


class BrandClosure(models.Model):
    """A brand that there is not for the companies of a country, whatever brands they were given."""

    brand = models.ForeignKey(Brand, models.CASCADE, related_name="closures")
    country = models.ForeignKey(
        AddressEntry, models.PROTECT, related_name="+", verbose_name=_("country"), db_index=False
    )

    class Meta:
        verbose_name = _("closed country")
        verbose_name_plural = _("closed countries")
        constraints = [
            models.UniqueConstraint(fields=["country", "brand"], name="brandclosure_once")
        ]

    def __str__(self) -> str:
        return f"{self.brand}: {self.country}"


class Promotion(models.Model):
    """Products promoted for a time, some at a promotional wholesale price."""

    name = models.CharField(_("name"), max_length=120)
    starts_at = models.DateTimeField(_("starts at"))
    ends_at = models.DateTimeField(_("ends at"))

    class Meta:
        ordering = ("-starts_at",)
        verbose_name = _("promotion")
        verbose_name_plural = _("promotions")
        constraints = [
            models.CheckConstraint(condition=Q(ends_at__gt=F("starts_at")), name="promotion_ends")
        ]

    def __str__(self) -> str:
        return self.name


class PromotionItem(models.Model):
    """A product in a promotion; without a price it is only promoted."""

    promotion = models.ForeignKey(
        Promotion, models.CASCADE, related_name="items", verbose_name=_("promotion")
    )
    product = models.ForeignKey(
        Product,
        models.CASCADE,
        related_name="promotion_items",
        verbose_name=_("product"),
        db_index=False,
    )
    price = money_field(null=True, blank=True, verbose_name=_("promotional wholesale $"))

    class Meta:
        verbose_name = _("promotion item")
        verbose_name_plural = _("promotion items")
        constraints = [
            models.UniqueConstraint(fields=["promotion", "product"], name="promotionitem_once"),
            models.CheckConstraint(
                condition=Q(price__isnull=True) | Q(price__gte=0), name="promotionitem_price"
            ),
        ]
        indexes = [
            # Pages read a product's promotional prices from it alone.
            models.Index(
                fields=["product"], include=["promotion", "price"], name="promotionitem_product"
            )
        ]

    def __str__(self) -> str:
        return str(self.product)
