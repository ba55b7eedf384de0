"""The basket of a buyer, as the server knows it, and those that were put by."""

from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _

from apps.accounts.models import User
from apps.common.db.columns import moment_field, money_field


class Basket(models.Model):
    """A buyer's basket as of the last edit on any device.

    `lines` is a list of `{sku, count, price, short}` in the order of choosing: pieces of a product,
    its wholesale price when they were chosen as text (`4.50`), and whether there were fewer pieces
    than that. `devices` pairs each device with the number of its last edits, the one that was used
    last at the end.
    """

    user = models.OneToOneField(User, models.CASCADE, related_name="basket", primary_key=True)
    revision = models.PositiveIntegerField(default=0, help_text="rises with every change")
    edited_at = moment_field()
    lines = models.JSONField(default=list)
    devices = models.JSONField(default=list)

    class Meta:
        verbose_name = _("basket")
        verbose_name_plural = _("baskets")

    def __str__(self) -> str:
        return f"{self.user}: {self.revision}"


class SavedBasket(models.Model):
    """A basket that was put by: under a name, or as it was before it was emptied or replaced, for
    30 days.

    `lines` is a list of `{sku, count}`; `uuid` comes from the browser, so that a repeat saves
    nothing twice.
    """

    class Kind(models.TextChoices):
        NAMED = "named", "Named"
        RESET = "reset", "Before Reset"
        RECENT = "recent", "Before Recent Orders"
        REPLACED = "replaced", "Before another basket"
        REMOVED = "removed", "Before removing"
        CANCELLED = "cancelled", "Before cancel"

    uuid = models.UUIDField(unique=True)
    owner = models.ForeignKey(User, models.CASCADE, related_name="saved_baskets")
    kind = models.CharField(max_length=10, choices=Kind)
    name = models.CharField(max_length=60, blank=True)
    is_shared = models.BooleanField(default=False, help_text="with the owner's company")
    lines = models.JSONField()
    count = models.PositiveIntegerField(help_text="lines")
    pieces = models.PositiveBigIntegerField()
    total = money_field(help_text="at the prices of when it was saved")
    saved_at = models.DateTimeField()
    expires_at = moment_field(db_index=True)

    class Meta:
        verbose_name = _("saved basket")
        verbose_name_plural = _("saved baskets")
        constraints = [
            models.UniqueConstraint(
                "owner", Lower("name"), condition=Q(kind="named"), name="savedbasket_name"
            ),
            models.CheckConstraint(
                condition=(Q(kind="named", expires_at__isnull=True) & ~Q(name=""))
                | Q(~Q(kind="named"), name="", is_shared=False, expires_at__isnull=False),
                name="savedbasket_kind",
            ),
        ]

    def __str__(self) -> str:
        return self.name or self.get_kind_display()
