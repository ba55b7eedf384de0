"""Promotions and their products."""

from typing import ClassVar

from django.db import models
from django.db.models import F, Q

from apps.catalog.models.products import Product
from apps.common.db.columns import money_field


class Promotion(models.Model):
    """Products promoted for a time, some at a promotional wholesale price."""

    name = models.CharField(max_length=120)
    starts_at = models.DateTimeField()
    ends_at = models.DateTimeField()

    class Meta:
        ordering = ("-starts_at",)
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(ends_at__gt=F("starts_at")), name="promotion_ends")
        ]

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
            models.CheckConstraint(
                condition=Q(price__isnull=True) | Q(price__gte=0), name="promotionitem_price"
            ),
        ]

    def __str__(self) -> str:
        return str(self.product)
