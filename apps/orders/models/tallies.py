"""Running figures, kept by the one writer of statuses: orders of companies, confirmed sales."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from apps.accounts.models import Company
from apps.catalog.models import Product
from apps.common.money import ZERO


def status_bucket(status: int) -> str:
    """Return the tally bucket of a status."""
    return f"status:{int(status)}"


def month_bucket(month: str) -> str:
    """Return the tally bucket of a month (`2026-11`)."""
    return f"month:{month}"


class OrderTally(models.Model):
    """Running figures of a company, kept by the one writer of statuses: orders by status, sums by
    month.

    `bucket` is `status:1` … `status:5`, or `month:2026-11` (without cancelled orders).
    """

    company = models.ForeignKey(Company, models.CASCADE, related_name="order_tallies")
    bucket = models.CharField(max_length=16)
    count = models.IntegerField(default=0)
    total = models.DecimalField(max_digits=16, decimal_places=2, default=ZERO)

    class Meta:
        verbose_name = _("order tally")
        verbose_name_plural = _("order tallies")
        constraints = [
            models.UniqueConstraint(fields=["company", "bucket"], name="ordertally_once")
        ]

    def __str__(self) -> str:
        return f"{self.company}: {self.bucket}"


class SalesTally(models.Model):
    """Confirmed sales of a product to a company on a day of the seller, counted by the one writer
    of statuses; cancelled orders are taken out again.

    Days are counted one after another, so that those of a range lie side by side.
    """

    day = models.DateField(help_text="of confirmation, in the seller's time zone")
    product = models.ForeignKey(
        Product, models.DO_NOTHING, related_name="+", db_constraint=False, db_index=False
    )
    company = models.ForeignKey(
        Company, models.DO_NOTHING, related_name="+", db_constraint=False, db_index=False
    )
    orders = models.IntegerField(
        default=0, help_text="counted at the first line of each, so that they add up by company"
    )
    pieces = models.BigIntegerField(default=0)
    total = models.DecimalField(
        max_digits=16, decimal_places=2, default=ZERO, help_text="confirmed lines"
    )

    class Meta:
        verbose_name = _("sales tally")
        verbose_name_plural = _("sales tallies")
        constraints = [
            models.UniqueConstraint(fields=["day", "product", "company"], name="salestally_once")
        ]

    def __str__(self) -> str:
        return f"{self.day}: {self.product_id}"
