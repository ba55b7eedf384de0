"""What an order is confirmed and packed with: the sheet as it is filled in so far, shipping rates,
boxes.
"""

from decimal import Decimal

from django.core.validators import MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from apps.accounts.models import AddressEntry
from apps.catalog.models import Product
from apps.common.db.columns import money_field, person_field
from apps.common.money import ZERO
from apps.orders.models.orders import Order


class ConfirmationDraft(models.Model):
    """The confirmation sheet of a preparing order as its staff have filled it in so far.

    `sheet` has its `lines` by their ids, the `added` lines, what `proposals` need beside their
    line, the `days` for an answer, and the `shipping_fee` as it was typed. Of a line it says how
    many pieces were `ordered` when it was saved, and what is decided so far: `confirmed`, `reason`,
    `comment`; with a kind of `proposal` nothing is decided, it is to be proposed to the buyer.
    """

    order = models.OneToOneField(
        Order, models.PROTECT, primary_key=True, related_name="confirmation_draft"
    )
    revision = models.PositiveIntegerField(help_text="rises with every save")
    sheet = models.JSONField()
    saved_by = person_field(db_index=False)
    saved_at = models.DateTimeField()

    class Meta:
        verbose_name = _("confirmation draft")
        verbose_name_plural = _("confirmation drafts")

    def __str__(self) -> str:
        return f"{self.order}: sheet {self.revision}"

    def pieces_of(self, *, line_id: int, quantity: int) -> int:
        """Return the pieces that are to be sent of a line: all of them unless the sheet decides
        otherwise. What it said of a line that has changed since does not count.
        """
        line = self.sheet["lines"].get(str(line_id))
        if line is None or line["ordered"] != quantity or line["proposal"]:
            return quantity
        return int(line["confirmed"])


class ShippingRate(models.Model):
    """What shipping to a country costs a kilogram; the one without a country is for all others."""

    country = models.OneToOneField(
        AddressEntry,
        models.PROTECT,
        verbose_name=_("country"),
        null=True,
        blank=True,
        related_name="+",
        limit_choices_to={"parent": None},
        help_text=_("Empty: every country without a rate of its own."),
    )
    per_kg = money_field(
        verbose_name=_("USD per kg"), validators=[MinValueValidator(Decimal("0.01"))]
    )
    at_least = money_field(
        verbose_name=_("at least USD"), default=ZERO, validators=[MinValueValidator(ZERO)]
    )

    class Meta:
        verbose_name = _("shipping rate")
        verbose_name_plural = _("shipping rates")
        ordering = ("country__content",)
        constraints = [
            models.UniqueConstraint(
                models.Value(1),
                condition=Q(country=None),
                name="shippingrate_other_countries",
                violation_error_message=_("There is a rate for all other countries already."),
            ),
            models.CheckConstraint(
                condition=Q(per_kg__gt=0, at_least__gte=0), name="shippingrate_money"
            ),
        ]

    def __str__(self) -> str:
        return str(self.country or _("Other countries"))


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
        constraints = [
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
        constraints = [
            models.UniqueConstraint(fields=["box", "product"], name="packingitem_once"),
            models.CheckConstraint(condition=Q(quantity__gt=0), name="packingitem_quantity"),
        ]

    def __str__(self) -> str:
        return f"{self.box}: {self.quantity} x {self.product}"
