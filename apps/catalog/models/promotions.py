"""Promotions and their products."""

from typing import ClassVar

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from apps.catalog.models.products import Product
from apps.common.db.columns import money_field


class Promotion(models.Model):
    """Products promoted for a time, some at a promotional wholesale price."""

    name = models.CharField(_("name"), max_length=120)
    starts_at = models.DateTimeField(_("starts at"))
    ends_at = models.DateTimeField(_("ends at"))

    class Meta:
        ordering = ("-starts_at",)
        verbose_name = _("promotion")
        verbose_name_plural = _("promotions")
        constraints: ClassVar = [
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
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["promotion", "product"], name="promotionitem_once"),
            models.CheckConstraint(
                condition=Q(price__isnull=True) | Q(price__gte=0), name="promotionitem_price"
            ),
        ]
        indexes: ClassVar = [
            # Pages read a product's promotional prices from it alone.
            models.Index(
                fields=["product"], include=["promotion", "price"], name="promotionitem_product"
            )
        ]

    def __str__(self) -> str:
        return str(self.product)
