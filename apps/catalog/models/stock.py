"""Pieces of products: on the shelf, promised, held, and each change of them."""

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from apps.catalog.models.products import Product
from apps.common.db.columns import person_field


class Stock(models.Model):
    """Pieces of one product. Only `catalog/services/stock.py` writes it; narrow, so that product
    rows stay packed.
    """

    product = models.OneToOneField(Product, models.CASCADE, primary_key=True, related_name="stock")
    on_hand = models.PositiveIntegerField(default=0)
    allocated = models.PositiveIntegerField(
        default=0, help_text="promised to orders not yet shipped, and held"
    )
    short = models.PositiveIntegerField(default=0, help_text="promised beyond the shelf on purpose")
    # The next delivery, as the seller expects it: on its way and on no shelf yet
    arriving = models.PositiveIntegerField(default=0, db_default=0)
    expected_on = models.DateField(null=True, blank=True)

    class Meta:
        verbose_name = _("stock")
        verbose_name_plural = _("stock")
        constraints = [
            models.CheckConstraint(
                condition=Q(on_hand__gte=0, allocated__gte=0, short__gte=0),
                name="stock_not_negative",
            ),
            models.CheckConstraint(
                condition=Q(allocated__lte=F("on_hand") + F("short")), name="stock_not_oversold"
            ),
            models.CheckConstraint(
                condition=Q(arriving=0, expected_on__isnull=True)
                | Q(arriving__gt=0, expected_on__isnull=False),
                name="stock_arriving",
            ),
        ]
        indexes = [models.Index(fields=["product"], name="stock_short", condition=Q(short__gt=0))]

    def __str__(self) -> str:
        return f"{self.product}: {self.on_hand} on hand, {self.allocated} allocated"


class StockHold(models.Model):
    """Pieces held while a PayPal deposit of a temporary order is under way; counted in
    `Stock.allocated`.
    """

    invoice_code = models.CharField(max_length=40)
    product = models.ForeignKey(Product, models.PROTECT, related_name="holds")
    quantity = models.PositiveIntegerField()
    expires_at = models.DateTimeField(
        db_index=True, null=True, blank=True, help_text="empty: until it is settled"
    )

    class Meta:
        verbose_name = _("stock hold")
        verbose_name_plural = _("stock holds")
        constraints = [
            models.UniqueConstraint(fields=["invoice_code", "product"], name="stockhold_once"),
            models.CheckConstraint(condition=Q(quantity__gt=0), name="stockhold_quantity"),
        ]

    def __str__(self) -> str:
        return f"{self.invoice_code}: {self.quantity} x {self.product}"


class StockChange(models.Model):
    """A change of `on_hand`, by whom and why. Never edited."""

    product = models.ForeignKey(
        Product, models.PROTECT, related_name="stock_changes", verbose_name=_("product")
    )
    change = models.IntegerField(_("change"), help_text=_("pieces added to or taken off the shelf"))
    on_hand = models.PositiveIntegerField(
        _("on hand"), help_text=_("pieces on the shelf afterwards")
    )
    reason = models.CharField(
        _("reason"), max_length=500, help_text=_("typed, or a text that is kept")
    )
    invoice_code = models.CharField(_("invoice code"), max_length=40, blank=True)
    actor = person_field(null=True, blank=True, verbose_name=_("actor"))
    at = models.DateTimeField(_("at"))

    class Meta:
        ordering = ("-at", "-id")
        verbose_name = _("stock change")
        verbose_name_plural = _("stock changes")

    def __str__(self) -> str:
        return f"{self.product}: {self.change:+d}"
