"""What an order is packed into."""

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from apps.catalog.models import Product
from apps.orders.models.orders import Order


class PackingBox(models.Model):
    """Boxes of one kind: `count` of them, each of this weight (grams) and size (cm)."""

    order = models.ForeignKey(Order, models.PROTECT, related_name="boxes")
    number = models.PositiveIntegerField()
    count = models.PositiveIntegerField(default=1)
    weight_g = models.PositiveIntegerField()
    length = models.DecimalField(max_digits=6, decimal_places=1)
    width = models.DecimalField(max_digits=6, decimal_places=1)
    height = models.DecimalField(max_digits=6, decimal_places=1)

    class Meta:
        ordering = ("number",)
        verbose_name = _("packing box")
        verbose_name_plural = _("packing boxes")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["order", "number"], name="packingbox_once"),
            models.CheckConstraint(condition=Q(count__gt=0), name="packingbox_count"),
        ]

    def __str__(self) -> str:
        return f"{self.order}: box {self.number}"


class PackingItem(models.Model):
    """Pieces of a product in one box."""

    box = models.ForeignKey(PackingBox, models.CASCADE, related_name="items")
    product = models.ForeignKey(Product, models.PROTECT, related_name="+")
    quantity = models.PositiveIntegerField(help_text="pieces in one box of its count")

    class Meta:
        ordering = ("id",)
        verbose_name = _("packing item")
        verbose_name_plural = _("packing items")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["box", "product"], name="packingitem_once"),
            models.CheckConstraint(condition=Q(quantity__gt=0), name="packingitem_quantity"),
        ]

    def __str__(self) -> str:
        return f"{self.box}: {self.quantity} x {self.product}"
